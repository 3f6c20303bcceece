#include "sim/garment/edit_outline.h"

#include <doctest/doctest.h>

#include <cmath>

#include "sim/base/error.h"
#include "sim/garment/edge_curve.h"
#include "sim/garment/formats/garmentcode.h"
#include "sim/garment/placement.h"
#include "sim/scene/text/scene_file.h"
#include "tests/garment/patterns.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// Two rectangles sewn along their sides, the back's against the front's.
Pattern sewn() {
  Pattern p;
  p.panels = {rectangle("left_front", 0.3, 0.5), rectangle("back", 0.3, 0.5)};
  p.seams = {{"side", {{0, 1, 0, 1}, {1, 3, 1, 0}}}, {"top", {{0, 2, 0, 1}, {1, 2, 1, 0}}}};
  return p;
}

}  // namespace

TEST_CASE("a point on a curve leaves its shape and divides its seams where it is") {
  Pattern p = sewn();
  PanelEdge& side = p.panels[0].loops[0][1];
  side.kind = PanelEdge::Kind::cubic;
  side.control[0] = {0.36, 0.1}, side.control[1] = {0.33, 0.4};
  const EdgeCurve before = curve_of(p.panels[0], 1);
  p.panels[0].folds = {{0, 2, 90}};
  add_point(p, 0, 1, 0.4);
  check_pattern(p, "");
  REQUIRE(p.panels[0].edge_count() == 5);
  CHECK(glm::length(edge_of(p.panels[0], 2).start - before.at(0.4)) < 1e-9);
  for (const double share : {0.1, 0.5, 0.9}) {
    CHECK(glm::length(curve_of(p.panels[0], 1).at(share) - before.at(0.4 * share)) < 1e-6);
    CHECK(glm::length(curve_of(p.panels[0], 2).at(share) - before.at(0.4 + 0.6 * share)) < 1e-6);
  }
  REQUIRE(p.seams.size() == 3);
  CHECK(p.seams[0].sides[0].edge == 1);
  CHECK(p.seams[0].sides[1].to == doctest::Approx(0.6));
  CHECK(p.seams[1].sides[0].edge == 2);
  CHECK(p.seams[1].sides[1].from == doctest::Approx(0.6));
  CHECK(p.seams[1].sides[1].to == doctest::Approx(0));
  CHECK(p.seams[2].sides[0].edge == 3);
  CHECK(p.panels[0].folds[0].to == 3);
  CHECK_THROWS_AS(add_point(p, 0, 0, 0.001), Error);
  p.panels[0].darts = {{0, 0.5, 0.02, 0.1}};
  CHECK_THROWS_AS(add_point(p, 0, 0, 0.2), Error);
}

TEST_CASE(
    "a point that is taken away leaves one edge with the shares of both, also at the outline's beginning") {
  for (const int corner : {0, 1, 4}) {
    CAPTURE(corner);
    Pattern p = sewn();
    // a point in the middle of the edge before the corner, so that what is left is the rectangle again
    const int edge = corner == 0 ? 3 : corner - 1;
    Pattern q = p;
    add_point(q, 0, edge, 0.25);
    if (corner == 0)  // the outline begins at the new point
      std::rotate(q.panels[0].loops[0].begin(), q.panels[0].loops[0].begin() + 4, q.panels[0].loops[0].end()),
          q.seams = {{"side", {{0, 2, 0, 1}, {1, 3, 1, 0}}}, {"hem", {{0, 0, 0, 1}, {1, 0, 1, 0}}}};
    remove_point(q, 0, corner == 0 ? 0 : edge + 1);
    check_pattern(q, "");
    REQUIRE(q.panels[0].edge_count() == 4);
    double around = 0;
    for (int e = 0; e < 4; ++e) around += curve_of(q.panels[0], e).length();
    CHECK(around == doctest::Approx(1.6));
    if (corner != 0) continue;
    // the new point, a quarter down the left edge, began the outline
    CHECK(q.seams[0].sides[0].edge == 1);
    CHECK(q.seams[1].sides[0].edge == 3);
    CHECK(q.seams[1].sides[0].from == doctest::Approx(0.25));
    CHECK(q.seams[1].sides[0].to == doctest::Approx(1));
  }
  Pattern p = sewn();
  p.panels[0].loops[0].pop_back();
  p.seams.clear();
  CHECK_THROWS_AS(remove_point(p, 0, 1), Error);
  p = sewn();
  p.panels[0].folds = {{0, 2, 90}};
  CHECK_THROWS_AS(remove_point(p, 0, 2), Error);
}

TEST_CASE("notches are marks on their edge and are kept in scenes and pattern files") {
  Pattern p = sewn();
  add_notch(p.panels[0], 1, 0.25);
  REQUIRE(p.panels[0].marks.notches.size() == 1);
  CHECK(glm::length(p.panels[0].marks.notches[0] - dvec2(0.3, 0.125)) < 1e-9);
  CHECK(notches_on(p.panels[0], 1) == std::vector<int>{0});
  CHECK(notches_on(p.panels[0], 2).empty());
  const Pattern read = parse_garmentcode(write_garmentcode(p), "p.json");
  REQUIRE(read.panels[0].marks.notches.size() == 1);
  CHECK(glm::length(read.panels[0].marks.notches[0] - dvec2(0.3, 0.125)) < 1e-12);
  Scene scene;
  Cloth cloth;
  cloth.name = "shirt", cloth.shape = ClothShape::garment, cloth.sewing_pattern = p;
  scene.cloths = {cloth};
  const Scene back = parse_scene(write_scene(scene), "scene.toml");
  const std::vector<dvec2>& kept = back.cloths[0].sewing_pattern->panels[0].marks.notches;
  REQUIRE(kept.size() == 1);
  CHECK(glm::length(kept[0] - p.panels[0].marks.notches[0]) < 1e-7);  // float32, as all of a scene's outlines
}

TEST_CASE(
    "a mirrored panel is on the other side of the body, turned the same way round, with its own seams") {
  Pattern p = sewn();
  p.panels[0].position = {0.1, 0.9, 0.2}, p.panels[0].rotation = {10, 20, -30};
  PanelEdge& side = p.panels[0].loops[0][1];
  side.kind = PanelEdge::Kind::cubic;
  side.control[0] = {0.36, 0.1}, side.control[1] = {0.33, 0.4};
  p.panels[0].loops[0][2].kind = PanelEdge::Kind::arc, p.panels[0].loops[0][2].bulge = 0.1;
  p.panels[0].darts = {{0, 0.3, 0.02, 0.1}};
  p.panels[0].grain = 80;
  p.seams = {{"tube", {{0, 1, 0, 1}, {0, 3, 1, 0}}}, {"other", {{0, 2, 0, 1}, {1, 2, 1, 0}}}};
  add_notch(p.panels[0], 1, 0.25);
  const int added = mirror_panel(p, 0);
  check_pattern(p, "");
  REQUIRE(added == 2);
  const Panel &a = p.panels[0], &b = p.panels[2];
  CHECK(b.name == "right_front");
  CHECK(p.seams.size() == 3);
  // edges 1 and 3 of the original are 2 and 0 of the partner
  CHECK(p.seams[2].sides[0] == SeamSide{2, 2, 1, 0});
  CHECK(p.seams[2].sides[1] == SeamSide{2, 0, 0, 1});
  CHECK(b.darts[0].edge == 3);
  CHECK(b.darts[0].at == doctest::Approx(0.7));
  CHECK(notches_on(b, 2).size() == 1);
  for (int e = 0; e < 4; ++e)
    for (const double share : {0.0, 0.3, 0.8}) {
      const dvec3 here = PanelPlacement(a).at(curve_of(a, e).at(share)),
                  there = PanelPlacement(b).at(curve_of(b, 3 - e).at(1 - share));
      CAPTURE(e);
      CHECK(glm::length(there - dvec3(-here.x, here.y, here.z)) < 1e-9);
    }
  const int again = mirror_panel(p, 0);
  CHECK(p.panels[size_t(again)].name == "left_front_mirrored");
}

TEST_CASE("the partner of a panel in the middle stands beside it") {
  Pattern p = sewn();
  p.panels[0].position = {-0.15, 1, 0.2};
  const int added = mirror_panel(p, 0);
  const Panel& b = p.panels[size_t(added)];
  const double nearest = b.position.x - 0.3;  // its outline is from -0.3 to 0
  CHECK(nearest > 0.15);
}
