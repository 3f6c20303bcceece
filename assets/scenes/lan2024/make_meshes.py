#!/usr/bin/env python3
"""Makes the bodies and the skirt of these scenes: python3 make_meshes.py [FILE ...] (writes meshes/*.obj,
in metres)."""

import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from mesh_tools import blend, bone, egg, say, solid, turned, write  # noqa: E402

MESHES = os.path.join(HERE, "meshes", "")


def blended(parts, radius):
    """The union of distance functions, with fillets."""

    def distance(p):
        f = parts[0](p)
        for part in parts[1:]:
            f = blend(f, part(p), radius)
        return f

    return distance


def mirrored(part):
    """A distance function of the half x > 0, for both halves."""
    return lambda p: part([abs(p[0]), p[1], p[2]])


def animal():
    """A stout animal that stands upright, 0.47 m tall: belly, head with snout and ears, raised arms, legs,
    ridges on its back."""
    limb = lambda *a: mirrored(lambda p: bone(p, *a))
    return blended(
        [
            lambda p: egg(p, (0, 0.20, 0), (0.105, 0.125, 0.095)),
            lambda p: egg(p, (0, 0.355, 0.015), (0.066, 0.062, 0.068)),
            lambda p: bone(p, (0, 0.345, 0.06), (0, 0.33, 0.125), 0.042, 0.026),
            limb((0.035, 0.395, 0), (0.078, 0.452, -0.01), 0.024, 0.013),
            limb((0.085, 0.265, 0.01), (0.17, 0.285, 0.05), 0.036, 0.029),
            limb((0.17, 0.285, 0.05), (0.205, 0.37, 0.085), 0.029, 0.032),
            limb((0.06, 0.11, 0.01), (0.088, 0.03, 0.035), 0.052, 0.04),
            limb((0.088, 0.032, 0.02), (0.10, 0.026, 0.09), 0.034, 0.027),
            lambda p: bone(p, (0, 0.10, -0.08), (0.02, 0.035, -0.19), 0.04, 0.014),
            lambda p: bone(p, (0, 0.28, -0.085), (0, 0.30, -0.115), 0.026, 0.012),
            lambda p: bone(p, (0, 0.20, -0.09), (0, 0.21, -0.13), 0.03, 0.014),
        ],
        0.035,
    )


def teapot():
    """A teapot with lid, knob, spout (to +x) and handle (to -x), 0.25 m tall. It stands on y = 0 and is
    solid."""

    def handle(p):
        # a round bar along an arc in the plane z = 0
        q = (p[0] + 0.115, p[1] - 0.105)
        angle = min(max(math.atan2(q[1], -q[0]), -1.9), 1.9)
        return math.dist((q[0], q[1], p[2]), (-0.062 * math.cos(angle), 0.062 * math.sin(angle), 0)) - 0.0125

    return blended(
        [
            lambda p: egg(p, (0, 0.095, 0), (0.14, 0.092, 0.14)),
            lambda p: egg(p, (0, 0.02, 0), (0.085, 0.02, 0.085)),
            lambda p: egg(p, (0, 0.175, 0), (0.075, 0.032, 0.075)),
            lambda p: bone(p, (0, 0.205, 0), (0, 0.222, 0), 0.013, 0.024),
            lambda p: bone(p, (0.10, 0.065, 0), (0.19, 0.105, 0), 0.042, 0.03),
            lambda p: bone(p, (0.19, 0.105, 0), (0.235, 0.19, 0), 0.03, 0.019),
            lambda p: bone(p, (0.235, 0.19, 0), (0.255, 0.205, 0), 0.019, 0.017),
            handle,
        ],
        0.022,
    )


def bear():
    """A toy bear that sits, 0.12 m tall, with its middle at the origin; no part is thinner than 2 cm."""
    limb = lambda *a: mirrored(lambda p: bone(p, *a))
    return blended(
        [
            lambda p: egg(p, (0, -0.02, 0), (0.034, 0.038, 0.03)),
            lambda p: egg(p, (0, 0.03, 0.004), (0.028, 0.025, 0.026)),
            lambda p: bone(p, (0, 0.025, 0.02), (0, 0.022, 0.032), 0.013, 0.011),
            limb((0.02, 0.05, 0), (0.024, 0.055, 0), 0.011, 0.01),
            limb((0.028, -0.004, 0.004), (0.052, -0.016, 0.022), 0.013, 0.012),
            limb((0.02, -0.045, 0.01), (0.032, -0.048, 0.05), 0.015, 0.014),
        ],
        0.01,
    )


def whale():
    """A toy whale, 0.15 m long, with its middle near the origin; no part is thinner than 2 cm."""
    side = lambda *a: mirrored(lambda p: bone(p, *a))
    return blended(
        [
            lambda p: egg(p, (0, 0, 0.02), (0.034, 0.032, 0.052)),
            lambda p: bone(p, (0, 0, -0.01), (0, 0.018, -0.055), 0.024, 0.011),
            side((0, 0.018, -0.055), (0.026, 0.022, -0.066), 0.011, 0.01),
            side((0.028, -0.012, 0.02), (0.052, -0.02, 0.002), 0.011, 0.01),
        ],
        0.01,
    )


def hull():
    """A ship's hull along x with a flat deck, 0.9 m long, its keel at 0, stem and stern drawn up."""

    def distance(p):
        along = (p[0] / 0.45) ** 2
        body = egg(p, (0, 0.15, 0), (0.45, 0.15, 0.13))
        ends = min(
            bone(p, (0.36, 0.13, 0), (0.47, 0.27, 0), 0.04, 0.018),
            bone(p, (-0.36, 0.13, 0), (-0.46, 0.25, 0), 0.04, 0.018),
        )
        deck = p[1] - 0.15 - 0.02 * along
        return blend(-blend(-body, -deck, 0.012), ends, 0.04)

    return distance


def mast():
    """A mast with a yard, 0.42 m tall, its foot at 0; no part is thinner than 2.6 cm."""
    return blended(
        [
            lambda p: bone(p, (0, 0.019, 0), (0, 0.405, 0), 0.019, 0.014),
            lambda p: bone(p, (0, 0.3, -0.13), (0, 0.3, 0.13), 0.014, 0.014),
        ],
        0.015,
    )


def tank(x, y, z, wall):
    """An open box: inner extents x, y, z on a bottom as thick as its walls, which is at 0. Cut into quads
    of about 4 cm."""
    points, faces, number = [], [], {}

    def panel(origin, u, v):
        # seen with u to the right and v up
        nu, nv = (max(1, round(math.hypot(*d) / 0.04)) for d in (u, v))
        grid = []
        for j in range(nv + 1):
            for i in range(nu + 1):
                p = tuple(round(o + a * i / nu + b * j / nv, 6) for o, a, b in zip(origin, u, v))
                grid.append(number.setdefault(p, len(points)))
                if grid[-1] == len(points):
                    points.append(p)
        for j in range(nv):
            for i in range(nu):
                a = j * (nu + 1) + i
                faces.append((grid[a], grid[a + 1], grid[a + nu + 2], grid[a + nu + 1]))

    a, c, h = x / 2, z / 2, y + wall  # inner half extents, height
    A, C = a + wall, c + wall
    inner, outer = [(-a, c), (a, c), (a, -c), (-a, -c)], [(-A, C), (A, C), (A, -C), (-A, -C)]
    for k in range(4):
        (x0, z0), (x1, z1) = outer[k], outer[(k + 1) % 4]
        (p0, q0), (p1, q1) = inner[k], inner[(k + 1) % 4]
        panel((x0, 0, z0), (x1 - x0, 0, z1 - z0), (0, h, 0))
        panel((p1, wall, q1), (p0 - p1, 0, q0 - q1), (0, y, 0))
        # the rim: a quad for each of the inner wall's, whose outer corners slide along the outer wall
        n, m = (
            max(1, round(math.hypot(b[0] - d[0], b[1] - d[1]) / 0.04))
            for b, d in (((x0, z0), (x1, z1)), ((p0, q0), (p1, q1)))
        )
        top = [
            number[tuple(round(v, 6) for v in (x0 + (x1 - x0) * i / n, h, z0 + (z1 - z0) * i / n))]
            for i in range(n + 1)
        ]
        low = [
            number[tuple(round(v, 6) for v in (p0 + (p1 - p0) * i / m, h, q0 + (q1 - q0) * i / m))]
            for i in range(m + 1)
        ]
        i = j = 0
        while i < n or j < m:
            if j >= m or (i < n and (i + 0.5) / n <= (j + 0.5) / m):
                faces.append((top[i], top[i + 1], low[j]))
                i += 1
            else:
                faces.append((top[i], low[j + 1], low[j]))
                j += 1
    panel((-A, 0, -C), (2 * A, 0, 0), (0, 0, 2 * C))
    panel((-a, wall, c), (2 * a, 0, 0), (0, 0, -2 * c))
    return points, faces


def drum(radius, rise, wall, rib):
    """Half a hollow ball, open above, whose wall goes on upwards by `rise` to a round lip, with three
    smooth ribs inside. Its bottom is at 0."""
    center, step = radius + wall, 0.021
    arc = lambda r: [
        (r * math.sin(a), center - r * math.cos(a)) for a in (0.5 * math.pi * k / 40 for k in range(41))
    ]
    lip = [
        (radius + 0.5 * wall * (1 + math.cos(a)), center + rise + 0.5 * wall * math.sin(a))
        for a in (math.pi * k / 3 for k in range(4))
    ]
    points, faces = turned(arc(radius + wall) + lip + arc(radius)[::-1], step)
    # ends of the ribs, from the bottom upwards as seen from the ball's centre
    low, high = math.radians(25), math.radians(92)

    def ribbed(p):
        x, y, z = p
        r = math.hypot(x, z)
        if math.hypot(r, min(y - center, 0.0)) > radius + 0.01 * wall or r < 1e-6:
            return p
        along = (math.atan2(r, center - y) - low) / (high - low)
        if not 0 < along < 1:
            return p
        inwards = (
            rib
            * math.sin(math.pi * along) ** 0.7
            * math.exp(-(((1 - math.cos(3 * math.atan2(z, x))) / 0.25) ** 2))
        )
        far = math.dist(p, (0, center, 0))
        return tuple(c + (v - c) * (1 - inwards / far) for v, c in zip(p, (0, center, 0)))

    return [ribbed(p) for p in points], faces


def funnel(mouth, neck, wall, spout=0.12, slope=1.1):
    """The profile of a funnel: a spout whose lower end is at 0, a smooth throat, a cone that is `mouth`
    wide, round lips; `slope` is dr/dy."""
    width, step = 0.025, 0.0155  # m, of the throat's bend; between points
    top = spout + (mouth - neck) / slope
    right, left, lips = [], [], []
    y = 0.0
    while y < top:
        steep = slope / (1 + math.exp((spout - y) / width))
        size = math.hypot(1, steep)
        r = neck + slope * width * math.log1p(math.exp((y - spout) / width))
        right.append((r + wall / 2 / size, y - steep * wall / 2 / size))
        left.append((r - wall / 2 / size, y + steep * wall / 2 / size))
        lips.append((r, y, 1 / size, -steep / size))
        y += step / size
    turn = lambda end, a: (
        end[0] + wall / 2 * (end[2] * math.cos(a) - end[3] * math.sin(a)),
        end[1] + wall / 2 * (end[3] * math.cos(a) + end[2] * math.sin(a)),
    )
    upper = [turn(lips[-1], math.pi * k / 3) for k in (1, 2)]
    lower = [turn(lips[0], math.pi * (1 + k / 3)) for k in (1, 2)]
    return right + upper + left[::-1] + lower + right[:1]


def skirt(edge):
    """A knee-length skirt of revolution with ten shallow flutes that deepen towards its hem: without them
    it would hang as the cone that it is."""
    waist, hem = (0.165, 1.0), (0.38, 0.52)
    points, faces = turned([hem, waist], edge)

    def fluted(p):
        down = (waist[1] - p[1]) / (waist[1] - hem[1])
        wider = 1 + 0.06 * down * math.sin(10 * math.atan2(p[2], p[0]))
        return wider * p[0], p[1], wider * p[2]

    return [fluted(p) for p in points], faces


BODIES = {
    "animal.obj": lambda: solid(animal(), (-0.26, -0.03, -0.23), (0.26, 0.49, 0.18), 0.009),
    "teapot.obj": lambda: solid(teapot(), (-0.21, -0.02, -0.16), (0.29, 0.26, 0.16), 0.007),
    "bear.obj": lambda: solid(bear(), (-0.07, -0.07, -0.04), (0.07, 0.07, 0.07), 0.006),
    "whale.obj": lambda: solid(whale(), (-0.07, -0.04, -0.085), (0.07, 0.045, 0.08), 0.006),
    "hull.obj": lambda: solid(hull(), (-0.51, -0.02, -0.16), (0.51, 0.31, 0.16), 0.011),
    "mast.obj": lambda: solid(mast(), (-0.035, -0.02, -0.16), (0.035, 0.44, 0.16), 0.007),
    "tank.obj": lambda: tank(0.50, 0.22, 0.36, 0.012),
    "drum.obj": lambda: drum(0.34, 0.06, 0.02, 0.08),
    "funnel.obj": lambda: turned(funnel(0.34, 0.07, 0.02), 0.018),
    "hips.obj": lambda: solid(
        lambda p: egg(p, (0, 0, 0), (0.185, 0.15, 0.125)), (-0.2, -0.17, -0.14), (0.2, 0.17, 0.14), 0.013
    ),
}
SKIRTS = {"skirt_small.obj": 0.0215, "skirt.obj": 0.0046}

if __name__ == "__main__":
    os.makedirs(MESHES, exist_ok=True)
    wanted = sys.argv[1:] or [*BODIES, *SKIRTS]
    for name in wanted:
        if name in BODIES:
            points, faces = BODIES[name]()
            say(name, points, faces)
            write(MESHES + name, points, faces)
        else:
            points, faces = skirt(SKIRTS[name])
            print(f"{name}: {len(points)} vertices")
            write(MESHES + name, points, faces)
