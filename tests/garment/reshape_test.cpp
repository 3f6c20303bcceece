#include "sim/garment/reshape.h"

#include <doctest/doctest.h>

#include <cmath>

#include "sim/garment/edge_curve.h"
#include "tests/garment/patterns.h"

using namespace weft;
using namespace weft::testing;

namespace {

dvec2 point(const Panel& panel, int edge) { return edge_of(panel, edge).start; }

/// A skirt panel: a hollow waist (edge 2) above a straight hem (edge 0).
Panel skirt() {
  Panel p = rectangle("skirt", 0.4, 0.6);
  p.loops[0][2].kind = PanelEdge::Kind::cubic;
  p.loops[0][2].control[0] = {0.3, 0.58};
  p.loops[0][2].control[1] = {0.1, 0.58};
  return p;
}

}  // namespace

TEST_CASE("an edge moves away from the cloth, whichever way the outline runs") {
  Panel p = rectangle("p", 0.3, 0.5);
  CHECK(glm::length(outwards(p, 0) - dvec2(0, -1)) < 1e-12);
  CHECK(glm::length(outwards(p, 1) - dvec2(1, 0)) < 1e-12);
  move_edge(p, 0, 0.03, false);
  CHECK(glm::length(point(p, 0) - dvec2(0, -0.03)) < 1e-12);
  CHECK(glm::length(point(p, 1) - dvec2(0.3, -0.03)) < 1e-12);
  CHECK(curve_of(p, 1).length() == doctest::Approx(0.53));
  Panel clockwise = rectangle("p", 0.3, 0.5);
  clockwise.loops[0] = {{.start = {0, 0}}, {.start = {0, 0.5}}, {.start = {0.3, 0.5}}, {.start = {0.3, 0}}};
  CHECK(glm::length(outwards(clockwise, 3) - dvec2(0, -1)) < 1e-12);
  // the cloth is around a hole
  Panel holed = rectangle("p", 0.3, 0.5);
  for (const bool turned : {false, true}) {
    holed.loops.resize(1);
    PanelLoop hole = {{.start = {0.1, 0.1}}, {.start = {0.2, 0.1}}, {.start = {0.2, 0.2}}};
    if (turned) std::reverse(hole.begin(), hole.end());
    holed.loops.push_back(hole);
    const int lower = turned ? 5 : 4;  // from (0.1, 0.1) to (0.2, 0.1), or back
    CHECK(glm::length(outwards(holed, lower) - dvec2(0, 1)) < 1e-12);
  }
}

TEST_CASE("a symmetric panel changes on both sides, another on one") {
  Panel p = skirt();
  REQUIRE(mirror_of(p));
  CHECK(mirror_of(p)->point == std::vector<int>{1, 0, 3, 2});
  CHECK(mirror_of(p)->edge == std::vector<int>{0, 3, 2, 1});
  move_edge(p, 1, 0.02, true);
  CHECK(point(p, 1).x == doctest::Approx(0.42));
  CHECK(point(p, 0).x == doctest::Approx(-0.02));
  CHECK(mirror_of(p));
  move_control(p, 2, 0, {0.01, -0.02}, true);
  CHECK(glm::length(edge_of(p, 2).control[0] - dvec2(0.33, 0.56)) < 1e-12);
  CHECK(glm::length(edge_of(p, 2).control[1] - dvec2(0.07, 0.56)) < 1e-12);
  CHECK(mirror_of(p));
  move_point(p, 3, {-0.01, 0.03}, true);
  CHECK(glm::length(point(p, 3) - dvec2(-0.03, 0.63)) < 1e-12);
  CHECK(glm::length(point(p, 2) - dvec2(0.43, 0.63)) < 1e-12);
  move_point(p, 3, {0, 0.03}, false);
  CHECK(point(p, 2).y == doctest::Approx(0.63));
  CHECK_FALSE(mirror_of(p));
  const Panel before = p;
  move_point(p, 0, {-0.02, 0}, true);
  CHECK(point(p, 1) == point(before, 1));
}

TEST_CASE("a point on the panel's middle line stays on it, and a hem of two edges moves once") {
  Panel p = rectangle("p", 0.4, 0.5);
  p.loops[0].insert(p.loops[0].begin() + 1, {.start = {0.2, 0}});
  REQUIRE(mirror_of(p));
  move_point(p, 1, {0.05, -0.02}, true);
  CHECK(glm::length(point(p, 1) - dvec2(0.2, -0.02)) < 1e-12);
  move_point(p, 1, {0, 0.02}, true);
  move_edge(p, 0, 0.03, true);
  for (const int i : {0, 1, 2}) CHECK(point(p, i).y == doctest::Approx(-0.03));
}

TEST_CASE("curves beside a moved point keep their tangents, and notches their share of the edge") {
  Panel p = skirt();
  p.marks.notches = {{0.4, 0.3}, {0.1, 0}};
  move_point(p, 2, {0.05, 0.1}, false);
  CHECK(glm::length(edge_of(p, 2).control[0] - dvec2(0.35, 0.68)) < 1e-12);
  CHECK(glm::length(edge_of(p, 2).control[1] - dvec2(0.1, 0.58)) < 1e-12);
  CHECK(glm::length(p.marks.notches[0] - dvec2(0.425, 0.35)) < 1e-9);
  CHECK(p.marks.notches[1] == dvec2(0.1, 0));
}

TEST_CASE("seams whose sides fit less well than before are named with the difference") {
  Pattern p = pattern_of({rectangle("front", 0.3, 0.5), rectangle("back", 0.3, 0.52)},
                         {{"side", {{0, 1, 0, 1}, {1, 3, 1, 0}}}, {"other", {{0, 3, 0, 1}, {1, 1, 1, 0}}}});
  const Pattern before = p;
  CHECK(misfits(p, before).empty());
  move_edge(p.panels[1], 0, 0.03, true);
  const auto found = misfits(p, before);
  REQUIRE(found.size() == 2);
  CHECK(found[0].before == doctest::Approx(0.02));
  CHECK(found[0].now == doctest::Approx(0.05));
  CHECK(in_words(p, found[0]) == "front and back, 5.0 cm");
  move_edge(p.panels[0], 0, 0.03, true);
  CHECK(misfits(p, before).empty());
  p.panels[0].darts = {{1, 0.5, 0.01, 0.05}};  // its side is shorter once the dart is closed
  REQUIRE(misfits(p, before).size() == 1);
  CHECK(misfits(p, before)[0].now == doctest::Approx(0.03));
}
