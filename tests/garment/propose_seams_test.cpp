// Edges that could be sewn on each other, by their lengths and notches.
#include "sim/garment/propose_seams.h"

#include <doctest/doctest.h>

#include <cmath>

#include "sim/garment/garment_mesh.h"

using namespace weft;

namespace {

/// A trapezoid with sides of the lengths that its corners give; `notch`: m along its right side, 0: none.
Panel piece(const std::string& name, double low, double high, double height, double notch,
            double other_notch) {
  Panel p;
  p.name = name;
  const dvec2 a(0, 0), b(low, 0), c(0.5 * (low + high), height), d(0.5 * (low - high), height);
  const auto along = [](dvec2 from, dvec2 to, double at) { return from + at * glm::normalize(to - from); };
  PanelLoop loop{{.start = a}, {.start = b}};
  if (notch > 0)
    p.marks.notches.push_back(along(b, c, notch)), loop.push_back({.start = p.marks.notches.back()});
  loop.push_back({.start = c}), loop.push_back({.start = d});
  if (other_notch > 0)
    p.marks.notches.push_back(along(a, d, other_notch)), loop.push_back({.start = p.marks.notches.back()});
  p.loops = {loop};
  return p;
}

}  // namespace

TEST_CASE("sides of equal length are proposed once, against each other's direction") {
  Pattern pattern;
  pattern.panels = {piece("front", 0.5, 0.4, 0.6, 0, 0), piece("back", 0.53, 0.44, 0.6, 0, 0)};
  const std::vector<SeamProposal> found = propose_seams(pattern);
  // four sides of 0.602 m; hems of 0.5, 0.53, 0.4 and 0.44 m fit on nothing
  REQUIRE(found.size() == 2);
  for (const SeamProposal& p : found) {
    CHECK(p.notches == 0);
    CHECK(p.others == 2);
    REQUIRE(p.seams.size() == 1);
    CHECK(p.seams[0].sides[0].from == 0);
    CHECK(p.seams[0].sides[1].from == 1);
    pattern.seams.insert(pattern.seams.end(), p.seams.begin(), p.seams.end());
  }
  CHECK_NOTHROW(check_pattern(pattern, "proposed"));
  CHECK(propose_seams(pattern).empty());  // all are sewn
}

TEST_CASE("notches tell which of several sides of one length belong together, and divide the seam") {
  Pattern pattern;
  const double side = std::hypot(0.6, 0.05);
  pattern.panels = {piece("front", 0.5, 0.4, 0.6, 0.2, 0), piece("back", 0.53, 0.43, 0.6, 0, 0.2)};
  const std::vector<SeamProposal> found = propose_seams(pattern);
  REQUIRE(found.size() == 2);
  CHECK(found[0].notches == 1);
  CHECK(found[0].others == 0);
  CHECK(found[0].sides[0] == "front, edges 1 to 2");
  CHECK(found[0].sides[1] == "back, edges 3 to 4");
  CHECK(found[0].length[0] == doctest::Approx(side));
  REQUIRE(found[0].seams.size() == 2);
  // from the hem up: 0.2 m on 0.2 m
  CHECK(found[0].seams[0].sides[0].edge == 1);
  CHECK(found[0].seams[0].sides[1].edge == 4);
  // a notch elsewhere does not fit
  pattern.panels[1] = piece("back", 0.53, 0.43, 0.6, 0, 0.3);
  for (const SeamProposal& p : propose_seams(pattern)) CHECK(p.notches == 0);
}
