"""check_usda.py FILE.usda STATES_FOLDER: reads the file with Pixar's library and compares every sample with the states of the same run."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import numpy
from pxr import Usd, UsdGeom, UsdShade

from states import read_states, same_bits

stage = Usd.Stage.Open(sys.argv[1])
groups, states = read_states(sys.argv[2])
rate = stage.GetTimeCodesPerSecond()
assert UsdGeom.GetStageMetersPerUnit(stage) == 1.0
assert UsdGeom.GetStageUpAxis(stage) == UsdGeom.Tokens.y
assert rate == 24.0 and stage.GetFramesPerSecond() == 24.0, rate
assert stage.GetDefaultPrim().GetPath() == "/run"
steps = sorted(states)
codes = {s: rate * s * float(numpy.float32(0.01)) for s in steps}  # whatever the rate of states: true speed
near = lambda a, b: numpy.allclose(a, b, rtol=1e-6, atol=1e-12)
assert near(stage.GetStartTimeCode(), codes[steps[0]]) and near(stage.GetEndTimeCode(), codes[steps[-1]])
meshes = [UsdGeom.Mesh(p) for p in stage.Traverse() if p.IsA(UsdGeom.Mesh)]
assert [m.GetPrim().GetName() for m in meshes] == [g.name for g in groups]
compared = 0
for mesh, group in zip(meshes, groups):
    assert mesh.GetSubdivisionSchemeAttr().Get() == UsdGeom.Tokens.none
    material = UsdShade.MaterialBindingAPI(mesh.GetPrim()).ComputeBoundMaterial()[0]
    surface = material.ComputeSurfaceSource()[0]
    assert surface.GetIdAttr().Get() == "UsdPreviewSurface", group.name
    assert surface.GetInput("diffuseColor").Get() is not None, group.name
    assert list(mesh.GetFaceVertexCountsAttr().Get()) == [3] * len(group.triangles)
    assert numpy.array_equal(
        numpy.array(mesh.GetFaceVertexIndicesAttr().Get()).reshape(-1, 3), numpy.array(group.triangles)
    )
    rows = slice(group.first, group.first + group.count)
    moves = any(not same_bits(states[s][rows], states[steps[0]][rows]) for s in steps)
    samples = mesh.GetPointsAttr().GetTimeSamples()
    assert len(samples) == (len(steps) if moves else 0), (group.name, samples)
    assert near(samples, [codes[s] for s in steps] if moves else []), (group.name, samples)
    for step, code in zip(steps, samples or steps):
        points = numpy.array(mesh.GetPointsAttr().Get(code))
        assert same_bits(points, states[step][rows]), (group.name, step)
        extent = numpy.array(mesh.GetExtentAttr().Get(code))
        assert same_bits(extent, numpy.array([points.min(axis=0), points.max(axis=0)])), (
            group.name,
            step,
            extent,
        )
        compared += points.size
    st = UsdGeom.PrimvarsAPI(mesh).GetPrimvar("st")
    if st:
        assert st.GetInterpolation() == UsdGeom.Tokens.vertex and len(st.Get()) == group.count
print(f"{compared} numbers of {len(steps)} frames in {len(meshes)} meshes are equal, bit for bit")
