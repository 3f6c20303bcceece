#include "sim/garment/grade.h"

#include <doctest/doctest.h>

#include "sim/garment/edge_curve.h"
#include "sim/garment/point_seam.h"
#include "tests/garment/patterns.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("grades are read in centimetres and per cent, and other text is refused") {
  const Grade wide = read_grade("width +4 cm");
  CHECK(wide.along == Grade::Along::width);
  CHECK(wide.by == doctest::Approx(0.04));
  CHECK_FALSE(wide.share);
  const Grade shorter = read_grade("length -3 %");
  CHECK(shorter.along == Grade::Along::length);
  CHECK(shorter.by == doctest::Approx(-0.03));
  CHECK(shorter.share);
  CHECK(read_grade("length 5%").by == doctest::Approx(0.05));
  for (const char* text : {"", "width", "waist +4cm", "width four", "width 4 ells", "width 4x %", "width %"})
    CHECK_THROWS_AS(read_grade(text), Error);
}

TEST_CASE("a graded pattern is wider by the measure at its widest panel, and elsewhere in proportion") {
  Pattern p = pattern_of({rectangle("front", 0.5, 0.6, {0, 1, 0}), rectangle("sleeve", 0.25, 0.4)},
                         {{"side", {{0, 1, 0, 1}, {1, 0, 0, 1}}}});
  p.panels[1].darts = {{0, 0.5, 0.02, 0.1}};
  p.seams.push_back({"", {point_side(0, {0.35, 0.3}), point_side(1, {0.125, 0.2})}});
  grade(p, read_grade("width +5 cm"));
  check_pattern(p, "p");
  CHECK(curve_of(p.panels[0], 0).length() == doctest::Approx(0.55));
  CHECK(curve_of(p.panels[1], 0).length() == doctest::Approx(0.275));
  CHECK(curve_of(p.panels[0], 1).length() == doctest::Approx(0.6));
  CHECK(edge_of(p.panels[0], 0).start.x == doctest::Approx(-0.025));
  CHECK(p.panels[1].darts[0].width == doctest::Approx(0.022));
  CHECK(p.panels[1].darts[0].depth == doctest::Approx(0.1));
  CHECK(point_of(p.seams[1].sides[0]).x == doctest::Approx(0.36));
  grade(p, read_grade("length -10 %"));
  CHECK(curve_of(p.panels[0], 1).length() == doctest::Approx(0.54));
  CHECK(edge_of(p.panels[0], 2).start.y == doctest::Approx(0.6));  // its upper end stays
  CHECK_THROWS_AS(grade(p, read_grade("width -60 cm")), Error);
}

TEST_CASE("arcs of a graded pattern stay as they are drawn, scaled") {
  for (const double bulge : {0.3, -1.0}) {
    Pattern p = pattern_of({rectangle("p", 0.5, 0.6)});
    p.panels[0].loops[0][2].kind = PanelEdge::Kind::arc;
    p.panels[0].loops[0][2].bulge = bulge;
    const EdgeCurve before = curve_of(p.panels[0], 2);
    grade(p, read_grade("length +20 %"));
    const EdgeCurve after = curve_of(p.panels[0], 2);
    double top = 0.6;
    for (const dvec2& q : before.drawn()) top = std::max(top, q.y);
    const dvec2 middle = before.at(0.5);
    CHECK(glm::length(after.at(0.5) - dvec2(middle.x, top + 1.2 * (middle.y - top))) < 2e-4);
  }
}
