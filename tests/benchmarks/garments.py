#!/usr/bin/env python3
"""Numbers of tests/benchmarks/results/garments.md, as CSV files in a folder:

    python3 garments.py PROGRAM FOLDER [dressing crossings walking speed memory ...] [--garment NAME ...] [--scene NAME ...] [--dt SECONDS ...] [--seconds SECONDS] [--keep]

dressing   each pattern of assets/garments on the mannequin: time, stretch at seams, crossings in every state
crossings  the small garment scenes in steps of 1/100 and 1/30 s (or --dt): crossings in every state
walking    a gathered skirt, on the mannequin for 10 s of walking: how high its waistband is
speed      the default scene and small garment scenes in turns: process time per step and vertex, and median wall time of the body
memory     a garment with its pattern as rest shape, and without: peak memory per vertex

All: in this order. PROGRAM: weft; weft-check is beside it. One thread. Heights over density: dress_density.py.
"""

import argparse
import csv
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ASSETS = os.path.join(HERE, "..", "..", "assets")
# pattern: edges (mm); a shirt of about 4,000 vertices, and as of the meshes beside the small scenes
GARMENTS = {
    "tshirt": (18, 14),
    "gathered_skirt": (21,),
    "dress": (21,),
    "trousers": (20,),
    "layered_dress": (28,),
    "gown": (30,),
    "tiered_dress": (23,),
    "tunic": (28,),
    "waistcoat": (28,),
    "collar_shirt": (16,),
    "pleated_skirt": (20,),
    "lined_waistcoat": (17,),
}
SCENES = [
    "wu2020/shirt_small",
    "wu2020/dress_small",
    "wu2020/dress_hang_small",
    "wu2020/gown_small",
    "wu2020/layered_dress_small",
    "wang2023/layered_dress_small",
    "wang2023/gown_small",
    "tang2018/dress_small",
    "tang2018/tiered_small",
    "tang2018/kung_fu_small",
    "tang2018/swing_small",
    "lan2024/skirt_kick_small",
    "lan2024/runway_small",
]


def run(command, folder):
    """Text on standard output, process time (s) and peak memory (bytes) of a command with its own cache folder."""
    with open(os.path.join(folder, "out.txt"), "w+") as out:
        child = subprocess.Popen(
            command,
            stdout=out,
            stderr=subprocess.STDOUT,
            env=dict(os.environ, XDG_CACHE_HOME=os.path.join(folder, "cache")),
        )
        _, status, used = os.wait4(child.pid, 0)
        out.seek(0)
        text = out.read()
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit("%s\n%s" % (" ".join(command), text))
    return text, used.ru_utime + used.ru_stime, 1024 * used.ru_maxrss


def crossings(program, states, folder):
    """Numbers of states and of those in which cloth crosses cloth or a body, by weft-check."""
    report = os.path.join(folder, "report.json")
    with open(report, "w") as out:
        status = subprocess.run(
            [os.path.join(os.path.dirname(program), "weft-check"), states, "--json", "--quiet", "-j", "1"],
            stdout=out,
        ).returncode
    if status > 1:
        sys.exit("weft-check could not check %s" % states)
    with open(report) as file:
        found = json.load(file)["runs"][0]["states"]
    return len(found), sum(s["crossings"] + s["crossings_with_bodies"] > 0 for s in found)


class Table:
    def __init__(self, folder, name, columns):
        self.file = open(os.path.join(folder, name + ".csv"), "w")
        self.row(*columns.split())

    def row(self, *cells):
        csv.writer(self.file, lineterminator="\n").writerow(cells)
        self.file.flush()
        print(*cells, flush=True)


def dressing(chosen):
    table = Table(
        chosen.folder,
        "dressing",
        "garment edge_mm vertices states crossed_states largest_length_over_rest_at_seams process_s notices",
    )
    for name in chosen.garment or GARMENTS:
        for edge in GARMENTS[name]:
            with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
                states, obj = os.path.join(folder, "states.weftcache"), os.path.join(
                    chosen.folder, "%s_%g.obj" % (name, edge)
                )
                text, seconds, _ = run(
                    [
                        chosen.program,
                        "dress",
                        os.path.join(ASSETS, "garments", name + ".json"),
                        "--edge",
                        "%gmm" % edge,
                        "--body-edge",
                        "0.02",
                        "--threads",
                        "1",
                        "--quiet",
                        "--states",
                        states,
                        "-o",
                        obj,
                    ],
                    folder,
                )
                said = re.search(r"(\d+) vertices, stretched by at most ([\d.]+) %", text)
                report = crossings(chosen.program, states, folder)
                notices = re.findall(
                    r"seam \d+ \(?([^):]*)\)?: cloth beside it is stretched by (\d+) %", text
                )
                table.row(name, edge, said[1], *report, "%.3f" % (1 + float(said[2]) / 100), "%.1f" % seconds,
                          "; ".join("%s %s %%" % n for n in notices))


def crossings_of_scenes(chosen):
    table = Table(
        chosen.folder,
        "crossings",
        "scene dt_s states crossed_states longest_edge_over_rest unmet_end_conditions process_s",
    )
    for dt in chosen.dt or (1 / 30, 1 / 100):
        for scene in chosen.scene or SCENES:
            with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
                steps, stats = (os.path.join(folder, n) for n in ("steps.csv", "stats.json"))
                cache = os.path.join(
                    chosen.folder if chosen.keep else folder,
                    "%s_%d.weftcache" % (scene.replace("/", "_"), round(1 / dt)),
                )
                _, seconds, _ = run(
                    [
                        chosen.program,
                        scene,
                        "--headless",
                        "--quiet",
                        "--threads",
                        "1",
                        "--set",
                        "step.dt=%.9g" % dt,
                        "--cache",
                        cache,
                        "--csv",
                        steps,
                        "--stats",
                        stats,
                        *(["--seconds", "%g" % chosen.seconds] if chosen.seconds else []),
                    ],
                    folder,
                )
                with open(steps, newline="") as file:
                    stretch = max(float(r["max_stretch"]) for r in rows_of(file))
                with open(stats) as file:
                    unmet = len(json.load(file)["unmet_end_conditions"])
                report = crossings(chosen.program, cache, folder)
                table.row(scene, "1/%d" % round(1 / dt), *report, "%.3f" % stretch, unmet, "%.1f" % seconds)


def rows_of(file):
    """The rows of a table of --csv, below the line that says what they were made with."""
    return csv.DictReader(line for line in file if not line.startswith("#"))


def scene_with(scene, folder, name, change):
    """A file with the text of a scene of the assets, changed, its meshes found from there."""
    path = os.path.join(ASSETS, "scenes", scene + ".toml")
    with open(path) as file:
        text = change(file.read().replace('file = "', 'file = "%s/' % os.path.dirname(os.path.abspath(path))))
    out = os.path.join(folder, name + ".toml")
    with open(out, "w") as file:
        file.write(text)
    return out


def walking(chosen):
    """By cycles of the gait, in which the body rises and sinks by 6 cm."""
    table = Table(
        chosen.folder,
        "walking",
        "from_s to_s top_of_the_skirt_mean_m lowest_m highest_m longest_edge_over_rest states crossed_states",
    )
    with open(os.path.join(ASSETS, "mannequin", "walk.toml")) as file:
        cycle = float(re.search(r"^duration = ([\d.]+)", file.read(), re.M)[1])
    with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
        scene = scene_with(
            "lan2024/runway_small",
            folder,
            "walk",
            lambda t: re.sub(r"clips = .*", 'clips = [{ clip = "walk", duration = 10 }]', t),
        )
        cache, steps = os.path.join(folder, "run.weftcache"), os.path.join(folder, "steps.csv")
        run(
            [
                chosen.program,
                scene,
                "--headless",
                "--quiet",
                "--threads",
                "1",
                "--seconds",
                "11",
                "--cache",
                cache,
                "--csv",
                steps,
            ],
            folder,
        )
        report = crossings(chosen.program, cache, folder)
        with open(steps, newline="") as file:
            rows = [
                (float(r["time"]), float(r["max_height"]), float(r["max_stretch"]))
                for r in rows_of(file)
            ]
        begin = 1.0  # the lead-in
        while begin + cycle < rows[-1][0] + 1e-6:
            now = [r for r in rows if begin < r[0] <= begin + cycle]
            tops = [r[1] for r in now]
            table.row(
                "%.2f" % begin,
                "%.2f" % (begin + cycle),
                "%.4f" % statistics.mean(tops),
                "%.4f" % min(tops),
                "%.4f" % max(tops),
                "%.3f" % max(r[2] for r in now),
                *report
            )
            begin += cycle


def speed(chosen):
    """Process time of the steps from 0.5 s on, so that a busy machine and what is built at the start count for nothing."""
    table = Table(
        chosen.folder,
        "speed",
        "turn scene vertices steps ms_per_step us_per_step_and_vertex body_ms_per_step",
    )
    for turn in range(2):
        for scene in ["default", *(chosen.scene or ["wu2020/dress_small"])]:
            with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
                steps, stats = os.path.join(folder, "steps.csv"), os.path.join(folder, "stats.json")
                spent, count = [], []
                for until in (0.5, 2):
                    spent.append(
                        run(
                            [
                                chosen.program,
                                scene,
                                "--headless",
                                "--quiet",
                                "--threads",
                                "1",
                                "--seconds",
                                "%g" % until,
                                "--csv",
                                steps,
                                "--stats",
                                stats,
                            ],
                            folder,
                        )[1]
                    )
                    with open(stats) as file:
                        of_run = json.load(file)
                    count.append(of_run["steps"])
                with open(steps, newline="") as file:
                    bodies = statistics.median(
                        float(r["bodies_ms"]) for r in list(rows_of(file))[count[0] :]
                    )
                made, vertices = count[1] - count[0], of_run["vertices"]
                mean = 1000 * (spent[1] - spent[0]) / made
                table.row(
                    turn + 1,
                    scene,
                    vertices,
                    made,
                    "%.2f" % mean,
                    "%.2f" % (1000 * mean / vertices),
                    "%.3f" % bodies,
                )


def divided(path, out):
    """Writes the mesh of an OBJ file with each triangle divided into four, texture coordinates included. Returns its number of vertices."""
    lists, faces, middles = {"v": [], "vt": []}, [], {}
    with open(path) as file:
        for line in file:
            kind, *words = line.split() or [""]
            if kind in lists:
                lists[kind].append([float(w) for w in words])
            elif kind == "f":
                faces.append([tuple(int(k) - 1 for k in w.split("/")[:2]) for w in words])

    def middle(kind, a, b):
        key = (kind, min(a, b), max(a, b))
        if key not in middles:
            middles[key] = len(lists[kind])
            lists[kind].append([(x + y) / 2 for x, y in zip(lists[kind][a], lists[kind][b])])
        return middles[key]

    with open(out, "w") as file:
        quarters = []
        for f in faces:
            m = [
                tuple(middle(kind, f[k][i], f[(k + 1) % 3][i]) for i, kind in enumerate(("v", "vt")))
                for k in range(3)
            ]
            quarters += [(f[0], m[0], m[2]), (m[0], f[1], m[1]), (m[2], m[1], f[2]), (m[0], m[1], m[2])]
        for kind, values in lists.items():
            file.writelines("%s %s\n" % (kind, " ".join("%.9g" % x for x in v)) for v in values)
        file.writelines("f %s\n" % " ".join("%d/%d" % (v + 1, t + 1) for v, t in q) for q in quarters)
    return len(lists["v"])


def memory(chosen):
    """Growth of the process' peak from a small mesh to one of sixteen times as many triangles."""
    table = Table(chosen.folder, "memory", "rest vertices peak_MB bytes_per_vertex")
    with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
        small = os.path.join(ASSETS, "scenes", "wu2020", "meshes", "shirt_small.obj")
        half, large = os.path.join(folder, "half.obj"), os.path.join(folder, "large.obj")
        divided(small, half)
        with open(small) as file:
            meshes = {small: sum(line.startswith("v ") for line in file), large: divided(half, large)}
        for rest in ('rest = "texture"', 'remesh = "never"'):
            before = None
            for mesh, vertices in meshes.items():
                change = lambda t: re.sub(
                    "clips = .*", "", re.sub('file = .*shirt_small.obj"', 'file = "%s"' % mesh, t)
                ).replace('rest = "texture"', rest)
                peak = run(
                    [
                        chosen.program,
                        scene_with("wu2020/shirt_small", folder, "memory", change),
                        "--headless",
                        "--quiet",
                        "--threads",
                        "1",
                        "--frames",
                        "1",
                    ],
                    folder,
                )[2]
                table.row(
                    rest.replace('"', ""),
                    vertices,
                    "%.1f" % (peak / 1e6),
                    "%.0f" % ((peak - before[1]) / (vertices - before[0])) if before else "",
                )
                before = (vertices, peak)


PARTS = {
    "dressing": dressing,
    "crossings": crossings_of_scenes,
    "walking": walking,
    "speed": speed,
    "memory": memory,
}


def main():
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("program")
    options.add_argument("folder")
    options.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    options.add_argument("--garment", action="append", choices=GARMENTS)
    options.add_argument("--scene", action="append")
    options.add_argument(
        "--dt", action="append", type=float, help="time steps (s) of crossings, in place of both"
    )
    options.add_argument("--keep", action="store_true", help="leave the runs of crossings in FOLDER")
    options.add_argument(
        "--seconds", type=float, help="how much of each scene is looked at in crossings, in place of all"
    )
    chosen = options.parse_args()
    chosen.program, chosen.folder = os.path.abspath(chosen.program), os.path.abspath(chosen.folder)
    os.makedirs(chosen.folder, exist_ok=True)
    for part in chosen.parts or PARTS:
        PARTS[part](chosen)


if __name__ == "__main__":
    main()
