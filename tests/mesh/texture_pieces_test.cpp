#include "sim/mesh/import/texture_pieces.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "sim/garment/formats/pattern_file.h"
#include "sim/garment/garment_mesh.h"
#include "sim/mesh/shapes/shapes.h"
#include "test_paths.h"
#include "tests/garment/patterns.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("the pieces of a sewn garment are its panels") {
  for (const char* name : {"tshirt", "trousers", "gathered_skirt", "dress", "pleated_skirt"}) {
    CAPTURE(std::string(name));
    std::vector<std::string> notices;
    const GarmentMesh g = make_garment(
        read_pattern(std::string(WEFT_TEST_ASSETS) + "/../assets/garments/" + name + ".json", 0, notices),
        name, 0.03);
    CHECK(texture_pieces(g.mesh.triangles, g.mesh.corners) == g.panel_of_triangle);
  }
}

TEST_CASE("the outline of a piece has the length of its panel's outline, whether sewn or not") {
  const Pattern pattern = pattern_of({rectangle("a", 0.3, 0.2), rectangle("b", 0.3, 0.2, dvec3(0, 0, -0.05))},
                                     {{"side", {{0, 1, 0, 1}, {1, 1, 0, 1}}}});
  const GarmentMesh g = make_garment(pattern, "p");
  const std::vector<int> pieces = texture_pieces(g.mesh.triangles, g.mesh.corners);
  for (int p = 0; p < 2; ++p) {
    double length = 0;
    for (const ivec2& e : outline_of_piece(g.mesh.triangles, pieces, p)) {
      const auto of = [&](int v) {
        const auto& list = g.vertex[size_t(p)];
        const auto at = std::find(list.begin(), list.end(), v);
        REQUIRE(at != list.end());
        return g.panels[size_t(p)].points[size_t(at - list.begin())];
      };
      length += glm::length(of(e.x) - of(e.y));
    }
    CHECK(std::abs(length - 1.0) < 1e-6);
  }
}

TEST_CASE("cloth without corner textures is one piece, with its boundary as outline") {
  const TriMesh grid = make_grid({0.2f, 0.1f}, 0.02f, "square");
  const std::vector<int> pieces = texture_pieces(grid.triangles, grid.corners);
  CHECK(std::all_of(pieces.begin(), pieces.end(), [](int p) { return p == 0; }));
  float length = 0;
  for (const ivec2& e : outline_of_piece(grid.triangles, pieces, 0))
    length += glm::length(grid.positions[size_t(e.x)] - grid.positions[size_t(e.y)]);
  CHECK(std::abs(length - 0.6f) < 1e-5f);
}
