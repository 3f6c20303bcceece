#!/usr/bin/env python3
"""Dresses the mannequin for the garment scenes of the papers.

    python3 dress_garments.py [PROGRAM] [PAPER/MESH ...]         the small scenes' meshes: PAPER/meshes/MESH.obj
    python3 dress_garments.py PROGRAM --paper FOLDER [SCENE ...] scenes as large as in the papers, with their meshes

Garments are sewn from ../garments with `weft dress`. PROGRAM: by default weft. FOLDER/PAPER/NAME.toml is the scene
PAPER/NAME_small with garments of as many vertices as the paper has (PAPER_SIZES); they are dressed with the small edge length
and then meshed again. SCENE: PAPER/NAME; all of them without one. These meshes have up to 30 MB and are not kept here.
"""

import argparse
import math
import os
import re
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# scene's folder, edge length (mm), and what is dressed at once: pattern of each mesh
GARMENTS = [
    ("wu2020", 18, {"shirt_small": "tshirt"}),
    ("wu2020", 21, {"dress_small": "dress"}),
    ("wu2020", 28, {"layered_dress_small": "layered_dress"}),
    ("wu2020", 30, {"gown_small": "gown"}),
    ("tang2018", 23, {"tiered_small": "tiered_dress"}),
    ("tang2018", 28, {"trousers_small": "trousers", "tunic_small": "tunic", "waistcoat_small": "waistcoat"}),
    ("lan2024", 21, {"skirt_worn": "gathered_skirt"}),
    ("wang2021", 21, {"dress": "dress"}),
]
# edge length of meshes that are meshed again once they are dressed, mm
FINER = {"wang2021/dress": 10}
# scene, vertices in the paper (of those that count triangles: half of these)
PAPER_SIZES = {
    "wu2020/shirt": 56000,
    "wu2020/dress": 55000,
    "wu2020/dress_hang": 55000,
    "wu2020/gown": 139000,
    "wu2020/layered_dress": 297000,
    "wang2023/layered_dress": 30000,
    "wang2023/gown": 27000,
    "tang2018/dress": 45000,
    "tang2018/tiered": 107500,
    "tang2018/kung_fu": 63500,
    "tang2018/swing": 62000,
    "lan2024/skirt_kick": 50000,
    "lan2024/runway": 50000,
    "wang2021/mini_dress": 16000,
}
BODY_EDGE = 0.02  # m


def pattern_file(name):
    return os.path.abspath(os.path.join(HERE, "..", "garments", name + ".json"))


def obj_groups(lines):
    """Lines of an OBJ file for each of its groups, which are named."""
    names, count, found, where = ("v", "vt"), {"v": 0, "vt": 0}, {}, {}
    group = None
    for line in lines:
        words = line.split()
        if words[:2] and words[0] == "g":
            group = words[1]
            found.setdefault(group, ["# cloth\n"])
            where[group] = dict(count)
        elif words[:2] == ["#weft", "layers"]:
            found.setdefault(words[2], ["# cloth\n"]).append(line)
            continue
        if group is None or line == "# cloth\n":
            continue
        if words and words[0] in names:
            count[words[0]] += 1
        if words and words[0] == "f":
            first = [where[group][n] for n in names]
            line = (
                "f "
                + " ".join(
                    "/".join(str(int(k) - first[i]) for i, k in enumerate(w.split("/"))) for w in words[1:]
                )
                + "\n"
            )
        found[group].append(line)
    return found


def dress(program, patterns, edge, folder, extra=()):
    """Writes folder/MESH.obj for each mesh. patterns: of each mesh; all are dressed at once. edge: m."""
    os.makedirs(folder, exist_ok=True)
    if len(patterns) == 1:
        (mesh, pattern), = patterns.items()
        subprocess.run(
            [
                program,
                "dress",
                pattern_file(pattern),
                "--edge",
                "%gmm" % (1000 * edge),
                "--body-edge",
                "%g" % BODY_EDGE,
                "-o",
                os.path.join(folder, mesh + ".obj"),
                *extra,
            ],
            check=True,
        )
        return
    with tempfile.TemporaryDirectory() as temporary:
        scene, worn = os.path.join(temporary, "dressing.toml"), os.path.join(temporary, "worn.obj")
        with open(scene, "w") as file:
            file.write(
                'title = "Dressing"\n\n[[obstacle]]\nname = "model"\n[obstacle.mannequin]\nedge = %g\n'
                % BODY_EDGE
            )
            for mesh, pattern in patterns.items():
                file.write(
                    '\n[[garment]]\nname = "%s"\npattern = "%s"\nedge = %g\nstart = "dressed"\n'
                    % (mesh, pattern_file(pattern), edge)
                )
        subprocess.run([program, "dress", scene, "-o", worn, *extra], check=True)
        with open(worn) as file:
            groups = obj_groups(file)
    for mesh, lines in groups.items():
        with open(os.path.join(folder, mesh + ".obj"), "w") as file:
            file.writelines(lines)


def vertices_of(path):
    with open(path) as file:
        return sum(line.startswith("v ") for line in file)


def paper_scene(program, folder, scene, settle):
    paper, name = scene.split("/")
    out = os.path.join(folder, paper)
    with open(os.path.join(HERE, scene + "_small.toml")) as file:
        text = file.read()
    used = re.findall(r'^file = "(.*)/(\w+)\.obj"', text, flags=re.M)
    _, edge, patterns = next(g for g in GARMENTS if used[0][1] in g[2])
    count = sum(vertices_of(os.path.join(HERE, paper, where, mesh + ".obj")) for where, mesh in used)
    finer = edge / 1000 * math.sqrt(count / PAPER_SIZES[scene])
    extra = ["--finer", "%.3gmm" % (1000 * finer)]
    if settle is not None:
        extra += ["--set", "sewing.settle=%g" % settle]
    large = lambda mesh: name if len(patterns) == 1 else name + "_" + mesh.removesuffix("_small")
    dress(
        program, {large(m): p for m, p in patterns.items()}, edge / 1000, os.path.join(out, "meshes"), extra
    )
    text = re.sub(r'^title = "(.*), small"', r'title = "\1"', text, flags=re.M)
    text = re.sub(
        r'^file = ".*/(\w+)\.obj"', lambda m: 'file = "meshes/%s.obj"' % large(m[1]), text, flags=re.M
    )
    with open(os.path.join(out, name + ".toml"), "w") as file:
        file.write(text)


def main():
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("program", nargs="?", default="weft")
    options.add_argument("names", nargs="*", metavar="NAME", help="PAPER/MESH; with --paper PAPER/SCENE")
    options.add_argument(
        "--paper", metavar="FOLDER", help="write scenes of the papers' sizes into this folder"
    )
    options.add_argument("--settle", type=float, help="seconds under gravity (sewing.settle)")
    chosen = options.parse_intermixed_args()  # scenes may stand after --paper
    known = (
        PAPER_SIZES
        if chosen.paper
        else [folder + "/" + mesh for folder, _, patterns in GARMENTS for mesh in patterns]
    )
    unknown = [n for n in chosen.names if n not in known]
    if unknown:
        options.error("there is no %s; there are %s" % (", ".join(unknown), ", ".join(known)))
    wanted = lambda names: not chosen.names or any(n in chosen.names for n in names)
    if chosen.paper:
        for scene in filter(lambda s: wanted([s]), PAPER_SIZES):
            paper_scene(chosen.program, chosen.paper, scene, chosen.settle)
        return
    for folder, edge, patterns in GARMENTS:
        if wanted(folder + "/" + mesh for mesh in patterns):
            finer = [FINER[name] for mesh in patterns if (name := folder + "/" + mesh) in FINER]
            extra = ["--finer", "%gmm" % finer[0]] if finer else []
            dress(chosen.program, patterns, edge / 1000, os.path.join(HERE, folder, "meshes"), extra)


if __name__ == "__main__":
    main()
