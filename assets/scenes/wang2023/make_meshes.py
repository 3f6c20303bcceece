#!/usr/bin/env python3
"""Makes the bodies and the knotted bands of these scenes: python3 make_meshes.py (writes meshes/*.obj, in metres)."""

import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from mesh_tools import funnel, ribbon, through, write  # noqa: E402

MESHES = os.path.join(HERE, "meshes", "")


def needles(name, rows, spacing, height, radius, sides=8):
    """Cones with sharp tips in staggered rows; every third is shorter. Their bases are at 0."""
    points, faces = [], []
    for row in range(rows):
        for column in range(rows - row % 2):
            x, z = (column + 0.5 * (row % 2) - 0.5 * (rows - 1)) * spacing, (
                row - 0.5 * (rows - 1)
            ) * spacing * math.sqrt(0.75)
            tip = height * (0.85 if (row + 2 * column) % 3 == 0 else 1.0)
            base = len(points)
            points += [
                (
                    x + radius * math.cos(2 * math.pi * k / sides),
                    0.0,
                    z - radius * math.sin(2 * math.pi * k / sides),
                )
                for k in range(sides)
            ]
            points += [(x, tip, z), (x, 0.0, z)]
            for k in range(sides):
                a, b = base + k, base + (k + 1) % sides
                faces += [(a, b, base + sides), (b, a, base + sides + 1)]
    write(MESHES + name, points, faces)


def blade(name, length, height, thickness, bow, segments):
    """A knife on its back, along z: parallel sides up to 0.55 of its height, then ground to an edge that is `bow` higher in its middle."""
    section = [
        (-thickness / 2, 0.0),
        (thickness / 2, 0.0),
        (thickness / 2, 0.55),
        (0.0, 1.0),
        (-thickness / 2, 0.55),
    ]
    points, n = [], len(section)
    for s in range(segments + 1):
        u = 2 * s / segments - 1
        points += [(x, y * (height - bow * u * u), length / 2 * u) for x, y in section]
    faces = [tuple(reversed(range(n))), tuple(segments * n + k for k in range(n))]
    for s in range(segments):
        for k in range(n):
            a, b = s * n + k, s * n + (k + 1) % n
            faces.append((a, b, b + n, a + n))
    write(MESHES + name, points, faces)


def pyramid(name, base, height):
    """Four sides and a square base at 0."""
    b = base / 2
    write(
        MESHES + name,
        [(-b, 0, b), (b, 0, b), (b, 0, -b), (-b, 0, -b), (0, height, 0)],
        [(3, 2, 1, 0), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)],
    )


def reef(lift):
    """Half of a reef knot: comes from the right, goes round behind the legs of the other half and back to the right. The other half is this
    one turned by 180 degrees about y. Each half crosses the other six times: at |x| = 0.34 and at x = 0, where it goes over (z = lift)
    and under in the order over, under, over, over, under, over."""
    lower = [
        (1.25, -0.17, 0),
        (1.0, -0.14, 0),
        (0.75, -0.10, 0),
        (0.54, -0.075, 0.6 * lift),
        (0.34, -0.07, lift),
        (0.17, -0.095, 0),
        (0.0, -0.13, -lift),
        (-0.13, -0.18, -0.45 * lift),
        (-0.26, -0.165, 0.6 * lift),
        (-0.34, -0.065, lift),
    ]
    return lower + [(x, -y, z) for x, y, z in reversed(lower)]


def bow(lift):
    """Half of a bow: as the reef knot up to where the end has gone through the other half; there it turns back as a loop, goes through
    the same opening again, and hangs down in front."""
    loop = [
        (0.54, 0.085, 0.9 * lift),
        (0.78, 0.12, 0.3 * lift),
        (0.99, 0.20, 0),
        (1.06, 0.31, 0),
        (0.97, 0.40, 0),
        (0.74, 0.37, 0.3 * lift),
        (0.50, 0.28, 0.9 * lift),
        (0.29, 0.165, 1.3 * lift),
        (0.13, 0.05, 2.6 * lift),
        (0.0, -0.10, 3.4 * lift),
        (-0.06, -0.28, 3.4 * lift),
        (-0.08, -0.46, 3.4 * lift),
        (-0.09, -0.66, 3.4 * lift),
    ]
    return reef(lift)[:-4] + loop


if __name__ == "__main__":
    os.makedirs(MESHES, exist_ok=True)
    needles("needles.obj", 6, 0.095, 0.17, 0.006)
    blade("blade.obj", 0.9, 0.34, 0.016, 0.05, 24)
    pyramid("pyramid.obj", 0.4, 0.26)
    funnel(MESHES + "funnel.obj", 0.40, 0.14, 0.02)  # three fine sheets jam in half of it
    funnel(MESHES + "funnel_wide.obj", 0.36, 0.12, 0.02)  # for coarse sheets
    for name, line, edge in (
        ("reef", through(reef(0.036), 0.004), 0.00343),
        ("bow", through(bow(0.036), 0.004), 0.00298),
    ):
        for file, size in ((name + "_small.obj", 0.0135), (name + ".obj", edge)):
            count, length = ribbon(MESHES + file, line, 0.05, size)
            print(f"{file}: a band of {length:.2f} m, {count} vertices")
