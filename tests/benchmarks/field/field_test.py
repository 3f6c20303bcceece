"""The field: measures, profiles, references, and a whole run with a program that is made up."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import measures  # noqa: E402
import references  # noqa: E402
from plots import ticks_of  # noqa: E402
from scenes import read_scenes, to_toml  # noqa: E402

BIN = os.environ.get("WEFT_BIN", str(HERE.parents[2] / "build/test/bin"))

SCENE = """
title = "A square that swings"
[step]
dt = 0.01
[[cloth]]
size = [0.3, 0.3]
position = [0, 1, 0]
rotation = [-90, 0, 0]
[[pin]]
where = "top_left"
"""

LISTED = """
[[scene]]
name = "swings"
path = "{folder}/swings.toml"
group = "physics"
reference = "bodies"
small = {{ vertices = 16, seconds = 0.25 }}
full = {{ vertices = 16, seconds = 0.25 }}
"""

STANDS_STILL = """
LABEL = "Stands still"
PACKAGES = ()
MODULES = ()
LICENCE = "none"
LACKS = ()
SETTINGS = "none"


def states(problem, effort):
    for _ in range(problem.frames + 1):
        yield problem.start
"""


class Measures(unittest.TestCase):
    def test_an_error_is_a_root_of_a_mean_square_and_a_largest_distance(self):
        reference = np.zeros((2, 3, 3))
        states = reference.copy()
        states[1, 2] = [3, 0, 4]
        rms, worst = measures.error(states, reference)
        self.assertAlmostEqual(rms, np.sqrt(25 / 6))
        self.assertAlmostEqual(worst, 5)

    def test_heights_do_not_depend_on_which_vertex_is_where(self):
        states = np.random.default_rng(1).normal(size=(3, 40, 3))
        self.assertAlmostEqual(measures.error(states[:, ::-1], states, "heights")[0], 0)
        self.assertAlmostEqual(measures.error(states + [0, 0.5, 0], states, "heights")[0], 0.5)

    def test_a_profile_counts_what_nobody_solved(self):
        times = {"fast": {"a": 1.0, "b": None, "c": None}, "slow": {"a": 3.0, "b": 2.0, "c": None}}
        curves = measures.profile(times)
        self.assertEqual(curves["fast"], [(1.0, 1 / 3)])
        self.assertEqual(curves["slow"], [(1.0, 1 / 3), (3.0, 2 / 3)])

    def test_a_frontier_keeps_what_no_other_run_beats_in_both(self):
        self.assertEqual(measures.frontier([(2, 5), (1, 7), (3, 6), (4, 1)]), [(1, 7), (2, 5), (4, 1)])

    def test_ticks_are_powers_of_ten_with_steps_between_in_short_ranges(self):
        self.assertEqual(ticks_of(1, 10), [1, 2, 5, 10])
        self.assertEqual(len(ticks_of(1e-3, 1e3)), 7)
        self.assertEqual(ticks_of(3, 60), [5, 10, 20, 50])


class References(unittest.TestCase):
    def test_a_reference_is_kept_to_a_part_in_sixty_thousand(self):
        rng = np.random.default_rng(2)
        kept = references.Reference(
            rng.normal(size=(4, 9, 3)), rng.normal(size=(9, 3)), {"positions": 0.1, "heights": 0.2}, "m"
        )
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "r.npz"
            references.save(kept, path)
            read = references.load(path)
        self.assertLess(np.abs(read.states - kept.states).max(), 2e-4)
        self.assertLess(np.abs(read.start - kept.start).max(), 2e-4)
        self.assertEqual((read.uncertainty, read.mark), (kept.uncertainty, "m"))

    def test_a_scene_is_judged_by_heights_where_positions_are_not_known(self):
        start, states = np.zeros((2, 3)), np.ones((1, 2, 3))
        judge = lambda p, h: references.Reference(states, start, {"positions": p, "heights": h}, "").measure
        self.assertEqual(judge(0.01, 0.01), "positions")
        self.assertEqual(judge(0.5, 0.01), "heights")
        self.assertIsNone(judge(0.5, 0.5))

    def test_stored_references_are_those_of_the_scenes(self):
        for scene in read_scenes("small"):
            path = HERE / "references" / (scene.name + ".npz")
            self.assertTrue(
                path.exists(), f"{scene.name} has none: python3 tests/benchmarks/field --references"
            )
            with self.subTest(scene=scene.name):
                self.assertEqual(references.load(path).mark, references.mark_of(scene))


class Scenes(unittest.TestCase):
    def test_there_are_twenty_scenes_of_four_groups(self):
        scenes = read_scenes("full")
        self.assertEqual(len(scenes), 20)
        self.assertEqual({s.group for s in scenes}, {"papers", "physics", "garments", "users"})

    def test_tables_survive_being_written(self):
        import tomllib

        tables = {"a": 1, "b": {"c-d": [1.5, True], "e f": 'x"y'}, "g": [{"h": -0.25}]}
        self.assertEqual(tomllib.loads(to_toml(tables)), tables)


class WholeRun(unittest.TestCase):
    def run_field(self, folder, *more):
        command = [
            sys.executable,
            "-B",
            str(HERE),
            "--bin",
            BIN,
            "--out",
            f"{folder}/out",
            "--scenes-file",
            f"{folder}/scenes.toml",
            "--adapters",
            f"{folder}/adapters",
            "--effort",
            "1",
            *more,
        ]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr

    def test_a_run_makes_a_page_with_refusals_and_a_peer_and_goes_on(self):
        with tempfile.TemporaryDirectory() as folder:
            work = pathlib.Path(folder)
            (work / "swings.toml").write_text(textwrap.dedent(SCENE))
            (work / "scenes.toml").write_text(LISTED.format(folder=folder))
            (work / "adapters").mkdir()
            (work / "adapters/still.py").write_text(STANDS_STILL)
            names = ["--method", "newton+none", "--method", "block_descent+none", "--method", "still"]
            self.run_field(folder, *names)
            found = json.loads((work / "out/field.json").read_text())
            rows = {r["method"]: r for r in found["rows"]}
            self.assertEqual(rows["newton+none"]["status"], "done")
            self.assertLess(rows["newton+none"]["positions"]["relative"], 0.3)
            self.assertEqual(rows["newton+none"]["crossings"], {"states": 16, "all": 0, "bodies": 0})
            self.assertEqual(rows["block_descent+none"]["status"], "refused")
            self.assertIn("grids of squares", rows["block_descent+none"]["why"])
            self.assertAlmostEqual(rows["still"]["positions"]["relative"], 1, places=2)
            page = (work / "out/page.html").read_text()
            for words in (
                "Stands still",
                "A square that swings",
                "data:image/png",
                "grids of squares",
                "<svg",
            ):
                self.assertIn(words, page)
            again = self.run_field(folder, *names)
            self.assertNotIn("newton+none, effort 1", again)
            self.assertEqual(json.loads((work / "out/field.json").read_text())["rows"], found["rows"])


if __name__ == "__main__":
    unittest.main()
