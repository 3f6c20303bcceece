"""The Python module: scenes, arrays, steps, files, errors, threads."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import numpy as np
import scenes

import weft


def sheet_over_box(collision="two_way"):
    scene = weft.Scene()
    scene.add_cloth("sheet", *scenes.sheet(height=0.12))
    scene.add_body("box", *scenes.box())
    scene.set("step.collision", collision)
    scene.set("contact.ground", False)
    return scene


def hanging_sheet():
    scene = weft.Scene()
    scene.add_cloth("sheet", *scenes.sheet())
    scene.add_pin("sheet", np.array([0, 11]))
    return scene


class Scenes(unittest.TestCase):
    def test_the_module_makes_the_same_states_as_the_program(self):
        methods = [("two_way", "newton"), ("repulsion", "descent"), ("impact_zones", "newton")]
        with tempfile.TemporaryDirectory() as folder:
            for collision, solver in methods:
                with self.subTest(collision=collision, solver=solver):
                    path = os.path.join(folder, "scene.toml")
                    with open(path, "w") as file:
                        file.write(scenes.SHEET_OVER_BALL.format(collision=collision, solver=solver))
                    run = ["--headless", "--frames", "12", "--device", "cpu"]
                    told = scenes.program(path, *run, folder=folder)
                    sim = weft.Scene.load(path).start(device="cpu", threads=1)
                    sim.step(12)
                    self.assertIn(f"state hash: {sim.hash}\n", told)

    def test_a_shipped_scene_is_loaded_by_its_name(self):
        self.assertIn("drape_table", weft.scenes())
        scene = weft.Scene.load("drape_table")
        self.assertEqual(scene.cloths, ["cloth"])
        with self.assertRaises(weft.Error) as told:
            weft.Scene.load("drape_tabel")
        self.assertIn("drape_table", told.exception.what_to_do)

    def test_parameters_are_set_and_read_by_their_keys(self):
        scene = weft.Scene.load("drape_table")
        values = {"newton.tolerance": 1e-4, "step.dt": 0.005, "forces.gravity": (0.0, -1.62, 0.0),
                  "step.solver": "descent", "contact.ground": False, "fabric.thickness": 0.001}
        for key, value in values.items():
            scene.set(key, value)
            self.assertEqual(scene.get(key), value)
        scene.set("forces.wind", np.array([1, 2, 3.5]))
        self.assertEqual(scene.get("forces.wind"), (1.0, 2.0, 3.5))
        scene.set("obstacle.table_top.friction", 0.3)

    def test_all_parameters_are_listed_as_the_program_lists_them(self):
        with tempfile.TemporaryDirectory() as folder:
            listed = json.loads(scenes.program("params", "--json", folder=folder))
        rows = weft.params()
        self.assertEqual([row["key"] for row in rows], [row["key"] for row in listed])
        for row, told in zip(rows, listed):
            self.assertEqual((row["help"], row["unit"]), (told["help"], told["unit"]))
            self.assertEqual(row["min"], told.get("min"))
            if row["choices"]:
                self.assertIn(row["default"], row["choices"])

    def test_errors_have_three_parts(self):
        with self.assertRaises(weft.Error) as told:
            weft.Scene().set("newton.tolerence", 1)
        error = told.exception
        self.assertEqual(error.where, "newton.tolerence")
        self.assertIn("unknown parameter", error.what)
        self.assertIn("newton.tolerance", error.what_to_do)
        self.assertEqual(str(error), f"{error.where}: {error.what} — {error.what_to_do}")

    def test_meshes_that_cannot_be_are_refused(self):
        vertices, triangles = scenes.sheet()
        beyond = triangles.copy()
        beyond[0, 0] = len(vertices)
        twice = triangles.copy()
        twice[0, 0] = twice[0, 1]
        infinite = vertices.copy()
        infinite[3, 1] = np.inf
        more = np.concatenate([vertices, [[9, 9, 9]]])
        scene = weft.Scene()
        for wrong, words in [((vertices, beyond), "names vertex 144"), ((vertices, twice), "a vertex twice"),
                             ((infinite, triangles), "row 3 of vertices is not finite"),
                             ((more, triangles), "vertex 144 belongs to no triangle"),
                             ((vertices, triangles[:0]), "no triangles")]:
            for add in (scene.add_cloth, scene.add_body):
                with self.assertRaises(weft.Error) as told:
                    add("thing", *wrong)
                self.assertIn(words, told.exception.what)
        self.assertRaises(TypeError, scene.add_cloth, "thing", vertices[:, :2], triangles)
        self.assertEqual((scene.cloths, scene.bodies), ([], []))
        self.assertRaises(weft.Error, scene.start)
        scene.add_cloth("thing", vertices, triangles)
        self.assertRaises(weft.Error, scene.add_cloth, "thing", vertices, triangles)


class Arrays(unittest.TestCase):
    def test_cloth_of_arrays_keeps_its_vertices_in_their_order(self):
        vertices, triangles = scenes.sheet()
        sim = hanging_sheet().start(device="cpu")
        np.testing.assert_array_equal(sim.positions, vertices)
        np.testing.assert_array_equal(sim.triangles, triangles)
        self.assertEqual(sim.parts[0]["name"], "sheet")
        np.testing.assert_array_equal(sim.positions[sim.parts[0]["vertices"]], vertices)

    def test_pinned_vertices_stay_and_others_fall(self):
        vertices, _ = scenes.sheet()
        sim = hanging_sheet().start(device="cpu")
        sim.step(10)
        np.testing.assert_allclose(sim.positions[[0, 11]], vertices[[0, 11]], atol=1e-6)
        self.assertLess(sim.positions[143, 1], vertices[143, 1] - 0.01)
        self.assertLess(sim.velocities[143, 1], -0.1)

    def test_solids_strands_and_grains_are_made_of_arrays(self):
        scene = weft.Scene()
        vertices = np.array([[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]], dtype=np.float32)
        scene.add_solid("tetrahedron", vertices, cells=np.array([[0, 1, 2, 3]]), position=(0, 1, 0))
        scene.add_solid("box", *scenes.box(0.06), edge=0.03, position=(0.4, 1, 0), velocity=(0, 0, 1))
        hair = np.stack([np.linspace((x, 1, 0), (x, 0.7, 0), 8) for x in (-0.4, -0.3)]).astype(np.float32)
        scene.add_strands("hair", hair, bending=1e-5)
        scene.add_grains("sand", *scenes.box(0.05), radius=0.005, position=(0.8, 1, 0))
        scene.add_pin("hair", where="roots")
        scene.set("contact.ground", False)
        sim = scene.start(device="cpu", threads=1)
        parts = {part["name"]: part for part in sim.parts}
        self.assertEqual([p["kind"] for p in sim.parts], ["solid", "solid", "strands", "grains"])
        np.testing.assert_allclose(np.sort(sim.positions[parts["tetrahedron"]["vertices"]], axis=0),
                                   np.sort(vertices + (0, 1, 0), axis=0), atol=1e-6)
        np.testing.assert_array_equal(sim.positions[parts["hair"]["vertices"]], hair.reshape(-1, 3))
        sim.step(10)
        fallen = 0.5 * 9.81 * 0.1 ** 2
        for name in ("tetrahedron", "box", "sand"):
            self.assertLess(sim.velocities[parts[name]["vertices"], 1].max(), -0.8 * fallen / 0.05, name)
        self.assertGreater(sim.positions[parts["hair"]["vertices"]][0, 1], 0.99)
        self.assertTrue(sim.check())

    def test_parts_of_arrays_that_cannot_be_are_refused(self):
        scene, corners = weft.Scene(), np.eye(4, 3, dtype=np.float32)
        line = np.zeros((1, 2, 3), dtype=np.float32)
        for make in (lambda: scene.add_solid("a", corners, cells=np.array([[0, 1, 2, 9]])),
                     lambda: scene.add_solid("a", corners),
                     lambda: scene.add_solid("a", corners * np.nan, cells=np.array([[0, 1, 2, 3]])),
                     lambda: scene.add_solid("step", corners, cells=np.array([[0, 1, 2, 3]])),
                     lambda: scene.add_strands("b", line),
                     lambda: scene.add_strands("b", np.zeros((1, 5, 3), dtype=np.float32)),
                     lambda: scene.add_grains("c", *scenes.box(), radius=-1)):
            with self.assertRaises(weft.Error):
                make()
        self.assertEqual(scene.cloths, [])

    def test_a_body_of_arrays_carries_the_cloth(self):
        sim = sheet_over_box().start(device="cpu")
        np.testing.assert_array_equal(sim.body_vertices("box"), scenes.box()[0])
        sim.step(20)
        self.assertGreater(sim.positions[6 * 12 + 6, 1], 0.1)
        self.assertTrue(sim.check())

    def test_a_body_moves_by_frames_of_arrays(self):
        vertices, triangles = scenes.box()
        frames = np.stack([vertices * (1 + 0.02 * k) for k in range(11)])
        scene = hanging_sheet()
        scene.add_body("balloon", vertices, triangles, frames=frames, fps=100)
        sim = scene.start(device="cpu")
        sim.step(5)
        np.testing.assert_allclose(sim.body_vertices("balloon"), frames[5], atol=1e-6)
        sim.step(10)
        np.testing.assert_allclose(sim.body_vertices("balloon"), frames[10], atol=1e-6)

    def driven_box(self, driven):
        """A sheet over a box that swells and moves, by frames or as it is told; 128 steps a second."""
        vertices, triangles = scenes.box()
        frames = np.stack([vertices * (1 + 0.01 * k) + [0, 0.002 * k, 0] for k in range(13)])
        frames = frames.astype(np.float32)
        scene = weft.Scene()
        scene.set("step.dt", 1 / 128)
        scene.set("contact.ground", False)
        scene.add_cloth("sheet", *scenes.sheet(height=0.11))
        if driven:
            scene.add_body("box", vertices, triangles, driven=True)
        else:
            scene.add_body("box", vertices, triangles, frames=frames, fps=128)
        return scene, frames

    def test_a_body_that_is_told_where_it_goes_moves_as_from_a_file(self):
        wanted = self.driven_box(False)[0].start(device="cpu")
        scene, frames = self.driven_box(True)
        sims = [scene.start(device="cpu") for _ in range(2)]
        for frame in frames[1:]:
            wanted.step()
            sims[0].pose_body("box", frame)
            sims[0].step()
            np.testing.assert_array_equal(sims[0].body_vertices("box"), wanted.body_vertices("box"))
            np.testing.assert_array_equal(sims[0].positions, wanted.positions)
            np.testing.assert_array_equal(sims[0].velocities, wanted.velocities)
        self.assertTrue(sims[0].check())
        for k, frame in enumerate(frames[1:]):  # all at once, for times to come
            sims[1].pose_body("box", frame, at=(k + 1) / 128)
        sims[1].step(12)
        np.testing.assert_array_equal(sims[1].positions, wanted.positions)
        sims[1].step(2)
        np.testing.assert_array_equal(sims[1].body_vertices("box"), frames[-1])  # it stays

    def test_snapshots_and_the_hash_have_where_bodies_were_told_to_go(self):
        scene, frames = self.driven_box(True)
        sim = scene.start(device="cpu")
        sim.step(2)
        before = sim.hash
        sim.pose_body("box", frames[8], at=sim.time + 8 / 128)
        self.assertNotEqual(sim.hash, before)
        sim.step(3)
        snapshot = sim.snapshot()
        sim.step(6)
        wanted = sim.hash
        sim.reset()
        np.testing.assert_array_equal(sim.body_vertices("box"), frames[0])
        sim.restore(snapshot)
        sim.step(6)
        self.assertEqual(sim.hash, wanted)
        np.testing.assert_array_equal(sim.body_vertices("box"), frames[8])
        other = scene.start(device="cpu")
        with tempfile.TemporaryDirectory() as folder:
            snapshot.save(os.path.join(folder, "state.weftsnap"))
            other.restore(weft.Snapshot.load(os.path.join(folder, "state.weftsnap")))
        other.step(6)
        self.assertEqual(other.hash, wanted)

    def test_a_matrix_moves_a_body_that_keeps_its_shape(self):
        vertices, triangles = scenes.box()
        scene = hanging_sheet()
        scene.add_body("box", vertices, triangles, position=(0.1, 0, 0))
        sim = scene.start(device="cpu")
        matrix = np.array([[0, 0, 1, 0.02], [0, 1, 0, 0.03], [-1, 0, 0, 0], [0, 0, 0, 1]], dtype=float)
        start = vertices + np.float32([0.1, 0, 0])
        sim.pose_body("box", matrix=matrix, at=0.2)
        sim.step(20)
        wanted = start @ matrix[:3, :3].T + matrix[:3, 3]
        np.testing.assert_allclose(sim.body_vertices("box"), wanted, atol=1e-6)
        sim.pose_body("box", matrix=np.eye(4), at=0.4)
        sim.step(10)
        self.assertGreater(np.abs(sim.body_vertices("box") - start).max(), 0.01)
        sim.step(10)
        np.testing.assert_allclose(sim.body_vertices("box"), start, atol=1e-6)

    def test_places_of_bodies_that_cannot_be_are_refused(self):
        scene, frames = self.driven_box(True)
        scene.add_body("crate", *scenes.box(), position=(1, 0, 0))
        scene.add_body("door", *scenes.box(), position=(2, 0, 0), keys=[(0, (0, 0, 0), (0, 0, 0)),
                                                                        (1, (1, 0, 0), (0, 0, 0))])
        sim = scene.start(device="cpu")
        sim.step()
        far, nan, shear = frames[1] + [0, 5, 0], frames[1].copy(), np.eye(4)
        nan[3, 1], shear[0, 1] = np.nan, 0.5
        shifted = np.eye(4)
        shifted[0, 3] = 0.01
        first = frames[1]
        wrong = [("there is no body of this name", "did you mean box", lambda: sim.pose_body("bax", first)),
                 ("it has 8 vertices", "all of its vertices", lambda: sim.pose_body("box", frames[1][:7])),
                 ("row 3 is not finite", "metres", lambda: sim.pose_body("box", nan)),
                 ("cloth follows up to 25 m/s", "more time", lambda: sim.pose_body("box", far)),
                 ("is not after that of the state", "later", lambda: sim.pose_body("box", first, at=0.001)),
                 ("its shape is fixed", "matrix", lambda: sim.pose_body("crate", frames[1])),
                 ("no rigid motion", "keep their size", lambda: sim.pose_body("crate", matrix=shear)),
                 ("the last row", "last column", lambda: sim.pose_body("crate", matrix=shifted.T)),
                 ("script of its own", "motion", lambda: sim.pose_body("door", matrix=shifted)),
                 ("script of its own", "vertices", lambda: sim.pose_body("box", matrix=shifted)),
                 ("either vertices or a matrix", "one of the two", lambda: sim.pose_body("box"))]
        before = sim.hash
        for words, remedy, make in wrong:
            with self.subTest(words), self.assertRaises(weft.Error) as told:
                make()
            self.assertIn(words, told.exception.what)
            self.assertIn(remedy, told.exception.what_to_do)
        with self.assertRaises(TypeError):
            sim.pose_body("box", frames[1][:, :2])
        self.assertEqual(sim.hash, before)

    def test_painted_maps_of_arrays_scale_the_fabric(self):
        vertices, triangles = scenes.sheet()
        scene = weft.Scene()
        half = (vertices[:, 0] > 0).astype(np.float32)
        scene.add_cloth("sheet", vertices, triangles, maps={"areal_density": (half, 1, 3),
                                                            "bending_rigidity": 1 + half})
        plain = weft.Scene()
        plain.add_cloth("sheet", vertices, triangles)
        for one in (scene, plain):
            one.add_pin("sheet", np.arange(144, dtype=np.int32)[vertices[:, 0] > 0.14])
        heavy, light = scene.start(device="cpu"), plain.start(device="cpu")
        heavy.step(5), light.step(5)
        self.assertGreater(np.abs(heavy.positions - light.positions).max(), 1e-6)
        same = weft.Scene()
        same.add_cloth("sheet", vertices, triangles, maps={"friction": np.ones(144)})
        self.assertIsNotNone(same.start(device="cpu"))
        for words, maps in (("cannot be painted", {"thickness": half}),
                            ("has 143 numbers, and the cloth has 144", {"friction": half[1:]}),
                            ("vertex 0 (counted from 0) has no number", {"friction": half * np.nan}),
                            ("makes the factor 0", {"areal_density": half}),
                            ("a map is not understood", {"friction": "soft"})):
            with self.subTest(words), self.assertRaises(weft.Error) as told:
                weft.Scene().add_cloth("sheet", vertices, triangles, maps=maps)
            self.assertIn(words, told.exception.what)

    def test_arrays_that_are_changed_later_do_not_change_the_run(self):
        runs = []
        for spoilt in (False, True):
            vertices, triangles = scenes.sheet(height=0.12)
            body, faces = scenes.box()
            half = np.ones(144, dtype=np.float32)
            scene = weft.Scene()
            scene.add_cloth("sheet", vertices, triangles, maps={"areal_density": half})
            scene.add_body("box", body, faces, driven=True)
            if spoilt:
                half[:], vertices[:], triangles[:] = np.nan, np.nan, 0
            sim = scene.start(device="cpu")
            if spoilt:
                body[:], faces[:] = np.nan, 0
            pose = scenes.box()[0] * np.float32(1.01)
            sim.pose_body("box", pose, at=0.05)
            if spoilt:
                pose[:] = np.nan
            sim.step(6)
            runs.append(sim.hash)
        self.assertEqual(*runs)

    def test_scenes_that_share_bodies_of_arrays_keep_their_own(self):
        vertices, triangles = scenes.box()
        scene = sheet_over_box()
        copy = scene.start(device="cpu").scene
        scene.add_body("large", vertices + [0, 0, 1], triangles)
        copy.add_body("other", vertices + [0, 0, 2], triangles)
        sims = [scene.start(device="cpu"), copy.start(device="cpu")]
        del scene, copy
        for sim, name, z in zip(sims, ("large", "other"), (1, 2)):
            np.testing.assert_array_equal(sim.body_vertices("box"), vertices)
            np.testing.assert_allclose(sim.body_vertices(name).mean(0), [0, 0, z], atol=1e-6)

    def test_a_body_moves_by_keys_and_by_hand(self):
        scene = hanging_sheet()
        scene.add_body("box", *scenes.box(), keys=[(0, (0, 0, 0), (0, 0, 0)), (0.1, (0.05, 0, 0), (0, 0, 0))])
        sim = scene.start(device="cpu")
        sim.step(10)
        np.testing.assert_allclose(sim.body_vertices("box").mean(0), [0.05, 0, 0], atol=1e-6)
        sim.move_body("box", offset=(0, 0.02, 0))
        sim.step(5)
        np.testing.assert_allclose(sim.body_vertices("box").mean(0), [0.05, 0.02, 0], atol=1e-6)
        with self.assertRaises(weft.Error) as told:
            sim.move_body("bax")
        self.assertIn("box", told.exception.what_to_do)

    def test_positions_are_the_memory_of_the_simulation_and_keep_it_alive(self):
        sim = hanging_sheet().start(device="cpu")
        view, before = sim.positions, sim.positions.copy()
        self.assertFalse(view.flags.owndata or view.flags.writeable)
        self.assertRaises(ValueError, view.__setitem__, 0, 0)
        snapshot = sim.snapshot()
        sim.step(3)
        self.assertGreater(np.abs(view - before).max(), 0.001)
        np.testing.assert_array_equal(view, sim.positions)
        sim.restore(snapshot)
        np.testing.assert_array_equal(view, before)
        del sim
        np.testing.assert_array_equal(view, before)


class Steps(unittest.TestCase):
    def test_a_restored_state_goes_on_with_the_same_bits(self):
        sim = sheet_over_box().start(device="cpu")
        sim.step(3)
        snapshot = sim.snapshot()
        sim.step(4)
        wanted = sim.hash
        sim.restore(snapshot)
        self.assertEqual(sim.steps, 3)
        sim.step(4)
        self.assertEqual(sim.hash, wanted)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "state.weftsnap")
            snapshot.save(path)
            sim.restore(weft.Snapshot.load(path))
        sim.step(4)
        self.assertEqual(sim.hash, wanted)
        sim.reset()
        self.assertEqual((sim.steps, sim.time), (0, 0.0))

    def test_statistics_have_the_columns_of_the_table(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "scene.toml")
            with open(path, "w") as file:
                file.write(scenes.SHEET_OVER_BALL.format(collision="two_way", solver="newton"))
            scenes.program(path, "--headless", "--frames", "3", "--csv", "table.csv", folder=folder)
            with open(os.path.join(folder, "table.csv")) as table:
                columns = table.read().splitlines()[1].split(",")
            sim = weft.Scene.load(path).start(device="cpu")
        sim.step(3)
        self.assertEqual(set(columns) - set(sim.stats) - {"other_ms"}, set())
        self.assertEqual(sim.stats["step"], 3)
        self.assertGreater(sim.timings["step/solve"]["mean"], 0)

    def test_a_handle_pulls_cloth_and_lets_go(self):
        sim = hanging_sheet().start(device="cpu")
        handle = sim.grab(np.array([143]))
        sim.move(handle, (0.15, 0.6, 0.15))
        sim.step(20)
        height = sim.positions[143, 1]
        self.assertGreater(height, 0.41)
        sim.release(handle)
        sim.step(20)
        self.assertLess(sim.positions[143, 1], height - 0.05)
        self.assertRaises(weft.Error, sim.grab)
        other = sim.grab(triangle=3, barycentric=(1, 0, 0))
        self.assertNotEqual(other, handle)

    def test_vertices_are_pinned_and_freed_while_the_scene_runs(self):
        sim = hanging_sheet().start(device="cpu")
        sim.pin(143)
        sim.step(5)
        self.assertAlmostEqual(float(sim.positions[143, 1]), 0.4, places=5)
        sim.unpin(143)
        sim.set("forces.gravity", (0, -20, 0))
        self.assertEqual(sim.get("forces.gravity"), (0.0, -20.0, 0.0))
        sim.step(5)
        self.assertLess(sim.positions[143, 1], 0.39)
        self.assertRaises(weft.Error, sim.pin, 144)

    def test_the_exact_checker_finds_what_crosses(self):
        sim = sheet_over_box().start(device="cpu")
        before = sim.world_positions()
        self.assertEqual(before.shape, (152, 3))
        sim.step(2)
        found = sim.check(before)
        self.assertTrue(found.clean and found)
        self.assertEqual((found.crossings, found.contacts), ([], []))
        self.assertRaises(weft.Error, sim.check, before[:-1])
        through = sheet_over_box(collision="none").start(device="cpu")
        before = through.world_positions()
        through.step(15)
        found = through.check(before)
        self.assertFalse(found)
        self.assertEqual(found.crossings[0][2], "body")
        self.assertGreater(len(found.contacts), 0)


class Files(unittest.TestCase):
    def test_states_are_exported_as_the_program_exports_them(self):
        with tempfile.TemporaryDirectory() as folder:
            scene = os.path.join(folder, "scene.toml")
            with open(scene, "w") as file:
                file.write(scenes.SHEET_OVER_BALL.format(collision="two_way", solver="newton"))
            scenes.program(scene, "--headless", "--frames", "4", "--export", "program.pc2", folder=folder)
            scenes.program(scene, "--headless", "--frames", "4", "--export", "program.obj", folder=folder)
            sim = weft.Scene.load(scene).start(device="cpu")
            with sim.record(os.path.join(folder, "module.pc2")) as recording:
                sim.step(4)
            sim.step()
            self.assertEqual(recording.frames, 5)
            sim.reset()
            sim.step(4)
            sim.export(os.path.join(folder, "module.obj"))

            def read(name):
                with open(os.path.join(folder, name), "rb") as file:
                    return [line for line in file.read().split(b"\n") if not line.startswith(b"#")]

            for name in ("program_cloth.pc2", "program_ball.pc2", "program.obj"):
                self.assertEqual(read(name), read(name.replace("program", "module")), name)
            for ending in ("usda", "glb", "gltf", "weftcache"):
                path = os.path.join(folder, "one." + ending)
                sim.export(path)
                self.assertGreater(os.path.getsize(path), 1000)
            with self.assertRaises(weft.Error):
                sim.export(os.path.join(folder, "one.abc"))

    def test_a_scene_of_files_is_saved_and_one_of_arrays_is_not(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "saved.toml")
            scene = weft.Scene.parse(scenes.SHEET_OVER_BALL.format(collision="two_way", solver="newton"))
            scene.set("step.dt", 0.004)
            scene.save(path)
            self.assertAlmostEqual(weft.Scene.load(path).get("step.dt"), 0.004)
            self.assertRaises(weft.Error, hanging_sheet().save, path)

    def test_a_picture_is_drawn_without_a_display(self):
        sim = sheet_over_box().start(device="cpu")
        picture = weft.view(sim, 160, 90, {"quality": "low", "colouring": "stretch"})
        self.assertEqual((picture.shape, picture.dtype), ((90, 160, 3), np.uint8))
        self.assertGreater(picture.std(), 5)
        grey, aside = (sim.view(160, 90, {"quality": "low"}, **camera)
                       for camera in ({}, {"target": (0, 0, 0), "distance": 1, "yaw": 90}))
        for other in (picture, aside):
            self.assertGreater(np.abs(grey.astype(int) - other).max(), 20)
        with self.assertRaises(weft.Error):
            sim.view(160, 90, {"colour": 1})


class Threads(unittest.TestCase):
    def test_other_threads_run_during_a_step(self):
        sim = hanging_sheet().start(device="cpu", threads=1)
        stepping = threading.Thread(target=sim.step, args=(60,))
        stepping.start()
        turns = 0
        while stepping.is_alive():
            turns += 1
            time.sleep(0)
        stepping.join()
        self.assertGreater(turns, 60)

    def test_threads_that_use_one_simulation_take_turns(self):
        sim = hanging_sheet().start(device="cpu")
        start, faults = sim.snapshot(), []

        def work(k):
            try:
                for i in range(10):
                    sim.step()
                    sim.stats, sim.hash, sim.positions.sum(), sim.check()
                    if i == 5 and k == 0:
                        sim.set("forces.air_damping", 0.3)
            except Exception as fault:  # shown by the test
                faults.append(fault)

        threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((faults, sim.steps), ([], 40))
        sim.restore(start)

    def test_ctrl_c_ends_the_steps_with_a_complete_state(self):
        sim = hanging_sheet().start(device="cpu")
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            sim.step(3000)
        timer.join()
        made = sim.steps
        self.assertGreater(made, 0)
        self.assertAlmostEqual(sim.time, 0.01 * made, places=4)
        sim.step()
        self.assertEqual(sim.steps, made + 1)

    def test_an_interpreter_ends_with_a_picture_a_recording_and_steps_in_work(self):
        script = ("import threading, numpy, scenes, weft\n"
                  "scene = weft.Scene()\n"
                  "scene.add_cloth('sheet', *scenes.sheet())\n"
                  "scene.add_body('box', *scenes.box(), driven=True)\n"
                  "sim = scene.start(device='cpu')\n"
                  "try: picture = sim.view(64, 48)\n"
                  "except weft.Error: pass\n"  # without OpenGL
                  "recording = sim.record('run.weftcache')\n"
                  "view = sim.positions\n"
                  "sim.pose_body('box', scenes.box()[0] * 1.01, at=0.5)\n"
                  "threading.Thread(target=sim.step, args=(100000,), daemon=True).start()\n"
                  "while sim.steps < 2: pass\n"
                  "print('made', sim.steps > 0)\n")
        paths = [os.path.dirname(os.path.abspath(__file__)), os.environ.get("PYTHONPATH", "")]
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, "-c", script], cwd=folder, capture_output=True, text=True,
                                  check=False, env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)})
        self.assertEqual((done.returncode, done.stdout), (0, "made True\n"), done.stderr)


if __name__ == "__main__":
    unittest.main()
