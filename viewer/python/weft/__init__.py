"""Cloth simulation. Lengths are in metres, times in seconds; see docs/python.md.

>>> import weft
>>> sim = weft.Scene.load("drape_table").start()
>>> sim.step(100)
>>> sim.positions.shape
"""

import os as _os
import tempfile as _tempfile

for _folder in ("assets", "shaders"):  # of an installed package; what is set goes before
    _path = _os.path.join(_os.path.dirname(_os.path.abspath(__file__)), _folder)
    if _os.path.isdir(_path):
        _os.environ.setdefault("WEFT_" + _folder.upper(), _path)

from ._error import Error
from ._weft import (
    Check,
    Recording,
    Scene,
    Simulation,
    Snapshot,
    __version__,
    devices,
    params,
    scenes,
)


def dress(pattern, body=None, settings=None):
    """A garment, sewn and put on: a dict with vertices (n, 3), m, triangles (m, 3) and uv (n, 2), m.

    pattern: path of a sewing pattern, or the name of one that ships. body: path of a mesh, or arrays
    (vertices, triangles); the mannequin if absent. settings: a dict of parameters by their keys.
    """
    if body is not None and not isinstance(body, (str, _os.PathLike)):
        vertices, triangles = body
        with _tempfile.TemporaryDirectory() as folder:
            path = _os.path.join(folder, "body.obj")
            with open(path, "w", encoding="ascii") as file:
                file.writelines("v %.9g %.9g %.9g\n" % tuple(map(float, v)) for v in vertices)
                file.writelines("f %d %d %d\n" % tuple(int(i) + 1 for i in t) for t in triangles)
            return dress(pattern, path, settings)
    scene = Scene.load(str(pattern), [] if body is None else [str(body)])
    for key, value in (settings or {}).items():
        scene.set(key, value)
    sim = scene.start(device="cpu")
    cloth = sim.parts[0]
    return {"vertices": sim.positions[cloth["vertices"]].copy(),
            "triangles": sim.triangles[cloth["triangles"]].copy(),
            "uv": sim.uv[cloth["vertices"]].copy()}


def view(sim, width=1280, height=720, settings=None, **camera):
    """Simulation.view: a picture of a simulation, (height, width, 3) uint8, without a display."""
    return sim.view(width, height, settings or {}, **camera)


__all__ = [
    "Check",
    "Error",
    "Recording",
    "Scene",
    "Simulation",
    "Snapshot",
    "__version__",
    "devices",
    "dress",
    "params",
    "scenes",
    "view",
]
