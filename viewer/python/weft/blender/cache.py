"""Caches of cloth: PC2 files that play while they grow, USD, and the modifiers that play them."""

import os
import re
import struct

import bpy
import numpy as np

from .scene_of import MODIFIER, Refusal

_HEADER = struct.Struct("<12siiffi")  # magic, version, points, first frame, frames per sample, samples
_MAGIC = b"POINTCACHE2\0"


class Pc2File:
    """A PC2 file that can be read after every frame: its number of frames counts whole ones alone."""

    def __init__(self, path, points):
        """Begins an empty file. Raises OSError."""
        self.path, self.points = path, points
        os.makedirs(os.path.dirname(path), exist_ok=True)
        self.file = open(path, "wb")
        self.clear()

    def clear(self):
        """Without frames again."""
        self.frames = 0
        self.file.seek(0)
        self.file.truncate()
        self.file.write(_HEADER.pack(_MAGIC, 1, self.points, 0.0, 1.0, 0))
        self.file.flush()

    def append(self, points):
        """Adds a frame: (n, 3) float32."""
        self.file.seek(0, os.SEEK_END)
        self.file.write(np.ascontiguousarray(points, dtype="<f4").tobytes())
        self.file.flush()
        self.frames += 1
        self.file.seek(_HEADER.size - 4)
        self.file.write(struct.pack("<i", self.frames))
        self.file.flush()

    def close(self):
        """Ends writing; a second call does nothing."""
        self.file.close()


def read_pc2(path):
    """(f, n, 3) float32 of a PC2 file. Raises Refusal for another file."""
    with open(path, "rb") as file:
        head = file.read(_HEADER.size)
        if len(head) < _HEADER.size or not head.startswith(_MAGIC):
            raise Refusal(f"'{path}' is no PC2 file: simulate anew")
        _, _, points, _, _, frames = _HEADER.unpack(head)
        data = np.fromfile(file, dtype="<f4", count=frames * points * 3)
    return data.reshape(frames, points, 3)


def folder_of(scene):
    """Where caches are: the scene's folder, or Blender's temporary one for a file that was never saved."""
    wanted = scene.weft.folder
    if wanted.startswith("//") and not bpy.data.filepath:
        return os.path.join(bpy.app.tempdir, "weft")
    return bpy.path.abspath(wanted)


def new_path(folder, object_name):
    """The path of an object's cache. Names that differ in odd characters alone do not share one."""
    name = re.sub(r"[^A-Za-z0-9_.-]", "_", object_name)
    if name != object_name:
        name += "_" + object_name.encode().hex()[:24]
    return os.path.join(folder, name + ".pc2")


def stored(path):
    """A path as a .blend file keeps it: relative to it where it was saved."""
    return bpy.path.relpath(path) if bpy.data.filepath else path


def modifier_of(one, kind):
    """The modifier that plays the cache, at its place among the others; it is made anew for another kind."""
    old = one.modifiers.get(MODIFIER)
    if old is not None and old.type == kind:
        return old
    at = len(one.modifiers) if old is None else list(one.modifiers).index(old)
    if old is not None:
        one.modifiers.remove(old)
    made = one.modifiers.new(MODIFIER, kind)
    one.modifiers.move(len(one.modifiers) - 1, at)
    return made


def play(one, path, first):
    """Has an object play a PC2 file from this frame on."""
    modifier = modifier_of(one, "MESH_CACHE")
    modifier.cache_format = "PC2"
    modifier.filepath = stored(path)
    modifier.frame_start = first
    modifier.deform_mode = "OVERWRITE"
    modifier.interpolation = "NONE"  # a blend of two states without crossings may cross
    modifier.time_mode = "FRAME"
    modifier.play_mode = "SCENE"
    modifier.forward_axis, modifier.up_axis = "POS_Y", "POS_Z"
    modifier.flip_axis = (False, False, False)
    one.update_tag()


def cache_path(one):
    """The PC2 file that an object plays, or None."""
    modifier = one.modifiers.get(MODIFIER)
    if modifier is None or modifier.type != "MESH_CACHE" or not modifier.filepath:
        return None
    path = bpy.path.abspath(modifier.filepath)
    return path if os.path.isfile(path) else None


def forget(one, folder):
    """Takes an object's cache away. Files that were baked stay."""
    path = cache_path(one)
    modifier = one.modifiers.get(MODIFIER)
    if modifier is not None:
        one.modifiers.remove(modifier)
    if path == new_path(folder, one.name):
        os.remove(path)


def write_usd(path, frames, first, fps, polygons, uv=None):
    """Writes a mesh in the axes of its object, z up. frames: (f, n, 3). polygons: lists of vertices.

    uv: (c, 2) of the corners of the polygons, or None.
    """
    def tuples(points):
        return ", ".join("(%.9g, %.9g, %.9g)" % tuple(p) for p in points.tolist())

    with open(path, "w", encoding="ascii") as file:
        file.write(f'#usda 1.0\n(\n    defaultPrim = "cloth"\n    upAxis = "Z"\n    startTimeCode = {first}\n'
                   f"    endTimeCode = {first + len(frames) - 1}\n    timeCodesPerSecond = {fps:.9g}\n"
                   f"    framesPerSecond = {fps:.9g}\n)\n\n"
                   'def Mesh "cloth"\n{\n    uniform token subdivisionScheme = "none"\n')
        file.write("    int[] faceVertexCounts = [%s]\n" % ", ".join(str(len(p)) for p in polygons))
        file.write("    int[] faceVertexIndices = [%s]\n" % ", ".join(str(v) for p in polygons for v in p))
        if uv is not None:
            places = ", ".join("(%.7g, %.7g)" % tuple(t) for t in uv.tolist())
            file.write(f"    texCoord2f[] primvars:st = [{places}] (\n"
                       '        interpolation = "faceVarying"\n    )\n')
        file.write("    point3f[] points.timeSamples = {\n")
        for number, points in enumerate(frames):
            file.write(f"        {first + number}: [{tuples(points)}],\n")
        file.write("    }\n}\n")


def play_usd(one, path):
    """Has an object play a USD file that write_usd wrote."""
    before = set(bpy.data.cache_files)
    bpy.ops.cachefile.open(filepath=path)
    opened = next(iter(set(bpy.data.cache_files) - before))
    opened.filepath = stored(path)
    modifier = modifier_of(one, "MESH_SEQUENCE_CACHE")
    modifier.cache_file = opened
    modifier.object_path = "/cloth"
    modifier.read_data = {"VERT"}
    modifier.use_vertex_interpolation = False
    one.update_tag()


def bake(one, folder, format, scene, polygons, uv=None):
    """Copies what an object plays to a file in `folder` and has it play that. Raises Refusal and OSError.

    format: PC2 or USD. polygons, uv: of the mesh that the cache moves, as of write_usd. Returns the path.
    """
    source = cache_path(one)
    if source is None:
        raise Refusal(f"'{one.name}' has no simulated frames: press Simulate first")
    frames, first = read_pc2(source), round(one.modifiers[MODIFIER].frame_start)
    os.makedirs(folder, exist_ok=True)
    path = new_path(folder, one.name)
    if format == "USD":
        path = path[:-4] + ".usda"
        write_usd(path, frames, first, scene.render.fps / scene.render.fps_base, polygons, uv)
        play_usd(one, path)
        return path
    if os.path.abspath(path) != os.path.abspath(source):
        file = Pc2File(path, frames.shape[1])
        for points in frames:
            file.append(points)
        file.close()
    play(one, path, first)
    return path
