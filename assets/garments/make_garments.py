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


def panel(outline, position=(0, 0, 0), rotation=(0, 0, 0), **own):
    """outline: (point, controls ..., label) for each edge; controls in the panel's coordinates."""
    vertices, edges = [], []
    for i, (start, controls, label) in enumerate(outline):
        end = outline[(i + 1) % len(outline)][0]
        vertices.append([round(x, 4) for x in start])
        edge = {"endpoints": [i, (i + 1) % len(outline)], "label": label}
        if controls:
            edge["curvature"] = {"type": "quadratic" if len(controls) == 1 else "cubic",
                                 "params": [[round(x, 6) for x in relative(start, end, c)] for c in controls]}
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


def stitch(panels, *sides, name=None, elastic=None):
    """sides: (panel, label) or (panel, label, from, to); the first runs forward, the others against it."""
    out, ranges = [], any(len(s) > 2 for s in sides) or len(sides) != 2
    for k, side in enumerate(sides):
        entry = {"panel": side[0], "edge": edge_named(panels, side[0], side[1])}
        if ranges:
            entry["from"], entry["to"] = side[2:] if len(side) > 2 else ((0, 1) if k == 0 else (1, 0))
        out.append(entry)
    own = {k: v for k, v in (("elastic", elastic), ("name", name)) if v is not None}
    if own:
        out.append({"weft": own})
    return out


def save(name, panels, stitches, edge_length=1.5, fabric="cotton"):
    spec = {
        "pattern": {
            "panels": panels,
            "stitches": stitches,
            "panel_order": list(panels),
            "weft": {"name": name, "edge_length": edge_length, "fabric": fabric},
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
    """Open in front, wide, over a tunic."""
    hem, wide, underarm, tip, neck, lift, z = 99.0, 30.5, 109.0, [19.0, 142.2], [9.5, 144.5], 6.5, 32
    armhole = [20.0, 118.0]
    front = [
        ([1.5, hem], [], "hem"),
        ([wide, hem], [], "side"),
        ([wide, underarm], [armhole], "armhole"),
        (tip, [], "shoulder"),
        (neck, [[8.0, 132.0]], "neck"),
        ([1.5, 119.0], [], "edge"),
    ]
    flip = lambda p: [-p[0], p[1]]
    back = [
        ([-wide, hem], [], "hem"),
        ([wide, hem], [], "side_left"),
        ([wide, underarm], [armhole], "armhole_left"),
        (tip, [], "shoulder_left"),
        (neck, [[6.5, 142.0], [-6.5, 142.0]], "neck"),
        (flip(neck), [], "shoulder_right"),
        (flip(tip), [flip(armhole)], "armhole_right"),
        ([-wide, underarm], [], "side_right"),
    ]
    panels = {
        "front_left": panel(front, (0, lift, z)),
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


def dress(hems=((48.0, 68.0),)):
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


if __name__ == "__main__":
    for make in (tshirt, skirt, dress, trousers, gown, tiered_dress, tunic, waistcoat):
        make()
    dress(hems=((46.0, 66.0), (33.0, 66.0), (20.0, 59.0)))
