"""Meshes and small scenes of these tests."""

import os
import subprocess

import numpy as np

PROGRAM = os.environ.get("WEFT_PROGRAM", "weft")

SHEET_OVER_BALL = """
title = "sheet over a ball"
[step]
collision = "{collision}"
solver = "{solver}"
[[cloth]]
shape = "grid"
size = [0.4, 0.4]
vertices = 400
position = [0, 0.5, 0]
rotation = [90, 0, 0]
[[pin]]
vertices = [0]
[[obstacle]]
name = "ball"
shape = "sphere"
radius = 0.1
position = [0, 0.38, 0]
"""


def sheet(n=12, size=0.3, height=0.4):
    """A level square of n x n vertices: (n * n, 3) float32 m, and its triangles."""
    line = np.linspace(-size / 2, size / 2, n, dtype=np.float32)
    x, z = np.meshgrid(line, line, indexing="ij")
    vertices = np.stack([x, np.full_like(x, height), z], axis=-1).reshape(-1, 3)
    corner = np.arange(n * n).reshape(n, n)
    a, b, c, d = corner[:-1, :-1], corner[1:, :-1], corner[1:, 1:], corner[:-1, 1:]
    triangles = np.concatenate([np.stack([a, c, b], -1), np.stack([a, d, c], -1)]).reshape(-1, 3)
    return vertices, triangles


def box(size=0.2):
    """A closed box around the origin."""
    h = size / 2
    vertices = np.array([[x, y, z] for x in (-h, h) for y in (-h, h) for z in (-h, h)], dtype=np.float32)
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]
    return vertices, np.array(triangles)


def program(*arguments, folder):
    """Runs weft and returns what it prints; fails with its messages."""
    done = subprocess.run([PROGRAM, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(done.stdout + done.stderr)
    return done.stdout
