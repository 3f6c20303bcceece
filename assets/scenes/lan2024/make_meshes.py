#!/usr/bin/env python3
"""Makes the bodies, bands and skirts of these scenes: python3 make_meshes.py [FILE ...] (writes meshes/*.obj, in metres)."""
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from mesh_tools import blend, bone, egg, ribbon, say, solid, through, turned, write  # noqa: E402

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
    """A stout animal that stands upright, 0.47 m tall: belly, head with snout and ears, raised arms, legs, ridges on its back."""
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
    """A teapot with lid, knob, spout (to +x) and handle (to -x), 0.25 m tall. It stands on y = 0 and is solid."""

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


def tank(x, y, z, wall):
    """An open box: inner extents x, y, z on a bottom as thick as its walls, which is at 0. Cut into quads of about 4 cm."""
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
        n, m = (max(1, round(math.hypot(b[0] - d[0], b[1] - d[1]) / 0.04)) for b, d in (((x0, z0), (x1, z1)), ((p0, q0), (p1, q1))))
        top = [number[tuple(round(v, 6) for v in (x0 + (x1 - x0) * i / n, h, z0 + (z1 - z0) * i / n))] for i in range(n + 1)]
        low = [number[tuple(round(v, 6) for v in (p0 + (p1 - p0) * i / m, h, q0 + (q1 - q0) * i / m))] for i in range(m + 1)]
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
    """A distance function: half a hollow ball, open above, whose wall goes on upwards by `rise`, with three ribs inside. Its bottom is at 0."""
    center = radius + wall / 2
    ends = []
    for k in range(3):
        a = 2 * math.pi * k / 3 + 0.4
        at = lambda angle: ((radius - rib) * math.sin(angle) * math.cos(a), center - (radius - rib) * math.cos(angle),
                            (radius - rib) * math.sin(angle) * math.sin(a))
        low, high = math.radians(35), math.radians(80)  # from the bottom upwards, as seen from the ball's centre
        ends.append((at(low), at(high)))

    def distance(p):
        r, up = math.hypot(p[0], p[2]), p[1] - center
        shell = abs(math.hypot(r, up) - radius) if up < 0 else math.hypot(r - radius, max(up - rise, 0.0))
        f = shell - wall / 2
        for a, b in ends:
            f = blend(f, bone(p, a, b, rib, rib), 0.05)
        return f

    return distance


def funnel(mouth, neck, wall, spout=0.12, slope=1.1):
    """The profile of a funnel: a spout whose lower end is at 0, a smooth throat, a cone that is `mouth` wide, round lips; `slope` is dr/dy."""
    width, step = 0.025, 0.0105
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
    turn = lambda end, a: (end[0] + wall / 2 * (end[2] * math.cos(a) - end[3] * math.sin(a)), end[1] + wall / 2 * (end[3] * math.cos(a) + end[2] * math.sin(a)))
    upper = [turn(lips[-1], math.pi * k / 3) for k in (1, 2)]
    lower = [turn(lips[0], math.pi * (1 + k / 3)) for k in (1, 2)]
    return right + upper + left[::-1] + lower + right[:1]


def twisted_pair(turns, radius, half, length, steps=400):
    """Half of two bands that are twisted around each other `turns` times along x and leave at 45 degrees. The other half is this one
    turned by 180 degrees about x. They cross where both have y = 0, in z by twice `radius` apart."""
    middle = []
    for k in range(-steps // 2, steps // 2 + 1):
        t = 2 * k / steps  # -1 to 1
        angle = math.pi * turns * t
        middle.append((half * t, 1.4 * radius * math.sin(angle), radius * math.cos(angle)))
    stops = middle[:: steps // (8 * max(1, round(2 * turns)))]
    (x, y, z) = stops[-1]
    side = 1 if y > 0 else -1
    tail = [(x + 0.06 + 0.7 * s, side * (1.4 * radius + 0.02 + 0.45 * s), 0.3 * z * max(0.0, 1 - 8 * s)) for s in (length * j / 6 for j in range(7))]
    head = [(-p[0], -p[1], p[2]) for p in reversed(tail)]
    return head + stops[1:-1] + tail


BODIES = {
    "animal.obj": lambda: solid(animal(), (-0.26, -0.03, -0.23), (0.26, 0.49, 0.18), 0.009),
    "teapot.obj": lambda: solid(teapot(), (-0.21, -0.02, -0.16), (0.29, 0.26, 0.16), 0.007),
    "tank.obj": lambda: tank(0.40, 0.24, 0.28, 0.012),
    "drum.obj": lambda: solid(drum(0.34, 0.06, 0.024, 0.035), (-0.39, -0.04, -0.39), (0.39, 0.45, 0.39), 0.013),
    "funnel.obj": lambda: turned(funnel(0.34, 0.07, 0.02), 0.0121),
    "hips.obj": lambda: solid(lambda p: egg(p, (0, 0, 0), (0.185, 0.15, 0.125)), (-0.2, -0.17, -0.14), (0.2, 0.17, 0.14), 0.013),
}
BANDS = {"strip_small.obj": 0.0125, "strip.obj": 0.0033}
SKIRTS = {"skirt_small.obj": 0.0215, "skirt.obj": 0.0046}

if __name__ == "__main__":
    os.makedirs(MESHES, exist_ok=True)
    wanted = sys.argv[1:] or [*BODIES, *BANDS, *SKIRTS]
    for name in wanted:
        if name in BODIES:
            points, faces = BODIES[name]()
            say(name, points, faces)
            write(MESHES + name, points, faces)
        elif name in BANDS:
            count, length = ribbon(MESHES + name, through(twisted_pair(1.5, 0.036, 0.16, 0.85), 0.004), 0.05, BANDS[name])
            print(f"{name}: a band of {length:.2f} m, {count} vertices")
        else:
            points, faces = turned([(0.40, 0.52), (0.165, 1.0)], SKIRTS[name])
            print(f"{name}: {len(points)} vertices")
            write(MESHES + name, points, faces)
