// Fold lines of panels, in meshes and in files.
#include "sim/garment/folds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/garment/finer.h"
#include "sim/garment/formats/garmentcode.h"
#include "sim/mesh/bending/hinge_weights.h"
#include "sim/mesh/import/seams.h"
#include "tests/garment/patterns.h"
#include "tests/support/text.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// A rectangle of 0.3 x 0.2 m with points at thirds of its longer edges, folded along the lines between them.
Panel pleated(const std::vector<FoldLine>& folds = {{1, 6, 90}, {2, 5, -45}}) {
  Panel p;
  p.name = "front";
  p.loops = {{{.start = {0, 0}},
              {.start = {0.1, 0}},
              {.start = {0.2, 0}},
              {.start = {0.3, 0}},
              {.start = {0.3, 0.2}},
              {.start = {0.2, 0.2}},
              {.start = {0.1, 0.2}},
              {.start = {0, 0.2}}}};
  p.folds = folds;
  return p;
}

/// Length (m, in the material) of edges at rest by angle in degrees, where there is one.
std::map<int, double> folded_lengths(const TriMesh& mesh) {
  const Topology t = build_topology({{"garment", mesh}});
  const RestShape shape(t);
  const std::vector<float> angle = rest_angles(t);
  std::map<int, double> length;
  for (size_t h = 0; h < t.hinges.size(); ++h)
    if (angle[h] != 0)
      length[int(std::lround(glm::degrees(angle[h])))] +=
          double(glm::length(t.rest[size_t(t.hinges[h].y)] - t.rest[size_t(t.hinges[h].x)]));
  return length;
}

bool has_seams(TriMesh mesh) {
  const auto before = mesh.corners.factor;
  stiffen_seams(mesh, 3);
  return mesh.corners.factor != before;
}

}  // namespace

TEST_CASE("fold lines are edges of the mesh with their angles, and no seams") {
  const GarmentMesh g = make_garment(pattern_of({pleated()}), "p");
  CHECK(g.panels.size() == 3);
  CHECK(std::abs(rest_area(g) / 0.06 - 1) < 1e-5);
  CHECK(euler_characteristic(g.mesh) == 1);
  CHECK(edges_by_sheets(g.mesh).rbegin()->first == 2);
  CHECK_FALSE(has_seams(g.mesh));
  const std::map<int, double> length = folded_lengths(g.mesh);
  REQUIRE(length.size() == 2);
  CHECK(std::abs(length.at(90) - 0.2) < 1e-3);
  CHECK(std::abs(length.at(-45) - 0.2) < 1e-3);
  // One piece of material: as large as the panel.
  vec2 low(1e9f), high(-1e9f);
  for (const vec2& x : g.mesh.corners.values) low = glm::min(low, x), high = glm::max(high, x);
  CHECK(glm::length(high - low - vec2(0.2f, 0.3f)) < 1e-6f);
}

TEST_CASE("a garment that is divided more finely keeps its folds") {
  const GarmentMesh g = make_garment(pattern_of({pleated()}), "p");
  const GarmentMesh fine = divided(g, g.mesh.positions, 2);
  const std::map<int, double> length = folded_lengths(fine.mesh);
  REQUIRE(length.size() == 2);
  CHECK(std::abs(length.at(90) - 0.2) < 1e-3);
  CHECK_FALSE(has_seams(fine.mesh));
}

TEST_CASE("seams, darts, buttons and holes of a folded panel stay where they are") {
  Panel front = pleated();
  front.loops.push_back({{.start = {0.13, 0.05}}, {.start = {0.17, 0.05}}, {.start = {0.15, 0.1}}});
  front.darts = {{2, 0.5, 0.02, 0.06}};
  Pattern p = pattern_of({front, rectangle("back", 0.1, 0.2, {0.4, 0, 0})});
  p.seams = {{"side", {{0, 3, 0, 1}, {1, 3, 1, 0}}},
             {"hole", {{0, 8, 0, 1}}, 0.9},
             {"button", {point_side(0, {0.05, 0.15}), point_side(1, {0.05, 0.1})}}};
  const Pattern divided = without_folds(p, "p");
  CHECK(divided.panels.size() == 4);
  const auto panel_of = [&](const SeamSide& s) { return divided.panels[size_t(s.panel)]; };
  // The right edge from (0.3, 0) on, the hole's first edge, and the part with the button.
  CHECK(edge_of(panel_of(divided.seams[0].sides[0]), divided.seams[0].sides[0].edge).start == dvec2(0.3, 0));
  CHECK(edge_of(panel_of(divided.seams[1].sides[0]), divided.seams[1].sides[0].edge).start ==
        dvec2(0.13, 0.05));
  const std::vector<PanelEdge> left = panel_of(divided.seams[2].sides[0]).loops[0];
  CHECK(std::any_of(left.begin(), left.end(), [](const PanelEdge& e) { return e.start == dvec2(0, 0); }));
  const GarmentMesh g = make_garment(p, "p");
  CHECK(std::abs(rest_area(g) / (0.06 - 0.001 - 0.0006 + 0.02) - 1) < 0.01);  // hole, dart, back
  CHECK(folded_lengths(g.mesh).size() == 2);
}

TEST_CASE("fold lines that cross, lie on the outline or fold shut are refused") {
  const auto fault = [](const std::vector<FoldLine>& folds) {
    return garment_fault(pattern_of({pleated(folds)}));
  };
  CHECK(
      contains(fault({{1, 5, 90}, {2, 6, 90}}), "its fold line from point 2 to point 6 crosses another one"));
  CHECK(contains(fault({{1, 6, 90}, {6, 1, 20}}), "crosses another one, or is one"));
  CHECK(contains(fault({{1, 2, 90}}), "lies on the outline"));
  CHECK(contains(fault({{0, 7, 90}}), "lies on the outline"));
  CHECK(contains(fault({{1, 8, 90}}), "and the outline has 8"));
  CHECK(contains(fault({{1, 6, 180}}), "is not between -179 and 179"));
}

TEST_CASE("a seam has an angle where it joins two sheets, and folds and angles come back from a file") {
  Pattern p = pattern_of({pleated(), rectangle("back", 0.1, 0.2, {0.4, 0, 0})});
  p.seams = {{"side", {{0, 3, 0, 1}, {1, 3, 1, 0}}, 1, 120}};
  const GarmentMesh g = make_garment(p, "p");
  CHECK(std::abs(folded_lengths(g.mesh).at(120) - 0.2) < 1e-3);
  const Pattern back = parse_garmentcode(write_garmentcode(p), "p.json");
  CHECK(back.panels[0].folds == p.panels[0].folds);
  CHECK(back.seams[0].angle == 120);
  p.seams[0].sides.pop_back(), p.seams[0].elastic = 0.9;
  CHECK(contains(garment_fault(p), "a seam of 1 sheets has an angle"));
}
