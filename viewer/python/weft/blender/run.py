"""A run: frame after frame of a Setup, written to the caches; for Live with what is dragged."""

import math

import numpy as np

from . import cache, scene_of


def weft_module():
    """The module weft. Raises Refusal with what to do where Blender's Python has none."""
    try:
        import weft
    except ImportError as fault:
        import sys
        raise scene_of.Refusal("Blender's Python has no module weft that it can load: install the wheel with "
                               f"'{sys.executable} -m pip install WHEEL' ({fault})") from fault
    return weft


class Run:
    """Simulates a Setup. Only `advance` may be called from another thread; it uses nothing of Blender."""

    def __init__(self, setup):
        self.setup = setup
        self.scene = scene_of.make_scene(weft_module(), setup)
        self.begin()

    def begin(self):
        """Back to the first frame."""
        self.sim = self.scene.start(device=self.setup.device)
        self.frame = self.setup.first
        self.moved = set()  # names of bodies that were moved
        parts = {part["name"]: part["vertices"] for part in self.sim.parts}
        self.slices = [parts[cloth.name] for cloth in self.setup.cloths]

    def warnings(self):
        """What is odd about the start, in words."""
        words = list(self.sim.notices)
        crossings = len(self.sim.check().crossings)
        if crossings:
            words.append(f"cloth crosses itself or a collider in frame {self.frame} ({crossings} pairs of "
                         "triangles): begin with a shape that keeps clear")
        return words

    def advance(self):
        """One frame on."""
        self.sim.step(self.setup.steps)
        self.frame += 1

    def done(self):
        """True at the last frame."""
        return self.frame >= self.setup.last

    def points(self):
        """(n, 3) float32 of each cloth in the axes of its object at this frame."""
        at, unit = self.frame - self.setup.first, self.setup.unit
        return [scene_of.to_object(self.sim.positions[s], cloth.matrices[at], unit)
                for s, cloth in zip(self.slices, self.setup.cloths)]

    def follow(self, objects):
        """Live: takes bodies and followed pins to where their Blender objects are now.

        objects: bpy.data.objects. What is animated has its frames already.
        """
        for body in self.setup.bodies:
            if body.still() and body.object_name in objects:
                self.move_body(body, np.array(objects[body.object_name].matrix_world, dtype=np.float64))
        for cloth in self.setup.cloths:
            for pins in cloth.pins:
                if pins.follows is None or pins.follows not in objects:
                    continue
                poses = self.setup.followed[pins.follows]
                if (poses == poses[0]).all():
                    move = np.array(objects[pins.follows].matrix_world, dtype=np.float64)
                    self.move_pins(cloth, pins, move)

    def move_body(self, body, matrix):
        """Moves a body rigidly by what its object moved since the first frame."""
        move = matrix @ np.linalg.inv(body.matrices[0])
        if np.allclose(move, np.eye(4), atol=1e-9) and body.name not in self.moved:
            return
        self.moved.add(body.name)
        u, _, v = np.linalg.svd(move[:3, :3])
        turn = u @ np.diag([1, 1, np.linalg.det(u @ v)]) @ v
        center = body.frames[0].mean(axis=0).astype(np.float64)
        at = np.array([center[0], -center[2], center[1]]) / self.setup.unit
        offset = scene_of.to_weft(move[:3, :3] @ at + move[:3, 3] - at, self.setup.unit)
        self.sim.move_body(body.name, offset=offset.tolist(), center=center.tolist(),
                           rotation=degrees(scene_of.rotation_to_weft(turn)))

    def move_pins(self, cloth, pins, matrix):
        """Takes pins to where the object that they follow, which has this matrix, has them."""
        move = matrix @ np.linalg.inv(self.setup.followed[pins.follows][0])
        start = scene_of.to_object(cloth.frames[0][pins.vertices], np.eye(4), self.setup.unit)
        places = scene_of.to_weft(start @ move[:3, :3].T + move[:3, 3], self.setup.unit)
        first = self.slices[self.setup.cloths.index(cloth)].start
        for vertex, place in zip(pins.vertices, places):
            self.sim.pin(int(first + vertex), place.tolist())


def degrees(rotation):
    """Of a (3, 3) rotation: about x, then y, then z."""
    y = math.asin(max(-1.0, min(1.0, -rotation[2, 0])))
    if abs(rotation[2, 0]) < 0.999999:
        x, z = math.atan2(rotation[2, 1], rotation[2, 2]), math.atan2(rotation[1, 0], rotation[0, 0])
    else:
        x, z = math.atan2(-rotation[1, 2], rotation[1, 1]), 0.0
    return tuple(math.degrees(angle) for angle in (x, y, z))


class Recorded:
    """A run and the cache of each cloth, which plays while it is written."""

    def __init__(self, context, live=False):
        """Raises Refusal, and weft.Error, before anything of the Blender file is changed."""
        self.scene_name = context.scene.name
        first = context.scene.frame_current if live else None
        self.setup = scene_of.read_setup(context, first)
        self.run = Run(self.setup)
        folder = cache.folder_of(context.scene)
        self.files = [cache.Pc2File(cache.new_path(folder, c.object_name), c.frames.shape[1])
                      for c in self.setup.cloths]
        self.write()
        for cloth, file in zip(self.setup.cloths, self.files):
            cache.play(context.scene.objects[cloth.object_name], file.path, self.setup.first)

    def write(self):
        """Adds the present frame to the caches."""
        for file, points in zip(self.files, self.run.points()):
            file.append(points)

    def advance(self):
        """One frame on, and written."""
        self.run.advance()
        self.write()

    def restart(self):
        """Back to the first frame with empty caches."""
        self.run.begin()
        for file in self.files:
            file.clear()
        self.write()

    def close(self):
        """What was written stays and plays."""
        for file in self.files:
            file.close()
