#include "sim/garment/edge_curve.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace weft;

namespace {

constexpr double kExact = 1e-9;  // m; the integration's error on these curves

/// Length of a curve by 100,000 chords, whose error is below 1e-9 m here.
double by_chords(const EdgeCurve& curve) {
  const auto points = curve.polyline(100000);
  double sum = 0;
  for (size_t i = 1; i < points.size(); ++i) sum += glm::length(points[i] - points[i - 1]);
  return sum;
}

}  // namespace

TEST_CASE(
    "an arc has the length of its angle times its radius, and bulges to the right where its bulge is "
    "positive") {
  for (const double degrees : {1.0, 60.0, 180.0, 300.0})
    for (const double side : {1.0, -1.0}) {
      CAPTURE(degrees);
      const double angle = glm::radians(degrees), chord = 2 * 0.3 * std::sin(0.5 * angle);
      const EdgeCurve arc(
          {.kind = PanelEdge::Kind::arc, .start = {0, 0}, .bulge = side * std::tan(0.25 * angle)},
          {chord, 0});
      CHECK(std::abs(arc.length() - 0.3 * angle) < kExact);
      CHECK(std::abs(arc.at(0.5).x - 0.5 * chord) < kExact);
      CHECK(std::abs(arc.at(0.5).y + side * 0.3 * (1 - std::cos(0.5 * angle))) < kExact);
      CHECK(std::abs(glm::length(arc.at(0.25) - arc.at(0)) - 2 * 0.3 * std::sin(0.125 * angle)) < kExact);
    }
}

TEST_CASE("points at shares of a Bezier curve's length divide its length") {
  const EdgeCurve quadratic({.kind = PanelEdge::Kind::quadratic, .start = {0, 0}, .control = {{0.1, 0.5}}},
                            {0.4, 0});
  const EdgeCurve cubic(
      {.kind = PanelEdge::Kind::cubic, .start = {0, 0}, .control = {{0.4, 0.3}, {-0.2, 0.3}}}, {0.3, 0});
  for (const EdgeCurve* curve : {&quadratic, &cubic}) {
    CHECK(std::abs(curve->length() - by_chords(*curve)) < 1e-8);
    const double part = EdgeCurve(curve->part(0, 0.3), curve->at(0.3)).length();
    CHECK(std::abs(part - 0.3 * curve->length()) <
          1e-7);  // Newton ends at 1e-13 of the length; the rest is quadrature of a part with a sharp turn
  }
}

TEST_CASE("a part of a curve lies on the curve") {
  using Kind = PanelEdge::Kind;
  const dvec2 end(0.4, 0.1);
  for (const PanelEdge& edge :
       {PanelEdge{.kind = Kind::line, .start = {0, 0}},
        PanelEdge{.kind = Kind::arc, .start = {0, 0}, .bulge = -0.6},
        PanelEdge{.kind = Kind::quadratic, .start = {0, 0}, .control = {{0.1, 0.3}}},
        PanelEdge{.kind = Kind::cubic, .start = {0, 0}, .control = {{0.3, 0.3}, {0.1, -0.3}}},
        PanelEdge{.kind = Kind::polyline, .start = {0, 0}, .points = {{0.1, 0.2}, {0.3, 0.1}}}}) {
    CAPTURE(int(edge.kind));
    const EdgeCurve whole(edge, end), part(whole.part(0.2, 0.7), whole.at(0.7));
    for (const double s : {0.0, 0.3, 0.5, 1.0})
      CHECK(glm::length(part.at(s) - whole.at(0.2 + 0.5 * s)) < 1e-8);
  }
}
