"""What an adapter is given: meshes, materials, pins and bodies of a scene, as Weft reads them, in one
folder."""

import json
import re
import shutil
import subprocess

import numpy as np

from program import keep_frames, simulated_vertices
from scenes import FRAME

PARTS = 4  # of a frame, at which pins and bodies are known


def faces_and_groups(mesh):
    """Triangles, [(name, is a body, first vertex)], texture coordinates and the settings of a mesh.obj of
    --states."""
    triangles, groups, uv, count, kind, settings = [], [], [], 0, "cloth", ""
    with open(mesh) as file:
        for line in file:
            if line.startswith("# weft"):
                settings = line.split("settings:")[-1]
            elif line.startswith("# "):
                kind = line[2:].strip()
            elif line.startswith("g "):
                groups.append((line[2:].strip(), kind, count))
            elif line.startswith("v "):
                count += 1
            elif line.startswith("vt "):
                uv.append([float(w) for w in line.split()[1:3]])
            elif line.startswith("f "):
                triangles.append([int(w.split("/")[0]) - 1 for w in line.split()[1:4]])
    return np.array(triangles), groups, np.array(uv), settings


def fabric(settings, name, defaults):
    """Parameters of one cloth: those of the file's header, else the defaults."""
    values = dict(defaults)
    for key, value in re.findall(re.escape(name) + r"\.(\w+)=([-+.\de]+)(?=\s|$)", settings):
        values[key] = float(value)
    return values


def defaults_of(weft):
    text = subprocess.run(
        [weft.program, "params", "--json"], capture_output=True, text=True, check=True
    ).stdout
    plain = {}
    for p in json.loads(text):
        try:
            plain[p["key"]] = float(p["default"])
        except (ValueError, TypeError):
            pass
    return plain


def free_run(scene, weft, scratch, gravity, name):
    """States of a cheap run without contact: bodies and pins are where the scene has them at each time."""
    out = scratch.folder / name
    settings = {
        "step.collision": "none",
        "newton.steps": 1,
        "step.solver": "newton",
        "forces.gravity": gravity,
    }
    settings["step.dt"] = repr(FRAME / PARTS)
    weft.run(scratch.file, settings, scene.frames * FRAME, ["--states", out])
    return out


def write(scene, weft, scratch):
    """Writes the folder; returns its path. What gravity does not move is pinned."""
    down = free_run(scene, weft, scratch, "[0,-9.81,0]", "down")
    aside = free_run(scene, weft, scratch, "[6,3,5]", "aside")
    triangles, groups, uv, settings = faces_and_groups(down / "mesh.obj")
    count, total = simulated_vertices(down / "mesh.obj")
    files = sorted(down.glob("step_*.npy"))
    paths = np.array([np.load(f) for f in files], dtype=np.float32)
    other = np.array([np.load(f)[:count] for f in sorted(aside.glob("step_*.npy"))])
    same = (np.abs(paths[:, :count] - other).max(axis=2) < 1e-7).all(axis=0)
    defaults = defaults_of(weft)
    fabrics = {k[7:]: v for k, v in defaults.items() if k.startswith("fabric.")}
    forces = scene.tables["forces"]
    given = scratch.folder / "problem"
    shutil.rmtree(given, ignore_errors=True)
    given.mkdir()
    shutil.copy(down / "mesh.obj", given / "mesh.obj")
    bodies = paths[:, count:]
    cloths = [g for g in groups if g[2] < count]
    ends = [g[2] for g in cloths[1:]] + [count]
    about = {
        "frames": scene.frames,
        "frame": FRAME,
        "parts": PARTS,
        "gravity": forces.get("gravity", [0, -9.81, 0]),
        "air_damping": forces.get("air_damping", defaults["forces.air_damping"]),
        "ground": scene.tables.get("contact", {}).get("ground", True),
        "ground_height": scene.tables.get("contact", {}).get("ground_height", 0.0),
        "friction": scene.tables.get("contact", {}).get("friction", defaults["contact.friction"]),
        "wind": any(forces.get("wind", [0])),
        "kinds": sorted(set(scene.tables) & {"solid", "strands", "grains", "garment", "stitch"}),
        "releases": "release" in scene.text,
        "bodies_move": bool(bodies.size and np.ptp(bodies, axis=0).max() > 1e-6),
        "flat": bool(len(uv) >= count),
        "cloths": [
            {"name": g[0], "first": g[2], "end": end} | fabric(settings, g[0], fabrics)
            for g, end in zip(cloths, ends)
        ],
    }
    (given / "problem.json").write_text(json.dumps(about, indent=1))
    np.savez_compressed(
        given / "problem.npz",
        start=paths[0, :count],
        uv=uv[:count] if about["flat"] else np.zeros((0, 2)),
        triangles=triangles[(triangles < count).all(axis=1)],
        pinned=np.flatnonzero(same),
        pins=paths[:, :count][:, same],
        body_triangles=triangles[(triangles >= count).all(axis=1)] - count,
        bodies=bodies if about["bodies_move"] else bodies[:1],
    )
    for folder in (down, aside):
        keep_frames(folder, PARTS)
        shutil.rmtree(folder)
    return given


def unfit(given, adapter):
    """Why an adapter takes no part in a problem, or nothing."""
    about = json.loads((given / "problem.json").read_text())
    lacks = getattr(adapter, "LACKS", ())
    words = {
        "wind": "wind on cloth" if about["wind"] else "",
        "releases": "pins or stitches that let go" if about["releases"] else "",
        "bodies_move": "bodies that move" if about["bodies_move"] else "",
    }
    words |= {kind: kind for kind in about["kinds"]}
    if about["cloths"] and len({c["stretch_stiffness"] for c in about["cloths"]}) > 1:
        words["fabrics"] = "several fabrics"
    found = [words[key] for key in lacks if words.get(key)]
    return ", ".join(found)
