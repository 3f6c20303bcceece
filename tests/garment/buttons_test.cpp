// Points of panels that buttons hold on each other, in meshes and in files.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/garment/formats/garmentcode.h"
#include "sim/garment/formats/pattern_svg.h"
#include "sim/mesh/import/obj.h"
#include "tests/garment/patterns.h"
#include "tests/support/folder.h"
#include "tests/support/text.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// Two rectangles 0.1 m apart with a button between points of both.
Pattern buttoned(std::vector<Seam> more = {}) {
  more.push_back({"button", {point_side(0, {0.213, 0.117}), point_side(1, {0.071, 0.093})}});
  return pattern_of({rectangle("a", 0.4, 0.2), rectangle("b", 0.3, 0.2, {0, 0, 0.1})}, more);
}

/// Vertices of a panel that also belong to another.
std::vector<int> shared(const GarmentMesh& g) {
  std::vector<int> both;
  for (const int v : g.vertex[0])
    if (std::count(g.vertex[1].begin(), g.vertex[1].end(), v)) both.push_back(v);
  return both;
}

}  // namespace

TEST_CASE("a button is one vertex, at its point of each panel, and joins nothing else") {
  const GarmentMesh g = make_garment(buttoned(), "p");
  REQUIRE(shared(g).size() == 1);
  REQUIRE(g.seam_lines[0] == shared(g));
  const dvec2 wanted[] = {{0.213, 0.117}, {0.071, 0.093}};
  for (size_t p = 0; p < 2; ++p) {
    const size_t point =
        size_t(std::find(g.vertex[p].begin(), g.vertex[p].end(), g.seam_lines[0][0]) - g.vertex[p].begin());
    CHECK(g.panels[p].points[point] == wanted[p]);
  }
  CHECK(edges_by_sheets(g.mesh).rbegin()->first == 2);
  // two discs with a point in common
  CHECK(euler_characteristic(g.mesh) == 1);
  CHECK(std::abs(rest_area(g) / (0.4 * 0.2 + 0.3 * 0.2) - 1) < 1e-5);
  const RestShape shape(g.mesh);
  double least = 1e9, most = 0;
  for (int t = 0; t < g.mesh.triangle_count(); ++t)
    for (int k = 0; k < 3; ++k)
      least = std::min(least, glm::length(shape.side(t, k))),
      most = std::max(most, glm::length(shape.side(t, k)));
  CHECK(least / most > 0.5);  // as even as without the button, within a tenth
}

TEST_CASE("a button beside a seam of the same panels joins no edges but those of the seam") {
  Seam side{"side", {{0, 0, 0, 0.75}, {1, 0, 0, 1}}};
  Pattern p = buttoned({side});
  p.seams[1].sides = {point_side(0, {0.15, 0.02}), point_side(1, {0.15, 0.02})};
  const GarmentMesh g = make_garment(p, "p");
  int inner = 0;  // edges with more than two triangles, or two that are not of one seam
  for (const auto& [sheets, count] : edges_by_sheets(g.mesh)) inner += sheets > 2 ? count : 0;
  CHECK(inner == 0);
  CHECK(shared(g).size() == g.seam_lines[0].size() + 1);
}

TEST_CASE("buttons that cannot be are refused by name") {
  const auto with = [](const Seam& button) {
    Pattern p = buttoned();
    p.seams[0] = button;
    return garment_fault(p);
  };
  const SeamSide a = point_side(0, {0.2, 0.1}), b = point_side(1, {0.1, 0.1});
  CHECK(with({"neck", {a, b}}) == "");
  CHECK(contains(with({"neck", {a}}), "seam 0 (neck): a button joins two points or more"));
  CHECK(contains(with({"neck", {a, {1, 0, 0, 1}}}), "a button joins two points or more, and no edges"));
  CHECK(contains(with({"neck", {a, point_side(1, {0.5, 0.1})}}), "(0.5, 0.1) m is not inside panel b"));
  CHECK(contains(with({"neck", {a, point_side(7, {0.1, 0.1})}}), "there is no panel 7"));
  CHECK(contains(with({"neck", {a, point_side(1, {NAN, 0.1})}}), "is not inside panel b"));
  CHECK(contains(with({"neck", {a, point_side(1, {0.001, 0.1})}}), "is too near to an edge"));
  Seam elastic{"neck", {a, b}};
  elastic.elastic = 0.9;
  CHECK(contains(with(elastic), "a button cannot be elastic"));
  Pattern twice = buttoned();
  twice.seams.push_back({"second", {point_side(0, {0.214, 0.117}), point_side(1, {0.2, 0.1})}});
  CHECK(contains(garment_fault(twice), "is too near to another button"));
  Panel ring = rectangle("a", 0.4, 0.2);
  ring.loops.push_back(
      {{.start = {0.15, 0.05}}, {.start = {0.15, 0.15}}, {.start = {0.25, 0.15}}, {.start = {0.25, 0.05}}});
  Pattern hole = buttoned();
  hole.panels[0] = ring;
  hole.seams[0] = {"neck", {a, b}};
  CHECK(contains(garment_fault(hole), "(0.2, 0.1) m is not inside panel a"));
}

TEST_CASE("buttons and elastics of the scene's ratio survive pattern files, and a dart beside them") {
  Pattern p = buttoned({{"hem", {{0, 0, 0, 1}}, kSceneElastic}});
  const std::string json = write_garmentcode(p);
  const Pattern read = parse_garmentcode(json, "p.json");
  REQUIRE(read.seams.size() == 2);
  CHECK(read.seams[0].elastic == kSceneElastic);
  REQUIRE(is_button(read.seams[1]));
  REQUIRE(read.seams[1].sides.size() == 2);
  for (size_t k = 0; k < 2; ++k) {  // centimetres in the file
    CHECK(read.seams[1].sides[k].panel == p.seams[1].sides[k].panel);
    CHECK(glm::length(point_of(read.seams[1].sides[k]) - point_of(p.seams[1].sides[k])) < 1e-12);
  }
  CHECK(write_garmentcode(parse_garmentcode(json, "p.json")) == json);
  // a number that is out of range, and not the scene's ratio
  const std::string scene = "\"elastic\": \"scene\"";
  REQUIRE(contains(json, scene));
  for (const char* none : {"0", "0.0", "-0.0"}) {
    CAPTURE(none);
    std::string zero = json;
    zero.replace(zero.find(scene), scene.size(), std::string("\"elastic\": ") + none);
    CHECK(contains(fault_of([&] { parse_garmentcode(zero, "p.json"); }),
                   "elastic = 0 is not between 0.1 and 2"));
  }
  CHECK(contains(pattern_as_svg(p), "<circle"));
  p.panels[0].darts = {{.edge = 2, .at = 0.5, .width = 0.02, .depth = 0.06}};
  CHECK(shared(make_garment(p, "p")).size() == 1);
}

TEST_CASE("an elastic of the scene's ratio is as long at rest as the scene says") {
  const Pattern p = pattern_of({rectangle("a", 0.4, 0.2)}, {{"hem", {{0, 2, 0, 1}}, kSceneElastic}});
  CHECK(std::abs(rest_length_along(make_garment(p, "p"), 0, 0) / (0.7 * 0.4) - 1) < 1e-5);
  CHECK(std::abs(rest_length_along(make_garment(p, "p", 0, {}, 0.8), 0, 0) / (0.8 * 0.4) - 1) < 1e-5);
}

TEST_CASE("a buttoned garment is still buttoned when its OBJ file is read") {
  const Folder folder;
  const GarmentMesh g = make_garment(buttoned(), "p");
  write_obj(folder / "g.obj", {{"g", &g.mesh.positions, &g.mesh.triangles, mat4(1), "cloth", nullptr, vec2(1),
                                &g.mesh.corners}});
  ImportReport report;
  const TriMesh read = read_obj(folder / "g.obj", report, 0);
  CHECK(read.vertex_count() == g.mesh.vertex_count());
  CHECK(euler_characteristic(read) == 1);
}
