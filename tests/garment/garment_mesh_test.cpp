#include "sim/garment/garment_mesh.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "sim/garment/edge_curve.h"
#include "sim/garment/placement.h"
#include "tests/garment/patterns.h"
#include "tests/support/text.h"

using namespace weft;
using namespace weft::testing;

namespace {

constexpr double kFloat = 1e-5;  // relative: material points are float32 of up to some metres

double relative(double a, double b) { return std::abs(a / b - 1); }

double smallest_angle(const GarmentMesh& g) {
  const RestShape shape(g.mesh);
  double least = 180;
  for (int t = 0; t < g.mesh.triangle_count(); ++t)
    for (int k = 0; k < 3; ++k) {
      const dvec3 a = shape.side(t, k), b = -shape.side(t, (k + 2) % 3);
      least = std::min(least, glm::degrees(std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b))));
    }
  return least;
}

/// A disc of radius 0.2 m as two half circles.
Panel disc(const std::string& name) {
  Panel p;
  p.name = name;
  p.loops = {{{.kind = PanelEdge::Kind::arc, .start = {-0.2, 0}, .bulge = 1},
              {.kind = PanelEdge::Kind::arc, .start = {0.2, 0}, .bulge = 1}}};
  return p;
}

}  // namespace

TEST_CASE("a rectangle is meshed exactly, with edges near the length asked for and no thin triangles") {
  const GarmentMesh g = make_garment(pattern_of({rectangle("a", 0.5, 0.3)}), "p");
  CHECK(relative(rest_area(g), 0.15) < kFloat);
  CHECK(euler_characteristic(g.mesh) == 1);
  CHECK(edges_by_sheets(g.mesh)[1] == 2 * (25 + 15));
  CHECK(smallest_angle(g) > 25);
  const Topology t = build_topology({{"g", g.mesh}});
  double mean = 0;
  for (const float l : rest_lengths(t)) mean += double(l) / double(t.edges.size());
  CHECK(std::abs(mean / 0.02 - 1) < 0.05);
}

TEST_CASE("a hole is left out, and curves are followed to the sagitta of an edge") {
  Panel ring = disc("ring");
  ring.loops.push_back({{.kind = PanelEdge::Kind::arc, .start = {-0.08, 0}, .bulge = 1},
                        {.kind = PanelEdge::Kind::arc, .start = {0.08, 0}, .bulge = 1}});
  const GarmentMesh g = make_garment(pattern_of({ring}), "p");
  CHECK(euler_characteristic(g.mesh) == 0);
  // polygons of n sides in circles of radius r: n r²/2 sin(2 pi / n)
  const auto polygon = [](double r, int n) { return 0.5 * n * r * r * std::sin(2 * M_PI / n); };
  const int outer = g.panels[0].boundary, inner = 2 * int(std::lround(M_PI * 0.08 / 0.02));
  CHECK(relative(rest_area(g), polygon(0.2, outer - inner) - polygon(0.08, inner)) < 1e-4);
}

TEST_CASE(
    "both sides of a seam have the same vertices, whatever their lengths, and each keeps its own rest "
    "lengths") {
  for (const double ratio : {1.0, 1.4, 2.0}) {
    CAPTURE(ratio);
    const Pattern p =
        pattern_of({rectangle("upper", 0.4, 0.2, {0, 0.3, 0}), rectangle("lower", 0.4 * ratio, 0.3)},
                   {{"waist", {{0, 0, 0, 1}, {1, 2, 1, 0}}}});
    const GarmentMesh g = make_garment(p, "p");
    CHECK(euler_characteristic(g.mesh) == 1);
    CHECK(edges_by_sheets(g.mesh).rbegin()->first == 2);
    CHECK(g.seam_lines[0].size() > 15);
    CHECK(std::set<int>(g.seam_lines[0].begin(), g.seam_lines[0].end()).size() == g.seam_lines[0].size());
    CHECK(relative(rest_length_along(g, 0, 0), 0.4) < kFloat);
    CHECK(relative(rest_length_along(g, 0, 1), 0.4 * ratio) < kFloat);
    CHECK(relative(rest_area(g, 0), 0.08) < kFloat);
    CHECK(relative(rest_area(g, 1), 0.12 * ratio) < kFloat);
  }
}

TEST_CASE("a seam over a part of an edge leaves an opening beside it") {
  const Pattern p = pattern_of({rectangle("a", 0.4, 0.2, {0, 0.2, 0}), rectangle("b", 0.4, 0.2)},
                               {{"part", {{0, 0, 0.25, 1}, {1, 2, 0.75, 0}}}});
  const GarmentMesh g = make_garment(p, "p");
  CHECK(relative(rest_length_along(g, 0, 0), 0.3) < kFloat);
  CHECK(euler_characteristic(g.mesh) == 1);
  const int open = edges_by_sheets(g.mesh)[1], closed = int(g.seam_lines[0].size()) - 1;
  const GarmentMesh apart = make_garment(pattern_of(p.panels), "p");
  CHECK(edges_by_sheets(apart.mesh)[1] == open + 2 * closed);
}

TEST_CASE("three sheets in a seam share its edges, and no others") {
  const Pattern p = pattern_of({rectangle("a", 0.3, 0.2), rectangle("b", 0.3, 0.2), rectangle("c", 0.3, 0.2)},
                               {{"three", {{0, 2, 0, 1}, {1, 2, 0, 1}, {2, 2, 0, 1}}}});
  const GarmentMesh g = make_garment(p, "p");
  const auto sheets = edges_by_sheets(g.mesh);
  CHECK(sheets.rbegin()->first == 3);
  CHECK(sheets.at(3) == int(g.seam_lines[0].size()) - 1);
}

TEST_CASE(
    "an edge sewn to the opposite edge of its panel makes a tube, and two panels sewn all around a closed "
    "surface") {
  const GarmentMesh tube =
      make_garment(pattern_of({rectangle("a", 0.4, 0.2)}, {{"side", {{0, 1, 0, 1}, {0, 3, 1, 0}}}}), "p");
  CHECK(euler_characteristic(tube.mesh) == 0);
  CHECK(edges_by_sheets(tube.mesh)[1] == 2 * 20);
  std::vector<Seam> around;
  for (int e = 0; e < 4; ++e) around.push_back({"", {{0, e, 0, 1}, {1, e, 0, 1}}});
  const GarmentMesh pillow = make_garment(
      pattern_of({rectangle("a", 0.4, 0.2, {0, 0, 0.1}), rectangle("b", 0.4, 0.2)}, around), "p");
  CHECK(euler_characteristic(pillow.mesh) == 2);
  CHECK(edges_by_sheets(pillow.mesh).size() == 1);
}

TEST_CASE("a dart takes its wedge out of the area and joins its two sides") {
  Panel p = rectangle("a", 0.4, 0.3);
  p.darts = {{.edge = 0, .at = 0.4, .width = 0.04, .depth = 0.15}};
  const GarmentMesh g = make_garment(pattern_of({p}), "p");
  CHECK(relative(rest_area(g), 0.12 - 0.5 * 0.04 * 0.15) < kFloat);
  CHECK(euler_characteristic(g.mesh) == 1);
  const double side = std::hypot(0.02, 0.15);
  CHECK(relative(rest_length_along(g, 0, 0), 2 * side) <
        kFloat);  // both legs are sides of the panel's triangles
  // the angle around the tip is a full turn less the dart's
  const RestShape shape(g.mesh);
  const int tip = g.seam_lines[0].back();
  double angle = 0;
  for (int t = 0; t < g.mesh.triangle_count(); ++t)
    for (int k = 0; k < 3; ++k)
      if (g.mesh.triangles[size_t(t)][k] == tip) {
        const dvec3 a = shape.side(t, k), b = -shape.side(t, (k + 2) % 3);
        angle += std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b));
      }
  CHECK(std::abs(angle - (2 * M_PI - 2 * std::atan(0.02 / 0.15))) < 1e-4);
}

TEST_CASE("a seam over an edge with a dart meets its other side with the dart closed") {
  Panel upper = rectangle("upper", 0.44, 0.3, {0, 0.2, 0});
  upper.darts = {{.edge = 0, .at = 0.5, .width = 0.04, .depth = 0.1}};
  const Pattern p =
      pattern_of({upper, rectangle("lower", 0.4, 0.2)}, {{"waist", {{0, 0, 0, 1}, {1, 2, 1, 0}}}});
  const GarmentMesh g = make_garment(p, "p");
  CHECK(euler_characteristic(g.mesh) == 1);
  double upper_side = 0, lower_side = 0;
  for (size_t s = 0; s < g.pattern.seams.size(); ++s)
    if (g.pattern.seams[s].name == "waist")
      upper_side += rest_length_along(g, int(s), 0), lower_side += rest_length_along(g, int(s), 1);
  CHECK(relative(upper_side, 0.4) < kFloat);
  CHECK(relative(lower_side, 0.4) < kFloat);
}

TEST_CASE("an elastic hem is shorter at rest by its ratio, and the rest of the panel is not") {
  const Pattern p = pattern_of({rectangle("a", 0.4, 0.2)}, {{"elastic", {{0, 2, 0, 1}}, 0.7}});
  const GarmentMesh g = make_garment(p, "p");
  CHECK(relative(rest_length_along(g, 0, 0), 0.7 * 0.4) < kFloat);
  const RestShape shape(g.mesh);
  for (int t = 0; t < g.mesh.triangle_count(); ++t) {
    bool far = true;
    for (int k = 0; k < 3; ++k)
      far = far && g.panels[0].points[size_t(g.mesh.triangles[size_t(t)][k])].y < 0.2 - 1e-9;
    if (far) CHECK(g.mesh.corners.rest_scale[size_t(t)] == vec3(1, 0, 1));
  }
}

TEST_CASE(
    "material coordinates run along the grain, and triangles keep their orientation on both kinds of "
    "outline") {
  for (const bool clockwise : {false, true}) {
    CAPTURE(clockwise);
    Panel p = rectangle("a", 0.3, 0.2);
    if (clockwise) std::reverse(p.loops[0].begin(), p.loops[0].end());
    p.grain = 30;
    const GarmentMesh g = make_garment(pattern_of({p}), "p");
    const RestShape shape(g.mesh);
    for (int t = 0; t < g.mesh.triangle_count(); ++t) {
      const ivec3 v = g.mesh.triangles[size_t(t)];
      const dvec3 a = dvec3(g.mesh.positions[size_t(v.y)]) - dvec3(g.mesh.positions[size_t(v.x)]),
                  b = dvec3(g.mesh.positions[size_t(v.z)]) - dvec3(g.mesh.positions[size_t(v.x)]);
      CHECK((glm::cross(a, b).z > 0) == !clockwise);
      CHECK(std::abs(shape.first(t).x - (a.x * std::cos(M_PI / 6) + a.y * std::sin(M_PI / 6))) < 1e-6);
      CHECK(shape.first(t).x * shape.second(t).y > shape.first(t).y * shape.second(t).x);
    }
  }
}

TEST_CASE("bending a panel around an axis keeps lengths along it") {
  Panel p = rectangle("a", 0.3, 0.2);
  p.bend_radius = 0.1, p.bend_center = {0.15, 0}, p.rotation = {20, 30, 40}, p.position = {1, 2, 3};
  const PanelPlacement bent(p);
  p.bend_radius = 0;
  const PanelPlacement flat(p);
  CHECK(glm::length(bent.at({0.15, 0.1}) - flat.at({0.15, 0.1})) < 1e-12);
  double along = 0;
  for (int i = 0; i < 3000; ++i)
    along += glm::length(bent.at({1e-4 * (i + 1), 0.1}) - bent.at({1e-4 * i, 0.1}));
  CHECK(std::abs(along - 0.3) < 1e-6);
  CHECK(std::abs(glm::length(bent.at({0, 0.1}) - bent.at({0.3, 0.1})) - 2 * 0.1 * std::sin(1.5)) < 1e-12);
  CHECK(std::abs(glm::length(bent.at({0, 0}) - bent.at({0, 0.2})) - 0.2) < 1e-12);
}

TEST_CASE("the same pattern gives the same mesh") {
  const Pattern p = pattern_of({rectangle("a", 0.4, 0.2), disc("b")}, {{"s", {{0, 0, 0, 1}, {1, 0, 1, 0}}}});
  const GarmentMesh a = make_garment(p, "p"), b = make_garment(p, "p");
  CHECK(a.mesh.positions == b.mesh.positions);
  CHECK(a.mesh.triangles == b.mesh.triangles);
  CHECK(a.mesh.corners.values == b.mesh.corners.values);
}

TEST_CASE("what cannot be sewn is refused by name") {
  const auto with = [](const auto& change) {
    Pattern p = pattern_of({rectangle("front", 0.4, 0.2), rectangle("back", 0.4, 0.2)},
                           {{"side", {{0, 1, 0, 1}, {1, 3, 1, 0}}}});
    change(p);
    return garment_fault(p);
  };
  CHECK(with([](Pattern&) {}) == "");
  CHECK(contains(with([](Pattern& p) { p.panels[1].name = "front"; }),
                 "panel front: there are two panels of this name"));
  CHECK(contains(with([](Pattern& p) {
                   p.panels[1].loops[0][2].start = {0.2, -0.1};
                 }),
                 "panel back: the outline crosses or touches itself"));
  CHECK(contains(with([](Pattern& p) { p.panels[0].loops[0][1].start.x = NAN; }), "panel front, edge 1"));
  CHECK(contains(with([](Pattern& p) { p.panels[0].loops[0].resize(1); }), "panel front"));
  CHECK(contains(with([](Pattern& p) { p.panels[0].loops[0][1].start = p.panels[0].loops[0][0].start; }),
                 "panel front, edge 0: the edge has no length"));
  CHECK(contains(with([](Pattern& p) { p.seams[0].sides[1].edge = 7; }),
                 "seam 0 (side): panel back has no edge 7"));
  CHECK(contains(with([](Pattern& p) { p.seams[0].sides[1].panel = 3; }),
                 "seam 0 (side): there is no panel 3"));
  CHECK(contains(with([](Pattern& p) { p.seams[0].sides[0].to = 1.5; }), "from 0 to 1.5 is no range"));
  CHECK(contains(with([](Pattern& p) {
                   p.seams.push_back({"again", {{0, 1, 0.5, 1}, {1, 0, 0, 1}}});
                 }),
                 "seam 1 (again): panel front, edge 1 is sewn twice from 0.5 to 1, also by seam 0"));
  CHECK(contains(with([](Pattern& p) {
                   p.seams.push_back({"one", {{0, 2, 0, 1}}});
                 }),
                 "seam 1 (one): the seam has one side"));
  CHECK(contains(with([](Pattern& p) { p.panels[0].darts = {{0, 0.02, 0.04, 0.05}}; }), "leaves the edge"));
  CHECK(contains(with([](Pattern& p) {
                   p.panels[0].darts = {{0, 0.5, 0.04, 0.25}};
                 }),
                 "panel front: the outline crosses or touches itself"));
  CHECK(contains(with([](Pattern& p) { p.edge = 1e-5; }), "million triangles"));
  CHECK(contains(with([](Pattern& p) { p.panels[0].edge = -1; }), "panel front: the edge length is -1 m"));
}

TEST_CASE("a tube of one edge length around is refused, since its seam would join corners of one triangle") {
  const std::string fault =
      garment_fault(pattern_of({rectangle("cord", 0.02, 0.3)}, {{"", {{0, 1, 0, 1}, {0, 3, 1, 0}}}}));
  CHECK(contains(fault, "panel cord"));
  CHECK(contains(fault, "use shorter edges"));
  CHECK(garment_fault(
            pattern_of({rectangle("cord", 0.02, 0.3)}, {{"", {{0, 1, 0, 1}, {0, 3, 1, 0}}}}, 0.004)) == "");
  CHECK(contains(
      garment_fault(pattern_of({rectangle("cord", 0.02, 0.3)}, {{"", {{0, 1, 0, 1}, {0, 3, 1, 0}}}}, 0.01)),
      "use shorter edges there"));
}
