"""References: Newton's method with small steps, kept as 16-bit integers at a few instants."""

import hashlib

import numpy as np

from measures import error, motion_size
from program import Scratch, states_at
from scenes import ROOT

STEPS = 8  # a frame
SOLVED = {
    "step.solver": "newton",
    "newton.steps": 30,
    "newton.tolerance": 0.001,
    "newton.cg_iterations": 200,
    "newton.cg_tolerance": 0.01,
}


KNOWN = 0.1  # of the motion's size, up to which a measure is known well enough
MEASURES = ("positions", "heights")


class Reference:
    """States of one scene at its instants, its start, and how well they are known by each measure. Lengths
    in metres."""

    def __init__(self, states, start, uncertainty, mark):
        self.states, self.start, self.uncertainty, self.mark = states, start, uncertainty, mark

    def size(self, measure):
        return motion_size(self.states, self.start, measure)

    def known(self, measure):
        """Uncertainty over the motion's size."""
        return self.uncertainty[measure] / self.size(measure)

    @property
    def measure(self):
        """Positions where they are known, else heights: folds of thin cloth depend on the smallest things,
        and how the cloth lies as a whole does not. Where neither is known: nothing."""
        return next((m for m in MEASURES if self.known(m) <= KNOWN), None)


def mark_of(scene):
    """Changes with whatever the reference depends on."""
    words = scene.text + repr(sorted(SOLVED.items())) + scene.reference + str(STEPS)
    return hashlib.sha256(words.replace(str(ROOT), "").encode()).hexdigest()[:16]


def solved(scene, weft, scratch, steps):
    """States at the instants and the start, with so many steps a frame; processor time."""
    folder, time = scratch.states(weft, SOLVED | {"step.collision": scene.reference}, steps)
    return states_at(folder, scene.instants), states_at(folder, [0])[0], time


def make(scene, weft, say=print):
    """Solves the scene with STEPS steps a frame, half and a quarter as many. The error of a step of the
    implicit Euler method falls in proportion to it, so 2 x(h) - x(2h) is nearer to the limit where motion
    is smooth (Richardson). Of both, that is taken which changed less from the longer steps to the shorter:
    the change is the reference's uncertainty.
    """
    with Scratch(scene) as scratch:
        (x, start, a), (x2, _, b), (x4, _, c) = [solved(scene, weft, scratch, STEPS // k) for k in (1, 2, 4)]
    limits = [(x, x2), (2 * x - x2, 2 * x2 - x4)]
    found = [{m: error(old, new, m)[0] for m in MEASURES} for new, old in limits]
    better = min((0, 1), key=lambda k: found[k]["positions"])
    reference = Reference(limits[better][0], start, found[better], mark_of(scene))
    known = ", ".join(
        f"{m} to {1e3 * found[better][m]:.2f} of {1e3 * reference.size(m):.1f} mm" for m in MEASURES
    )
    say(
        f"reference of {scene.name}: {len(start)} vertices, {a + b + c:.1f} s, "
        f"{'extrapolated, ' * better}{known}"
    )
    return reference


def save(reference, path):
    """Positions in 65,535 parts of the box around them."""
    both = np.concatenate([reference.start[None], reference.states])
    low = both.min(axis=(0, 1))
    part = max(float((both.max(axis=(0, 1)) - low).max()) / 65535, 1e-9)
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(
        path,
        positions=np.round((both - low) / part).astype(np.uint16),
        low=low,
        part=part,
        uncertainty=[reference.uncertainty[m] for m in MEASURES],
        mark=reference.mark,
    )


def load(path):
    with np.load(path) as file:
        both = file["positions"].astype(float) * float(file["part"]) + file["low"]
        uncertainty = dict(zip(MEASURES, file["uncertainty"].tolist()))
        return Reference(both[1:], both[0], uncertainty, str(file["mark"]))


def reference_of(scene, weft, folders, remake=False, say=print):
    """The stored reference of a scene, from the first of `folders` that has the right one; else it is made
    and kept in the last."""
    for folder in folders if not remake else []:
        path = folder / (scene.name + ".npz")
        if path.exists():
            reference = load(path)
            if reference.mark == mark_of(scene):
                return reference
    reference = make(scene, weft, say)
    save(reference, folders[0 if remake else -1] / (scene.name + ".npz"))
    return reference
