"""check_solids.py FILE.usda FILE.glb STATES_FOLDER: solids and strands as Pixar's library and a reader of
glTF see them, held against the states of the same run."""

import json
import os
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import numpy
from pxr import Usd, UsdGeom

from states import read_lines, read_states, same_bits

stage = Usd.Stage.Open(sys.argv[1])
groups, states = read_states(sys.argv[3])
lines = read_lines(os.path.join(sys.argv[3], "mesh.obj"))
by_name = {g.name: g for g in groups}
last = max(states)


def rows(name):
    return slice(by_name[name].first, by_name[name].first + by_name[name].count)


# Tetrahedra
cells = UsdGeom.TetMesh(stage.GetPrimAtPath("/run/block_cells"))
assert cells and cells.GetPurposeAttr().Get() == UsdGeom.Tokens.guide
tets = numpy.array(cells.GetTetVertexIndicesAttr().Get())
skin = numpy.array(cells.GetSurfaceFaceVertexIndicesAttr().Get())
assert numpy.array_equal(skin, numpy.array(by_name["block"].triangles))
assert tets.min() == 0 and tets.max() == by_name["block"].count - 1
codes = dict(zip(sorted(states), cells.GetPointsAttr().GetTimeSamples(), strict=True))
assert codes[last] < last and numpy.allclose(list(codes.values()), numpy.linspace(0, codes[last], len(codes)))
for step, state in states.items():
    assert same_bits(numpy.array(cells.GetPointsAttr().Get(codes[step])), state[rows("block")]), step
points = states[last][rows("block")].astype(float)[tets]
volumes = numpy.linalg.det(points[:, 1:] - points[:, :1]) / 6
assert volumes.min() > 0  # the orientation that the schema asks for
# The library's own surface of the tetrahedra has as many faces as the simulated skin, and the same points.
own = numpy.array(UsdGeom.TetMesh.ComputeSurfaceFaces(cells, Usd.TimeCode(codes[last])))
assert sorted(map(sorted, own.tolist())) == sorted(map(sorted, skin.tolist()))
assert UsdGeom.Mesh(stage.GetPrimAtPath("/run/block"))

# Curves
counted = 0
for name, closed in (("hair", False), ("links", True)):
    curves = UsdGeom.BasisCurves(stage.GetPrimAtPath("/run/" + name))
    assert curves.GetTypeAttr().Get() == UsdGeom.Tokens.linear
    assert (curves.GetWrapAttr().Get() == UsdGeom.Tokens.periodic) == closed
    assert [round(w, 6) for w in curves.GetWidthsAttr().Get()] == [0.004]
    counts = list(curves.GetCurveVertexCountsAttr().Get())
    assert sum(counts) == by_name[name].count
    assert [len(line) - (1 if closed else 0) for line in lines[name]] == counts
    at = 0
    for count, line in zip(counts, lines[name]):
        assert line == list(range(at, at + count)) + ([at] if closed else []), line
        at += count
    for step, state in states.items():
        drawn = numpy.array(curves.GetPointsAttr().Get(codes[step]))
        assert same_bits(drawn, state[rows(name)]), (name, step)
    counted += len(counts)

# Grains
grains = UsdGeom.Points(stage.GetPrimAtPath("/run/sand"))
assert [round(w, 6) for w in grains.GetWidthsAttr().Get()] == [0.02]
for step, state in states.items():
    assert same_bits(numpy.array(grains.GetPointsAttr().Get(codes[step])), state[rows("sand")]), step

# A rigid body: a mesh whose points rest, moved by a matrix
die = UsdGeom.Mesh(stage.GetPrimAtPath("/run/die"))
assert die.GetPointsAttr().GetNumTimeSamples() == 0 and die.GetExtentAttr().GetNumTimeSamples() == 0
assert die.GetOrderedXformOps()[0].GetAttr().GetNumTimeSamples() == len(states)
resting = numpy.array(die.GetPointsAttr().Get(), float)
for step, state in states.items():
    matrix = numpy.array(die.ComputeLocalToWorldTransform(codes[step]))
    off = numpy.abs(resting @ matrix[:3, :3] + matrix[3, :3] - state[rows("die")]).max()
    assert off < 4e-7, (step, off)  # two places of floats near 2 m
assert numpy.abs(state[rows("die")] - resting).max() > 1e-3  # it falls
assert not stage.GetPrimAtPath("/run/die_cells")

# glTF
data = open(sys.argv[2], "rb").read()
size = struct.unpack("<I", data[12:16])[0]
g, binary = json.loads(data[20:20 + size]), data[28 + size:]


def read(index, dtype, width):
    accessor = g["accessors"][index]
    view = g["bufferViews"][accessor["bufferView"]]
    begin = view.get("byteOffset", 0)
    return numpy.frombuffer(
        binary[begin:begin + accessor["count"] * width * 4], dtype
    ).reshape(-1, width)


for mesh in g["meshes"]:
    (primitive,) = mesh["primitives"]
    mode = 1 if mesh["name"] in lines else 0 if mesh["name"] == "sand" else 4
    assert primitive["mode"] == mode, mesh["name"]
    assert same_bits(read(primitive["attributes"]["POSITION"], "<f4", 3), states[last][rows(mesh["name"])])
    if mesh["name"] in lines:
        pairs = [[a, b] for line in lines[mesh["name"]] for a, b in zip(line, line[1:])]
        assert read(primitive["indices"], "<u4", 1).reshape(-1, 2).tolist() == pairs
print(f"{len(tets)} cells and {counted} strands of {len(states)} frames are as simulated")
