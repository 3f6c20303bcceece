"""Pictures of last states, and a video of each scene, for the page. They are kept."""

import numpy as np

from plots import Camera, picture, png
from problem import faces_and_groups
from program import Refused, Scratch, simulated_vertices


def surroundings(scene, weft, scratch):
    """Triangles of cloth and bodies, and the bodies at the last frame."""
    folder, _ = scratch.states(weft, {"step.solver": "newton", "step.collision": "none", "newton.steps": 1})
    triangles, _, _, _ = faces_and_groups(folder / "mesh.obj")
    count, _ = simulated_vertices(folder / "mesh.obj")
    bodies = np.load(folder / f"step_{scene.instants[-1]:06d}.npy")[count:].astype(float)
    cloth = triangles[(triangles < count).all(axis=1)]
    return cloth, bodies, triangles[(triangles >= count).all(axis=1)] - count


def chosen(field, scene):
    """The best run of each of Weft's solvers with the scene's contact, and every peer's first."""
    methods = {m.name: m for m in field.methods}
    picks = []
    for row in field.of(scene.name):
        method = methods[row["method"]]
        first = row["effort"] == field.first(scene.name, method.name)["effort"]
        own = method.kind == "own" and method.collision == scene.reference
        if row["status"] == "done" and first and (own or method.kind == "peer"):
            picks.append((row, method))
    return picks


def box(reference, bodies):
    """A box around the cloth's motion, and what of the bodies is near it."""
    points = np.concatenate([reference.start, *reference.states])
    low, high = points.min(axis=0), points.max(axis=0)
    reach = 0.15 * float((high - low).max())
    if len(bodies):
        low = np.maximum(low - reach, np.minimum(low, bodies.min(axis=0)))
        high = np.minimum(high + reach, np.maximum(high, bodies.max(axis=0)))
    return low, high


def pictures(field, scene, results, weft):
    reference = field.references[scene.name]
    with Scratch(scene) as scratch:
        triangles, bodies, body_triangles = surroundings(scene, weft, scratch)
    camera = Camera(*box(reference, bodies))
    shots = [("reference", reference.states[-1])]
    for row, method in chosen(field, scene):
        states = results.states(scene, method, row["effort"], reference)
        if states is not None:
            measured = field.measured(row) or row["positions"]
            crosses = ", crosses" if field.crosses(row) else ""
            shots.append((f"{row['label']}: {measured['rms_mm']:.1f} mm{crosses}", states[-1]))
    return [(label, png(picture(camera, x, triangles, bodies, body_triangles))) for label, x in shots]


def video(scene, weft, path):
    """A small video of the scene with Newton's method and the contact of the reference."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        settings = {"step.solver": "newton", "step.collision": scene.reference}
        more = ["--record", path, "--size", "240x180", "--fps", "15", "--crf", "32"]
        with Scratch(scene) as scratch:
            weft.run(scratch.file, settings, scene.seconds, more)
    return path.read_bytes()


def add(field, results, weft, folder, say):
    """Adds pictures and videos to the page's field."""
    for scene in field.scenes:
        field.pictures[scene.name] = pictures(field, scene, results, weft)
        try:
            field.videos[scene.name] = video(scene, weft, folder / (scene.name + ".mp4"))
        except (Refused, OSError) as reason:
            say(f"no video of {scene.name}: {reason}")
