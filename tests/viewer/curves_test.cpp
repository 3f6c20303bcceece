// Numbers of a run over time.
#include "viewer/session/curves.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace weft;

namespace {

struct Run {
  Curves curves;
  RunTimeline line;
  uint64_t id = 0;
  void state(int step, float speed, const std::string& methods = "a") {
    Frame frame;
    frame.id = ++id, frame.model_id = 1;
    frame.step = step, frame.time = 0.1 * step;
    frame.stats.max_speed = speed;
    const std::vector<vec3> positions = {{0, 1, 0}, {0, float(step), 2}};
    for (const int v : curves.vertices()) frame.watched.emplace_back(v, positions.at(size_t(v)));
    curves.add(frame, line, methods);
  }
  /// The points of the only curve: those that count and those before.
  std::pair<size_t, size_t> points(double seconds = 0) const {
    std::pair<size_t, size_t> n{0, 0};
    const std::vector<Curve> all = curves.curves(seconds);
    for (const CurveLine& l : all[0].lines) (l.pale ? n.second : n.first) += l.points.size();
    return n;
  }
};

}  // namespace

TEST_CASE("a curve has every state once however often it is shown again") {
  Run run;
  run.curves.toggle("stats.max_speed");
  for (int k = 0; k < 10; ++k) run.state(k, float(k));
  for (const int k : {3, 4, 9}) run.state(k, float(k));
  CHECK(run.points() == std::pair<size_t, size_t>{10, 0});
  const Curve curve = run.curves.curves(0)[0];
  CHECK(curve.unit == "m/s");
  CHECK(curve.low == 0);
  CHECK(curve.high == 9);
  CHECK(curve.lines[0].points[4] == dvec2(0.4, 4));
  CHECK(run.points(0.35).first == 4);  // the last of them
}

TEST_CASE("a branch and a switch of method and a reset leave pale curves and another scene none") {
  Run run;
  run.curves.toggle("stats.max_speed");
  for (int k = 0; k < 10; ++k) run.state(k, 1);
  run.line.branch = 2, run.line.branch_step = 4, run.line.branch_frame = run.id + 1;
  for (int k = 5; k < 8; ++k) run.state(k, 2);
  CHECK(run.points() == std::pair<size_t, size_t>{8, 5});
  run.state(8, 3, "b");
  CHECK(run.points() == std::pair<size_t, size_t>{1, 13});
  run.line.branch = 3, run.line.branch_step = -1, run.line.branch_frame = run.id + 1;
  run.state(0, 0, "b");
  CHECK(run.points() == std::pair<size_t, size_t>{1, 14});
  Frame other;
  other.model_id = 2;
  run.curves.add(other, run.line, "b");
  CHECK(run.points() == std::pair<size_t, size_t>{1, 0});
}

TEST_CASE("heights and distances of vertices are curves from the time when they are chosen") {
  Run run;
  run.state(0, 0);
  run.curves.toggle("vertex.1");
  run.curves.toggle("distance.0.1");
  run.state(5, 0);
  const std::vector<Curve> curves = run.curves.curves(0);
  REQUIRE(curves.size() == 2);
  REQUIRE(curves[0].lines.size() == 1);
  CHECK(curves[0].lines[0].points == std::vector<dvec2>{{0.5, 5}});
  CHECK(curves[1].lines[0].points[0].y == doctest::Approx(std::sqrt(16.0 + 4)));
  CHECK(curves[0].label == "height of vertex 1");
  CHECK(curves[1].unit == "m");
  const std::vector<std::string> ids = run.curves.ids();
  CHECK(std::find(ids.begin(), ids.end(), "stats.max_speed") != ids.end());
  CHECK(std::find(ids.begin(), ids.end(), "vertex.1") == ids.end());
}

TEST_CASE("curves are written as a table and as a picture with axes and units") {
  Run run;
  run.curves.toggle("stats.max_speed");
  run.curves.toggle("stats.contacts");
  for (int k = 0; k < 10; ++k) run.state(k, 1);
  run.line.branch = 2, run.line.branch_step = 8, run.line.branch_frame = run.id + 1;
  run.state(9, 3);
  const std::string csv = curves_csv(run.curves.curves(0));
  CHECK(csv.starts_with("time_s,max_speed_m_s,max_speed_m_s_before,contacts,contacts_before\n0,1,,0,\n"));
  CHECK(csv.find("\n0.9,3,1,0,0\n") != std::string::npos);
  const std::string svg = curves_svg(run.curves.curves(0), {800, 320});
  const auto count = [&](const std::string& what) {
    int n = 0;
    for (size_t at = svg.find(what); at != svg.npos; at = svg.find(what, at + 1)) ++n;
    return n;
  };
  CHECK(count("<polyline") == 6);  // before the branch, after it and what it left, of two
  CHECK(count("opacity=\"0.35\"") == 2);
  CHECK(count(">max speed (m/s) 3<") == 1);
  CHECK(count(">0.5 s<") + count(">0.4 s<") >= 1);
  CHECK(svg.ends_with("</svg>\n"));
}
