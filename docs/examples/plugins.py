"""Springs along all edges, and a floor, as functions of NumPy arrays: see ../plugins.md."""

import numpy as np


def add_springs(scene, stiffness=100.0):
    """E = k/2 (|x_b - x_a| - l)^2 for each edge, l being its length at rest."""
    mesh = {}

    def edges(given):
        mesh.update(given)
        return given["edges"]

    def springs(x, parameters, derivatives):
        k, (a, b) = parameters["stiffness"], mesh["edges"].T
        rest = np.linalg.norm(mesh["rest"][b] - mesh["rest"][a], axis=1)
        e = x[b] - x[a]
        now = np.linalg.norm(e, axis=1)
        energy = 0.5 * k * np.sum((now - rest) ** 2)
        if not derivatives:
            return energy
        slack = (1 - rest / now)[:, None, None]
        gradient = np.zeros_like(x)
        np.add.at(gradient, b, k * slack[:, 0] * e)
        np.add.at(gradient, a, -k * slack[:, 0] * e)
        along = e[:, :, None] * e[:, None, :] / (now ** 2)[:, None, None]
        block = k * (along + slack * (np.eye(3) - along))
        return energy, gradient, np.block([[block, -block], [-block, block]])

    scene.add_energy("springs", springs, edges, parameters={"stiffness": (stiffness, 0, 1e6)})


def add_floor(scene, height=0.0):
    """Keeps vertices above a height."""

    def floor(start, found, parameters):
        found[:, 1] = np.maximum(found[:, 1], parameters["height"])
        return found

    scene.add_filter("floor", floor, parameters={"height": (height, -100, 100)})
