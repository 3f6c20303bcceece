// A cloth that lies just above a table, as two sound meshes.
#pragma once
#include "sim/mesh/shapes/shapes.h"
#include "tests/support/poisson.h"

namespace weft::testing {

/// Metres. The cloth is irregular, lies 0.4 mm above the table's top (y = 0.7 m) and hangs over it by 0.1 m
/// all around; the table is a closed box.
struct Tablecloth {
  TriMesh cloth = make_poisson_rectangle({1, 0.8f}, 0.02f, 5);
  TriMesh table = make_box({0.8f, 0.05f, 0.6f});
  Tablecloth() {
    for (vec3& p : cloth.positions) p = {p.x, 0.7004f, -p.y};
    for (vec3& p : table.positions) p.y += 0.675f;
  }
};

}  // namespace weft::testing
