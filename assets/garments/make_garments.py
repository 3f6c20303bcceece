#!/usr/bin/env python3
"""Writes the patterns of this folder: python3 make_garments.py

Own designs for a figure of 1.72 m (bust 88, waist 68, hips 94 cm), in centimetres, y the height above the
floor. Panels are drawn as seen from their right sides, outlines counter-clockwise. Standard library only.
"""

import json
import math
import os

FOLDER = os.path.dirname(os.path.abspath(__file__))


def bezier(points, t):
    while len(points) > 1:
        points = [[a + (b - a) * t for a, b in zip(p, q)] for p, q in zip(points, points[1:])]
    return points[0]


def length(points, n=400):
    line = [bezier(points, i / n) for i in range(n + 1)]
    return sum(math.dist(a, b) for a, b in zip(line, line[1:]))


def relative(start, end, p):
    d, r = (end[0] - start[0], end[1] - start[1]), (p[0] - start[0], p[1] - start[1])
    l2 = d[0] ** 2 + d[1] ** 2
    return [(r[0] * d[0] + r[1] * d[1]) / l2, (-r[0] * d[1] + r[1] * d[0]) / l2]


def panel(outline, position=(0, 0, 0), rotation=(0, 0, 0), holes=(), **own):
    """outline: (point, controls ..., label) for each edge; controls in the panel's coordinates. holes: the
    same, clockwise."""
    vertices, edges = [], []
    for loop in (outline, *holes):
        first = len(vertices)
        for i, (start, controls, label) in enumerate(loop):
            end = loop[(i + 1) % len(loop)][0]
            vertices.append([round(x, 4) for x in start])
            edge = {"endpoints": [first + i, first + (i + 1) % len(loop)], "label": label}
            if controls:
                params = [[round(x, 6) for x in relative(start, end, c)] for c in controls]
                edge["curvature"] = {"type": "quadratic" if len(controls) == 1 else "cubic", "params": params}
            edges.append(edge)
    return {"translation": list(position), "rotation": list(rotation), "vertices": vertices, "edges": edges,
            "weft": {k: v for k, v in own.items() if v is not None}}


def mirrored(outline):
    """The same piece for the other side of the body."""
    flip = lambda p: [-p[0], p[1]]
    count, out = len(outline), []
    for i in range(count):
        start, controls, label = outline[(count - 1 - i) % count]
        end = outline[(count - i) % count][0]
        out.append((flip(end), [flip(c) for c in reversed(controls)], label))
    return out


def edge_named(panels, name, label):
    return [e["label"] for e in panels[name]["edges"]].index(label)


def stitch(panels, *sides, name=None, elastic=None, angle=None):
    """sides: (panel, label) or (panel, label, from, to); the first runs forward, the others against it."""
    out, ranges = [], any(len(s) > 2 for s in sides) or len(sides) != 2
    for k, side in enumerate(sides):
        entry = {"panel": side[0], "edge": edge_named(panels, side[0], side[1])}
        if ranges:
            entry["from"], entry["to"] = side[2:] if len(side) > 2 else ((0, 1) if k == 0 else (1, 0))
        out.append(entry)
    own = {k: v for k, v in (("elastic", elastic), ("angle", angle), ("name", name)) if v is not None}
    if own:
        out.append({"weft": own})
    return out


def save(name, panels, stitches, edge_length=1.5, fabric="cotton", buttons=()):
    """buttons: (name, (panel, point), ...)"""
    own = {"name": name, "edge_length": edge_length, "fabric": fabric}
    if buttons:
        own["buttons"] = [
            {"name": b[0], "points": [{"panel": p, "at": list(at)} for p, at in b[1:]]} for b in buttons
        ]
    spec = {
        "pattern": {
            "panels": panels,
            "stitches": stitches,
            "panel_order": list(panels),
            "weft": own,
        },
        "parameters": {},
        "parameter_order": [],
        "properties": {
            "curvature_coords": "relative",
            "normalize_panel_translation": False,
            "normalized_edge_loops": True,
            "units_in_meter": 100,
        },
    }
    with open(os.path.join(FOLDER, name + ".json"), "w") as f:
        f.write(json.dumps(spec, indent=1) + "\n")


def cap_height(half, side, top, wanted):
    """Height of a sleeve's cap, both halves of which are as long as the armholes."""
    low, high = 1.0, 30.0
    for _ in range(60):
        cap = 0.5 * (low + high)
        now = length([[half, 0], [side, 0.5], [top, cap], [0, cap]])
        low, high = (cap, high) if now < wanted else (low, cap)
    return cap


def shirt(name, side, tip, armhole, neck, depth, z, radius, sleeve_length, cuff):
    """side: the left edge of front and back from hem to underarm, with its control points; armhole: the
    control point from there to the shoulder's tip. z, radius: where front and back begin, and around which
    they are bent; None: flat."""
    hem, controls, underarm = side
    lift = 5.0  # above the shoulders, which the thin body has at their full height
    flip = lambda p: [-p[0], p[1]]

    def body(neck_depth):
        return [
            (flip(hem), [], "hem"),
            (list(hem), controls, "side_left"),
            (list(underarm), [list(armhole)], "armhole_left"),
            (list(tip), [], "shoulder_left"),
            (list(neck), [[6.5, neck[1] - neck_depth], [-6.5, neck[1] - neck_depth]], "neck"),
            (flip(neck), [], "shoulder_right"),
            (flip(tip), [flip(armhole)], "armhole_right"),
            (flip(underarm), [flip(c) for c in controls], "side_right"),
        ]

    cap = cap_height(
        20.0, 12.0, 10.5, length([list(underarm), list(armhole), list(tip)]) * 1.02
    )  # a little ease
    sleeve = [
        ([-cuff, -sleeve_length], [], "hem"),
        ([cuff, -sleeve_length], [], "under_right"),
        ([20.0, 0], [[12.0, 0.5], [10.5, cap]], "cap_right"),
        ([0, cap], [[-10.5, cap], [-12.0, 0.5]], "cap_left"),
        ([-20.0, 0], [], "under_left"),
    ]
    around_arm = dict(bend_radius=40 / (2 * math.pi), bend_center=[0, 0])
    # around the upper arms, which hang at 42 degrees to the vertical
    sleeve_at, tilt = (34.0, 132.0), 48
    panels = {
        "front": panel(body(depth), (0, lift, z), bend_radius=radius),
        "back": panel(body(3), (0, lift, -z), (0, 180, 0), bend_radius=radius),
        "sleeve_left": panel(sleeve, (sleeve_at[0], sleeve_at[1], 0), (-90, 90, -tilt), **around_arm),
        "sleeve_right": panel(sleeve, (-sleeve_at[0], sleeve_at[1], 0), (-90, -90, tilt), **around_arm),
    }
    s = lambda *sides, **own: stitch(panels, *sides, **own)
    save(
        name,
        panels,
        [
            s(("front", "side_left"), ("back", "side_right"), name="side left"),
            s(("front", "side_right"), ("back", "side_left"), name="side right"),
            s(("front", "shoulder_left"), ("back", "shoulder_right"), name="shoulder left"),
            s(("front", "shoulder_right"), ("back", "shoulder_left"), name="shoulder right"),
            s(("front", "armhole_left"), ("sleeve_left", "cap_left"), name="armhole left, front"),
            s(("back", "armhole_right"), ("sleeve_left", "cap_right"), name="armhole left, back"),
            s(("front", "armhole_right"), ("sleeve_right", "cap_right"), name="armhole right, front"),
            s(("back", "armhole_left"), ("sleeve_right", "cap_left"), name="armhole right, back"),
            s(("sleeve_left", "under_left"), ("sleeve_left", "under_right"), name="sleeve left"),
            s(("sleeve_right", "under_left"), ("sleeve_right", "under_right"), name="sleeve right"),
        ],
    )


def tshirt():
    around = 4 * 25.5 / (2 * math.pi)
    shirt(
        "tshirt",
        ([25.5, 86.0], [], [25.5, 119.5]),
        (20.0, 142.2),
        (19.0, 122.0),
        (8.5, 145.0),
        11,
        around,
        around,
        12,
        17.5,
    )


def tunic():
    """A wide shirt, over trousers: these begin 29 cm wide to each side, and fronts and backs outside of
    that."""
    shirt(
        "tunic",
        ([37.5, 82.0], [[32.5, 96.0]], [26.0, 118.5]),
        (20.0, 142.2),
        (19.0, 121.0),
        (8.5, 145.0),
        9,
        25,
        34.0,
        24,
        15.0,
    )


def waistcoat():
    """Wide, over a tunic, with two buttons."""
    hem, low, wide, underarm, tip, neck = 99.0, 30.5, 28.3, 111.0, [17.8, 142.4], [10.0, 144.5]
    lift, z = 6.5, 32
    hollow = [(tip[0] + neck[0]) / 2, (tip[1] + neck[1]) / 2 - 0.7]  # as the body's shoulders are
    over = 1.8  # beyond the middle of the front
    # at right angles to sides and shoulders, so that front and back make one curve
    armhole = [[19.0, underarm], [tip[0] - 1.2, 131.0]]
    front = [
        ([-over, hem], [], "hem"),
        ([low, hem], [], "side"),
        ([wide, underarm], armhole, "armhole"),
        (tip, [hollow], "shoulder"),
        (neck, [[7.0, 132.0]], "neck"),
        ([-over, 117.0], [], "edge"),
    ]
    flip = lambda p: [-p[0], p[1]]
    back = [
        ([-low, hem], [], "hem"),
        ([low, hem], [], "side_left"),
        ([wide, underarm], armhole, "armhole_left"),
        (tip, [hollow], "shoulder_left"),
        (neck, [[7.0, 140.5], [-7.0, 140.5]], "neck"),
        (flip(neck), [flip(hollow)], "shoulder_right"),
        (flip(tip), [flip(p) for p in reversed(armhole)], "armhole_right"),
        ([-wide, underarm], [], "side_right"),
    ]
    panels = {
        "front_left": panel(front, (0, lift, z), layer=1),
        "front_right": panel(mirrored(front), (0, lift, z)),
        "back": panel(back, (0, lift, -z), (0, 180, 0)),
    }
    s = lambda *sides, **own: stitch(panels, *sides, **own)
    save(
        "waistcoat",
        panels,
        [
            s(("front_left", "side"), ("back", "side_right"), name="side left"),
            s(("front_right", "side"), ("back", "side_left"), name="side right"),
            s(("front_left", "shoulder"), ("back", "shoulder_right"), name="shoulder left"),
            s(("front_right", "shoulder"), ("back", "shoulder_left"), name="shoulder right"),
        ],
        fabric="wool",
        buttons=[
            (f"button {i + 1}", ("front_left", [0, y]), ("front_right", [0, y]))
            for i, y in enumerate((113.0, 105.0))
        ],
    )


def skirt():
    waist, band, top, bottom, rise, hem = 70.0, 4.0, 29.0, 36.0, 104.0, 50.0
    full = (
        4 * bottom / (2 * math.pi)
    )  # both pieces side by side at their widest, or they would start through each other
    piece = [
        ([-bottom, hem], [], "hem"),
        ([bottom, hem], [], "side_left"),
        ([top, rise], [], "waist"),
        ([-top, rise], [], "side_right"),
    ]
    belt = [
        ([-waist / 2, rise], [], "lower"),
        ([waist / 2, rise], [], "end_left"),
        ([waist / 2, rise + band], [], "upper"),
        ([-waist / 2, rise + band], [], "end_right"),
    ]
    radius = waist / (2 * math.pi)
    lift = 2.0  # so that the waistband starts at the waist, not on the hips
    panels = {
        "front": panel(piece, (0, lift, full), bend_radius=full),
        "back": panel(piece, (0, lift, -full), (0, 180, 0), bend_radius=full),
        "waistband": panel(belt, (0, lift + 1, radius), grain=0, bend_radius=radius),
    }
    s = lambda *sides, **own: stitch(panels, *sides, **own)
    save(
        "gathered_skirt",
        panels,
        [
            s(("front", "side_left"), ("back", "side_right"), name="side left"),
            s(("front", "side_right"), ("back", "side_left"), name="side right"),
            s(("waistband", "end_left"), ("waistband", "end_right"), name="waistband"),
            s(("waistband", "lower", 0.25, 0.75), ("front", "waist", 1, 0), name="waist, front"),
            s(("waistband", "lower", 0.75, 1), ("back", "waist", 1, 0.5), name="waist, back left"),
            s(("waistband", "lower", 0, 0.25), ("back", "waist", 0.5, 0), name="waist, back right"),
            s(("waistband", "upper"), elastic=0.9, name="elastic"),
        ],
    )


BODICE_LIFT = 5.0  # above the shoulders, which the thin body has at their full height


def bodice():
    """Panels of a sleeveless bodice with four darts, its sides and shoulders sewn, the height of its waist,
    and how wide it is in front there with darts closed. It lies on shoulders that are 3 cm higher, and ends
    at a waist at 107 cm."""
    bust, waist, rise, dart = 24.0, 21.0, 100.0, 3.0
    underarm, tip, neck = 120.5, (16.0, 142.4), (10.2, 143.8)
    # at right angles to sides and shoulders, so that front and back make one curve
    away = lambda at, a, b, far: [
        at[0] + far * (a[1] - b[1]) / math.dist(a, b),
        at[1] + far * (b[0] - a[0]) / math.dist(a, b),
    ]
    armhole = [away((bust, underarm), (waist, rise), (bust, underarm), 9.5), [tip[0] - 0.5, tip[1] - 6.0]]
    flip = lambda p: [-p[0], p[1]]

    def piece(neck, middle, dart_depth):
        # shoulders are hollow between neck and arm: a straight seam would hang from its ends
        shoulder = [(tip[0] + neck[0]) / 2, (tip[1] + neck[1]) / 2 - 0.7]
        return [
            ([-waist, rise], [], "waist"),
            ([waist, rise], [], "side_left"),
            ([bust, underarm], armhole, "armhole_left"),
            (list(tip), [shoulder], "shoulder_left"),
            (list(neck), [middle, flip(middle)], "neck"),
            (flip(neck), [flip(shoulder)], "shoulder_right"),
            (flip(tip), [flip(p) for p in reversed(armhole)], "armhole_right"),
            ([-bust, underarm], [], "side_right"),
        ], [{"edge": 0, "at": at, "width": dart, "depth": dart_depth} for at in (0.27, 0.73)]

    radius, front, back = (
        4 * bust / (2 * math.pi),
        piece(neck, [5.5, 128.5], 14.0),
        piece((neck[0], neck[1] + 1.2), [7.0, 138.0], 15.0),
    )  # backs are round beside the neck
    panels = {
        "bodice_front": panel(front[0], (0, BODICE_LIFT, radius), bend_radius=radius, darts=front[1]),
        "bodice_back": panel(
            back[0], (0, BODICE_LIFT, -radius), (0, 180, 0), bend_radius=radius, darts=back[1]
        ),
    }
    shoulders = [
        stitch(
            panels, ("bodice_front", "shoulder_" + a), ("bodice_back", "shoulder_" + b), name="shoulder " + a
        )
        for a, b in (("left", "right"), ("right", "left"))
    ]
    return panels, shoulders, rise, 2 * waist - 2 * dart


def flared(high, long, top, hem):
    """A piece of a ring: equally long (down from this height) everywhere, at right angles at its corners, so
    that sides and hem make one line with those of the next piece. top, hem: lengths of its curves. A straight
    hem between sides that spread would make points at them.
    """
    half = (hem - top) / long / 2  # angle
    if half < 1e-3:
        return [
            ([-hem / 2, high - long], [], "hem"),
            ([hem / 2, high - long], [], "side_left"),
            ([top / 2, high], [], "waist"),
            ([-top / 2, high], [], "side_right"),
        ]
    inner, outer, low = (
        top / (2 * half) * math.sin(half),
        (top / (2 * half) + long) * math.sin(half),
        high - long * math.cos(half),
    )
    return [
        ([-outer, low], [[0, low - outer * math.tan(half)]], "hem"),
        ([outer, low], [], "side_left"),
        ([inner, high], [[0, high - inner * math.tan(half)]], "waist"),
        ([-inner, high], [], "side_right"),
    ]


def around(panels, name, high, long, top, hem, layer=None, radius=0.0):
    """Adds the front and the back of a skirt or of a part of it. They begin bent around the body, side by
    side at their widest, or at this radius if that is more. Returns the radius."""
    piece = flared(high, long, top, hem)
    radius = max(radius, 4 * piece[1][0][0] / (2 * math.pi))
    panels[name + "_front"] = panel(piece, (0, BODICE_LIFT - 1, radius), bend_radius=radius, layer=layer)
    panels[name + "_back"] = panel(
        piece, (0, BODICE_LIFT - 1, -radius), (0, 180, 0), bend_radius=radius, layer=layer
    )
    return radius


def sides(panels, names):
    """Seams at the left and the right of each of these."""
    return [
        stitch(panels, (k + "_front", "side_" + a), (k + "_back", "side_" + b), name="side " + a)
        for k in names
        for a, b in (("left", "right"), ("right", "left"))
    ]


def waist_seams(panels, skirts):
    return [
        stitch(
            panels,
            (f"bodice_{half}", "waist"),
            *[(f"{k}_{half}", "waist") for k in skirts],
            name="waist, " + half,
        )
        for half in ("front", "back")
    ]


def dress(hems=((48.0, 61.0),)):
    """hems: how long each layer of the skirt is, and how wide at its hem."""
    panels, shoulders, rise, sewn = bodice()
    # less full in layers: gathered edges widen the seam where they meet, and stretch the bodice above it
    top, radius, skirts = (1.25 if len(hems) == 1 else 1.1) * sewn, 0.0, []
    for k, (long, hem) in enumerate(hems):  # each over the one before it, all around it
        skirts.append(f"over{k}" if k else "skirt")
        radius = around(
            panels, skirts[-1], rise, long, top, hem, layer=k or None, radius=radius and radius + 2.5
        )
    save(
        "dress" if len(hems) == 1 else "layered_dress",
        panels,
        sides(panels, ["bodice"] + skirts) + shoulders + waist_seams(panels, skirts),
    )


def gown():
    """Down to the ankles, with a short skirt over the long one."""
    panels, shoulders, rise, sewn = bodice()
    radius = around(panels, "skirt", rise, 94.0, 1.1 * sewn, 108.0)
    around(panels, "over", rise, 26.0, 1.15 * sewn, 72.0, layer=1, radius=radius + 8.0)
    save(
        "gown",
        panels,
        sides(panels, ["bodice", "skirt", "over"]) + shoulders + waist_seams(panels, ["skirt", "over"]),
        edge_length=2,
    )


def tiered_dress():
    """Three tiers, each gathered at the one above it."""
    panels, shoulders, rise, sewn = bodice()
    above, high, width = "bodice", rise, sewn
    seams = []
    for k, (long, fuller) in enumerate(((16.0, 1.35), (16.0, 1.3), (17.0, 1.3)), 1):
        name, width = f"tier{k}", width * fuller
        around(panels, name, high, long, width, width)
        seams += [
            stitch(
                panels,
                (f"{above}_{half}", "waist" if k == 1 else "hem"),
                (f"{name}_{half}", "waist"),
                name=f"top of tier {k}, {half}",
            )
            for half in ("front", "back")
        ]
        above, high = name, high - long
    save("tiered_dress", panels, sides(panels, ["bodice", "tier1", "tier2", "tier3"]) + shoulders + seams)


def trousers():
    rise, crotch, hem = 103.0, 76.0, 9.0
    front = [
        ([5, hem], [], "hem"),
        ([23, hem], [[24, 50], [26.5, 80]], "outseam"),
        ([21.0, rise], [], "waist"),
        ([1, rise], [], "center"),
        ([0, 85], [[-0.5, 78.5]], "crotch"),
        ([-5.5, crotch], [[1, 60], [3.5, 40]], "inseam"),
    ]
    back = [
        ([4, hem], [], "hem"),
        ([26, hem], [[27, 50], [28, 80]], "outseam"),
        ([24, rise], [], "waist"),
        ([4, rise + 2], [], "center"),
        ([0, 86], [[-2, 77.5]], "crotch"),
        ([-10.5, crotch - 0.5], [[1, 62], [2.5, 40]], "inseam"),
    ]
    radius, middle, apart, lean = (
        12.8,
        11.0,
        1.3,
        2.5,
    )  # legs that start apart: pieces reach beyond the middle at the crotch
    bend = dict(bend_radius=radius)
    z = radius
    panels = {
        "front_left": panel(front, (apart, 0, z), (0, 0, -lean), bend_center=[middle, 0], **bend),
        "front_right": panel(mirrored(front), (-apart, 0, z), (0, 0, lean), bend_center=[-middle, 0], **bend),
        "back_left": panel(mirrored(back), (apart, 0, -z), (0, 180, -lean), bend_center=[-middle, 0], **bend),
        "back_right": panel(back, (-apart, 0, -z), (0, 180, lean), bend_center=[middle, 0], **bend),
    }
    belt, around = 4.0, 78.0
    band = [
        ([-around / 2, rise], [], "lower"),
        ([around / 2, rise], [], "end_left"),
        ([around / 2, rise + belt], [], "upper"),
        ([-around / 2, rise + belt], [], "end_right"),
    ]
    panels["waistband"] = panel(
        band, (0, 1, around / (2 * math.pi)), grain=0, bend_radius=around / (2 * math.pi)
    )
    s = lambda *sides, **own: stitch(panels, *sides, **own)
    stitches = []
    for side in ("left", "right"):
        for line in ("outseam", "inseam"):
            stitches.append(s(("front_" + side, line), ("back_" + side, line), name=f"{line} {side}"))
    for where in ("front", "back"):
        for line in ("center", "crotch"):
            stitches.append(s((where + "_left", line), (where + "_right", line), name=f"{line}, {where}"))
    # around the waist from the middle of the back: back right, front right, front left, back left
    quarters = [
        ("back_right", 0, 0.25),
        ("front_right", 0.25, 0.5),
        ("front_left", 0.5, 0.75),
        ("back_left", 0.75, 1),
    ]
    stitches += [
        s(("waistband", "lower", a, b), (name, "waist", 1, 0), name="waist, " + name.replace("_", " "))
        for name, a, b in quarters
    ]
    stitches += [
        s(("waistband", "end_left"), ("waistband", "end_right"), name="waistband"),
        s(("waistband", "upper"), elastic=0.85, name="elastic"),
    ]
    save("trousers", panels, stitches)


def pocket(panels, stitches, on, name, piece, place, layer, fabric=None, ease=0.2):
    """A patch pocket, sewn to a panel along all its edges but the first, which is its opening. piece: its
    outline there, counter-clockwise. The panel gets a hole, and what is behind the pocket is a piece of its
    own, so that three sheets meet at a seam. on, place: arguments of panel() for both."""
    count = len(piece)
    labels = [f"pocket{i}" for i in range(count)]
    outline = [(p, [], label) for p, label in zip(piece, labels)]
    hole = [(piece[(1 - i) % count], [], labels[-i % count]) for i in range(count)]
    middle = [sum(p[k] for p in piece) / count for k in (0, 1)]
    wide = max(p[0] for p in piece) - min(p[0] for p in piece)
    wider = [[middle[0] + (p[0] - middle[0]) * (1 + 2 * ease / wide), p[1]] for p in piece]
    panels[on] = panel(**place, holes=[hole])
    below = {k: v for k, v in place.items() if k != "outline"}
    panels[name + "_ground"] = panel(outline, **below)
    above = dict(below, layer=layer, fabric=fabric)
    panels[name] = panel([(p, [], label) for p, label in zip(wider, labels)], **above)
    for i, label in enumerate(labels):
        patch = [] if i == 0 else [(name, label, 0, 1)]
        stitches.append(
            stitch(panels, (name + "_ground", label, 0, 1), (on, label, 1, 0), *patch, name=f"{name} {i}")
        )


def collar_shirt():
    """With a collar on a stand, a button placket, cuffs and a patch pocket."""
    lift, radius = 5.0, 4 * 25.5 / (2 * math.pi)
    flip = lambda p: [-p[0], p[1]]
    half, low, high = 1.6, 77.0, 136.0  # of the placket
    hem, underarm, tip, neck = [25.5, 83.0], [25.5, 119.5], [20.0, 142.2], [8.7, 145.0]
    armhole, center = [[19.0, 122.0]], [half, high]
    hollow = [(tip[0] + neck[0]) / 2, (tip[1] + neck[1]) / 2 - 0.7]  # as the body's shoulders are
    front = [
        ([half, low], [[13.0, low], [18.0, hem[1]]], "hem"),
        (hem, [], "side"),
        (underarm, armhole, "armhole"),
        (tip, [hollow], "shoulder"),
        (neck, [[8.1, 140.0], [5.4, high]], "neck"),
        (center, [], "edge"),
    ]
    right = mirrored(front)
    at = [e[2] for e in right].index("edge")  # upwards, in the middle
    right[at : at + 1] = [
        ([-half, low], [], "hem_under"),
        ([half, low], [], "edge"),
        ([half, high], [], "top_free"),
        ([0, high], [], "top"),
    ]
    back = [
        (flip(hem), [[-18.0, hem[1]], [-12.0, low - 1], ], "hem_right"),
        ([0, low - 1], [[12.0, low - 1], [18.0, hem[1]]], "hem_left"),
        (hem, [], "side_left"),
        (underarm, armhole, "armhole_left"),
        (tip, [hollow], "shoulder_left"),
        (neck, [[6.4, 142.6], [-6.4, 142.6]], "neck"),
        (flip(neck), [flip(hollow)], "shoulder_right"),
        (flip(tip), [flip(armhole[0])], "armhole_right"),
        (flip(underarm), [], "side_right"),
    ]
    placket = [
        ([-half, low], [], "hem"),
        ([half, low], [], "edge"),
        ([half, high], [], "top"),
        ([0, high], [], "top_free"),
        ([-half, high], [], "free"),
    ]
    stiff, stitches = "trouser_twill", []
    bent = dict(position=(0, lift, radius), bend_radius=radius)
    panels = {}
    pocket(
        panels, stitches, "front_left", "pocket",
        [[15.8, 127.0], [7.0, 127.0], [7.0, 118.5], [11.4, 116.5], [15.8, 118.5]],
        dict(bent, outline=front, layer=1), 2, stiff,
    )
    panels["front_right"] = panel(right, **bent)
    panels["placket"] = panel(placket, **bent, layer=1, fabric=stiff)
    panels["back"] = panel(back, (0, lift, -radius), (0, 180, 0), bend_radius=radius)
    # sleeves and cuffs around the arms
    cap = cap_height(20.0, 12.0, 10.5, length([underarm, armhole[0], tip]) * 1.02)
    long, wrist, cuff, tilt, around = 34.5, 12.0, 11.0, 48.0, 40 / (2 * math.pi)
    sleeve = [
        ([-wrist, -long], [], "hem"),
        ([wrist, -long], [], "under_right"),
        ([20.0, 0], [[12.0, 0.5], [10.5, cap]], "cap_right"),
        ([0, cap], [[-10.5, cap], [-12.0, 0.5]], "cap_left"),
        ([-20.0, 0], [], "under_left"),
    ]
    band = [
        ([-cuff, -long - 6.3], [], "hem"),
        ([cuff, -long - 6.3], [], "end_right"),
        ([cuff, -long - 0.3], [], "upper"),
        ([-cuff, -long - 0.3], [], "end_left"),
    ]
    out = [math.sin(math.radians(tilt)), math.cos(math.radians(tilt))]
    for side, sign in (("left", 1), ("right", -1)):
        for name, piece, r, own in (
            ("sleeve", sleeve, around, {}),
            ("cuff", band, 2 * cuff / (2 * math.pi) + 0.4, dict(grain=0, fabric=stiff)),
        ):
            place = (sign * (34.0 + (r - around) * out[0]), 132.0 + (r - around) * out[1], 0)
            turned = (-90, sign * 90, -sign * tilt)
            panels[f"{name}_{side}"] = panel(piece, place, turned, bend_radius=r, bend_center=[0, 0], **own)
    # around the neck, open in front: the collar hangs down from the stand
    halves = [half, length([neck, [8.1, 140.0], [5.4, high], center])]
    parts = halves + [length([neck, [6.4, 142.6], [-6.4, 142.6], flip(neck)])] + halves[::-1]
    whole, tall, raised, leaf = sum(parts), 3.0, neck[1] + lift + 7.0, 4.8
    stand = [
        ([-whole / 2, 0], [], "lower"),
        ([whole / 2, 0], [], "end_right"),
        ([whole / 2, tall], [], "upper"),
        ([-whole / 2, tall], [], "end_left"),
    ]
    fall = flared(0, leaf, whole, whole + 4.5)
    fall = [(list(p), c, l) for p, c, l in fall]
    sag = fall[2][0][1] - bezier([fall[2][0], *fall[2][1], fall[3][0]], 0.5)[1]
    for corner, sign in ((0, -1), (1, 1)):  # its points
        fall[corner][0][0] += sign * 1.2
        fall[corner][0][1] -= 2.2
    ring = 1.04 * whole / (2 * math.pi)
    panels["stand"] = panel(stand, (0, raised, -ring), (0, 180, 0), bend_radius=ring, grain=0, fabric=stiff)
    ring += 7.2  # its right side is towards the stand, where layers are moved to
    panels["collar"] = panel(
        fall, (0, raised + tall + 0.5 + sag, -ring), bend_radius=-ring, grain=0, fabric=stiff
    )
    ends = [0.0]
    for part in parts:
        ends.append(ends[-1] + part / whole)
    s = lambda *sides, **own: stitch(panels, *sides, **own)
    for k, (name, edge) in enumerate(
        (("placket", "top"), ("front_left", "neck"), ("back", "neck"), ("front_right", "neck"),
         ("front_right", "top"))
    ):
        stitches.append(
            s(("stand", "lower", round(ends[k], 9), round(ends[k + 1], 9)), (name, edge, 1, 0),
              name=f"stand, {name}")
        )
    stitches += [
        s(("stand", "upper"), ("collar", "waist"), name="collar", angle=-160),
        s(("front_left", "edge"), ("placket", "edge"), name="placket"),
    ]
    for side, other in (("left", "right"), ("right", "left")):
        front_name, sleeve_name = "front_" + side, "sleeve_" + side
        caps = ("cap_left", "cap_right") if side == "left" else ("cap_right", "cap_left")
        stitches += [
            s((front_name, "side"), ("back", "side_" + other), name="side " + side),
            s((front_name, "shoulder"), ("back", "shoulder_" + other), name="shoulder " + side),
            s((front_name, "armhole"), (sleeve_name, caps[0]), name=f"armhole {side}, front"),
            s(("back", "armhole_" + other), (sleeve_name, caps[1]), name=f"armhole {side}, back"),
            s((sleeve_name, "under_left"), (sleeve_name, "under_right"), name="sleeve " + side),
            s((sleeve_name, "hem"), ("cuff_" + side, "upper"), name="cuff " + side),
            s(("cuff_" + side, "end_left"), ("cuff_" + side, "end_right"), name="cuff's end " + side),
        ]
    buttons = [
        (f"button {i + 1}", ("placket", [0, y]), ("front_right", [0, y]))
        for i, y in enumerate((128.0, 119.0, 110.0, 101.0, 92.0))
    ]
    save("collar_shirt", panels, stitches, edge_length=1.6, buttons=buttons)


def pleated_skirt():
    """Knife pleats all around, three sheets thick at the waistband. A face goes on behind the face before it;
    the sheet between both is turned, its right side inwards. They begin as a zigzag around the body, each
    fold where it is sewn, so that no sheet starts through another."""
    count, waist, band, rise, long, radius = 16, 69.0, 4.0, 104.0, 46.0, 16.0
    wide, lift, first_layer = waist / count, 2.0, 1.2
    along = lambda at: (math.cos(math.radians(at)), -math.sin(math.radians(at)))
    outwards = lambda at: (math.sin(math.radians(at)), math.cos(math.radians(at)))

    def face(k, tilt):
        """Its middle on the belt, whose ends meet at the back; both ends, and where it looks. In x and z."""
        angle = (k + 0.5) * 360 / count - 180 - 180 / count
        middle, t = [radius * c for c in outwards(angle)], along(angle - tilt)
        return [[m + way * c for m, c in zip(middle, t)] for way in (-wide, 0, wide)], angle - tilt

    low, high = 0.0, 80.0  # the tilt at which the turned sheet fits between two faces
    for _ in range(60):
        tilt = 0.5 * (low + high)
        gap = math.dist(face(0, tilt)[0][2], face(1, tilt)[0][0])
        low, high = (tilt, high) if gap < wide else (low, tilt)
    rectangle = lambda half: [
        ([-half, rise - long], [], "hem"),
        ([half, rise - long], [], "side_right"),
        ([half, rise], [], "waist"),
        ([-half, rise], [], "side_left"),
    ]
    panels, stitches, r = {}, [], waist / (2 * math.pi)
    belt = [
        ([-waist / 2, rise], [], "lower"),
        ([waist / 2, rise], [], "end_left"),
        ([waist / 2, rise + band], [], "upper"),
        ([-waist / 2, rise + band], [], "end_right"),
    ]
    panels["waistband"] = panel(belt, (0, lift + 1, r), grain=0, bend_radius=r)

    def add(name, half, middle, turned):
        at = [m - first_layer * n for m, n in zip(middle, outwards(turned))]  # the layer's own distance
        panels[name] = panel(
            rectangle(half), (round(at[0], 5), lift, round(at[1], 5)), (0, round(turned, 5), 0)
        )

    for k in range(count):
        ends, turned = face(k, tilt)
        add(f"pleat_{k + 1}", wide, ends[1], turned)
    for k in range(count):
        start, end = face(k, tilt)[0][2], face(k + 1, tilt)[0][0]
        middle = [(p + q) / 2 for p, q in zip(start, end)]
        turned = math.degrees(math.atan2(start[1] - end[1], end[0] - start[0]))
        add(f"return_{k + 1}", wide / 2, middle, turned)
    s = lambda *sides, **own: stitch(panels, *sides, **own)
    for k in range(count):
        here, turned, after = f"pleat_{k + 1}", f"return_{k + 1}", f"pleat_{(k + 1) % count + 1}"
        stitches += [
            s((here, "side_right"), (turned, "side_left"), name=f"fold {k + 1}", angle=170),
            s((turned, "side_right"), (after, "side_left"), name=f"inner fold {k + 1}", angle=-170),
            s(
                ("waistband", "lower", k / count, (k + 1) / count),
                (here, "waist", 0.5, 0),
                (turned, "waist", 0, 1),
                (after, "waist", 1, 0.5),
                name=f"waist, pleat {k + 1}",
            ),
        ]
    stitches.append(s(("waistband", "end_left"), ("waistband", "end_right"), name="waistband"))
    save("pleated_skirt", panels, stitches, edge_length=2, fabric="wool")


def lined_waistcoat():
    """Wool with a silk lining, lapels, patch pockets and four buttons; the lining's hem is free."""
    lift, radius, over = 5.0, 4 * 24.5 / (2 * math.pi), 1.5
    flip = lambda p: [-p[0], p[1]]
    underarm, tip, neck, v = [24.5, 120.0], [16.8, 142.4], [10.2, 143.9], [-over, 122.0]
    nape, armhole, line = [10.2, 145.0], [[15.0, 120.5], [16.2, 136.0]], [5.0, 132.0]
    rise = 1.2  # of the lining's hem

    def front(up):
        return [
            ([-over, 95.0 + up], [], "hem_front"),
            ([4.0, 91.0 + up], [], "hem"),
            ([23.8, 97.0 + up], [[22.3, 107.0]], "side"),
            (underarm, armhole, "armhole"),
            (tip, [], "shoulder"),
            (neck, [line], "neck"),
            (v, [], "edge"),
        ]

    def back(up):
        return [
            ([-23.8, 97.0 + up], [], "hem"),
            ([23.8, 97.0 + up], [[22.3, 107.0]], "side_left"),
            (underarm, armhole, "armhole_left"),
            (tip, [], "shoulder_left"),
            (nape, [[7.5, 140.0], [-7.5, 140.0]], "neck"),
            (flip(nape), [], "shoulder_right"),
            (flip(tip), [flip(p) for p in reversed(armhole)], "armhole_right"),
            (flip(underarm), [[-22.3, 107.0]], "side_right"),
        ]

    share = 4.0 / math.dist(tip, neck)  # of the shoulder, covered by the lapel
    lapel = [
        (neck, [line], "neck"),
        (v, [[3.5, 124.5]], "outer"),
        ([12.2, 132.6], [], "notch"),
        ([13.0, 137.0], [], "upper"),
        ([a + (b - a) * share for a, b in zip(neck, tip)], [], "top"),
    ]
    patch = [[16.5, 107.0], [7.0, 107.0], [7.0, 99.0], [8.5, 97.5], [15.0, 97.5], [16.5, 99.0]]
    bent, behind = dict(position=(0, lift, radius), bend_radius=radius), dict(
        position=(0, lift, -radius), rotation=(0, 180, 0), bend_radius=radius
    )
    panels, stitches, buttons = {}, [], []
    for side, low in (("left", 6), ("right", 0)):
        turn = (lambda o: o) if side == "left" else mirrored
        corners = patch
        if side == "right":
            corners = [flip(patch[(1 - i) % len(patch)]) for i in range(len(patch))]
        pocket(
            panels, stitches, "front_" + side, "pocket_" + side, corners,
            dict(bent, outline=turn(front(0)), layer=low + 2), low + 3,
        )
        panels["lapel_" + side] = panel(turn(lapel), **bent, layer=low + 5, fabric="silk")
        panels["lining_" + side] = panel(turn(front(rise)), **bent, layer=low, fabric="silk")
    panels["back"] = panel(back(0), **behind, layer=2)
    panels["lining_back"] = panel(back(rise), **behind, layer=0, fabric="silk")
    s = lambda *sides, **own: stitch(panels, *sides, **own)
    covered = round(1 - (95 + rise - 95) / (v[1] - 95), 6)  # of the front's edge by that of the lining
    for side, other in (("left", "right"), ("right", "left")):
        outer, inner, lapel_name = "front_" + side, "lining_" + side, "lapel_" + side
        # edges of the right side run the other way
        way = lambda a, b: (a, b) if side == "left" else (1 - a, 1 - b)
        seam = lambda name, edge, a, b: (name, edge, *way(a, b))
        rest = lambda a, b: (1 - a, 1 - b) if side == "left" else (a, b)
        from_tip = round(1 - share, 6)
        for a, b, more in ((0, from_tip, []), (from_tip, 1, [seam(lapel_name, "top", 0, 1)])):
            stitches.append(
                s(seam(outer, "shoulder", a, b), *more, ("back", "shoulder_" + other, *rest(a, b)),
                  name=f"shoulder {side}")
            )
        stitches += [
            s((inner, "shoulder"), ("lining_back", "shoulder_" + other), name=f"lining, shoulder {side}"),
            s((outer, "side"), ("back", "side_" + other), name="side " + side),
            s((inner, "side"), ("lining_back", "side_" + other), name="lining, side " + side),
            s((outer, "armhole", 0, 1), (inner, "armhole", 0, 1), name="armhole " + side),
            s(("back", "armhole_" + side, 0, 1), ("lining_back", "armhole_" + side, 0, 1),
              name=f"armhole {other}, back"),
            s(*[(p, "neck", 0, 1) for p in (outer, inner, lapel_name)], name="lapel " + side),
            s(seam(outer, "edge", 0, covered), seam(inner, "edge", 0, 1), name="edge " + side),
        ]
    stitches.append(s(("back", "neck", 0, 1), ("lining_back", "neck", 0, 1), name="neck"))
    for i, y in enumerate((119.0, 112.5, 106.0, 99.5)):
        sheets = ("front_left", "lining_left", "front_right")
        buttons.append((f"button {i + 1}", *[(p, [0, y]) for p in sheets]))
    save("lined_waistcoat", panels, stitches, edge_length=1.7, fabric="wool", buttons=buttons)


if __name__ == "__main__":
    for make in (tshirt, skirt, dress, trousers, gown, tiered_dress, tunic, waistcoat):
        make()
    for make in (collar_shirt, pleated_skirt, lined_waistcoat):
        make()
    dress(hems=((46.0, 66.0), (33.0, 66.0), (20.0, 59.0)))
