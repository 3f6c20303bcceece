"""Distances to a reference, and performance profiles."""

import numpy as np


def heights(states):
    """Eleven quantiles of the height of each state: (k, n, 3) becomes (k, 11, 1)."""
    return np.quantile(states[:, :, 1], np.linspace(0, 1, 11), axis=1).T[:, :, None]


def compared(states, measure):
    return heights(states) if measure == "heights" else states


def error(states, reference, measure="positions"):
    """Root of the mean square of the distances over all vertices and instants, and the largest distance;
    metres. Both arrays are (instants, vertices, 3)."""
    distance = np.linalg.norm(compared(states, measure) - compared(reference, measure), axis=2)
    return float(np.sqrt(np.mean(distance**2))), float(distance.max())


def motion_size(reference, start, measure="positions"):
    """How far the reference moves: the same measure of its distance to the start, (vertices, 3)."""
    return error(np.repeat(start[None], len(reference), axis=0), reference, measure)[0]


def profile(times):
    """Performance profile of Dolan and More (2002). `times` is {method: {problem: time, None where it
    failed}}; the result is {method: [(factor, share)]}, ascending: the share of problems that the method
    solves within `factor` times the time of the fastest method. Problems that no method solved count, as
    unsolved."""
    problems = sorted({p for row in times.values() for p in row})
    best = {}
    for p in problems:
        solved = [row[p] for row in times.values() if row.get(p) is not None]
        best[p] = min(solved) if solved else None
    curves = {}
    for method, row in times.items():
        factors = sorted(row[p] / best[p] for p in problems if row.get(p) is not None)
        curves[method] = [(f, (i + 1) / len(problems)) for i, f in enumerate(factors)]
    return curves


def frontier(points):
    """Of (time, error) pairs those that no other beats in both, by ascending time."""
    kept = []
    for time, err in sorted(points):
        if not kept or err < kept[-1][1]:
            kept.append((time, err))
    return kept
