// Worn garments at other edge lengths.
#include "sim/garment/finer.h"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/garment/patterns.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("a finer mesh of a pattern lies on the surface of the worn one, with its material points") {
  Panel left = rectangle("left", 0.2, 0.3), right = rectangle("right", 0.1, 0.3, {0.2, 0, 0});
  const Pattern pattern = pattern_of({left, right}, {{"middle", {{0, 1, 0, 1}, {1, 3, 1, 0}}}}, 0.04);
  const GarmentMesh worn = make_garment(pattern, "p"), fine = make_garment(pattern, "p", 0.01);
  std::vector<vec3> moved;  // an affine motion is kept exactly
  const auto motion = [](const vec3& p) { return vec3(0.3f + 2 * p.x, p.y - 0.5f * p.x, 0.1f * p.y + p.x); };
  for (const vec3& p : worn.mesh.positions) moved.push_back(motion(p));
  const std::vector<vec3> got = resampled(fine, worn, moved);
  REQUIRE(got.size() == fine.mesh.positions.size());
  CHECK(got.size() > 10 * moved.size());
  for (size_t v = 0; v < got.size(); ++v) CHECK(glm::length(got[v] - motion(fine.mesh.positions[v])) < 1e-6f);
  CHECK(fault_of([&] { resampled(fine, make_garment(pattern_of({left}), "q"), moved); }) != "");
}
