"""Cloth simulation. Lengths are in metres, times in seconds; see docs/python.md.

>>> import weft
>>> sim = weft.Scene.load("drape_table").start()
>>> sim.step(100)
>>> sim.positions.shape
"""

import os as _os

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
    "params",
    "scenes",
    "view",
]
