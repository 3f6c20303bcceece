"""What the scripts make_meshes.py of papers' scenes share: bodies from distance functions and profiles,
bands along lines, skirts."""

import bisect
import itertools
import math


def write(path, points, faces, texture=None):
    """An OBJ in metres. Faces are counter-clockwise seen from outside. `texture`: metres along and across
    a band, one per point."""
    with open(path, "w") as out:
        out.write("# made by make_meshes.py\n")
        for p in points:
            out.write("v %.5f %.5f %.5f\n" % tuple(p))
        for t in texture or []:
            out.write("vt %.4f %.4f\n" % tuple(t))
        for f in faces:
            out.write("f " + " ".join(f"{v + 1}/{v + 1}" if texture else str(v + 1) for v in f) + "\n")


# Bodies from distance functions -------------------------------------------------------------------


def blend(a, b, radius):
    """The smaller of two distances, rounded where they are nearer to each other than `radius` (m): a union
    with a fillet."""
    h = max(radius - abs(a - b), 0.0) / radius
    return min(a, b) - 0.25 * h * h * radius


def bone(p, a, b, ra, rb):
    """About the distance of p from a cone with round ends: radius ra around a, rb around b."""
    d, q = [y - x for x, y in zip(a, b)], [y - x for x, y in zip(a, p)]
    t = min(max(sum(x * y for x, y in zip(d, q)) / max(sum(x * x for x in d), 1e-12), 0.0), 1.0)
    return math.dist(q, [t * x for x in d]) - ra - t * (rb - ra)


def egg(p, center, radii):
    """About the distance of p from an ellipsoid: exact in sign, and in size near the surface."""
    q = [x - c for x, c in zip(p, center)]
    k0 = math.sqrt(sum((x / r) ** 2 for x, r in zip(q, radii)))
    k1 = math.sqrt(sum((x / (r * r)) ** 2 for x, r in zip(q, radii)))
    return k0 * (k0 - 1) / k1 if k1 > 1e-9 else -min(radii)


def solid(distance, low, high, cell, rounds=10):
    """The surface where `distance` is 0, as triangles about `cell` long: one vertex in each cell of a
    lattice that the surface cuts (surface nets), then `rounds` times moved to the middle of its neighbours
    and back onto the surface. `low`, `high`: a box with the body inside."""
    count = [int(math.ceil((h - l) / cell)) + 1 for l, h in zip(low, high)]
    at = lambda n: [l + k * cell for l, k in zip(low, n)]
    value = {n: distance(at(n)) for n in itertools.product(*map(range, count))}
    corners = list(itertools.product((0, 1), repeat=3))
    sides = [(a, b) for a, b in itertools.combinations(corners, 2) if sum(x != y for x, y in zip(a, b)) == 1]
    points, number = [], {}
    for n in itertools.product(*(range(c - 1) for c in count)):
        f = {c: value[n[0] + c[0], n[1] + c[1], n[2] + c[2]] for c in corners}
        cuts = [
            [a[i] + (b[i] - a[i]) * f[a] / (f[a] - f[b]) for i in range(3)]
            for a, b in sides
            if (f[a] < 0) != (f[b] < 0)
        ]
        if cuts:
            number[n] = len(points)
            points.append([low[i] + cell * (n[i] + sum(c[i] for c in cuts) / len(cuts)) for i in range(3)])
    quads = []
    for n, inside in value.items():
        for axis in range(3):
            other = tuple(k + (i == axis) for i, k in enumerate(n))
            if other not in value or (inside < 0) == (value[other] < 0):
                continue
            u, v = (axis + 1) % 3, (axis + 2) % 3
            ring = [
                tuple(k - (du if i == u else dv if i == v else 0) for i, k in enumerate(n))
                for du, dv in ((1, 1), (0, 1), (0, 0), (1, 0))
            ]
            quad = [number[r] for r in ring]
            quads.append(quad if inside < 0 else quad[::-1])
    near = [set() for _ in points]
    for q in quads:
        for a, b in zip(q, q[1:] + q[:1]):
            near[a].add(b)
            near[b].add(a)

    def settle(p):
        e, f = 1e-3 * cell, distance(p)
        g = [(distance([x + e * (i == k) for k, x in enumerate(p)]) - f) / e for i in range(3)]
        f /= max(sum(x * x for x in g), 1e-9)
        return [x - f * s for x, s in zip(p, g)]

    for _ in range(rounds):
        middle = lambda p, s: [0.5 * p[i] + 0.5 * sum(points[k][i] for k in s) / len(s) for i in range(3)]
        points = [settle(middle(p, s)) for p, s in zip(points, near)]
    points = [settle(p) for p in points]
    faces = []
    for a, b, c, d in quads:
        short = math.dist(points[a], points[c]) < math.dist(points[b], points[d])
        faces += [(a, b, c), (a, c, d)] if short else [(a, b, d), (b, c, d)]
    return points, faces


def say(name, points, faces):
    """Prints a closed body's size, and stops if it is not closed, inside out, or has slivers."""
    edges = {}
    volume, sharpest = 0.0, 180.0
    for f in faces:
        for k in range(1, len(f) - 1):
            a, b, c = (points[v] for v in (f[0], f[k], f[k + 1]))
            volume += (
                a[0] * (b[1] * c[2] - b[2] * c[1])
                + a[1] * (b[2] * c[0] - b[0] * c[2])
                + a[2] * (b[0] * c[1] - b[1] * c[0])
            ) / 6
            x, y, z = sorted((math.dist(a, b), math.dist(b, c), math.dist(c, a)))
            sharpest = min(sharpest, math.degrees(math.acos(min(1.0, (y * y + z * z - x * x) / (2 * y * z)))))
        for a, b in zip(f, f[1:] + f[:1]):
            edges[a, b] = edges.get((a, b), 0) + 1
    open_edges = sum(1 for (a, b), n in edges.items() if n != 1 or edges.get((b, a)) != 1)
    print(
        f"{name}: {len(points)} vertices, {len(faces)} faces, volume {1e3 * volume:.2f} l, "
        f"sharpest angle {sharpest:.0f} degrees"
    )
    assert open_edges == 0, f"{name}: {open_edges} edges without exactly two faces"
    assert volume > 0, f"{name}: inside out"


# Bodies and cloths from profiles ------------------------------------------------------------------


def revolve(profile, segments):
    """A closed body: a profile (r, y) turned about the y axis, its first and last points joined. `radius`
    may change r with the angle."""
    points, faces, n = [], [], len(profile)
    for s in range(segments):
        a = 2 * math.pi * s / segments
        points += [(r * math.cos(a), y, r * math.sin(a)) for r, y in profile]
        t = (s + 1) % segments
        faces += [(s * n + k, s * n + (k + 1) % n, t * n + (k + 1) % n, t * n + k) for k in range(n)]
    return points, faces


def funnel(path, mouth, neck, wall, segments=48):
    """From a vertical spout (0.12 m) over a smooth throat to a cone that is `mouth` wide; the spout's
    lower end is at 0."""
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
    points, faces = revolve(sides[0] + [rim] + sides[1][::-1] + [(neck, -wall / 2)], segments)
    write(path, points, faces)


def turned(profile, edge):
    """A surface of revolution without a seam: rings along a profile of points (r, y), `edge` apart and
    with `edge` between their vertices, so that triangles are of one size where it is wide and where it is
    narrow. An end with r = 0 is one vertex; a profile that ends where it began makes a ring. Outside is to
    the right of the profile's way when r points right and y up."""
    stops = [profile[0]]
    for a, b in zip(profile, profile[1:]):
        n = max(1, round(math.dist(a, b) / (edge * math.sqrt(0.75))))
        stops += [tuple(x + (y - x) * k / n for x, y in zip(a, b)) for k in range(1, n + 1)]
    rings, points = [], []
    ring = profile[0] == profile[-1]
    for k, (r, y) in enumerate(stops[:-1] if ring else stops):
        n = max(6, round(2 * math.pi * r / edge)) if r > 0 else 1
        rings.append([len(points) + j for j in range(n)])
        turn = lambda j: 2 * math.pi * (j + 0.5 * (k % 2)) / n
        points += [(r * math.cos(turn(j)), y, r * math.sin(turn(j))) for j in range(n)]
    faces = []
    for first, second in zip(rings, rings[1:] + rings[:1] if ring else rings[1:]):
        i = j = 0
        n, m = (0 if len(ring) == 1 else len(ring) for ring in (first, second))
        while i < n or j < m:
            a, b = first[i % len(first)], second[j % len(second)]
            a2, b2 = first[(i + 1) % len(first)], second[(j + 1) % len(second)]
            if j >= m or (i < n and math.dist(points[a2], points[b]) < math.dist(points[a], points[b2])):
                faces.append((a, b, a2))
                i += 1
            else:
                faces.append((a, b, b2))
                j += 1
    return points, faces


# Bands along lines --------------------------------------------------------------------------------


def smooth(controls, step):
    """Points about `step` apart on the cubic B-spline of control points: curvature is continuous. Ends are
    met."""
    first = [2 * a - b for a, b in zip(controls[0], controls[1])]
    last = [2 * a - b for a, b in zip(controls[-1], controls[-2])]
    c = [first] + [list(p) for p in controls] + [last]
    line = []
    for k in range(len(c) - 3):
        parts = max(2, round(math.dist(c[k + 1], c[k + 2]) / step))
        for j in range(parts + (k == len(c) - 4)):
            t = j / parts
            w = (
                (1 - t) ** 3 / 6,
                (3 * t**3 - 6 * t * t + 4) / 6,
                (-3 * t**3 + 3 * t * t + 3 * t + 1) / 6,
                t**3 / 6,
            )
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


def ribbon(path, line, width, edge):
    """A band of near-equilateral triangles along a line, with its width as near to the z axis as the line
    allows: bands of lines that cross in the view along z, and are further apart in z than `width` there,
    do not touch."""
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
        stops = (
            [0.0] + [c + 0.5 for c in range(columns)] + [float(columns)]
            if r % 2
            else [float(c) for c in range(columns + 1)]
        )
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
        faces.append(
            turn(number[even, float(columns)], number[odd, float(columns)], number[odd, columns - 0.5])
        )
    write(path, points, faces, texture)
    return len(points), ways[-1]
