"""check_seams.py MESH.obj FILE...: the corners of all triangles have the same places and texture coordinates in each .usda, .glb and .obj as in the mesh."""

import json
import struct
import sys

import numpy


def read_obj(path):
    """(corners x 3 positions, corners x 2 textures), float32; (0, 0) where a corner has none."""
    points, textures, corners = [], [], []
    for line in open(path):
        words = line.split()
        if words and words[0] in ("v", "vt"):
            (points if words[0] == "v" else textures).append([float(w) for w in words[1:]])
        elif words and words[0] == "f":
            assert len(words) == 4
            for word in words[1:]:
                numbers = word.split("/")
                corners.append(
                    (
                        points[int(numbers[0]) - 1],
                        textures[int(numbers[1]) - 1] if len(numbers) > 1 else [0, 0],
                    )
                )
    return numpy.array([c[0] for c in corners], numpy.float32), numpy.array(
        [c[1] for c in corners], numpy.float32
    )


def read_usd(path):
    from pxr import Usd, UsdGeom
    stage = Usd.Stage.Open(path)
    (mesh,) = [UsdGeom.Mesh(p) for p in stage.Traverse() if p.IsA(UsdGeom.Mesh)]
    st = UsdGeom.PrimvarsAPI(mesh).GetPrimvar("st")
    assert st.GetInterpolation() == UsdGeom.Tokens.faceVarying and st.IsIndexed(), st.GetInterpolation()
    points = numpy.array(mesh.GetPointsAttr().Get(stage.GetEndTimeCode()), numpy.float32)
    return points[numpy.array(mesh.GetFaceVertexIndicesAttr().Get())], numpy.array(
        st.ComputeFlattened(Usd.TimeCode.Default()), numpy.float32
    )


def read_glb(path):
    data = open(path, "rb").read()
    size = struct.unpack("<I", data[12:16])[0]
    g, binary = json.loads(data[20:20 + size]), data[28 + size:]
    (mesh,) = g["meshes"]
    (primitive,) = mesh["primitives"]

    def numbers(index, dtype, width):
        accessor = g["accessors"][index]
        begin = g["bufferViews"][accessor["bufferView"]]["byteOffset"]
        count = accessor["count"] * width
        return numpy.frombuffer(binary[begin:begin + 4 * count], dtype).reshape(-1, width)

    attributes = primitive["attributes"]
    points, normals, uv = (
        numbers(attributes[a], "<f4", w) for a, w in (("POSITION", 3), ("NORMAL", 3), ("TEXCOORD_0", 2))
    )
    assert len(points) == len(normals) == len(uv)
    # Copies of a vertex are lit as one.
    for p in numpy.unique(points, axis=0):
        assert numpy.ptp(normals[(points == p).all(axis=1)], axis=0).max() == 0
    corners = numbers(primitive["indices"], "<u4", 1)[:, 0]
    return points[corners], uv[corners] * numpy.array([1, -1], numpy.float32) + numpy.array(
        [0, 1], numpy.float32
    )


read = {"obj": read_obj, "usda": read_usd, "glb": read_glb}
points, textures = read_obj(sys.argv[1])
assert len(numpy.unique(textures, axis=0)) > 1
for path in sys.argv[2:]:
    own_points, own_textures = read[path.rsplit(".", 1)[1]](path)
    assert own_points.shape == points.shape, (path, own_points.shape, points.shape)
    assert numpy.array_equal(own_textures, textures), (path, own_textures, textures)
    assert numpy.array_equal(own_points, points), path
print(f"{len(sys.argv) - 2} files have the texture coordinates of {len(points)} corners")
