#!/usr/bin/env python3
"""Makes the bodies, the skirt and the scarf of these scenes: python3 make_meshes.py [FILE ...] (writes
meshes/*.obj, in metres)."""

import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from mesh_tools import blend, bone, egg, say, solid, turned, write  # noqa: E402

MESHES = os.path.join(HERE, "meshes", "")


def hips(p):
    """Waist, pelvis and seat, cut off at 0.16; the hip joints are at (+-0.11, -0.03, 0)."""
    q = (abs(p[0]), p[1], p[2])
    f = egg(p, (0, -0.02, 0), (0.175, 0.12, 0.115))
    f = blend(f, egg(p, (0, 0.16, 0), (0.122, 0.20, 0.09)), 0.06)
    return max(blend(f, egg(q, (0.075, -0.04, -0.05), (0.085, 0.085, 0.085)), 0.04), p[1] - 0.16)


def leg(p):
    """From the hip joint at 0 down: thigh, knee at -0.42, calf, ankle at -0.82, foot towards +z."""
    f = bone(p, (0, 0, 0), (0, -0.42, 0.01), 0.076, 0.052)
    f = blend(f, bone(p, (0, -0.42, 0.01), (0, -0.56, -0.015), 0.050, 0.055), 0.03)
    f = blend(f, bone(p, (0, -0.56, -0.015), (0, -0.82, -0.01), 0.052, 0.036), 0.03)
    return blend(f, bone(p, (0, -0.845, 0.0), (0.01, -0.865, 0.13), 0.036, 0.024), 0.03)


def bust(p):
    """Head, neck, shoulders and chest, cut off below; the neck's axis is x = z = 0, its middle at 0."""
    q = (abs(p[0]), p[1], p[2])
    f = bone(p, (0, -0.14, -0.005), (0, 0.10, 0.0), 0.062, 0.056)
    head = blend(
        egg(p, (0, 0.205, -0.005), (0.076, 0.10, 0.093)),
        egg(p, (0, 0.135, 0.026), (0.053, 0.066, 0.062)),
        0.05,
    )
    f = blend(f, blend(head, bone(p, (0, 0.175, 0.085), (0, 0.148, 0.102), 0.012, 0.016), 0.02), 0.03)
    f = blend(f, bone(q, (0.02, -0.15, -0.02), (0.165, -0.185, -0.02), 0.045, 0.062), 0.07)
    f = blend(f, egg(p, (0, -0.30, 0.0), (0.205, 0.20, 0.115)), 0.08)
    return max(f, -0.34 - p[1])


def scarf(length, width, radius, edge):
    """A band with its width upright, half round the back of a neck of `radius`, whose two ends go straight
    forwards (+z): a plane sheet, bent without stretch. Points and faces."""
    half = math.pi * radius / 2
    columns, rows = round(length / edge), round(width / (edge * math.sqrt(0.75)))
    points, faces, number = [], [], {}
    for r in range(rows + 1):
        for c in (
            [0.0] + [k + 0.5 for k in range(columns)] + [float(columns)]
            if r % 2
            else [float(k) for k in range(columns + 1)]
        ):
            way = length * (c / columns - 0.5)
            side = math.copysign(1.0, way)
            angle = min(abs(way), half) / radius
            x, z = side * radius * math.sin(angle), -radius * math.cos(angle) + max(abs(way) - half, 0.0)
            number[r, c] = len(points)
            points.append((x, width * (r / rows - 0.5), z))
    for r in range(rows):
        even, odd = (r, r + 1) if r % 2 == 0 else (r + 1, r)
        add = lambda a, b, c: faces.append(
            (number[a], number[b], number[c]) if even == r else (number[a], number[c], number[b])
        )
        for c in range(columns):
            add((even, float(c)), (even, c + 1.0), (odd, c + 0.5))
            if c:
                add((even, float(c)), (odd, c + 0.5), (odd, c - 0.5))
        add((even, 0.0), (odd, 0.5), (odd, 0.0))
        add((even, float(columns)), (odd, float(columns)), (odd, columns - 0.5))
    return points, faces


BODIES = {
    "hips.obj": lambda: solid(hips, (-0.2, -0.18, -0.18), (0.2, 0.22, 0.15), 0.012),
    "leg.obj": lambda: solid(leg, (-0.1, -0.92, -0.11), (0.1, 0.1, 0.18), 0.012),
    "bust.obj": lambda: solid(bust, (-0.27, -0.37, -0.15), (0.27, 0.34, 0.15), 0.011),
    "cone.obj": lambda: turned([(0, 0), (0.20, 0), (0, 0.5)], 0.013),
}
CLOTHS = {
    "scarf_small.obj": lambda: scarf(2.4, 0.10, 0.09, 0.0105),
    "scarf.obj": lambda: scarf(2.4, 0.10, 0.09, 0.0074),
    "skirt_small.obj": lambda: turned([(0.60, 0), (0.14, 0)], 0.0205),
    "skirt.obj": lambda: turned([(0.60, 0), (0.14, 0)], 0.0053),
}

if __name__ == "__main__":
    os.makedirs(MESHES, exist_ok=True)
    for name in sys.argv[1:] or [*BODIES, *CLOTHS]:
        points, faces = (BODIES.get(name) or CLOTHS[name])()
        if name in BODIES:
            say(name, points, faces)
        else:
            print(f"{name}: {len(points)} vertices, {len(faces)} triangles")
        write(MESHES + name, points, faces)
