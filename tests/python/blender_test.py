"""The add-on for Blender, in the module bpy: a process without a window."""

import importlib
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import types
import unittest

import numpy as np
import scenes

import weft

try:
    import bpy
    import weft.blender
    from weft.blender import cache, panel, run, scene_of
except ImportError as fault:
    bpy = None
    print(f"weft-skip: bpy is not installed ({fault})")

LAST = 20


def mesh_object(name, vertices, faces):
    """A new object of the scene."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([tuple(map(float, v)) for v in vertices], [], [tuple(map(int, f)) for f in faces])
    one = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(one)
    return one


def sheet(name="Shirt", n=12, size=0.4, height=0.3):
    """A level sheet of quads with the groups left and right at its edges along x."""
    line = np.linspace(-size / 2, size / 2, n)
    vertices = [(x, y, height) for x in line for y in line]
    faces = [(i * n + k, (i + 1) * n + k, (i + 1) * n + k + 1, i * n + k + 1)
             for i in range(n - 1) for k in range(n - 1)]
    one = mesh_object(name, vertices, faces)
    for group, row in (("left", 0), ("right", n - 1)):
        one.vertex_groups.new(name=group).add([row * n + k for k in range(n)], 1.0, "REPLACE")
        one.vertex_groups[group].add([(n // 2) * n], 0.4, "REPLACE")  # not enough for a pin
    return one


def cube(name="Body", size=0.16):
    """A cube around the origin, its faces outwards."""
    vertices, triangles = scenes.box(size)
    one = mesh_object(name, vertices, triangles)
    center = np.array([vertices[list(t)].mean(0) for t in triangles])
    normals = np.array([p.normal for p in one.data.polygons])
    if (center * normals).sum() < 0:
        one.data.flip_normals()
    return one


def armature(bones):
    """An armature with bones of these names along z, in the middle."""
    data = bpy.data.armatures.new("Rig")
    rig = bpy.data.objects.new("Rig", data)
    bpy.context.scene.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for name in bones:
        bone = data.edit_bones.new(name)
        bone.head, bone.tail = (0, 0, -0.1), (0, 0, 0.1)
    bpy.ops.object.mode_set(mode="OBJECT")
    return rig


def move_bone(rig, name, x=0.0, up=0.0):
    """Keys of a bone from rest to this offset (its y axis is z) at frame 16."""
    bone = rig.pose.bones[name]
    for frame, share in ((1, 0), (16, 1)):
        bone.location = (x * share, up * share, 0)
        bone.keyframe_insert("location", frame=frame)


def deform(one, rig, groups):
    """An Armature modifier; the groups are named as bones, or all vertices go with the one bone."""
    for group in groups:
        one.vertex_groups.new(name=group).add(range(len(one.data.vertices)), 1.0, "REPLACE")
    one.modifiers.new("Armature", "ARMATURE").object = rig


def dressed_scene():
    """A sheet with two pin groups that bones move, over a cube that another bone lifts."""
    rig, body, shirt = armature(["left", "right", "body"]), cube(), sheet()
    move_bone(rig, "left", x=0.04, up=0.05)
    move_bone(rig, "right", x=-0.04, up=0.03)
    move_bone(rig, "body", x=0.02, up=0.22)
    deform(body, rig, ["body"])
    deform(shirt, rig, [])
    body.weft.collider = True
    shirt.weft.cloth = True
    shirt.weft.fabric = "silk"
    for group in ("left", "right"):
        shirt.weft.pins.add().group = group
    return shirt, body


def arrays(one, frame):
    """World vertices, y up, and triangles of an object as Blender shows it in a frame."""
    bpy.context.scene.frame_set(frame)
    evaluated = one.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    mesh.calc_loop_triangles()
    points = np.array([evaluated.matrix_world @ v.co for v in mesh.vertices], dtype=np.float32)
    triangles = np.array([t.vertices[:] for t in mesh.loop_triangles], dtype=np.int32)
    evaluated.to_mesh_clear()
    return points[:, [0, 2, 1]] * np.float32([1, 1, -1]), triangles


def z_up(points):
    return points[..., [0, 2, 1]] * np.float32([1, -1, 1])


def told(operator):
    """The words with which an operator refuses."""
    try:
        operator()
    except RuntimeError as fault:
        return str(fault)
    raise AssertionError("was not refused")


def state_of_file():
    """What a refused run must leave as it was."""
    return [(o.name, [(m.name, m.type, m.show_viewport) for m in o.modifiers]) for o in bpy.data.objects] + [
        bpy.context.scene.frame_current]


def modal_operator():
    """Simulate as a window runs it, with a context whose window does nothing."""
    kind = panel.WEFT_OT_simulate
    operator = types.SimpleNamespace(report=lambda *words: None)
    for name in ("begin", "invoke", "work", "modal", "end"):
        setattr(operator, name, types.MethodType(getattr(kind, name), operator))
    nothing = lambda *args, **named: None
    manager = types.SimpleNamespace(progress_begin=nothing, progress_update=nothing, progress_end=nothing,
                                    event_timer_add=nothing, event_timer_remove=nothing,
                                    modal_handler_add=nothing)
    context = types.SimpleNamespace(
        scene=bpy.context.scene, view_layer=bpy.context.view_layer, window_manager=manager, window=None,
        workspace=types.SimpleNamespace(status_text_set=nothing),
        screen=types.SimpleNamespace(is_animation_playing=False),
        evaluated_depsgraph_get=bpy.context.evaluated_depsgraph_get)
    return operator, context


@unittest.skipIf(bpy is None, "bpy is not installed")
class AddOn(unittest.TestCase):
    def setUp(self):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        weft.blender.register()
        self.addCleanup(weft.blender.unregister)
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        scene = bpy.context.scene
        scene.frame_start, scene.frame_end = 1, LAST
        scene.render.fps = 24
        scene.weft.device = "cpu"
        scene.weft.folder = os.path.join(self.folder, "cache")
        scene.weft.baked = os.path.join(self.folder, "baked")

    def frames(self, one):
        return cache.read_pc2(cache.cache_path(one))

    def direct_run(self, shirt, body):
        """The same scene of arrays that this test makes by itself; returns the simulation after all frames
        and the states at Blender's frames, and Weft's own export of every step."""
        shirts = [arrays(shirt, f) for f in range(1, LAST + 1)]
        bodies = [arrays(body, f) for f in range(1, LAST + 1)]
        scene = weft.Scene()
        scene.set("step.dt", 1 / 96)
        scene.set("contact.ground", False)
        scene.add_cloth("shirt", *shirts[0], fabric="silk")
        scene.add_body("body", *bodies[0], frames=np.stack([b[0] for b in bodies]), fps=24)
        for vertex in [*range(12), *range(132, 144)]:
            path = np.stack([s[0][vertex] for s in shirts]).astype(float)
            scene.add_pin("shirt", np.array([vertex]), keys=[(f / 24, tuple(p - path[0]), (0, 0, 0))
                                                             for f, p in enumerate(path)])
        sim = scene.start(device="cpu", threads=1)
        states = [sim.positions.copy()]
        with sim.record(os.path.join(self.folder, "own.pc2")):
            for _ in range(1, LAST):
                sim.step(4)
                states.append(sim.positions.copy())
                self.assertTrue(sim.check())
        return sim, np.stack(states), cache.read_pc2(os.path.join(self.folder, "own_shirt.pc2"))

    def test_simulated_frames_are_those_of_the_module_and_of_its_export(self):
        shirt, body = dressed_scene()
        animated = np.stack([arrays(shirt, f)[0] for f in range(1, LAST + 1)])
        sim, states, own = self.direct_run(shirt, body)
        self.assertEqual(bpy.ops.weft.simulate(), {"FINISHED"})
        made = self.frames(shirt)
        self.assertEqual(made.shape, (LAST, 144, 3))
        np.testing.assert_array_equal(made, z_up(states))
        np.testing.assert_array_equal(made, z_up(own[::4]))
        pinned = [*range(12), *range(132, 144)]
        np.testing.assert_allclose(made[:, pinned], z_up(animated[:, pinned]), atol=1e-6)
        self.assertGreater(np.ptp(animated[:, 0, 1]), 0.04)
        self.assertLess(made[-1, 72, 2], made[-1, 0, 2] - 0.01)  # weight 0.4: hangs
        for frame in range(1, LAST + 1):  # what Blender shows is what was simulated
            np.testing.assert_allclose(arrays(shirt, frame)[0], states[frame - 1], atol=1e-6)
        above = np.abs(made[-1, :, :2] - (0.02, 0)).max(axis=1) < 0.08
        self.assertGreater(above.sum(), 10)
        gap = made[-1, above, 2].min() - arrays(body, LAST)[0][:, 1].max()
        self.assertGreater(gap, 0)
        self.assertLess(gap, 0.002)  # it lies on the body

    def test_units_and_placed_objects_do_not_change_the_cloth(self):
        shirt, body = dressed_scene()
        bpy.ops.weft.simulate()
        wanted = arrays(shirt, 8)[0]
        bpy.ops.weft.forget()
        self.assertIsNone(shirt.modifiers.get("Weft"))
        bpy.context.scene.unit_settings.scale_length = 0.01
        rig = bpy.data.objects["Rig"]
        for one in (shirt, body):
            one.parent = rig
        rig.scale = (100, 100, 100)
        bpy.ops.weft.simulate()
        np.testing.assert_allclose(arrays(shirt, 8)[0] * 0.01, wanted, atol=2e-4)
        rig.location, rig.rotation_euler = (3, 4, 5), (0, 0, 1.0)
        bpy.ops.weft.simulate()
        turned = np.array([np.cos(1) * wanted[:, 0] + np.sin(1) * wanted[:, 2], wanted[:, 1],
                           np.cos(1) * wanted[:, 2] - np.sin(1) * wanted[:, 0]]).T + (0.03, 0.05, -0.04)
        pinned = [*range(12), *range(132, 144)]
        np.testing.assert_allclose(arrays(shirt, 8)[0][pinned] * 0.01, turned[pinned], atol=1e-5)
        points, triangles = arrays(shirt, 8)
        corners = points[triangles] * 0.01
        area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
        self.assertAlmostEqual(area.sum() / 2 / 0.16, 1, delta=0.2)

    def test_cancelling_leaves_a_cache_that_plays(self):
        shirt, _ = dressed_scene()
        bpy.ops.weft.simulate()
        whole = self.frames(shirt)
        bpy.ops.weft.forget()
        operator, context = modal_operator()
        seen = []
        self.assertEqual(operator.invoke(context, None), {"RUNNING_MODAL"})
        for _ in range(2000):
            if len(seen) == 6:
                break
            operator.thread.join()
            self.assertEqual(operator.modal(context, types.SimpleNamespace(type="TIMER")), {"PASS_THROUGH"})
            seen.append(len(self.frames(shirt)))
        self.assertFalse(bpy.ops.weft.simulate.poll())
        self.assertEqual(operator.modal(context, types.SimpleNamespace(type="ESC")), {"CANCELLED"})
        self.assertEqual(seen, [2, 3, 4, 5, 6, 7])  # it grew while it was read
        np.testing.assert_array_equal(self.frames(shirt), whole[:7])
        for frame, shown in ((1, 0), (7, 6), (LAST, 6)):
            np.testing.assert_allclose(z_up(arrays(shirt, frame)[0]), whole[shown], atol=1e-6)
        bpy.ops.weft.simulate()
        np.testing.assert_array_equal(self.frames(shirt), whole)

    def test_choices_that_cannot_be_are_told_and_change_nothing(self):
        shirt, body = dressed_scene()
        def copies():
            array = shirt.modifiers.new("Array", "ARRAY")
            for frame, array.count in ((6, 1), (9, 3)):
                array.keyframe_insert("count", frame=frame)

        def loose():
            shirt.data.vertices.add(1)
            shirt.data.update()

        def edit():
            bpy.context.view_layer.objects.active = shirt
            bpy.ops.object.mode_set(mode="EDIT")

        bent = lambda: shirt.modifiers.new("Subdivision", "SUBSURF")
        empty = lambda: mesh_object("Points", [(0, 0, 1)], [])
        wrong = [
            ("'Points' has no faces", lambda: setattr(empty().weft, "cloth", True)),
            ("'Shirt' has 144 vertices in its first frame and", copies),
            ("is cloth and collider at once", lambda: setattr(body.weft, "cloth", True)),
            ("'Body' has a negative or zero scale in frame", lambda: setattr(body, "scale", (1, 1, -1))),
            ("'Shirt' has a negative or zero scale", lambda: setattr(shirt, "scale", (-1, 1, 1))),
            ("no vertex group 'collar'", lambda: setattr(shirt.weft.pins[0], "group", "collar")),
            ("follow the cloth itself", lambda: setattr(shirt.weft.pins[0], "follows", shirt)),
            ("no vertex of 'Shirt' has a weight above 0.5",
             lambda: shirt.vertex_groups["left"].add(range(144), 0.5, "REPLACE")),
            ("belong to no face", loose),
            ("other vertices for renders", bent),
            ("'Body' is hidden", lambda: body.hide_set(True)),
            ("'Shirt' is being edited", edit),
            ("'Rig' is no mesh", lambda: setattr(bpy.data.objects["Rig"].weft, "collider", True)),
            ("nothing to simulate from frame 1 to 1", lambda: setattr(bpy.context.scene, "frame_end", 1)),
            ("no object is a cloth", lambda: setattr(shirt.weft, "cloth", False)),
        ]
        path = os.path.join(self.folder, "scene.blend")
        bpy.ops.wm.save_as_mainfile(filepath=path)
        for words, change in wrong:
            with self.subTest(words):
                bpy.ops.wm.open_mainfile(filepath=path)
                shirt, body = bpy.data.objects["Shirt"], bpy.data.objects["Body"]
                change()
                bpy.context.scene.frame_set(5)
                before = state_of_file()
                for operator in (bpy.ops.weft.simulate, bpy.ops.weft.live):
                    self.assertIn(words, told(operator).replace("from frame 5", "from frame 1"))
                    self.assertEqual(state_of_file(), before)
                    self.assertFalse(os.path.exists(os.path.join(self.folder, "cache")))
        bpy.ops.wm.open_mainfile(filepath=path)
        self.assertIn("press Simulate first", told(bpy.ops.weft.bake))

    def test_live_follows_what_is_dragged_and_starts_anew_with_the_playback(self):
        scene, shirt, body = bpy.context.scene, sheet(), cube()
        empty = bpy.data.objects.new("Hand", None)
        scene.collection.objects.link(empty)
        shirt.weft.cloth = body.weft.collider = True
        for group, follows in (("left", empty), ("right", None)):
            pin = shirt.weft.pins.add()
            pin.group, pin.follows = group, follows
        body.location = (0, 0, -0.4)
        bpy.context.view_layer.update()
        scene.frame_set(1)
        self.assertEqual(bpy.ops.weft.live(), {"FINISHED"})
        for frame in range(2, 13):
            empty.location = (0, 0.006 * (frame - 1), 0.004 * (frame - 1))
            body.rotation_euler = (0, 0, 0.03 * (frame - 1))
            body.location = (0.02 * (frame - 1) / 11, 0, -0.4)
            bpy.context.view_layer.update()
            scene.frame_set(frame)
        live = panel._live.run
        made = self.frames(shirt)
        self.assertEqual(len(made), 12)
        np.testing.assert_allclose(live.sim.body_vertices("collider_Body"), arrays(body, 12)[0], atol=1e-5)
        start = np.array([v.co for v in shirt.data.vertices])
        np.testing.assert_allclose(made[-1, :12], start[:12] + (0, 0.066, 0.044), atol=1e-5)
        np.testing.assert_allclose(made[-1, 132:], start[132:], atol=1e-6)
        np.testing.assert_allclose(z_up(arrays(shirt, 12)[0]), made[-1], atol=1e-6)
        self.assertTrue(live.sim.check())
        scene.frame_set(1)
        self.assertEqual(len(self.frames(shirt)), 1)
        scene.frame_set(3)
        self.assertEqual(len(self.frames(shirt)), 3)
        bpy.ops.weft.live()
        scene.frame_set(9)
        self.assertEqual(len(self.frames(shirt)), 3)

    def test_pins_follow_an_animated_object(self):
        scene, shirt = bpy.context.scene, sheet(n=6)
        empty = bpy.data.objects.new("Hand", None)
        scene.collection.objects.link(empty)
        empty.location = (-0.2, 0, 0.3)
        for frame, turn in ((1, 0.0), (LAST, 0.5)):
            empty.rotation_euler = (turn, 0, 0)
            empty.keyframe_insert("rotation_euler", frame=frame)
        shirt.weft.cloth = True
        pin = shirt.weft.pins.add()
        pin.group, pin.follows = "left", empty
        start = np.array([v.co for v in shirt.data.vertices])[:6] - empty.location
        turn = np.array([[1, 0, 0], [0, np.cos(0.5), -np.sin(0.5)], [0, np.sin(0.5), np.cos(0.5)]])
        wanted = start @ turn.T + empty.location
        bpy.ops.weft.simulate()
        np.testing.assert_allclose(self.frames(shirt)[-1, :6], wanted, atol=1e-5)
        bpy.ops.weft.forget()
        scene.frame_set(1)
        bpy.ops.weft.live()
        for frame in range(2, LAST + 1):
            scene.frame_set(frame)
        np.testing.assert_allclose(self.frames(shirt)[-1, :6], wanted, atol=1e-5)

    def test_frames_are_baked_to_files_that_play_instead_of_the_cache(self):
        bpy.context.scene.frame_end = 6
        shirt, _ = dressed_scene()
        other = sheet("Second one", n=5, height=0.6)
        other.weft.cloth = True
        bpy.ops.weft.simulate()
        other.modifiers.new("Later", "SOLIDIFY").thickness = 1e-5
        bpy.ops.weft.simulate()  # what comes after Weft is not simulated
        whole = [self.frames(one) for one in (shirt, other)]
        for kind, count in (("PC2", 2), ("USD", 4)):
            bpy.context.scene.weft.format = kind
            with self.subTest(kind):
                self.assertEqual(bpy.ops.weft.bake(), {"FINISHED"})
                self.assertEqual(len(os.listdir(bpy.context.scene.weft.baked)), count)
                self.assertEqual([m.name for m in other.modifiers], ["Weft", "Later"])
                shutil.rmtree(bpy.context.scene.weft.folder, ignore_errors=True)
                for frame in (1, 3, 6):
                    np.testing.assert_allclose(z_up(arrays(shirt, frame)[0]), whole[0][frame - 1], atol=1e-6)
                    shown = z_up(arrays(other, frame)[0])[:25]
                    np.testing.assert_allclose(shown, whole[1][frame - 1], atol=2e-5)
        bpy.ops.weft.forget()
        self.assertEqual(len(os.listdir(bpy.context.scene.weft.baked)), 4)
        self.assertEqual([m.name for m in other.modifiers], ["Later"])

    def test_friction_fabric_and_gravity_are_those_that_were_chosen(self):
        shirt, body = dressed_scene()
        for one, friction in ((shirt, 0.7), (body, 0.2)):
            one.weft.use_friction, one.weft.friction = True, friction
        bpy.context.scene.use_gravity = False
        setup = scene_of.read_setup(bpy.context)
        scene = scene_of.make_scene(weft, setup)
        self.assertAlmostEqual(scene.get("cloth_Shirt.friction"), 0.7, places=6)
        self.assertEqual(setup.bodies[0].friction, np.float32(0.2))
        self.assertEqual(scene.get("forces.gravity"), (0, 0, 0))
        folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "assets", "fabrics")
        self.assertEqual(sorted(panel.FABRICS),
                         sorted(n[:-5] for n in os.listdir(folder) if n.endswith(".toml")))

    def paint(self, one, name, values, kind="FLOAT_COLOR", domain="POINT"):
        """A colour attribute, grey, of vertices or of corners."""
        attribute = one.data.color_attributes.new(name, kind, domain)
        if domain == "CORNER":
            values = [values[loop.vertex_index] for loop in one.data.loops]
        for place, value in zip(attribute.data, values):
            place.color = (value, value, value, 1)

    def add_map(self, one, parameter, source, start=0.0, end=1.0):
        made = one.weft.maps.add()
        made.parameter, made.source, made.start, made.end = parameter, source, start, end

    def test_groups_and_colours_are_maps_of_the_fabric(self):
        bpy.context.scene.frame_end = 6
        shirt, _ = dressed_scene()
        ramp = np.linspace(0, 1, 144)
        self.paint(shirt, "Soft", ramp)
        self.paint(shirt, "Rough", ramp, domain="CORNER")
        group = shirt.vertex_groups.new(name="heavy")
        for vertex in range(72):
            group.add([vertex], vertex / 71, "REPLACE")
        self.add_map(shirt, "stretch_stiffness", "Soft", 1, 3)
        self.add_map(shirt, "friction", "Rough", 0.5, 1.5)
        self.add_map(shirt, "areal_density", "heavy", 1, 2)
        setup = scene_of.read_setup(bpy.context)
        maps = setup.cloths[0].maps
        np.testing.assert_allclose(maps["stretch_stiffness"][0], ramp, atol=1e-6)
        self.assertEqual(maps["stretch_stiffness"][1:], (1, 3))
        np.testing.assert_allclose(maps["friction"][0], ramp, atol=1e-6)
        weights = [*(np.arange(72) / 71), *([0.0] * 72)]
        np.testing.assert_allclose(maps["areal_density"][0], weights, atol=1e-6)
        self.assertEqual(bpy.ops.weft.simulate(), {"FINISHED"})
        painted = self.frames(shirt)
        scene = weft.Scene()
        scene.set("step.dt", 1 / 96)
        scene.set("contact.ground", False)
        cloth, body = setup.cloths[0], setup.bodies[0]
        scene.add_cloth("cloth_Shirt", cloth.frames[0], cloth.triangles, fabric="silk",
                        maps={"stretch_stiffness": ramp.astype(np.float32) * 2 + 1,
                              "friction": ramp.astype(np.float32) + 0.5,
                              "areal_density": maps["areal_density"][0] + 1})
        scene.add_body(body.name, body.frames[0], body.triangles, frames=body.frames, fps=24)
        for pins in cloth.pins:
            scene_of.add_pins(scene, setup, cloth, pins)
        sim = scene.start(device="cpu")
        sim.step(20)
        np.testing.assert_allclose(z_up(painted[5:6])[0], z_up(z_up(sim.positions[None]))[0], atol=2e-5)
        shirt.weft.maps.clear()
        bpy.ops.weft.simulate()
        self.assertGreater(np.abs(self.frames(shirt) - painted).max(), 1e-4)
        wrong = (("no vertex group or colour attribute 'collar'", "friction", "collar"),
                 ("no vertex group or colour attribute ''", "friction", ""),
                 ("two maps of areal density", "areal_density", "heavy"))
        for words, parameter, source in wrong:
            with self.subTest(words):
                shirt.weft.maps.clear()
                self.add_map(shirt, "areal_density", "heavy", 1, 2)
                self.add_map(shirt, parameter, source)
                self.assertIn(words, told(bpy.ops.weft.simulate))

    def test_the_uv_map_goes_along_and_comes_back_in_exports(self):
        bpy.context.scene.frame_end = 3
        shirt = sheet(n=4)
        shirt.weft.cloth = True
        layer = shirt.data.uv_layers.new(name="Cut")
        for loop, place in zip(shirt.data.loops, layer.uv):
            x, y, _ = shirt.data.vertices[loop.vertex_index].co
            place.vector = (0.5 + x, 0.25 + 2 * y)
        start = scene_of.read_setup(bpy.context)
        sim = scene_of.make_scene(weft, start).start(device="cpu")
        path = os.path.join(self.folder, "own.obj")
        sim.export(path)
        with open(path) as file:
            written = np.array([line.split()[1:3] for line in file if line.startswith("vt ")], dtype=float)
        corners = np.array([v.co[:2] for v in shirt.data.vertices])
        np.testing.assert_allclose(written, corners * (1, 2) + (0.5, 0.25), atol=1e-5)
        bpy.ops.weft.simulate()
        bpy.context.scene.weft.format = "USD"
        bpy.ops.weft.bake()
        baked = os.path.join(bpy.context.scene.weft.baked, "Shirt.usda")
        with open(baked) as file:
            text = file.read()
        self.assertIn("texCoord2f[] primvars:st = [(0.3, -0.15)", text)
        self.assertIn('interpolation = "faceVarying"', text)
        layer.uv[0].vector = (0.9, 0.9)  # a seam: kept at corners
        seam = scene_of.make_scene(weft, scene_of.read_setup(bpy.context)).start(device="cpu")
        seam.export(path)
        with open(path) as file:
            self.assertIn("vt 0.9 0.9\n", file.read())

    def test_cloth_that_crosses_a_body_at_the_start_is_told(self):
        shirt, body = dressed_scene()
        recorded = run.Recorded(bpy.context)
        recorded.close()
        self.assertEqual(recorded.run.warnings(), [])
        body.location = (0, 0, 0.27)
        recorded = run.Recorded(bpy.context)
        recorded.close()
        self.assertRegex(recorded.run.warnings()[-1], r"crosses itself or a collider in frame 1 \(\d+ pairs")

    def test_the_panel_shows_properties_and_operators_that_exist(self):
        shirt, _ = dressed_scene()
        shirt.weft.use_friction = True
        shirt.weft.maps.add()
        shown = []

        class Layout(types.SimpleNamespace):
            def box(self, **named):
                return Layout()

            row = box

            def prop(self, data, name, **named):
                shown.append(data.bl_rna.properties[name].identifier)

            def prop_search(self, data, name, source, of, **named):
                self.prop(data, name)
                self.prop(source, of)

            def operator(self, name, **named):
                shown.append(getattr(bpy.ops.weft, name.split(".")[1]).get_rna_type().identifier)
                return types.SimpleNamespace()

            def label(self, **named):
                shown.append(named["text"])

        fake = types.SimpleNamespace(layout=Layout())
        fake.draw_object = types.MethodType(panel.WEFT_PT_panel.draw_object, fake)
        panel.WEFT_PT_panel.draw(fake, types.SimpleNamespace(object=shirt, scene=bpy.context.scene))
        groups = (shirt.weft, bpy.context.scene.weft, shirt.weft.pins[0], shirt.weft.maps[0])
        wanted = {p.identifier for group in groups
                  for p in group.bl_rna.properties} - {"rna_type", "name", "pins", "maps"}
        self.assertEqual(wanted - set(shown), set())
        self.assertEqual({c.__name__ for c in panel.CLASSES if c.__name__.startswith("WEFT_OT")} - set(shown),
                         set())
        bpy.context.view_layer.objects.active = shirt
        shirt.vertex_groups.active_index = 1
        bpy.ops.weft.pin_remove(index=0)
        self.assertEqual([p.group for p in shirt.weft.pins], ["right"])
        bpy.ops.weft.pin_add()
        self.assertEqual([p.group for p in shirt.weft.pins], ["right", "right"])
        bpy.ops.weft.map_remove(index=0)
        self.assertEqual(len(shirt.weft.maps), 0)
        for _ in range(2):
            bpy.ops.weft.map_add()
        self.assertEqual([(m.parameter, m.source) for m in shirt.weft.maps],
                         [("stretch_stiffness", "right"), ("bending_rigidity", "right")])

    def test_the_zip_is_installed_as_an_add_on(self):
        path = os.path.join(self.folder, "weft_blender.zip")
        subprocess.run([sys.executable, "-m", "weft.blender", path], check=True)
        script = ("import bpy, sys; bpy.ops.preferences.addon_install(filepath=sys.argv[1]);"
                  "bpy.ops.preferences.addon_enable(module='weft_blender');"
                  "print('steps', bpy.context.scene.weft.steps, sys.modules['weft_blender'].__file__);"
                  "bpy.ops.preferences.addon_disable(module='weft_blender');"
                  "print('left', hasattr(bpy.types.Scene, 'weft'))")
        done = subprocess.run([sys.executable, "-c", script, path], capture_output=True, text=True,
                              check=False, env={**os.environ, "BLENDER_USER_RESOURCES": self.folder,
                                                "BLENDER_USER_SCRIPTS": self.folder})
        self.assertIn("steps 4 " + self.folder, done.stdout, done.stderr)
        self.assertIn("left False", done.stdout)


if __name__ == "__main__":
    unittest.main()
