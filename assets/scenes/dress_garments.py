#!/usr/bin/env python3
"""Dresses the mannequin for the garment scenes of the papers.

    python3 dress_garments.py [PROGRAM]                          the small scenes' meshes: PAPER/meshes/NAME.obj
    python3 dress_garments.py PROGRAM --paper FOLDER [SCENE ...] scenes as large as in the papers, with their meshes

Garments are sewn from ../garments with `weft dress`. PROGRAM: by default weft. FOLDER/PAPER/NAME.toml is the scene
PAPER/NAME_small with a garment of as many vertices as the paper has (PAPER_SIZES); it is dressed with the small edge length
and then meshed again. SCENE: PAPER/NAME; all of them without one. These meshes have up to 30 MB and are not kept here.
"""
import argparse
import math
import os
import re
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
# scene's folder, mesh, pattern, edge length (mm)
GARMENTS = [
    ("wu2020", "shirt_small", "tshirt", 18),
    ("wu2020", "dress_small", "dress", 21),
    ("wu2020", "layered_dress_small", "layered_dress", 28),
    ("lan2024", "skirt_worn", "gathered_skirt", 21),
]
# scene, pattern, vertices in the paper (of those that count triangles: half of these)
PAPER_SIZES = [
    ("wu2020/shirt", "tshirt", 56000),
    ("wu2020/dress", "dress", 55000),
    ("wu2020/layered_dress", "layered_dress", 297000),
    ("wang2023/layered_dress", "layered_dress", 30000),
    ("tang2018/dress", "dress", 45000),
    ("lan2024/skirt_kick", "gathered_skirt", 50000),
    ("lan2024/runway", "gathered_skirt", 50000),
]
BODY_EDGE = "0.02"


def pattern_file(name):
    return os.path.join(HERE, "..", "garments", name + ".json")


def dress(program, pattern, edge, out, extra=()):
    """edge: m."""
    subprocess.run([program, "dress", pattern_file(pattern), "--edge", "%gmm" % (1000 * edge), "--body-edge", BODY_EDGE,
                    "-o", out, *extra], check=True)


def small_garment(pattern):
    """Edge length (m) and number of vertices of the small mesh of a pattern."""
    folder, name, _, edge = next(g for g in GARMENTS if g[2] == pattern)
    with open(os.path.join(HERE, folder, "meshes", name + ".obj")) as file:
        return edge / 1000, sum(line.startswith("v ") for line in file)


def paper_scene(program, folder, scene, pattern, vertices, settle):
    edge, count = small_garment(pattern)
    finer = edge * math.sqrt(count / vertices)
    paper, name = scene.split("/")
    out = os.path.join(folder, paper)
    os.makedirs(os.path.join(out, "meshes"), exist_ok=True)
    extra = ["--finer", "%.3gmm" % (1000 * finer)]
    if settle is not None:
        extra += ["--set", "sewing.settle=%g" % settle]
    dress(program, pattern, edge, os.path.join(out, "meshes", name + ".obj"), extra)
    with open(os.path.join(HERE, scene + "_small.toml")) as file:
        text = file.read()
    text = re.sub(r'^title = "(.*), small"', r'title = "\1"', text, flags=re.M)
    text = re.sub(r'^file = ".*"', 'file = "meshes/%s.obj"' % name, text, flags=re.M)
    with open(os.path.join(out, name + ".toml"), "w") as file:
        file.write(text)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program", nargs="?", default="weft")
    options.add_argument("scenes", nargs="*", metavar="SCENE")
    options.add_argument("--paper", metavar="FOLDER", help="write scenes of the papers' sizes into this folder")
    options.add_argument("--settle", type=float, help="seconds under gravity (sewing.settle)")
    chosen = options.parse_args()
    if chosen.paper:
        for scene, pattern, vertices in PAPER_SIZES:
            if not chosen.scenes or scene in chosen.scenes:
                paper_scene(chosen.program, chosen.paper, scene, pattern, vertices, chosen.settle)
        return
    for folder, name, pattern, edge in GARMENTS:
        dress(chosen.program, pattern, edge / 1000, os.path.join(HERE, folder, "meshes", name + ".obj"))


if __name__ == "__main__":
    main()
