"""Energies and filters as Python functions, and what goes wrong with them."""

import os
import subprocess
import sys
import unittest

import numpy as np
import scenes

import weft

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "examples")
sys.path.insert(0, EXAMPLES)
import plugins  # noqa: E402

STRAND = """
[step]
collision = "none"
[newton]
tolerance = 1e-4
[forces]
lift = 0
drag = 0
air_damping = 0
[contact]
ground = false
[[strands]]
name = "hair"
count = 1
segments = 12
length = 0.3
size = [0, 0]
rotation = [0, 0, -90]
density = 5e-3
stretch = {stretch}
bending = 1e-6
internal_damping = 0
[[pin]]
cloth = "hair"
where = "roots"
"""


def falling_sheet():
    scene = weft.Scene()
    scene.add_cloth("sheet", *scenes.sheet())
    scene.set("contact.ground", False)
    return scene


def no_energy(x, parameters, derivatives):
    return (0.0, np.zeros_like(x), np.zeros((1, 6, 6))) if derivatives else 0.0


class Plugins(unittest.TestCase):
    def test_springs_of_numpy_move_a_strand_as_springs_of_weft_do(self):
        least, stretch = 1e-3, 5.0
        own = weft.Scene.parse(STRAND.format(stretch=stretch)).start(device="cpu", threads=1)
        scene = weft.Scene.parse(STRAND.format(stretch=least))
        plugins.add_springs(scene)
        scene.set("plugin.springs.stiffness", (stretch - least) * 12 / 0.3)
        other = scene.start(device="cpu", threads=1)
        most = 0
        for _ in range(60):
            own.step()
            other.step()
            most = max(most, np.abs(own.positions - other.positions).max())
        self.assertLess(most, 1e-4)
        self.assertLess(own.positions[:, 1].min(), -0.05)

    def test_a_filter_of_numpy_keeps_cloth_above_a_floor(self):
        scene = falling_sheet()
        plugins.add_floor(scene, 0.35)
        sim = scene.start(device="cpu", threads=1)
        sim.step(40)
        self.assertAlmostEqual(sim.positions[:, 1].min(), 0.35, places=5)
        sim.set("plugin.floor.height", 0.2)
        sim.step(40)
        self.assertLess(sim.positions[:, 1].min(), 0.25)
        self.assertTrue(sim.check())

    def test_parameters_of_plugins_are_those_of_the_scene(self):
        scene = falling_sheet()
        scene.add_energy("pull", no_energy, np.array([[0, 1]]), parameters={"force": (2, 0, 5), "other": 1})
        self.assertEqual(scene.get("plugin.pull.force"), 2)
        keys = [row["key"] for row in scene.params()]
        for key in ("on", "strength", "force", "other"):
            self.assertIn("plugin.pull." + key, keys)
        with self.assertRaises(weft.Error):
            scene.set("plugin.pull.force", 6)
        with self.assertRaises(weft.Error):
            scene.add_filter("pull", lambda start, found, parameters: found)
        with self.assertRaises(weft.Error):
            scene.save("/tmp/never.toml")

    def test_an_exception_of_a_plugin_ends_the_step_with_the_state_before(self):
        class Fault(Exception):
            pass

        def broken(x, parameters, derivatives):
            raise Fault("of the test")

        scene = falling_sheet()
        scene.add_energy("broken", broken, np.array([[0, 1]]))
        scene.set("plugin.broken.on", False)
        sim = scene.start(device="cpu", threads=1)
        sim.step(3)
        before, hash_before = sim.positions.copy(), sim.hash
        sim.set("plugin.broken.on", True)
        with self.assertRaises(Fault):
            sim.step()
        self.assertEqual(sim.hash, hash_before)
        np.testing.assert_array_equal(sim.positions, before)
        sim.set("plugin.broken.on", False)
        sim.step()
        self.assertEqual(sim.steps, 4)

    def test_results_that_make_no_sense_are_told_by_the_plugins_name(self):
        def gives(result):
            return lambda x, parameters, derivatives: result(x) if derivatives else 0.0

        one, hessian = np.array([[0, 1]]), np.zeros((1, 6, 6))
        faults = [(gives(lambda x: (0.0, np.zeros((3, 3)), hessian)), one, "gradient"),
                  (gives(lambda x: (0.0, np.zeros_like(x), np.zeros((6, 6, 2)))), one, "Hessian"),
                  (gives(lambda x: (0.0, x * np.nan, hessian)), one, "not finite"),
                  (gives(lambda x: (np.nan, x, hessian)), one, "not finite"),
                  (gives(lambda x: 0.0), one, "triple"),
                  (no_energy, np.array([[0, 100000]]), "100000"),
                  (no_energy, np.array([0, 1]), "dimensions"),
                  (no_energy, np.array([[0, 2**32 + 1]]), str(2**31 - 1)),
                  (no_energy, np.array([[0.0, 1.7]]), "whole numbers"),
                  (no_energy, np.zeros((1, 5), int), "vertices")]
        for function, elements, words in faults:
            with self.subTest(words=words), self.assertRaises(weft.Error) as told:
                scene = falling_sheet()
                scene.add_energy("odd", function, elements)
                scene.start(device="cpu", threads=1).step()
            self.assertIn(words, str(told.exception))
            self.assertIn("odd", str(told.exception))
        for result, words in ((lambda x: x[:-1], "numbers"), (lambda x: x * np.nan, "finite")):
            with self.subTest(words=words), self.assertRaises(weft.Error) as told:
                scene = falling_sheet()
                scene.add_filter("odd", lambda start, found, parameters, result=result: result(found))
                scene.start(device="cpu", threads=1).step()
            self.assertIn(words, str(told.exception))

    def test_a_plugin_cannot_step_the_simulation_that_calls_it(self):
        running = []

        def steps(start, found, parameters):
            running[0].step()
            return found

        scene = falling_sheet()
        scene.add_filter("steps", steps)
        running.append(scene.start(device="cpu", threads=1))
        with self.assertRaises(weft.Error):
            running[0].step()

    def test_an_interpreter_ends_with_plugins_in_use(self):
        program = ("import numpy as np, scenes, threading, weft\n"
                   "scene = weft.Scene()\n"
                   "scene.add_cloth('sheet', *scenes.sheet())\n"
                   "scene.add_filter('floor', lambda start, found, parameters: found)\n"
                   "sim = scene.start(device='cpu', threads=1)\n"
                   "many = lambda: [sim.step() for _ in range(100000)]\n"
                   "threading.Thread(target=many, daemon=True).start()\n"
                   "while sim.steps < 2: pass\n")
        folder = os.path.dirname(os.path.abspath(__file__))
        done = subprocess.run([sys.executable, "-B", "-c", program], cwd=folder, capture_output=True,
                              text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
