// A scene for tests of the picture that needs no simulator: a sheet that hangs in folds beside a ball on a
// table.
#pragma once
#include "sim/mesh/shapes/shapes.h"
#include "sim/run/runner.h"

namespace weft::testing {

struct StillLife {
  SceneView scene;
  Frame frame;
};

/// Area-weighted unit normals.
std::vector<vec3> vertex_normals(const std::vector<vec3>& positions, const std::vector<ivec3>& triangles);

/// `vertices`: about how many the sheet has.
StillLife make_still_life(int vertices);
/// Only a flat square sheet of 1 m, upright, facing +z, its centre 1 m above the floor; no bodies.
StillLife make_flat_sheet(int vertices);

}  // namespace weft::testing
