#include "sim/garment/formats/garmentcode.h"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <random>

#include "sim/base/file.h"
#include "sim/garment/edge_curve.h"
#include "sim/garment/formats/pattern_svg.h"
#include "test_paths.h"
#include "tests/garment/patterns.h"
#include "tests/support/text.h"

using namespace weft;
using namespace weft::testing;

namespace {

const char* const kSkirt = R"({
 "pattern": {
  "panels": {
   "front": { "translation": [0, 100, 20], "rotation": [0, 0, 0],
    "vertices": [[0, 0], [-20, -40], [60, -40], [40, 0]],
    "edges": [ { "endpoints": [0, 1] },
               { "endpoints": [1, 2], "curvature": { "type": "circle", "params": [50, 0, 1] } },
               { "endpoints": [2, 3], "curvature": { "type": "quadratic", "params": [[0.5, 0.1]] } },
               { "endpoints": [3, 0], "label": "waist", "curvature": { "type": "cubic", "params": [[0.3, 0.1], [0.7, 0.1]] } } ] },
   "back": { "translation": [0, 100, -20], "rotation": [0, 180, 0],
    "vertices": [[0, 0], [-20, -40], [60, -40], [40, 0]],
    "edges": [ { "endpoints": [0, 1] }, { "endpoints": [1, 2] }, { "endpoints": [2, 3] }, { "endpoints": [3, 0] } ] } },
  "stitches": [ [ { "panel": "front", "edge": 0 }, { "panel": "back", "edge": 2 } ],
                [ { "panel": "front", "edge": 3 }, { "panel": "back", "edge": 3 }, "right_wrong" ] ] },
 "parameters": {}, "parameter_order": [],
 "properties": { "curvature_coords": "relative", "normalize_panel_translation": false, "normalized_edge_loops": true, "units_in_meter": 100 } })";

std::string changed(const std::string& from, const std::string& to) {
  std::string text = kSkirt;
  const size_t at = text.find(from);
  REQUIRE(at != text.npos);
  return text.replace(at, from.size(), to);
}
std::string fault(const std::string& text) {
  return fault_of([&] { parse_garmentcode(text, "s.json"); });
}

void check_same(const Pattern& a, const Pattern& b) {
  const auto near = [](double x, double y) { return std::abs(x - y) <= 1e-12 * (1 + std::abs(x)); };
  CHECK(a.name == b.name);
  CHECK(near(a.edge, b.edge));
  CHECK(a.fabric == b.fabric);
  REQUIRE(a.panels.size() == b.panels.size());
  CHECK(a.seams == b.seams);
  for (size_t p = 0; p < a.panels.size(); ++p) {
    const Panel &x = a.panels[p], &y = b.panels[p];
    CHECK(x.name == y.name);
    CHECK(glm::length(x.position - y.position) < 1e-12);
    CHECK(x.rotation == y.rotation);
    CHECK((x.grain == y.grain && x.layer == y.layer && x.fabric == y.fabric && x.bend_axis == y.bend_axis));
    CHECK((near(x.bend_radius, y.bend_radius) && near(x.edge, y.edge) &&
           glm::length(x.bend_center - y.bend_center) < 1e-12));
    REQUIRE(x.edge_count() == y.edge_count());
    REQUIRE(x.darts.size() == y.darts.size());
    for (size_t d = 0; d < x.darts.size(); ++d)
      CHECK((x.darts[d].edge == y.darts[d].edge && x.darts[d].at == y.darts[d].at &&
             near(x.darts[d].width, y.darts[d].width) && near(x.darts[d].depth, y.darts[d].depth)));
    for (int e = 0; e < x.edge_count(); ++e) {
      CHECK(edge_of(x, e).kind == edge_of(y, e).kind);
      CHECK(edge_of(x, e).name == edge_of(y, e).name);
      const EdgeCurve c(curve_of(x, e)), d(curve_of(y, e));
      for (const double s : {0.0, 0.2, 0.5, 0.9, 1.0}) CHECK(glm::length(c.at(s) - d.at(s)) < 1e-12);
    }
  }
}

}  // namespace

TEST_CASE("a GarmentCode specification becomes panels in metres, with its curves, placement and stitches") {
  const Pattern p = parse_garmentcode(kSkirt, "s.json");
  REQUIRE(p.panels.size() == 2);
  CHECK(p.panels[0].name == "front");
  CHECK(p.panels[0].position == dvec3(0, 1, 0.2));
  CHECK(p.panels[1].rotation == dvec3(0, 180, 0));
  // a circle of radius 50 cm over a chord of 80 cm, bulging to the right of its direction: down
  const EdgeCurve hem = curve_of(p.panels[0], 1);
  CHECK(std::abs(hem.length() - 2 * 0.5 * std::asin(0.8)) < 1e-9);
  CHECK(std::abs(hem.at(0.5).y - (-0.4 - (0.5 - 0.3))) < 1e-9);
  // a control point at a tenth of the length to the left of the edge, whose middle is then at a twentieth
  const dvec2 a(0.6, -0.4), b(0.4, 0), d = b - a;
  CHECK(glm::length(curve_of(p.panels[0], 2).at(0.5) - (0.5 * (a + b) + 0.05 * dvec2(-d.y, d.x))) < 1e-9);
  CHECK(edge_of(p.panels[0], 3).name == "waist");
  CHECK(edge_of(p.panels[0], 3).kind == PanelEdge::Kind::cubic);
  CHECK(p.seams[0].sides == std::vector<SeamSide>{{0, 0, 0, 1}, {1, 2, 1, 0}});
  CHECK(p.seams[1].sides == std::vector<SeamSide>{{0, 3, 0, 1}, {1, 3, 0, 1}});
}

TEST_CASE("units and absolute curvature are taken as the file says") {
  CHECK(parse_garmentcode(changed("\"units_in_meter\": 100", "\"units_in_meter\": 1000"), "s")
            .panels[0]
            .position == dvec3(0, 0.1, 0.02));
  std::string text = changed("\"relative\"", "\"absolute\"");
  const std::string params = "[[0.5, 0.1]]";
  text.replace(text.find(params), params.size(), "[[55, -25]]");
  const std::string cubic = "[[0.3, 0.1], [0.7, 0.1]]";
  text.replace(text.find(cubic), cubic.size(), "[[30, 5], [10, 5]]");
  CHECK(edge_of(parse_garmentcode(text, "s").panels[0], 2).control[0] == dvec2(0.55, -0.25));
  const Pattern old =
      parse_garmentcode(changed("{ \"type\": \"quadratic\", \"params\": [[0.5, 0.1]] }", "[0.5, 0.1]"), "s");
  CHECK(edge_of(old.panels[0], 2).kind == PanelEdge::Kind::quadratic);
}

TEST_CASE("patterns are written and read back") {
  Pattern full = parse_garmentcode(kSkirt, "s.json");
  Panel& p = full.panels[0];
  p.grain = 45, p.fabric = "silk", p.layer = 2, p.edge = 0.007, p.bend_radius = 0.2, p.bend_axis = 80,
  p.bend_center = {0.1, 0.2};
  p.darts = {{0, 0.4, 0.02, 0.1}};
  p.loops.push_back(
      {{.start = {0.1, -0.2}},
       {.start = {0.1, -0.3}},
       {.kind = PanelEdge::Kind::polyline, .start = {0.2, -0.3}, .points = {{0.21, -0.25}, {0.2, -0.2}}}});
  full.seams[0].elastic = 0.8, full.seams[0].name = "side", full.seams[1].sides[1] = {1, 3, 0.75, 0.25};
  full.seams[1].sides[0] = {0, 3, 0.1, 0.6};
  full.seams.push_back({"three", {{0, 2, 0, 1}, {1, 0, 1, 0}, {1, 1, 1, 0}}});
  check_same(full, parse_garmentcode(write_garmentcode(full), "again"));
  const Pattern skirt = parse_garmentcode(kSkirt, "s.json");
  check_same(skirt, parse_garmentcode(write_garmentcode(skirt), "again"));
  CHECK(contains(write_garmentcode(skirt), "right_wrong"));
}

TEST_CASE("bad specifications are refused, naming file and key") {
  CHECK(fault(kSkirt) == "");
  CHECK(contains(fault(changed("\"units_in_meter\": 100", "\"unit\": 100")),
                 "s.json: properties.units_in_meter: the pattern does not say its unit"));
  CHECK(contains(fault(changed("\"panel\": \"back\", \"edge\": 2", "\"panel\": \"bakc\", \"edge\": 2")),
                 "pattern.stitches[0][1].panel: there is no panel 'bakc' — did you mean back?"));
  CHECK(contains(fault(changed("\"panel\": \"back\", \"edge\": 2", "\"panel\": \"back\", \"edge\": 9")),
                 "pattern.stitches[0][1].edge: 9 is no whole number from 0 to 3"));
  CHECK(contains(fault(changed("\"panel\": \"front\", \"edge\": 3", "\"panel\": \"front\", \"edge\": 0")),
                 "is sewn twice"));
  CHECK(contains(
      fault(changed("[1, 2], \"curv", "[1, 3], \"curv")),
      "pattern.panels.front.edges[2]: the edge begins at vertex 2, and the one before it ended at vertex 3"));
  CHECK(contains(fault(changed("[3, 0], \"label\"", "[3, 2], \"label\"")), "the outline is open"));
  CHECK(contains(fault(changed("[3, 0], \"label\"", "[3, 4], \"label\"")),
                 "pattern.panels.front.edges[3].endpoints[1]: 4 is no whole number from 0 to 3"));
  CHECK(contains(fault(changed("\"circle\"", "\"circel\"")),
                 "pattern.panels.front.edges[1].curvature.type: 'circel' is no kind of curvature — did you "
                 "mean circle?"));
  CHECK(contains(fault(changed("[50, 0, 1]", "[30, 0, 1]")),
                 "curvature.params[0]: a radius of 0.3 m is too small"));
  CHECK(contains(fault(changed("[50, 0, 1]", "[50, 0]")),
                 "curvature.params: the list has 2 entries instead of 3"));
  CHECK(contains(fault(changed("[60, -40]", "[60, \"x\"]")),
                 "pattern.panels.front.vertices[2][1]: this is no number"));
  CHECK(contains(fault(changed("\"panels\"", "\"pieces\"")), "s.json: pattern.panels: the key is missing"));
  CHECK(contains(fault(changed("[60, -40], [40, 0]", "[-60, 40], [40, -50]")),
                 "panel front: the outline crosses or touches itself"));
  CHECK(contains(fault(changed("\"right_wrong\"", "\"wrong_right\"")),
                 "'wrong_right' is no property of a stitch"));
  CHECK(contains(
      fault(changed("\"edges\": [ { \"endpoints\": [0, 1] },", "\"edges\": [ { \"endpoints\": [0, 1] }")),
      "s.json:7: this is not JSON"));
  CHECK(contains(fault(std::string(kSkirt).substr(0, 300)), "the JSON text ends too early"));
  CHECK(contains(fault("[1, 2]"), "s.json"));
  CHECK(fault("") != "");
}

TEST_CASE("truncated and damaged specifications are refused or read, and nothing else happens") {
  const std::string text = kSkirt;
  int refused = 0;
  for (size_t n = 0; n < text.size() - 1; n += 3) {
    CAPTURE(n);
    CHECK(fault(text.substr(0, n)) != "");
  }
  std::mt19937 random(1);
  for (int i = 0; i < 1500; ++i) {
    std::string damaged = text;
    for (int k = 0; k < 1 + i % 3; ++k) damaged[random() % damaged.size()] = char(random() % 256);
    refused += fault(damaged) != "";
  }
  CHECK(refused > 300);
}

TEST_CASE("the shipped garments are sewn without an edge that is open and should be closed") {
  struct Sample {
    const char* name;
    int euler;  // of the worn surface: 2 less its openings
  };
  // neck, hem, two sleeves; waist, hem; neck, hem, two armholes; waist, two legs
  for (const Sample& s : {Sample{"tshirt", 2 - 4}, Sample{"gathered_skirt", 2 - 2}, Sample{"dress", 2 - 4},
                          Sample{"trousers", 2 - 3}}) {
    CAPTURE(s.name);
    const std::string path = std::string(WEFT_TEST_ASSETS) + "/../assets/garments/" + s.name + ".json";
    const Pattern p = parse_garmentcode(read_text_file(path, "a pattern"), path);
    check_same(p, parse_garmentcode(write_garmentcode(p), "again"));
    const GarmentMesh g = make_garment(p, path, 0.025);
    CHECK(edges_by_sheets(g.mesh).rbegin()->first == 2);
    CHECK(euler_characteristic(g.mesh) == s.euler);
    for (size_t i = 0; i < g.pattern.seams.size(); ++i)
      for (const SeamSide& side : g.pattern.seams[i].sides) {
        if (g.pattern.seams[i].elastic != 1) continue;
        double wanted = 0;  // a panel may have several sides in a seam
        for (const SeamSide& same : g.pattern.seams[i].sides)
          if (same.panel == side.panel)
            wanted += curve_of(g.pattern.panels[size_t(same.panel)], same.edge).length() *
                      std::abs(same.to - same.from);
        // chords of curves are shorter, by (edge / radius)² / 24: a hundredth at a radius of two edges
        CHECK(rest_length_along(g, int(i), side.panel) == doctest::Approx(wanted).epsilon(0.01));
      }
    for (const Panel& panel : p.panels) CHECK(contains(pattern_as_svg(p), ">" + panel.name + "</text>"));
  }
}
