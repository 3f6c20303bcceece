#!/usr/bin/env python3
"""Makes the bodies and the knotted ribbon of these scenes: python3 make_meshes.py (writes meshes/*.obj, in metres)."""

import math
import os

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "meshes")


def write(name, points, faces, digits=4):
    with open(os.path.join(FOLDER, name), "w") as out:
        out.write("# made by make_meshes.py\n")
        for p in points:
            out.write("v " + " ".join("%.*f" % (digits, x) for x in p) + "\n")
        for f in faces:
            out.write("f " + " ".join(str(v + 1) for v in f) + "\n")


def turned(name, profile, segments):
    """Turns a closed profile of (radius, height), counter-clockwise with the radius to the right, about the y axis."""
    points, faces, n = [], [], len(profile)
    for s in range(segments):
        a = 2 * math.pi * s / segments
        points += [(r * math.cos(a), y, r * math.sin(a)) for r, y in profile]
    for s in range(segments):
        t = (s + 1) % segments
        for k in range(n):
            m = (k + 1) % n
            faces.append((s * n + k, s * n + m, t * n + m, t * n + k))
    write(name, points, faces)


def thick(line, thickness):
    """A closed profile around an open line of (radius, height): both sides, with round ends."""
    left, right = [], []
    for k, (r, y) in enumerate(line):
        a, b = line[max(k - 1, 0)], line[min(k + 1, len(line) - 1)]
        dx, dy = b[0] - a[0], b[1] - a[1]
        size = math.hypot(dx, dy)
        nx, ny = -dy / size * thickness / 2, dx / size * thickness / 2
        left.append((r + nx, y + ny))
        right.append((r - nx, y - ny))

    def cap(end, before):
        dx, dy = end[0] - before[0], end[1] - before[1]
        size = math.hypot(dx, dy)
        return end[0] + dx / size * thickness / 2, end[1] + dy / size * thickness / 2

    return right + [cap(line[-1], line[-2])] + left[::-1] + [cap(line[0], line[1])]


def funnel(name, mouth, neck):
    """From a vertical spout (0.12 m) over a smooth throat to a cone that is `mouth` wide; the spout's lower end is at 0."""
    line = [(neck, 0.0), (neck, 0.06), (neck, 0.12)]
    rise = 0.9 * (mouth - neck)
    for k in range(1, 7):
        t = k / 6
        line.append((neck + (mouth - neck) * t, 0.12 + rise * (t + 0.5 * math.sin(math.pi * t) / math.pi)))
    turned(name, thick(line, 0.03), 40)


def ring(name, radius, tube):
    """A torus about the y axis; `radius` is that of the hole."""
    profile = [
        (radius + tube + tube * math.cos(2 * math.pi * k / 12), tube * math.sin(2 * math.pi * k / 12))
        for k in range(12)
    ]
    turned(name, profile, 36)


def poled(name, profile, segments):
    """As `turned`, for an open profile whose first and last points are on the axis."""
    inner = profile[1:-1]
    n = len(inner)
    points = [(0.0, profile[0][1], 0.0), (0.0, profile[-1][1], 0.0)]
    faces = []
    for s in range(segments):
        a = 2 * math.pi * s / segments
        points += [(r * math.cos(a), y, r * math.sin(a)) for r, y in inner]
    for s in range(segments):
        here, next = 2 + s * n, 2 + (s + 1) % segments * n
        faces.append((0, here, next))
        faces += [(here + k, here + k + 1, next + k + 1, next + k) for k in range(n - 1)]
        faces.append((1, next + n - 1, here + n - 1))
    write(name, points, faces)


def knot_line(unit, height, turn, lead):
    """Points of the middle line of a loose overhand knot, m. Its projection is (t^3 - 3 t, t^4 - 4 t^2), which crosses itself three
    times; it goes over and under in turn by `height`. Beyond, both ends turn to the level within a radius `turn` and go on for `lead`.
    """
    crossings = [-1.9319, -1.7321, -0.5176, 0.5176, 1.7321, 1.9319]
    knots = [(t, height * (-1) ** k) for k, t in enumerate(crossings)]

    def lift(t):
        t = min(max(t, crossings[0]), crossings[-1])
        for (t0, z0), (t1, z1) in zip(knots, knots[1:]):
            if t <= t1:
                s = (t - t0) / (t1 - t0)
                return z0 + (z1 - z0) * s * s * (3 - 2 * s)
        return knots[-1][1]

    middle = [
        (unit * (t**3 - 3 * t), unit * (t**4 - 4 * t**2), lift(t))
        for t in (2.0 * k / 400 for k in range(-400, 401))
    ]
    right, (x, y, z) = [], middle[-1]
    angle, step, z2, way = math.atan2(16, 9), 0.01, middle[-1][2], 0.0
    while lead > 0:  # z comes back to the middle plane within 0.7 m
        if angle > 0:
            angle -= step / turn
        else:
            lead -= step
        way = min(way + step / 0.7, 1.0)
        x, y, z = x + step * math.cos(angle), y + step * math.sin(angle), z2 * (1 - way * way * (3 - 2 * way))
        right.append((x, y, z))
    return [(-x, y, -z) for x, y, z in reversed(right)] + middle + right


def ribbon(name, line, width, edge, smooth=0.0, digits=4):
    """A strip of near-equilateral triangles along a line, with its width as near to the z axis as the line allows, or, with `smooth`, its mean
    over so far (m) to both sides, so that the strip bends less in its own plane."""
    ways = [0.0]
    for p, q in zip(line, line[1:]):
        ways.append(ways[-1] + math.dist(p, q))
    columns, rows = round(ways[-1] / edge), round(width / (edge * math.sqrt(0.75)))
    points, number = [], {}

    def unit(w):
        size = math.sqrt(sum(v * v for v in w))
        return [v / size for v in w]

    def upright(at):
        t = [(b - a) / (ways[at + 1] - ways[at]) for a, b in zip(line[at], line[at + 1])]
        return unit([-t[2] * t[0], -t[2] * t[1], 1 - t[2] * t[2]])

    own = [upright(k) for k in range(len(line) - 1)]

    def mean(way):
        near = [
            (max(0.0, smooth - abs(0.5 * (a + b) - way)) * (b - a), w) for a, b, w in zip(ways, ways[1:], own)
        ]
        return unit([sum(share * w[c] for share, w in near) for c in range(3)])

    means = [mean(way) for way in ways] if smooth else []

    def place(way, across):
        at = next((k for k in range(len(ways) - 2, -1, -1) if ways[k] <= way), 0)
        p, q = line[at], line[at + 1]
        s = (way - ways[at]) / (ways[at + 1] - ways[at])
        w = unit([a + s * (b - a) for a, b in zip(means[at], means[at + 1])]) if smooth else own[at]
        return [a + s * (b - a) + across * v for a, b, v in zip(p, q, w)]

    for r in range(rows + 1):
        stops = (
            [0.0] + [c + 0.5 for c in range(columns)] + [float(columns)]
            if r % 2
            else [float(c) for c in range(columns + 1)]
        )
        for c in stops:
            number[r, c] = len(points)
            # The half edges at the ends would be the shortest of all.
            at = {0.5: 0.75, columns - 0.5: columns - 0.75}.get(c, c) if smooth else c
            points.append(place(min(at / columns, 1.0) * ways[-1], width * (r / rows - 0.5)))
    faces = []
    for r in range(rows):
        even, odd = (r, r + 1) if r % 2 == 0 else (r + 1, r)
        turn = (lambda a, b, c: (a, b, c)) if r % 2 == 0 else (lambda a, b, c: (a, c, b))
        for c in range(columns):
            faces.append(turn(number[even, float(c)], number[even, c + 1.0], number[odd, c + 0.5]))
            if c:
                faces.append(turn(number[even, float(c)], number[odd, c + 0.5], number[odd, c - 0.5]))
        faces.append(turn(number[even, 0.0], number[odd, 0.5], number[odd, 0.0]))
        faces.append(
            turn(number[even, float(columns)], number[odd, float(columns)], number[odd, columns - 0.5])
        )
    write(name, points, faces, digits)


if __name__ == "__main__":
    os.makedirs(FOLDER, exist_ok=True)
    funnel("funnel.obj", 0.42, 0.16)
    funnel("funnel_wide.obj", 0.5, 0.3)
    ring("ring.obj", 0.15, 0.025)
    ring("ring_wide.obj", 0.2, 0.03)
    poled(
        "table_top.obj",
        [
            (0, -0.02),
            (0.18, -0.02),
            (0.193, -0.0165),
            (0.2, -0.007),
            (0.2, 0.007),
            (0.193, 0.0165),
            (0.18, 0.02),
            (0, 0.02),
        ],
        48,
    )
    ribbon("knot_small.obj", knot_line(0.17, 0.09, 0.2, 0.75), 0.135, 0.0195)
    ribbon("knot.obj", knot_line(0.17, 0.09, 0.2, 0.75), 0.135, 0.00435, smooth=0.2, digits=5)
    poled(
        "pedestal.obj",
        [(0, 0)]
        + [(0.1 * k / 3, 0) for k in (1, 2, 3)]
        + [(0.1, 0.11), (0.1, 0.22), (0.1, 0.33)]
        + [(0.08 + 0.02 * math.cos(a), 0.33 + 0.02 * math.sin(a)) for a in (0.4, 0.8, 1.2, 1.5708)]
        + [(0.05, 0.35), (0, 0.35)],
        40,
    )
