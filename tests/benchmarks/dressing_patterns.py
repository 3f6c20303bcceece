#!/usr/bin/env python3
"""Writes patterns as generators place them, and dresses the mannequin in them.

    python3 dressing_patterns.py FOLDER                      patterns alone
    python3 dressing_patterns.py FOLDER PROGRAM [NAME ...]   each dressed, and dressing_patterns.csv

PROGRAM: weft; weft-check is beside it. GarmentCode's format: flat panels in front of and behind a figure of
1.72 m (bust 88, waist 68, hips 94 cm), in centimetres, seams stretched between them. Each is written twice:
NAME.json with y from the floor, NAME_hips.json with y from the hips (95 cm). Edges are 35 mm long. Needs the
standard library alone.
"""

import csv
import json
import math
import os
import re
import subprocess
import sys
import time

HIPS = 95  # cm above the floor
APART = 20  # cm from the middle of the body to the panels


class Garment:
    """Panels and stitches. Outlines are (x, y, label, curve): label of the edge that begins there, curve: its
    quadratic control point in the edge's own frame, or a circle's radius [r, 0, right]; counter-clockwise."""

    def __init__(self):
        self.panels, self.stitches = {}, []

    def panel(self, name, outline, at=(0, 0, 0), turn=(0, 0, 0)):
        edges = []
        for i, point in enumerate(outline):
            edge = {"endpoints": [i, (i + 1) % len(outline)], "label": point[2]}
            if len(point) > 3 and point[3] is not None:
                kind = "quadratic" if len(point[3]) == 2 else "circle"
                edge["curvature"] = {"type": kind, "params": [point[3]] if kind == "quadratic" else point[3]}
            edges.append(edge)
        self.panels[name] = {"translation": list(at), "rotation": list(turn), "vertices": [list(p[:2])
            for p in outline], "edges": edges}

    def both(self, front, back=None, names=("front", "back"), apart=APART):
        """The same outline before and behind the body; `back` where it differs."""
        self.panel(names[0], front, (0, 0, apart))
        self.panel(names[1], back or front, (0, 0, -apart), (0, 180, 0))

    def edge(self, panel, label):
        return {"panel": panel, "edge": [e["label"] for e in self.panels[panel]["edges"]].index(label)}

    def sew(self, *sides, right_wrong=False):
        self.stitches.append([self.edge(*side) for side in sides] + ["right_wrong"] * right_wrong)

    def sew_around(self, pairs, names=("front", "back")):
        """Left edges of the front with right edges of the back, and the other way round."""
        for left, right in pairs:
            self.sew((names[0], left), (names[1], right))
            self.sew((names[0], right), (names[1], left))

    def save(self, folder, name):
        for suffix, down in (("", 0), ("_hips", HIPS)):
            panels = json.loads(json.dumps(self.panels))
            for p in panels.values():
                p["translation"][1] -= down
            spec = {"pattern": {"panels": panels, "stitches": self.stitches, "panel_order": list(panels)},
                    "parameters": {}, "parameter_order": [],
                    "properties": {"curvature_coords": "relative", "normalize_panel_translation": False,
                                   "units_in_meter": 100}}
            with open(os.path.join(folder, name + suffix + ".json"), "w") as file:
                json.dump(spec, file, indent=1)


def mirrored(outline):
    """x to -x, still counter-clockwise; labels that end in _l and _r change places."""
    swap = {"_l": "_r", "_r": "_l"}
    out, count = [], len(outline)
    for i in range(count):
        start, edge = outline[(count - i) % count], outline[(count - 1 - i) % count]
        label = edge[2][:-2] + swap[edge[2][-2:]] if edge[2][-2:] in swap else edge[2]
        curve = edge[3] if len(edge) > 3 else None
        if curve and len(curve) == 2:
            curve = [1 - curve[0], curve[1]]
        out.append((-start[0], start[1], label, curve))
    return out


def bodice(hem, shoulder, half=25, waist=None, deep=0.6, tip=18):
    """Outline of a sleeveless bodice from a hem's to a shoulder's height."""
    under = shoulder - 19
    out = [(-half, hem, "hem"), (half, hem, "side_r")]
    return out + [(half, under, "arm_r", [0.5, 0.15]), (tip, shoulder, "shoulder_r"), (10, shoulder + 3,
        "neck", [0.5, deep]),
                  (-10, shoulder + 3, "shoulder_l"), (-tip, shoulder, "arm_l", [0.5, 0.15]), (-half, under,
                      "side_l")]


SHOULDERS = [("shoulder_l", "shoulder_r")]
SIDES = [("side_l", "side_r")]


def top(low):
    """Box without sleeves, its shoulder line `low` cm below the shoulders (146 cm)."""
    g = Garment()
    g.both(bodice(95, 146 - low), bodice(95, 146 - low, deep=0.2))
    g.sew_around(SIDES + SHOULDERS)
    return g


def box_with_sleeves(low, angle, length=25):
    """Sleeves of two flat sheets beside a flat box, hanging by `angle` degrees."""
    g = Garment()
    y = 146 - low
    outline = [(-25, 85, "hem"), (25, 85, "side_r"), (25, y - 20, "arm_r"), (22, y, "shoulder_r"), (10,
        y + 4, "neck", [0.5, 0.6]),
               (-10, y + 4, "shoulder_l"), (-22, y, "arm_l"), (-25, y - 20, "side_l")]
    g.both(outline, [p[:3] + ([0.5, 0.2],) if p[2] == "neck" else p for p in outline])
    g.sew_around(SIDES + SHOULDERS)
    # sleeve: from the armhole (length as that) outwards; its own frame: x outwards, y up from the underarm
    high = math.hypot(3, 20)
    sleeve = [(0, 0, "under"), (length, 2, "cuff"), (length, high - 2, "over"), (0, high, "cap")]
    for side, sign in (("r", 1), ("l", -1)):
        shape = sleeve if sign > 0 else mirrored(sleeve)
        for half, z in (("front", APART), ("back", -APART)):
            # the sheet's underarm corner at the box's, a centimetre out
            x = sign * 26.0
            turn = (0, 0, -sign * angle)
            if half == "front":
                g.panel(f"sleeve_{side}_front", shape, (x, y - 20, z), turn)
            else:
                g.panel(f"sleeve_{side}_back", mirrored(shape), (x, y - 20, z), (0, 180, turn[2]))
        g.sew((f"sleeve_{side}_front", "under"), (f"sleeve_{side}_back", "under"))
        g.sew((f"sleeve_{side}_front", "over"), (f"sleeve_{side}_back", "over"))
        g.sew((f"sleeve_{side}_front", "cap"), ("front", f"arm_{side}"))
        other = "l" if side == "r" else "r"
        g.sew((f"sleeve_{side}_back", "cap"), ("back", f"arm_{other}"))
    return g


def hooded():
    """A box with a hood of two sheets beside the head, sewn to the neckline in four parts."""
    g = Garment()
    y = 138
    front = [(-25, 85, "hem"), (25, 85, "side_r"), (25, y - 19, "arm_r", [0.5, 0.15]), (18, y, "shoulder_r"),
             (10, y + 3, "neck_r", [0.5, 0.25]),
             (0, y - 6, "neck_l", [0.5, 0.25]), (-10, y + 3, "shoulder_l"), (-18, y, "arm_l", [0.5,
                 0.15]), (-25, y - 19, "side_l")]
    back = [(p[0], y + 1, *p[2:]) if p[0] == 0 else p for p in front]
    g.both(front, back)
    g.sew_around(SIDES + SHOULDERS)
    # a half of the hood, as seen from the body's left: x to the back
    hood = [(-14, 0, "neck_front"), (0, 0, "neck_back"), (10, 0, "back", [0.5, -0.25]), (0, 34, "top"), (-18,
        32, "face")]
    for side, sign in (("r", 1), ("l", -1)):
        g.panel(f"hood_{side}", hood if sign > 0 else mirrored(hood), (sign * 14, y + 4, 0), (0, sign * 90,
            0))
        g.sew((f"hood_{side}", "neck_front"), ("front", f"neck_{side}"))
        g.sew((f"hood_{side}", "neck_back"), ("back", "neck_l" if side == "r" else "neck_r"))
    g.sew(("hood_r", "back"), ("hood_l", "back"))
    g.sew(("hood_r", "top"), ("hood_l", "top"))
    return g


def circle(share, waist=72, length=45, at=106):
    """Skirt of two equal sectors of a ring that make `share` of a circle."""
    g = Garment()
    angle = math.pi * share  # of each half
    inner = waist / 2 / angle
    outer = inner + length
    def point(r, a):
        return (r * math.sin(a), -r * math.cos(a))
    a = angle / 2
    lift = inner * math.cos(a)
    big = 1 if angle > math.pi + 1e-9 else 0
    outline = [(*point(outer, -a), "hem", [outer, big, 1]), (*point(outer, a), "side_r"),
               (*point(inner, a), "waist", [inner, big, 0]), (*point(inner, -a), "side_l")]
    outline = [(round(p[0], 4), round(p[1] + lift + at, 4), *p[2:]) for p in outline]
    g.both(outline)
    g.sew_around(SIDES)
    return g


def pencil():
    """Front and back with a dart at each side of the waist, as edges and stitches."""
    g = Garment()
    outline = [(-23, 55, "hem"), (23, 55, "side_r"), (25, 85, "hip_r", [0.5, 0.08]), (20, 106, "waist_1"),
               (11, 106, "dart_1"),
               (9.5, 95, "dart_2"), (8, 106, "waist_2"), (-8, 106, "dart_3"), (-9.5, 95, "dart_4"), (-11,
                   106, "waist_3"),
               (-20, 106, "hip_l", [0.5, 0.08]), (-25, 85, "side_l")]
    g.both(outline)
    g.sew_around(SIDES + [("hip_l", "hip_r")])
    for half in ("front", "back"):
        g.sew((half, "dart_1"), (half, "dart_2"))
        g.sew((half, "dart_3"), (half, "dart_4"))
    return g


def godets():
    """Straight skirt with a triangle let into a slit in the middle of front and back, and at each side."""
    g = Garment()
    outline = [(-25, 50, "hem_1"), (-0.5, 50, "slit_1"), (0, 75, "slit_2"), (0.5, 50, "hem_2"), (25, 50,
        "side_r"),
               (25, 75, "hip_r"), (19, 106, "waist"), (-19, 106, "hip_l"), (-25, 75, "side_l")]
    g.both(outline)
    insert = [(-12, 50, "hem"), (12, 50, "b"), (0, 75, "a")]
    for half, z, turn in (("front", APART + 8, 0), ("back", -APART - 8, 180)):
        g.panel(f"godet_{half}", insert, (0, 0, z), (0, turn, 0))
        g.sew((f"godet_{half}", "a"), (half, "slit_1"))
        g.sew((f"godet_{half}", "b"), (half, "slit_2"))
    for side, sign, edge in (("r", 1, "side_r"), ("l", -1, "side_l")):
        g.panel(f"godet_{side}", insert, (sign * 33, 0, 0), (0, sign * 90, 0))
        other = "side_l" if side == "r" else "side_r"
        # seen from outside at the right of the picture: a runs on the front's side for +x
        g.sew((f"godet_{side}", "a" if sign > 0 else "b"), ("front", edge))
        g.sew((f"godet_{side}", "b" if sign > 0 else "a"), ("back", other))
    g.sew_around([("hip_l", "hip_r")])
    return g


def leg(waist, crotch, hem):
    """The half of trousers at the right of the picture; the middle is x = 0."""
    return [(4, hem, "hem"), (20, hem, "out"), (25, crotch + 4, "hip", [0.5, 0.03]), (19, waist, "waist"),
            (0, waist, "middle"),
            (0, crotch + 7, "crotch", [0.5, 0.3]), (-5, crotch, "in")]


def trousers(waist=104, crotch=70, hem=8, g=None, apart=APART):
    g = g or Garment()
    for half, z, turn in (("front", apart, 0), ("back", -apart, 180)):
        g.panel(f"{half}_leg_r", leg(waist, crotch, hem), (3, 0, z) if half == "front" else (-3, 0, z), (0,
            turn, 0))
        g.panel(f"{half}_leg_l", mirrored(leg(waist, crotch, hem)), (-3, 0, z) if half == "front" else (3, 0,
            z), (0, turn, 0))
        g.sew((f"{half}_leg_r", "middle"), (f"{half}_leg_l", "middle"))
        g.sew((f"{half}_leg_r", "crotch"), (f"{half}_leg_l", "crotch"))
    for front, back in (("r", "l"), ("l",
                                     "r")):  # a panel behind is turned: its right is the body's other side
        for edge in ("out", "hip", "in"):
            g.sew((f"front_leg_{front}", edge), (f"back_leg_{back}", edge))
    return g


def jumpsuit():
    """Trousers and a bodice, sewn at the waist."""
    g = trousers(waist=103, crotch=60)
    y = 138
    outline = [(-19, 105, "waist_l"), (0, 105, "waist_r"), (19, 105, "side_r"), (24, y - 19, "arm_r", [0.5,
        0.15]), (18, y, "shoulder_r"),
               (10, y + 3, "neck", [0.5, 0.5]), (-10, y + 3, "shoulder_l"), (-18, y, "arm_l", [0.5,
                   0.15]), (-24, y - 19, "side_l")]
    g.both(outline)
    g.sew_around(SIDES + SHOULDERS)
    for half in ("front", "back"):
        for side in ("l", "r"):
            g.sew((half, f"waist_{side}"), (f"{half}_leg_{side}", "waist"))
    return g


def shift():
    """Sleeveless dress in two pieces."""
    g = Garment()
    def outline(deep):
        y = 140
        return [(-28, 60, "hem"), (28, 60, "side_r"), (25, y - 20, "arm_r", [0.5, 0.15]), (17, y,
            "shoulder_r"), (10, y + 3, "neck", [0.5, deep]),
                (-10, y + 3, "shoulder_l"), (-17, y, "arm_l", [0.5, 0.15]), (-25, y - 20, "side_l")]
    g.both(outline(0.6), outline(0.2))
    g.sew_around(SIDES + SHOULDERS)
    return g


def wrap(tied):
    """Skirt whose two front pieces overlap in one plane, sewn together at the waist if tied, else loose."""
    g = Garment()
    back = [(-26, 60, "hem"), (26, 60, "side_r"), (20, 106, "waist"), (-20, 106, "side_l")]
    g.panel("back", back, (0, 0, -APART), (0, 180, 0))
    piece = [(-12, 60, "hem"), (26, 60, "side"), (20, 106, "waist"), (8, 106, "tie"), (-8, 106, "edge")]
    g.panel("front_r", piece, (0, 0, APART))
    g.panel("front_l", mirrored(piece), (0, 0, APART))
    g.sew(("front_r", "side"), ("back", "side_l"))
    g.sew(("front_l", "side"), ("back", "side_r"))
    if tied:
        g.sew(("front_r", "tie"), ("front_l", "tie"), right_wrong=True)
    return g


def band():
    """Skirt of two wide panels gathered into a waistband of two."""
    g = Garment()
    g.both([(-18, 102, "low"), (18, 102, "side_r"), (18, 107, "high"), (-18, 107, "side_l")],
           names=("band_front", "band_back"))
    g.sew_around(SIDES, ("band_front", "band_back"))
    g.both([(-32, 50, "hem"), (32, 50, "side_r"), (26, 100, "waist"), (-26, 100, "side_l")],
           names=("skirt_front", "skirt_back"))
    g.sew_around(SIDES, ("skirt_front", "skirt_back"))
    for half in ("front", "back"):
        g.sew((f"skirt_{half}", "waist"), (f"band_{half}", "low"))
    return g


GARMENTS = {
    "top_low_4": lambda: top(4),
    "top_low_8": lambda: top(8),
    "top_low_12": lambda: top(12),
    "box_straight": lambda: box_with_sleeves(6, 0),
    "box_hanging": lambda: box_with_sleeves(6, 45),
    "box_long": lambda: box_with_sleeves(8, 25, length=50),
    "hood": hooded,
    "shift": shift,
    "jumpsuit": jumpsuit,
    "trousers": trousers,
    "circle": lambda: circle(1),
    "half_circle": lambda: circle(0.5),
    "pencil": pencil,
    "godets": godets,
    "wrap": lambda: wrap(True),
    "wrap_loose": lambda: wrap(False),
    "band": band,
}


def longest_edge(path):
    """Largest length of a triangle's side over its length in the pattern."""
    points, texture, longest = [], [], 0
    for line in open(path):
        words = line.split()
        if words[:1] == ["v"]:
            points.append([float(w) for w in words[1:4]])
        elif words[:1] == ["vt"]:
            texture.append([float(w) for w in words[1:3]])
        elif words[:1] == ["f"]:
            corner = [[int(n) - 1 for n in w.split("/")[:2]] for w in words[1:4]]
            for (a, s), (b, t) in zip(corner, corner[1:] + corner[:1]):
                longest = max(longest, math.dist(points[a], points[b]) / math.dist(texture[s], texture[t]))
    return longest


def dress(folder, program, names):
    """One row per pattern: exit status, time, steps, longest edge, states that cross."""
    with open(os.path.join(folder, "dressing_patterns.csv"), "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["pattern", "status", "seconds", "steps", "forward_steps", "longest_over_rest",
                        "states", "crossed_states", "said"])
        for name in names:
            worn, states = os.path.join(folder, name + ".obj"), os.path.join(folder, "states.weftcache")
            for old in (worn, states):
                if os.path.exists(old):
                    os.remove(old)
            begin = time.time()
            ran = subprocess.run([program, "dress", os.path.join(folder, name + ".json"), "--edge", "35mm",
                                  "--body-edge", "0.02",
                                  "--states", states, "-o", worn], capture_output=True, text=True)
            seconds, text = time.time() - begin, ran.stdout + ran.stderr
            steps = re.search(r"in (\d+) steps \((\d+) forward steps\)", text)
            said = [w[6:] for w in text.replace("\r", "\n").split("\n") if w.startswith("weft: ")
                    and "weft: dressing" not in w and "is stretched by" not in w]
            row = [name, ran.returncode, f"{seconds:.1f}"] + (list(steps.groups()) if steps else ["", ""])
            if os.path.exists(worn):
                check = subprocess.run([os.path.join(os.path.dirname(program), "weft-check"), states,
                                        "--json"], capture_output=True, text=True)
                found = json.loads(check.stdout)["runs"][0]["states"]
                crossed = sum(s["crossings"] + s["crossings_with_bodies"] > 0 for s in found)
                row += [f"{longest_edge(worn):.3f}", len(found), crossed]
            else:
                row += ["", "", ""]
            table.writerow(row + ["; ".join(said)])
            file.flush()


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    os.makedirs(sys.argv[1], exist_ok=True)
    for name, make in GARMENTS.items():
        make().save(sys.argv[1], name)
    if len(sys.argv) > 2:
        dress(sys.argv[1], sys.argv[2], sys.argv[3:] or [n + s for n in GARMENTS for s in ("", "_hips")])


if __name__ == "__main__":
    main()
