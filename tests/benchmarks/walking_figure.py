#!/usr/bin/env python3
"""A mannequin whose upper arms overlap its torso walks in a shirt and in a tunic: the table of
tests/benchmarks/results/walking_figure.md.

    python3 walking_figure.py PROGRAM FOLDER [--overlap free 0 2 10 20] [--garment shirt tunic] [--film]
    python3 walking_figure.py PROGRAM FOLDER --measure 13 8 4 0      depth of arms at so many degrees

PROGRAM: weft; weft-check is beside it. One thread, two-way contact, 2 s of which the first leads from the
rest pose to the walk. --film: a film of each in FOLDER. Prints a line per garment and overlap: forward steps
per step (most), worst stretch, largest lag of the body, vertices let through, processor time, weft-check's
status.
"""

import argparse
import csv
import json
import os
import re
import resource
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ASSETS = os.path.abspath(os.path.join(HERE, "..", "..", "assets"))
SECONDS = 2
EDGE = 0.02  # m, of the body that the garments were dressed on
GARMENTS = {"shirt": "wu2020/meshes/shirt_small.obj", "tunic": "tang2018/meshes/tunic_small.obj"}
# degrees by which the upper arms of the walk hang off the vertical, for each overlap (mm), as by --measure
ANGLES = {"free": 13.0, "0": -2.8, "2": -3.5, "10": -6.25, "20": -9.6}

SCENE = """title = "{garment}, arms {overlap}"
duration = {seconds}
[step]
dt = 0.01
collision = "two_way"
[contact]
friction = 0.3
[camera]
fov = 30
keys = [
  {{ time = 0, position = [1.3, 1.2, 1.60], target = [0, 1.1, 0.00] }},
  {{ time = 0.7, position = [1.3, 1.2, 1.65], target = [0, 1.1, 0.05] }},
  {{ time = 1, position = [1.3, 1.2, 1.90], target = [0, 1.1, 0.30] }},
  {{ time = 1.5, position = [1.3, 1.2, 2.48], target = [0, 1.1, 0.88] }},
  {{ time = 2, position = [1.3, 1.2, 3.08], target = [0, 1.1, 1.48] }},
]
[[cloth]]
name = "{garment}"
file = "{mesh}"
rest = "texture"
[[obstacle]]
name = "figure"
[obstacle.mannequin]
edge = {edge}
lead_in = 1.0
clips = [{{ clip = "walk" }}]
"""


def assets_with(folder, degrees):
    """A copy of the assets, by links, in whose walk the upper arms hang at an angle."""
    os.makedirs(os.path.join(folder, "mannequin"), exist_ok=True)
    for name in os.listdir(ASSETS):
        link = os.path.join(folder, name)
        if name != "mannequin" and not os.path.islink(link):
            os.symlink(os.path.join(ASSETS, name), link)
    for name in os.listdir(os.path.join(ASSETS, "mannequin")):
        with open(os.path.join(ASSETS, "mannequin", name), encoding="utf8") as file:
            text = file.read()
        if name == "walk.toml":
            head, arm, rest = re.split(r'(bone = "upper_arm.left"\n)', text)
            keys, tail = rest.split("]\n[[joint]]", 1)
            keys, count = re.subn(r"(turn = \[[-0-9.]+, [-0-9.]+, )13\]", rf"\g<1>{degrees:g}]", keys)
            assert count == 3, "the walk has other arms than this script knows"
            text = head + arm + keys + "]\n[[joint]]" + tail
        with open(os.path.join(folder, "mannequin", name), "w", encoding="utf8") as file:
            file.write(text)
    return folder


def run(command, assets):
    """Processor time (s) and exit status."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, env={**os.environ, "WEFT_ASSETS": assets}, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done


def case(weft, folder, garment, overlap, film):
    name = f"{garment}_{overlap}"
    out = os.path.join(folder, name)
    os.makedirs(out, exist_ok=True)
    assets = assets_with(os.path.join(out, "assets"), ANGLES[overlap])
    scene = os.path.join(out, "scene.toml")
    with open(scene, "w", encoding="utf8") as file:
        file.write(SCENE.format(garment=garment, overlap=overlap, seconds=SECONDS, edge=EDGE,
                                mesh=os.path.join(ASSETS, "scenes", GARMENTS[garment])))
    states, table, cache = (os.path.join(out, n) for n in ("states", "run.csv", "run.weftcache"))
    time, done = run([weft, scene, "--headless", "--device", "cpu", "--threads", "1", "--csv", table,
                      "--states", states, "--cache", cache, "--quiet"], assets)
    with open(os.path.join(out, "said.txt"), "w", encoding="utf8") as file:
        file.write(done.stdout + done.stderr)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    with open(table, encoding="utf8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    steps = [float(r["collision_steps"]) for r in rows if float(r["time"]) > 0]
    most = {key: max(float(r[key]) for r in rows) for key in ("max_stretch", "body_lag", "let_through")}
    _, check = run([os.path.join(os.path.dirname(weft), "weft-check"), states], assets)
    with open(os.path.join(out, "check.txt"), "w", encoding="utf8") as file:
        file.write(check.stdout + check.stderr)
    late = sum(float(r["max_stretch"]) > 1.15 for r in rows)
    print(f"{garment}, {overlap}: {sum(steps) / len(steps):.1f} ({max(steps):.0f}) forward steps, stretch "
          f"{most['max_stretch']:.2f} ({late} states above 1.15), bodies within "
          f"{1e3 * most['body_lag']:.1f} mm, {most['let_through']:.0f} let through, {time:.0f} s, "
          f"weft-check {check.returncode}", flush=True)
    if film:
        run([weft, cache, "--headless", "--quiet", "--size", "640x720", "--fps", "25",
             "--record", os.path.join(folder, name + ".mp4")], assets)


def accessor(gltf, binary, index):
    """Numbers of a tightly packed accessor, as tuples."""
    a = gltf["accessors"][index]
    view = gltf["bufferViews"][a["bufferView"]]
    kind = {5126: "f", 5123: "H", 5125: "I", 5121: "B"}[a["componentType"]]
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[a["type"]]
    begin = view.get("byteOffset", 0) + a.get("byteOffset", 0)
    all_numbers = struct.unpack_from(f"<{width * a['count']}{kind}", binary, begin)
    return [all_numbers[i : i + width] for i in range(0, len(all_numbers), width)]


def bones_of_vertices(weft, folder):
    """The bone with the largest share in each vertex of the body."""
    path = os.path.join(folder, "body.glb")
    run([weft, "mannequin", "--edge", str(EDGE), "-o", path], ASSETS)
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack_from("<I", data, 12)[0]
    gltf, binary = json.loads(data[20 : 20 + length]), data[28 + length :]
    own = gltf["meshes"][0]["primitives"][0]["attributes"]
    names = [gltf["nodes"][j]["name"] for j in gltf["skins"][0]["joints"]]
    joints, weights = accessor(gltf, binary, own["JOINTS_0"]), accessor(gltf, binary, own["WEIGHTS_0"])
    return [names[j[max(range(4), key=lambda k: w[k])]] for j, w in zip(joints, weights)]


def distance(a, b):
    return ((a[:, None] - b[None]) ** 2).sum(axis=2) ** 0.5


def rim_of(arm, trunk, faces):
    """Vertices of the trunk that share an edge with the arm."""
    import numpy

    return numpy.array(sorted({v for f in faces if set(f) & set(arm) for v in f} & set(trunk)))


def measure(weft, folder, degrees):
    """Prints the largest depth (mm) of vertices of the upper arms behind the nearest vertex of the trunk."""
    import numpy

    bones = numpy.array(bones_of_vertices(weft, folder))
    for angle in degrees:
        out = os.path.join(folder, f"measure_{angle:g}")
        os.makedirs(out, exist_ok=True)
        assets = assets_with(os.path.join(out, "assets"), angle)
        scene = os.path.join(out, "scene.toml")
        with open(scene, "w", encoding="utf8") as file:
            text = SCENE.format(garment="shirt", overlap=angle, seconds=SECONDS, edge=EDGE, mesh="")
            small = "\nsize = [0.1, 0.1]\nvertices = 50\nposition = [0, 3, 0]"
            file.write(text.replace('\nfile = ""\nrest = "texture"', small))
        run([weft, scene, "--headless", "--device", "cpu", "--quiet", "--export", out + "/s"], assets)
        deepest, clear = -1.0, {}  # m; per side
        for name in sorted(n for n in os.listdir(out + "/s") if n.endswith(".obj")):
            x, faces, first = [], [], None
            with open(os.path.join(out, "s", name), encoding="utf8") as file:
                for line in file:
                    if line.startswith("g figure"):
                        first = len(x)
                    elif line.startswith("v "):
                        x.append([float(n) for n in line.split()[1:4]])
                    elif line.startswith("f ") and first is not None:
                        faces.append([int(n.split("/")[0]) - 1 - first for n in line.split()[1:]])
            x, faces = numpy.array(x[first:]), numpy.array(faces)
            normal = numpy.zeros_like(x)
            across = numpy.cross(x[faces[:, 1]] - x[faces[:, 0]], x[faces[:, 2]] - x[faces[:, 0]])
            for k in range(3):
                numpy.add.at(normal, faces[:, k], across)
            normal /= numpy.linalg.norm(normal, axis=1)[:, None]
            trunk = numpy.flatnonzero(numpy.isin(bones, ["chest", "spine", "pelvis"]))
            for side in ("left", "right"):
                arm = numpy.flatnonzero(bones == "upper_arm." + side)
                if side not in clear:  # in the rest pose: what is 4 cm off the rim where the arm begins
                    clear[side] = distance(x[trunk], x[rim_of(arm, trunk, faces)]).min(axis=1) > 0.04
                near = distance(x[arm], x[trunk]).argmin(axis=1)
                depth = ((x[trunk[near]] - x[arm]) * normal[trunk[near]]).sum(axis=1)
                deepest = max(deepest, float(depth[clear[side][near]].max()))
        print(f"{angle:g} degrees: {1e3 * deepest:.1f} mm", flush=True)


def main():
    options = argparse.ArgumentParser(description=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program")
    options.add_argument("folder")
    options.add_argument("--overlap", nargs="+", default=list(ANGLES), choices=list(ANGLES))
    options.add_argument("--garment", nargs="+", default=list(GARMENTS), choices=list(GARMENTS))
    options.add_argument("--film", action="store_true")
    options.add_argument("--measure", nargs="+", type=float)
    given = options.parse_args()
    weft, folder = os.path.abspath(given.program), os.path.abspath(given.folder)
    os.makedirs(folder, exist_ok=True)
    if given.measure:
        return measure(weft, folder, given.measure)
    for garment in given.garment:
        for overlap in given.overlap:
            case(weft, folder, garment, overlap, given.film)


if __name__ == "__main__":
    main()
