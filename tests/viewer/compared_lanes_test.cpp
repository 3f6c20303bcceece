// Runs that are compared, without a display: what is shown together is of one time.
#include "viewer/session/compared_lanes.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "tests/viewer/opened_session.h"
#include "viewer/session/lane_curves.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// A session as the window turns it: lanes, news, then a picture of what is shown.
struct Turned : Opened {
  std::vector<double> pictured;  // times of the first lane's state in each new picture
  double apart = 0;              // s, the most that states of one picture are apart
  bool other_state = false;      // a picture named a state of the session that it did not show
  long seen = -1;

  explicit Turned(const std::vector<std::string>& others) {
    for (const std::string& lane : others) session.compare_with(read_lane(lane));
    session.set_pace(Pace::fastest, 1);
    CHECK(wait_for([&] { return turn(false), session.lanes().running() && session.lanes().frame(0); }));
  }
  void turn(bool by_step) {
    session.turn_lanes(1.0 / 60, by_step);
    session.refresh();
    ComparedLanes& lanes = session.lanes();
    if (!lanes.running() || !lanes.frame(0) || lanes.revision() == seen) return;
    seen = lanes.revision();
    pictured.push_back(lanes.frame(0)->time);
    other_state |= session.shared_frame() != lanes.frame(0);
    for (size_t i = 1; i < lanes.size(); ++i)
      apart = std::max(apart, std::abs(lanes.frame(i)->time - lanes.frame(0)->time));
  }
  double time() { return session.lanes().frame(0)->time; }
};

}  // namespace

TEST_CASE("states of compared runs in one picture are of one time for steps that do not divide each other") {
  Turned o({"dt=0.005", "dt=0.012"});
  CHECK(o.session.lanes().tick() == doctest::Approx(0.06));
  o.session.play();
  REQUIRE(wait_for([&] { return o.turn(false), o.time() > 1; }));
  CHECK(o.apart < 1e-6);  // roundings of summed steps
  CHECK_FALSE(o.other_state);
  o.session.pause();
  CHECK(wait_for([&] { return o.turn(false), std::abs(std::remainder(o.time(), 0.06)) < 1e-5; }));
  const double paused = o.time();
  o.session.step_once();
  REQUIRE(wait_for([&] { return o.turn(false), o.time() > paused + 1e-6; }));
  CHECK(o.time() == doctest::Approx(paused + 0.06));
  CHECK(o.apart < 1e-6);
}

TEST_CASE("a video of compared runs has a picture of every common time and none twice") {
  Turned o({"dt=0.005"});
  o.session.runner().set_frame_exact(true);  // as Recording does; nobody releases a state but at a picture
  o.pictured.clear();
  o.session.play();
  REQUIRE(wait_for([&] {
    o.turn(true);
    o.session.runner().release_frame(o.session.frame().id);
    return o.pictured.size() > 30;
  }));
  for (size_t i = 1; i < o.pictured.size(); ++i)
    CHECK(o.pictured[i] - o.pictured[i - 1] == doctest::Approx(o.session.lanes().tick()));
  CHECK(o.apart < 1e-6);
  CHECK_FALSE(o.other_state);
}

TEST_CASE("time steps without a common multiple are told and states are less than a step apart") {
  Turned o({"dt=0.0123"});
  o.session.play();
  REQUIRE(wait_for([&] { return o.turn(false), o.time() > 0.5; }));
  CHECK(o.heard("no common multiple"));
  CHECK(o.apart < 0.02);
}

TEST_CASE("compared runs share a budget and the reference is solved to its end") {
  Turned o({"solver=projective,dt=0.005", "reference=true,name=reference"});
  ComparedLanes& lanes = o.session.lanes();
  lanes.set_budget(1e-9);
  o.session.play();
  std::map<size_t, int> ended;
  REQUIRE(wait_for([&] {
    o.turn(false);
    for (size_t i = 0; i < lanes.size(); ++i) ended[i] += lanes.frame(i)->stats.budget_iterations > 0;
    return o.time() > 0.5;
  }));
  CHECK(ended[0] > 5);
  CHECK(ended[1] > 5);
  CHECK(ended[2] == 0);
  CHECK(lane_budget(read_lane("dt=0.005"), 8e-3, 0.005, 0.02) == doctest::Approx(2e-3));
  lanes.set_budget(0);
  const double from = o.time();
  REQUIRE(wait_for([&] { return o.turn(false), o.time() > from + 0.2; }));
  CHECK(lanes.frame(0)->stats.budget_iterations == 0);
}

TEST_CASE("each shown number has a curve for each run and the reference is what errors are measured from") {
  Turned o({"solver=descent,name=descent", "reference=true,name=reference"});
  ComparedLanes& lanes = o.session.lanes();
  Curves first;
  LaneCurves others;
  first.show({"stats.max_speed", "lane.error"});
  o.session.play();
  REQUIRE(wait_for([&] {
    const long before = o.seen;
    o.turn(false);
    if (o.seen == before) return false;
    for (const FrameNumbers& n : lanes.take_numbers(0))
      first.add(n, *o.session.timeline(), "a",
                n.id == lanes.frame(0)->id ? more_of(lanes, 0) : Curves::More());
    others.add(lanes, first);
    return o.time() > 0.4;
  }));
  const std::vector<Curve> curves = others.curves(lanes, first, 0);
  REQUIRE(curves.size() == 6);
  for (size_t k = 0; k < 6; ++k) {
    CHECK(curves[k].lane == int(k % 3));
    CHECK(curves[k].dashes == int(k / 3));
    REQUIRE(curves[k].lines.size() == 1);
    const std::vector<dvec2>& points = curves[k].lines[0].points;
    CHECK(std::abs(points.back().x - o.time()) < 1e-6);
    if (k == 2) CHECK(points.size() > 3 * curves[0].lines[0].points.size());  // of steps of a quarter
  }
  CHECK(curves[1].label == "max speed, descent");
  CHECK(curves[3].lines[0].points.back().y == doctest::Approx(lanes.error(0)->mean));
  CHECK(curves[3].lines[0].points.back().y > 0);
  CHECK(curves[5].high == 0);  // the reference's own
  CHECK(curves_csv(curves).starts_with(
      "time_s,max_speed__this_run_m_s,max_speed__descent_m_s,max_speed__reference_m_s,"
      "mean_distance_from_the_reference__this_run_m,"));
  const std::string svg = curves_svg(curves, {900, 300});
  for (const char* color : {"#0072b2", "#d55e00", "#00794f"})  // one of each run
    CHECK(svg.find("stroke=\"" + std::string(color)) != std::string::npos);
  CHECK(svg.find("stroke-dasharray") != std::string::npos);
}

TEST_CASE("a lane keeps its curves when another one ends and one of the same name begins its own") {
  Turned o({"solver=descent,name=descent", "dt=0.005,name=short"});
  ComparedLanes& lanes = o.session.lanes();
  Curves first;
  LaneCurves others;
  first.show({"stats.max_speed", "vertex.12"});
  const auto points = [&](int lane, const std::string& id) {
    for (const Curve& c : others.curves(lanes, first, 0))
      if (c.lane == lane && c.id == id && !c.lines.empty()) return c.lines.back().points.size();
    return size_t(0);
  };
  const auto turned = [&](const auto& done) {
    return wait_for([&] {
      o.turn(false);
      if (!lanes.running() || !lanes.frame(1)) return false;
      others.add(lanes, first);
      return done();
    });
  };
  o.session.play();
  REQUIRE(turned([&] { return o.time() > 0.4; }));
  const size_t before = points(2, "stats.max_speed");
  CHECK(before > points(1, "stats.max_speed") + 10);  // of shorter steps
  lanes.remove(1);
  others.add(lanes, first);
  CHECK(points(1, "stats.max_speed") >= before);  // it is the first one's neighbour now
  CHECK(points(2, "stats.max_speed") == 0);
  // Between two looks at it another lane of the name comes, whose vertices nobody asked for yet.
  lanes.end();
  o.session.compare_with(read_lane("solver=descent,name=short"));
  REQUIRE(wait_for([&] { return o.turn(false), lanes.running() && lanes.frame(1); }));
  CHECK(turned([&] { return points(1, "vertex.12") > 0; }));
}
