"""Runs one adapter on one problem, in a process of its own:
   python host.py ADAPTER.py PROBLEM_FOLDER OUT_FOLDER EFFORT
The last line of standard output is JSON: processor seconds of the start and of the steps.
"""

import importlib.util
import json
import pathlib
import resource
import shutil
import sys

import numpy as np


class Problem:
    """A scene as arrays; lengths in metres, y is up.

    start (n, 3); uv (n, 2) or empty; triangles (m, 3); pinned (p); body_triangles (b, 3) of all bodies
    together. cloths: first and end vertex of each with its fabric. frames, frame: how many states to give,
    s between two. gravity, air_damping (1/s), friction, ground, ground_height.
    """

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.__dict__.update(json.loads((self.folder / "problem.json").read_text()))
        with np.load(self.folder / "problem.npz") as file:
            self.__dict__.update({name: file[name] for name in file.files})
        self.fabric = self.cloths[0] if self.cloths else {}

    def between(self, states, time):
        """States that are known `parts` times a frame, at a time, linearly between two."""
        place = min(time / self.frame * self.parts, len(states) - 1)
        k = min(int(place), len(states) - 1)
        if k + 1 >= len(states):
            return states[k]
        return states[k] + (place - k) * (states[k + 1] - states[k])

    def pins_at(self, time):
        """Targets of the pinned vertices."""
        return self.between(self.pins, time)

    def bodies_at(self, time):
        """Vertices of all bodies."""
        return self.between(self.bodies, time)

    def edge_length(self):
        """Mean length of the cloth's edges."""
        corners = self.start[self.triangles]
        return float(np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).mean())

    def masses(self):
        """Mass of each vertex: a third of its triangles, by the fabric of its cloth."""
        corners = self.start[self.triangles].astype(float)
        cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        area = 0.5 * np.linalg.norm(cross, axis=1)
        density = np.zeros(len(self.start))
        for cloth in self.cloths:
            density[cloth["first"] : cloth["end"]] = cloth["areal_density"]
        mass = np.zeros(len(self.start))
        for corner in range(3):
            np.add.at(mass, self.triangles[:, corner], area / 3)
        return mass * density


def used():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main(adapter_file, given, out, effort):
    sys.path.insert(0, str(pathlib.Path(adapter_file).parent))
    spec = importlib.util.spec_from_file_location("adapter", adapter_file)
    adapter = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(adapter)
    problem = Problem(given)
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    shutil.copy(problem.folder / "mesh.obj", out / "mesh.obj")
    states = adapter.states(problem, int(effort))
    started = steps = None
    for frame, positions in enumerate(states):
        if frame == 0:
            started = used()
        steps = used()
        whole = np.concatenate([positions, problem.bodies_at(frame * problem.frame)])
        np.save(out / f"step_{frame:06d}.npy", whole.astype(np.float32))
    print(json.dumps({"start": started, "steps": max(steps - started, 0.01)}))


if __name__ == "__main__":
    main(*sys.argv[1:5])
