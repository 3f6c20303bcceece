#!/usr/bin/env python3
"""Makes the bodies and the knotted bands of these scenes: python3 make_meshes.py (writes meshes/*.obj, in metres)."""
import bisect
import math
import os

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "meshes")


def write(name, points, faces, texture=None):
    """Faces are counter-clockwise seen from outside. `texture`: metres along and across a band, one per point."""
    with open(os.path.join(FOLDER, name), "w") as out:
        out.write("# made by make_meshes.py\n")
        for p in points:
            out.write("v %.5f %.5f %.5f\n" % tuple(p))
        for t in texture or []:
            out.write("vt %.4f %.4f\n" % tuple(t))
        for f in faces:
            out.write("f " + " ".join(f"{v + 1}/{v + 1}" if texture else str(v + 1) for v in f) + "\n")


def needles(name, rows, spacing, height, radius, sides=8):
    """Cones with sharp tips in staggered rows; every third is shorter. Their bases are at 0."""
    points, faces = [], []
    for row in range(rows):
        for column in range(rows - row % 2):
            x, z = (column + 0.5 * (row % 2) - 0.5 * (rows - 1)) * spacing, (row - 0.5 * (rows - 1)) * spacing * math.sqrt(0.75)
            tip = height * (0.85 if (row + 2 * column) % 3 == 0 else 1.0)
            base = len(points)
            points += [(x + radius * math.cos(2 * math.pi * k / sides), 0.0, z - radius * math.sin(2 * math.pi * k / sides)) for k in range(sides)]
            points += [(x, tip, z), (x, 0.0, z)]
            for k in range(sides):
                a, b = base + k, base + (k + 1) % sides
                faces += [(a, b, base + sides), (b, a, base + sides + 1)]
    write(name, points, faces)


def blade(name, length, height, thickness, bow, segments):
    """A knife on its back, along z: parallel sides up to 0.55 of its height, then ground to an edge that is `bow` higher in its middle."""
    section = [(-thickness / 2, 0.0), (thickness / 2, 0.0), (thickness / 2, 0.55), (0.0, 1.0), (-thickness / 2, 0.55)]
    points, n = [], len(section)
    for s in range(segments + 1):
        u = 2 * s / segments - 1
        points += [(x, y * (height - bow * u * u), length / 2 * u) for x, y in section]
    faces = [tuple(reversed(range(n))), tuple(segments * n + k for k in range(n))]
    for s in range(segments):
        for k in range(n):
            a, b = s * n + k, s * n + (k + 1) % n
            faces.append((a, b, b + n, a + n))
    write(name, points, faces)


def pyramid(name, base, height):
    """Four sides and a square base at 0."""
    b = base / 2
    write(name, [(-b, 0, b), (b, 0, b), (b, 0, -b), (-b, 0, -b), (0, height, 0)], [(3, 2, 1, 0), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)])


def funnel(name, mouth, neck, wall, segments=48):
    """From a vertical spout (0.12 m) over a smooth throat to a cone that is `mouth` wide; the spout's lower end is at 0."""
    line = [(neck, 0.0), (neck, 0.06), (neck, 0.12)]
    rise = 0.8 * (mouth - neck)
    for k in range(1, 9):
        t = k / 8
        line.append((neck + (mouth - neck) * t, 0.12 + rise * (t + 0.5 * math.sin(math.pi * t) / math.pi)))
    sides = ([], [])
    for k, (r, y) in enumerate(line):
        (r0, y0), (r1, y1) = line[max(k - 1, 0)], line[min(k + 1, len(line) - 1)]
        size = math.hypot(r1 - r0, y1 - y0)
        across = ((y1 - y0) / size * wall / 2, -(r1 - r0) / size * wall / 2)
        for side, sign in zip(sides, (1, -1)):
            side.append((r + sign * across[0], y + sign * across[1]))
    (r0, y0), (r1, y1) = line[-2:]
    size = math.hypot(r1 - r0, y1 - y0)
    rim = (r1 + (r1 - r0) / size * wall / 2, y1 + (y1 - y0) / size * wall / 2)
    profile = sides[0] + [rim] + sides[1][::-1] + [(neck, -wall / 2)]
    points, faces, n = [], [], len(profile)
    for s in range(segments):
        a = 2 * math.pi * s / segments
        points += [(r * math.cos(a), y, r * math.sin(a)) for r, y in profile]
        t = (s + 1) % segments
        faces += [(s * n + k, s * n + (k + 1) % n, t * n + (k + 1) % n, t * n + k) for k in range(n)]
    write(name, points, faces)


def smooth(controls, step):
    """Points about `step` apart on the cubic B-spline of control points: curvature is continuous. Ends are met."""
    first = [2 * a - b for a, b in zip(controls[0], controls[1])]
    last = [2 * a - b for a, b in zip(controls[-1], controls[-2])]
    c = [first] + [list(p) for p in controls] + [last]
    line = []
    for k in range(len(c) - 3):
        parts = max(2, round(math.dist(c[k + 1], c[k + 2]) / step))
        for j in range(parts + (k == len(c) - 4)):
            t = j / parts
            w = ((1 - t) ** 3 / 6, (3 * t**3 - 6 * t * t + 4) / 6, (-3 * t**3 + 3 * t * t + 3 * t + 1) / 6, t**3 / 6)
            line.append([sum(w[i] * c[k + i][d] for i in range(4)) for d in range(3)])
    return line


def through(points, step):
    """As `smooth`, but meets every point: control points are moved until the curve does."""
    controls = [list(p) for p in points]
    for _ in range(60):
        for k in range(1, len(points) - 1):
            for d in range(3):
                at = (controls[k - 1][d] + 4 * controls[k][d] + controls[k + 1][d]) / 6
                controls[k][d] += points[k][d] - at
    return smooth(controls, step)


def ribbon(name, line, width, edge):
    """A band of near-equilateral triangles along a line, with its width as near to the z axis as the line allows: bands of lines that
    cross in the view along z, and are further apart in z than `width` there, do not touch."""
    ways = [0.0]
    for p, q in zip(line, line[1:]):
        ways.append(ways[-1] + math.dist(p, q))
    columns, rows = round(ways[-1] / edge), round(width / (edge * math.sqrt(0.75)))
    points, texture, number = [], [], {}

    def place(way, across):
        at = min(max(bisect.bisect_right(ways, way) - 1, 0), len(ways) - 2)
        p, q = line[at], line[at + 1]
        s = (way - ways[at]) / (ways[at + 1] - ways[at])
        t = [(b - a) / (ways[at + 1] - ways[at]) for a, b in zip(p, q)]
        w = [-t[2] * t[0], -t[2] * t[1], 1 - t[2] * t[2]]
        size = math.sqrt(sum(v * v for v in w))
        return [a + s * (b - a) + across * v / size for a, b, v in zip(p, q, w)]

    for r in range(rows + 1):
        stops = [0.0] + [c + 0.5 for c in range(columns)] + [float(columns)] if r % 2 else [float(c) for c in range(columns + 1)]
        for c in stops:
            number[r, c] = len(points)
            way, across = min(c / columns, 1.0) * ways[-1], width * (r / rows - 0.5)
            points.append(place(way, across))
            texture.append((way, across))
    if rows > 8:
        texture = None  # would make large files twice as large
    faces = []
    for r in range(rows):
        even, odd = (r, r + 1) if r % 2 == 0 else (r + 1, r)
        turn = (lambda a, b, c: (a, b, c)) if r % 2 == 0 else (lambda a, b, c: (a, c, b))
        for c in range(columns):
            faces.append(turn(number[even, float(c)], number[even, c + 1.0], number[odd, c + 0.5]))
            if c:
                faces.append(turn(number[even, float(c)], number[odd, c + 0.5], number[odd, c - 0.5]))
        faces.append(turn(number[even, 0.0], number[odd, 0.5], number[odd, 0.0]))
        faces.append(turn(number[even, float(columns)], number[odd, float(columns)], number[odd, columns - 0.5]))
    write(name, points, faces, texture)
    return len(points), ways[-1]


def reef(lift):
    """Half of a reef knot: comes from the right, goes round behind the legs of the other half and back to the right. The other half is this
    one turned by 180 degrees about y. Each half crosses the other six times: at |x| = 0.34 and at x = 0, where it goes over (z = lift)
    and under in the order over, under, over, over, under, over."""
    lower = [(1.25, -0.17, 0), (1.0, -0.14, 0), (0.75, -0.10, 0), (0.54, -0.075, 0.6 * lift), (0.34, -0.07, lift), (0.17, -0.095, 0),
             (0.0, -0.13, -lift), (-0.13, -0.18, -0.45 * lift), (-0.26, -0.165, 0.6 * lift), (-0.34, -0.065, lift)]
    return lower + [(x, -y, z) for x, y, z in reversed(lower)]


def bow(lift):
    """Half of a bow: as the reef knot up to where the end has gone through the other half; there it turns back as a loop, goes through
    the same opening again, and hangs down in front."""
    loop = [(0.54, 0.085, 0.9 * lift), (0.78, 0.12, 0.3 * lift), (0.99, 0.20, 0), (1.06, 0.31, 0), (0.97, 0.40, 0), (0.74, 0.37, 0.3 * lift), (0.50, 0.28, 0.9 * lift),
            (0.29, 0.165, 1.3 * lift), (0.13, 0.05, 2.6 * lift), (0.0, -0.10, 3.4 * lift), (-0.06, -0.28, 3.4 * lift), (-0.08, -0.46, 3.4 * lift), (-0.09, -0.66, 3.4 * lift)]
    return reef(lift)[:-4] + loop


if __name__ == "__main__":
    os.makedirs(FOLDER, exist_ok=True)
    needles("needles.obj", 6, 0.095, 0.17, 0.006)
    blade("blade.obj", 0.9, 0.34, 0.016, 0.05, 24)
    pyramid("pyramid.obj", 0.4, 0.26)
    funnel("funnel.obj", 0.40, 0.14, 0.02)  # three fine sheets jam in half of it
    funnel("funnel_wide.obj", 0.36, 0.12, 0.02)  # for coarse sheets
    for name, line, edge in (("reef", through(reef(0.036), 0.004), 0.00343), ("bow", through(bow(0.036), 0.004), 0.00298)):
        for file, size in ((name + "_small.obj", 0.0135), (name + ".obj", edge)):
            count, length = ribbon(file, line, 0.05, size)
            print(f"{file}: a band of {length:.2f} m, {count} vertices")
