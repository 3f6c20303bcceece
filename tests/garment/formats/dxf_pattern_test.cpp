#include "sim/garment/formats/dxf_pattern.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "sim/garment/edge_curve.h"
#include "tests/garment/patterns.h"
#include "tests/support/text.h"

using namespace weft;
using namespace weft::testing;

namespace {

using Points = std::vector<dvec2>;

std::string pair(int code, const std::string& value) { return std::to_string(code) + "\n" + value + "\n"; }
std::string text_entity(const std::string& text) {
  return pair(0, "TEXT") + pair(8, "1") + pair(10, "0") + pair(20, "0") + pair(40, "1") + pair(1, text);
}
std::string polyline(const std::string& layer, const Points& points, bool closed = true, double bulge = 0) {
  std::string out = pair(0, "POLYLINE") + pair(8, layer) + pair(66, "1") + pair(70, closed ? "1" : "0");
  for (size_t i = 0; i < points.size(); ++i) {
    out += pair(0, "VERTEX") + pair(8, layer) + pair(10, std::to_string(points[i].x)) +
           pair(20, std::to_string(points[i].y));
    if (bulge != 0 && i == 0) out += pair(42, std::to_string(bulge));
  }
  return out + pair(0, "SEQEND");
}
std::string line(const std::string& layer, const dvec2& a, const dvec2& b) {
  return pair(0, "LINE") + pair(8, layer) + pair(10, std::to_string(a.x)) + pair(20, std::to_string(a.y)) +
         pair(11, std::to_string(b.x)) + pair(21, std::to_string(b.y));
}
std::string point(const std::string& layer, const dvec2& a) {
  return pair(0, "POINT") + pair(8, layer) + pair(10, std::to_string(a.x)) + pair(20, std::to_string(a.y));
}
std::string block(const std::string& name, const std::string& entities) {
  return pair(0, "BLOCK") + pair(8, "1") + pair(2, name) + pair(70, "0") + entities + pair(0, "ENDBLK");
}
std::string file(const std::string& blocks, const std::string& entities, const std::string& header = "") {
  return (header.empty() ? "" : pair(0, "SECTION") + pair(2, "HEADER") + header + pair(0, "ENDSEC")) +
         pair(0, "SECTION") + pair(2, "BLOCKS") + blocks + pair(0, "ENDSEC") + pair(0, "SECTION") +
         pair(2, "ENTITIES") + entities + pair(0, "ENDSEC") + pair(0, "EOF");
}
const std::string kMetric = text_entity("UNITS: METRIC");

Points square(double size, dvec2 from = {0, 0}) {
  return {from, from + dvec2(size, 0), from + dvec2(size, size), from + dvec2(0, size)};
}

Pattern read(const std::string& text, std::vector<std::string>* notices = nullptr, double unit = 0) {
  std::vector<std::string> own;
  return parse_dxf_pattern(text, "p.dxf", unit, notices ? *notices : own);
}
std::string fault(const std::string& text) {
  return fault_of([&] { read(text); });
}
bool told(const std::vector<std::string>& notices, const std::string& part) {
  return std::any_of(notices.begin(), notices.end(), [&](const auto& n) { return contains(n, part); });
}

double width(const Panel& p) {
  double low = 1e300, high = -1e300;
  for (int e = 0; e < p.edge_count(); ++e)
    for (const dvec2& x : curve_of(p, e).drawn()) low = std::min(low, x.x), high = std::max(high, x.x);
  return high - low;
}

}  // namespace

TEST_CASE("a piece has the same size in millimetres, inches and by a unit that is given") {
  CHECK(width(read(file(block("A", polyline("14", square(254))), kMetric)).panels[0]) ==
        doctest::Approx(0.254));
  CHECK(width(read(file(block("A", polyline("14", square(10))), text_entity("Units: ENGLISH"))).panels[0]) ==
        doctest::Approx(0.254));
  CHECK(width(read(file(block("A", polyline("14", square(25.4))), "", pair(9, "$INSUNITS") + pair(70, "5")))
                  .panels[0]) == doctest::Approx(0.254));
  CHECK(width(read(file(block("A", polyline("14", square(10))), "", pair(9, "$MEASUREMENT") + pair(70, "0")))
                  .panels[0]) == doctest::Approx(0.254));
  CHECK(width(read(file(block("A", polyline("14", square(254))), ""), nullptr, 1e-3).panels[0]) ==
        doctest::Approx(0.254));
  CHECK(contains(fault(file(block("A", polyline("14", square(254))), "")), "the file does not say its unit"));
  CHECK(contains(fault(file(block("A", polyline("14", square(254))), text_entity("UNITS: FURLONGS"))),
                 "'FURLONGS' is no unit"));
}

TEST_CASE("the sew line is the outline, and the cut line only where there is none") {
  std::vector<std::string> notices;
  CHECK(width(read(file(block("A", polyline("1", square(320, {-10, -10})) + polyline("14", square(300))),
                        kMetric),
                   &notices)
                  .panels[0]) == doctest::Approx(0.3));
  CHECK_FALSE(told(notices, "cut line"));
  CHECK(width(read(file(block("A", polyline("1", square(320))), kMetric), &notices).panels[0]) ==
        doctest::Approx(0.32));
  CHECK(told(notices, "its cut line is taken (layer 1)"));
}

TEST_CASE("lines that meet end to end are an outline, in any order and direction") {
  const auto q = square(300);
  const Pattern p = read(file(block("A", line("14", q[0], q[1]) + line("14", q[3], q[2]) +
                                             line("14", q[1], q[2]) + line("14", q[0], q[3])),
                              kMetric));
  CHECK(p.panels[0].edge_count() == 4);
  CHECK(width(p.panels[0]) == doctest::Approx(0.3));
  CHECK(contains(fault(file(block("A", line("14", q[0], q[1]) + line("14", q[1], q[2])), kMetric)),
                 "the file has no pieces"));
}

TEST_CASE("cut-outs are holes, the grain line turns the warp, and arcs are arcs") {
  const Pattern p =
      read(file(block("A", polyline("14", square(300), true, 1.0) + polyline("11", square(100, {100, 100})) +
                               line("7", {100, 50}, {200, 150}) + line("8", {0, 10}, {300, 10})),
                kMetric));
  REQUIRE(p.panels[0].loops.size() == 2);
  CHECK(p.panels[0].grain == doctest::Approx(45));
  double around = 0;
  for (int e = 0; e < 4; ++e) around += curve_of(p.panels[0], e).length();
  CHECK(around == doctest::Approx(0.9 + M_PI * 0.15));  // one side is a half circle outwards
}

TEST_CASE("a piece drawn up to its mirror line is unfolded") {
  const Points half{{0, 0}, {150, 0}, {200, 300}, {0, 300}};
  const Pattern p = read(file(block("A", polyline("14", half) + line("6", {0, -20}, {0, 320})), kMetric));
  CHECK(width(p.panels[0]) == doctest::Approx(0.4));
  const GarmentMesh g = make_garment(p, "p", 0.03);
  CHECK(rest_area(g) == doctest::Approx(2 * 0.5 * (0.15 + 0.2) * 0.3).epsilon(1e-5));
  std::vector<std::string> notices;
  CHECK(
      width(read(file(block("A", polyline("14", half) + line("6", {-50, 0}, {-50, 300})), kMetric), &notices)
                .panels[0]) == doctest::Approx(0.2));
  CHECK(told(notices, "it is not unfolded"));
}

TEST_CASE("curves of many points are one edge between turn points and notches") {
  Points outline;
  for (int i = 0; i < 40; ++i)
    outline.push_back(100.0 * dvec2(std::cos(M_PI * i / 40), std::sin(M_PI * i / 40)));
  outline.push_back({-100, 0}), outline.push_back({-100, -200}), outline.push_back({100, -200});
  const Pattern p = read(file(block("A", polyline("14", outline)), kMetric));
  CHECK(p.panels[0].edge_count() < 6);
  const Pattern notched = read(file(block("A", polyline("14", outline) + point("4", outline[20])), kMetric));
  CHECK(notched.panels[0].edge_count() == p.panels[0].edge_count() + 1);
}

TEST_CASE("names come from the pieces' texts, and pieces stand side by side") {
  std::vector<std::string> notices;
  const Pattern p =
      read(file(block("B1", text_entity("Piece Name: FRONT") + text_entity("Quantity: 2") +
                                polyline("14", square(300))) +
                    block("B2", polyline("14", square(200))) +
                    block("B3", text_entity("PIECE NAME: FRONT") + polyline("14", square(100))) +
                    block("B4", line("8", {0, 0}, {1, 1})),
                kMetric + text_entity("Style Name: Skirt")),
           &notices);
  REQUIRE(p.panels.size() == 4);
  CHECK(p.name == "Skirt");
  CHECK(p.panels[0].name == "FRONT");
  CHECK(p.panels[1].name == "FRONT mirrored");
  CHECK(p.panels[2].name == "B2");
  CHECK(p.panels[3].name == "FRONT 2");
  CHECK(told(notices, "piece B4: no closed line"));
  CHECK(p.panels[1].position.x > 0.3);
  CHECK(p.panels[2].position.x > 0.65);
  CHECK(p.panels[3].position.x > p.panels[2].position.x + 0.2);
}

TEST_CASE("what is no DXF is refused with its line") {
  const std::string good = file(block("A", polyline("14", square(300))), kMetric);
  CHECK(fault(good) == "");
  CHECK(contains(fault("hello\nworld\n"), "p.dxf:1: 'hello' is no group code"));
  CHECK(contains(fault("AutoCAD Binary DXF\r\n"), "binary"));
  CHECK(contains(fault(good.substr(0, good.find("ENDBLK") - 2) + pair(0, "ENDSEC") + pair(0, "EOF")),
                 "the block A has no end"));
  std::string bad = good;
  bad.replace(bad.find("300.000000"), 10, "3oo");
  CHECK(contains(fault(bad), "'3oo' is no number"));
  CHECK(contains(fault(good.substr(0, good.size() - 6)), "the file ends without EOF"));
  CHECK(contains(fault(file("", kMetric)), "the file has no pieces"));
  CHECK(contains(fault(file(block("A", polyline("14", {{0, 0}, {300, 300}, {300, 0}, {0, 300}})), kMetric)),
                 "panel A: the outline crosses or touches itself"));
}

TEST_CASE("truncated and damaged DXF files are refused or read, and nothing else happens") {
  const std::string good = file(block("A", text_entity("Piece Name: X") + polyline("14", square(300)) +
                                               polyline("11", square(50, {50, 50})) +
                                               line("6", {0, 0}, {0, 300}) + line("7", {0, 0}, {0, 9})),
                                kMetric);
  for (size_t n = 0; n + 6 < good.size(); n += 3) {
    CAPTURE(n);
    CHECK(fault(good.substr(0, n)) != "");
  }
  std::mt19937 random(2);
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string damaged = good;
    for (int k = 0; k < 1 + i % 4; ++k)
      damaged[random() % damaged.size()] = "0123456789.\n-e x"[random() % 16];
    refused += fault(damaged) != "";
  }
  CHECK(refused > 200);
}

namespace {

Points front(double wider) {
  return {{0, 0}, {300 + wider, 0}, {300 + wider, 400}, {180, 460 + wider}, {120, 430}, {0, 400}};
}

std::string sized(const std::string& name, const std::string& size, const Points& points,
                  const std::string& more = "") {
  return block(name + "_" + size, text_entity("Piece Name: " + name) + text_entity("SIZE: " + size) +
                                      polyline("14", points) + more);
}

std::string graded(const std::string& entities = "") {
  std::string blocks;
  for (const char* name : {"FRONT", "BACK"})
    for (const int size : {38, 40, 42})
      blocks += sized(name, std::to_string(size), front(10.0 * (size - 38)));
  return file(blocks, kMetric + entities);
}

Pattern read_size(const std::string& text, const std::string& size, std::vector<std::string>& notices) {
  return parse_dxf_pattern(text, "p.dxf", 0, notices, size);
}

}  // namespace

TEST_CASE("one size of a graded file is read, by name, the base size, else the middle one") {
  std::vector<std::string> notices;
  const Pattern middle = read_size(graded(), "", notices);
  REQUIRE(middle.panels.size() == 2);
  CHECK(middle.panels[0].name == "FRONT 40");
  CHECK(middle.panels[1].name == "BACK 40");
  CHECK(width(middle.panels[0]) == doctest::Approx(0.32));
  REQUIRE(notices.size() == 1);  // one line for all
  CHECK(contains(notices[0], "its sizes are 38, 40, 42: 40 is taken, 4 pieces of others are left out"));
  CHECK(width(read_size(graded(), "42", notices).panels[1]) == doctest::Approx(0.34));
  CHECK(read_size(graded(text_entity("Sample Size: 38")), "", notices).panels[0].name == "FRONT 38");
  CHECK(contains(fault_of([&] { read_size(graded(), "44", notices); }), "no size '44'"));
  // without texts: by the ends of the blocks' names
  std::string names;
  for (const char* size : {"S", "M"})
    names += block(std::string("FRONT-") + size,
                   text_entity("Piece Name: FRONT") + polyline("14", front(*size == 'M' ? 20 : 0)));
  CHECK(width(read_size(file(names, kMetric), "M", notices).panels[0]) == doctest::Approx(0.32));
  CHECK(read_size(file(names, kMetric), "", notices).panels.size() == 1);
}

TEST_CASE("what is true of many pieces is told once, with their number") {
  std::string blocks;
  for (int i = 0; i < 60; ++i) blocks += block("P" + std::to_string(i), polyline("1", square(300)));
  std::vector<std::string> notices;
  CHECK(read(file(blocks, kMetric), &notices).panels.size() == 60);
  REQUIRE(notices.size() == 1);
  CHECK(contains(notices[0], "60 pieces (P0, P1, P2, ...): no closed sew line"));
}

TEST_CASE("points microns apart are one, and a slit whose lips touch or overlap is a notch") {
  std::vector<std::string> notices;
  const Points doubled{{0, 0}, {150, 0}, {150.0025, 0}, {300, 0}, {300, 400}, {0, 400}};
  std::string edges;  // a line for each edge, as some programs write them
  for (size_t i = 0; i < doubled.size(); ++i)
    edges += polyline("14", {doubled[i], doubled[(i + 1) % doubled.size()]}, false);
  for (const std::string& outline : {polyline("14", doubled), edges}) {
    const Panel p = read(file(block("A", outline + point("2", {150, 0})), kMetric), &notices).panels[0];
    CHECK(width(p) == doctest::Approx(0.3));
  }
  for (const double overlap : {0.0254, -0.03}) {
    const Points slit{{0, 0},  {150 + overlap, 0}, {150 + overlap / 2, 10}, {150, 0}, {300, 0}, {300, 400},
                      {0, 400}};
    const Panel p = read(file(block("A", polyline("14", slit)), kMetric), &notices).panels[0];
    REQUIRE(p.marks.notches.size() == 1);
    CHECK(glm::distance(p.marks.notches[0], dvec2(0.15, 0)) < 1e-4);
    CHECK(p.edge_count() == 5);  // the notch divides the lower edge
    CHECK(told(notices, "slits narrower than 0.1 mm are notches"));
  }
  const Points deep{{0, 0},     {150, 0}, {150.03, 5}, {150, 10}, {149.97, 5},
                    {150, 0.0}, {300, 0}, {300, 400},  {0, 400}};
  CHECK(read(file(block("A", polyline("14", deep)), kMetric)).panels[0].marks.notches.size() == 1);
  // a dart of 2 mm is none
  const Points dart{{0, 0}, {149, 0}, {150, 50}, {151, 0}, {300, 0}, {300, 400}, {0, 400}};
  CHECK(read(file(block("A", polyline("14", dart)), kMetric)).panels[0].edge_count() == 7);
}

TEST_CASE("notches, drill holes and internal lines are kept, of both pieces of a pair") {
  std::vector<std::string> notices;
  const std::string marks = point("4", {300, 100}) + point("80", {0, 200}) + point("13", {50, 60}) +
                            line("8", {10, 10}, {10, 300}) + line("7", {100, 100}, {200, 300});
  const Pattern p = read(
      file(block("A", text_entity("QUANTITY: 1,1") + polyline("14", front(0)) + marks), kMetric), &notices);
  REQUIRE(p.panels.size() == 2);
  for (const double side : {1.0, -1.0}) {
    const Panel& panel = p.panels[side > 0 ? 0 : 1];
    REQUIRE(panel.marks.notches.size() == 2);
    CHECK(panel.marks.notches[0] == dvec2(0.3 * side, 0.1));
    CHECK(panel.marks.drills == std::vector<dvec2>{{0.05 * side, 0.06}});
    CHECK(panel.marks.lines.size() == 1);
    CHECK(std::tan(glm::radians(panel.grain)) == doctest::Approx(2 * side));
    double area = 0;
    for (const PanelEdge& e : panel.loops[0]) {
      const dvec2 a = e.start, b = end_of(panel, int(&e - panel.loops[0].data()));
      area += 0.5 * (a.x * b.y - a.y * b.x);
    }
    CHECK(area > 0.1);  // counter-clockwise: the right side is seen
    CHECK(panel.edge_count() == 7);
  }
  CHECK(told(notices, "4 internal lines and drill holes are marks"));
}

TEST_CASE("a file that says METRIC and has another unit is asked about it") {
  std::vector<std::string> notices;
  read(file(block("SLEEVE", polyline("14", square(60))), kMetric), &notices);
  CHECK(told(
      notices,
      "the largest piece is 60 mm long, as the file states its unit (1 mm); --unit 10mm makes it 600 mm"));
  notices.clear();
  read(file(block("SLEEVE", polyline("14", square(7000))), kMetric), &notices);
  CHECK(told(
      notices,
      "the largest piece is 7 m long, as the file states its unit (1 mm); --unit 0.1mm makes it 700 mm"));
  notices.clear();
  read(file(block("SLEEVE", polyline("14", square(600))), kMetric), &notices);
  CHECK(notices.empty());
  read(file(block("SLEEVE", polyline("14", square(60))), kMetric), &notices, 1e-3);  // said by the user
  CHECK(notices.empty());
}
