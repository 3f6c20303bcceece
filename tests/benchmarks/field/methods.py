"""The methods of the field, own ones and others through adapters, and their runs with results that are
kept."""

import hashlib
import importlib.util
import json
import pathlib
import subprocess

import numpy as np

from measures import error
from program import Refused, Scratch, processor_run, states_at
from references import MEASURES

HERE = pathlib.Path(__file__).resolve().parent
ADAPTERS = HERE / "adapters"
TIME_LIMIT = 900  # s of processor time


class Own:
    """A solver with a collision method of Weft at its defaults, in `effort` steps a frame."""

    kind = "own"
    packages = ()

    def __init__(self, solver, collision, settings=None, label=None):
        self.solver, self.collision = solver, collision
        self.settings = settings or {}
        self.name = label or f"{solver}+{collision}"
        self.label = self.name.replace("_", " ")

    def identity(self, weft):
        return weft.identity + repr(sorted(self.settings.items()))

    def run(self, scene, weft, effort, scratch):
        """Folder of states and processor time without the start."""
        choice = {"step.solver": self.solver, "step.collision": self.collision}
        settings = choice | self.settings
        start = scratch.start_time(weft, settings, effort)
        folder, time = scratch.states(weft, settings, effort, TIME_LIMIT)
        return folder, max(time - start, 0.01), start


class Peer:
    """Another program, through the adapter of one file (adapters/README.md)."""

    kind = "peer"

    def __init__(self, path, python):
        self.path, self.python = pathlib.Path(path), python
        spec = importlib.util.spec_from_file_location("adapter_" + self.path.stem, self.path)
        self.adapter = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.adapter)
        self.name, self.label = self.path.stem, self.adapter.LABEL
        self.packages = self.adapter.PACKAGES

    def missing(self):
        """Packages that this Python does not have."""
        code = (
            "import importlib.util, sys; print(*[p for p in sys.argv[1:] if not importlib.util.find_spec(p)])"
        )
        command = [self.python, "-c", code, *(self.adapter.MODULES)]
        return subprocess.run(command, capture_output=True, text=True).stdout.split()

    def identity(self, _):
        files = sorted(ADAPTERS.glob("*.py")) + ([] if self.path.parent == ADAPTERS else [self.path])
        text = b"".join(p.read_bytes() for p in files if p == self.path or p.stem in ("host", "newton_cloth"))
        return hashlib.sha256(text + repr(self.packages).encode()).hexdigest()

    def run(self, scene, weft, effort, scratch):
        missing = self.missing()
        if missing:
            raise Refused(f"not run: not installed ({', '.join(self.packages)})")
        import problem

        given = problem.write(scene, weft, scratch)
        reason = problem.unfit(given, self.adapter)
        if reason:
            raise Refused("cannot: " + reason)
        out = scratch.folder / "peer"
        command = [self.python, ADAPTERS / "host.py", self.path, given, out, str(effort)]
        status, text, err, _ = processor_run([str(c) for c in command], timeout=TIME_LIMIT)
        if status != 0:
            raise Refused("failed: " + (err.strip().splitlines() or [f"status {status}"])[-1])
        times = json.loads(text.strip().splitlines()[-1])
        return out, times["steps"], times["start"]


def own_methods(weft, solvers=None):
    """Every solver with every collision method that the program has."""
    text = subprocess.run(
        [weft.program, "params", "--json"], capture_output=True, text=True, check=True
    ).stdout
    choices = {p["key"]: p.get("choices") for p in json.loads(text)}
    return [
        Own(solver, collision)
        for solver in choices["step.solver"]
        if not solvers or solver in solvers
        for collision in choices["step.collision"]
    ]


def peers(python, folder=ADAPTERS):
    """Adapters are the files that say LABEL; others are shared by them."""
    return [Peer(p, python) for p in sorted(folder.glob("*.py")) if "\nLABEL = " in p.read_text()]


class Results:
    """Results in files, by scene, method, effort and all that they depend on: a run that was stopped goes
    on."""

    def __init__(self, folder, weft, say=print):
        self.folder, self.weft, self.say = pathlib.Path(folder), weft, say

    def path(self, scene, method, effort, reference):
        words = f"{scene.text} {method.identity(self.weft)} {reference.mark} 4"
        key = hashlib.sha256(words.encode()).hexdigest()[:12]
        return self.folder / scene.name / f"{method.name}-{effort}-{key}.json"

    def result(self, scene, method, effort, reference, again=False):
        """The kept result, or that of a new run."""
        path = self.path(scene, method, effort, reference)
        if path.exists() and not again:
            return json.loads(path.read_text())
        row = {
            "scene": scene.name,
            "method": method.name,
            "label": method.label,
            "kind": method.kind,
            "effort": effort,
        }
        last = None
        try:
            found, last = self.measure(scene, method, effort, reference)
            row |= {"status": "done"} | found
        except Refused as reason:
            words = str(reason)
            kinds = ("not run", "cannot", "failed")
            row |= {"status": next((k for k in kinds if words.startswith(k)), "refused"), "why": words}
        shown = (
            f"{row['positions']['rms_mm']:.2f} mm, {row['seconds']:.2f} s"
            if row["status"] == "done"
            else row["why"]
        )
        self.say(f"{scene.name}: {method.name}, effort {effort}: {shown}")
        if not again and row["status"] != "not run":
            path.parent.mkdir(parents=True, exist_ok=True)
            if last is not None:
                np.save(path.with_suffix(".npy"), last.astype(np.float32))
            path.write_text(json.dumps(row, indent=1))
        return row

    def measure(self, scene, method, effort, reference):
        """Numbers of one run, and its states at the instants."""
        with Scratch(scene) as scratch:
            folder, seconds, start = method.run(scene, self.weft, effort, scratch)
            states = states_at(folder, scene.instants)
            if states.shape != reference.states.shape:
                raise Refused(
                    f"failed: {states.shape[1]} vertices, {reference.states.shape[1]} in the reference"
                )
            if not np.isfinite(states).all():
                raise Refused("failed: states that are not finite")
            crossings = self.weft.check(folder)
        row = {"seconds": seconds, "start_seconds": start, "crossings": crossings}
        for measure in MEASURES:
            rms, worst = error(states, reference.states, measure)
            row[measure] = {
                "rms_mm": 1e3 * rms,
                "worst_mm": 1e3 * worst,
                "relative": rms / reference.size(measure),
            }
        return row, states

    def states(self, scene, method, effort, reference):
        """States at the instants of a kept run, or nothing."""
        path = self.path(scene, method, effort, reference).with_suffix(".npy")
        return np.load(path) if path.exists() else None
