"""check_gltf.py FILE STATES_FOLDER STEP: reads a .glb or .gltf with json and struct, checks it against the specification's rules and the state."""

import json
import os
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import numpy

from states import read_states, same_bits

path, folder, step = sys.argv[1], sys.argv[2], int(sys.argv[3])
groups, states = read_states(folder)
data = open(path, "rb").read()
if path.endswith(".glb"):
    magic, version, length = struct.unpack("<4sII", data[:12])
    assert magic == b"glTF" and version == 2 and length == len(data), (magic, version, length)
    chunks, at = [], 12
    while at < length:
        size, kind = struct.unpack("<I4s", data[at:at + 8])
        assert size % 4 == 0 and at + 8 + size <= length
        chunks.append((kind, data[at + 8:at + 8 + size]))
        at += 8 + size
    assert [k for k, _ in chunks] == [b"JSON", b"BIN\0"]
    g, binary = json.loads(chunks[0][1]), chunks[1][1]
    assert "uri" not in g["buffers"][0] and 0 <= len(binary) - g["buffers"][0]["byteLength"] < 4
else:
    g = json.loads(data)
    binary = open(os.path.join(os.path.dirname(path), g["buffers"][0]["uri"]), "rb").read()
    assert len(binary) == g["buffers"][0]["byteLength"]
assert g["asset"]["version"] == "2.0"

KINDS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3}
TYPES = {5126: "<f4", 5125: "<u4"}


def read(index):
    accessor = g["accessors"][index]
    view = g["bufferViews"][accessor["bufferView"]]
    dtype, width = numpy.dtype(TYPES[accessor["componentType"]]), KINDS[accessor["type"]]
    size = accessor["count"] * width * dtype.itemsize
    begin = view.get("byteOffset", 0)
    assert (
        begin % dtype.itemsize == 0
        and size <= view["byteLength"]
        and begin + view["byteLength"] <= len(binary)
    )
    values = numpy.frombuffer(binary[begin:begin + size], dtype).reshape(accessor["count"], width)
    if "min" in accessor:
        assert numpy.array_equal(numpy.array(accessor["min"], dtype), values.min(axis=0))
        assert numpy.array_equal(numpy.array(accessor["max"], dtype), values.max(axis=0))
    return values


def normals_of(points, triangles):
    """Area-weighted normals in double precision."""
    p = points.astype(float)
    faces = numpy.cross(p[triangles[:, 1]] - p[triangles[:, 0]], p[triangles[:, 2]] - p[triangles[:, 0]])
    sums = numpy.zeros_like(p)
    for k in range(3):
        numpy.add.at(sums, triangles[:, k], faces)
    return sums / numpy.linalg.norm(sums, axis=1, keepdims=True)


nodes = [g["nodes"][n] for n in g["scenes"][g["scene"]]["nodes"]]
assert [n["name"].replace(" ", "_") for n in nodes] == [group.name for group in groups]  # OBJ knows no spaces
with_uv = 0
for node, group in zip(nodes, groups):
    (primitive,) = g["meshes"][node["mesh"]]["primitives"]
    attributes = primitive["attributes"]
    assert primitive["mode"] == 4 and primitive["material"] < len(g["materials"])
    assert {"min", "max"} <= set(g["accessors"][attributes["POSITION"]])  # the specification demands them
    points, normals = read(attributes["POSITION"]), read(attributes["NORMAL"])
    triangles = read(primitive["indices"]).reshape(-1, 3).astype(int)
    assert same_bits(points, states[step][group.first:group.first + group.count]), group.name
    assert numpy.array_equal(triangles, numpy.array(group.triangles)) and triangles.max() < len(points)
    assert len(normals) == len(points)
    # Single precision's rounding of sums over a handful of faces, whose sum may be a tenth of their parts where the cloth is folded sharply.
    assert numpy.abs(normals - normals_of(points, triangles)).max() < 1e-4
    if "TEXCOORD_0" in attributes:
        with_uv += 1
        uv = read(attributes["TEXCOORD_0"])
        assert len(uv) == len(points) and numpy.isfinite(uv).all() and numpy.ptp(uv, axis=0).min() > 0.1
assert with_uv >= 1
print(f"{len(groups)} meshes of step {step} are as simulated")
