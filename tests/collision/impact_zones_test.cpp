// Impact zones in scenes: incremental and full detection, the fallbacks, what is reported.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "sim/methods/method_table.h"
#include "sim/run/simulation.h"
#include "tests/safety/scene_trials.h"

using namespace weft;

namespace {

/// Two sheets that fall onto a ball, the upper one torn at: impacts in most steps.
Scene torn_sheets(const char* solver = "newton") {
  Scene scene;
  scene.set("step.solver", solver);
  scene.set("step.collision", "impact_zones");
  scene.contact.ground = true;
  for (int k = 0; k < 2; ++k) {
    Cloth c;
    c.name = k ? "upper" : "lower";
    c.size = {0.1f, 0.1f}, c.edge = 0.01f;
    c.placement.position = {0, 0.112f + 0.018f * float(k), 0};
    c.placement.rotation = {-90, 25.0f * float(k), 0};
    scene.cloths.push_back(c);
  }
  Obstacle ball;
  ball.name = "ball", ball.shape = ObstacleShape::sphere, ball.size.x = 0.05f;
  ball.placement.position = {0, 0.05f, 0};
  scene.obstacles.push_back(ball);
  scene.duration = 1;
  std::mt19937 random(3);
  check::add_violent_drag(scene, random, 0.02f);
  return scene;
}

/// A sheet between two plates that close on it, without a gap in the end.
Scene pressed_sheet() {
  Scene scene;
  scene.set("step.collision", "impact_zones");
  scene.contact.ground = false, scene.contact.bodies_wait = true;
  Cloth c;
  c.name = "sheet", c.size = {0.06f, 0.06f}, c.edge = 0.01f;
  c.placement.position = {0, 0.5f, 0}, c.placement.rotation = {-90, 0, 0};
  scene.cloths.push_back(c);
  for (const float side : {-1.0f, 1.0f}) {
    Obstacle plate;
    plate.shape = ObstacleShape::box, plate.size = {0.1f, 0.01f, 0.1f};
    plate.placement.position = {0, 0.5f + side * 0.02f, 0};
    plate.motion.keys = {{0, vec3(0)}, {0.1f, vec3(0, -side * 0.0152f, 0)}};
    scene.obstacles.push_back(plate);
  }
  scene.duration = 0.3f;
  return scene;
}

int64_t counted(Simulation& sim, const std::string& wanted) {
  for (const Counter& c : sim.stats().counters)
    if (c.name == wanted) return int64_t(c.value);
  FAIL("this method does not count " << wanted);
  return 0;
}

struct Run {
  std::unique_ptr<Device> device = Device::create(DeviceChoice::cpu, 0);
  Simulation sim;
  check::Trial trial;
  int64_t impacts = 0, rounds = 0, left = 0, held = 0;
  explicit Run(Scene scene) : sim(std::move(scene), *device) {}
  void step() {
    sim.step();
    check::look(sim, trial, check::promised_places(sim));
    impacts += counted(sim, "impacts"), rounds += counted(sim, "rounds"),
        left += counted(sim, "impacts_left"), held += counted(sim, "held_back");
  }
};

void nothing_crosses(const std::string& search, const std::string& response, int steps) {
  CAPTURE(search);
  CAPTURE(response);
  Scene scene = torn_sheets("descent");
  scene.set("impact_zones.search", search);
  scene.set("impact_zones.response", response);
  Run run(std::move(scene));
  for (int i = 0; i < steps; ++i) run.step();
  CHECK(run.impacts > 0);
  CHECK(run.trial.crossed_states == 0);
  CHECK(run.trial.unpromised == 0);
}

}  // namespace

TEST_CASE("incremental detection finds what full detection finds, with the same bits") {
  Scene full = torn_sheets();
  full.set("impact_zones.incremental", "false");
  Run a(torn_sheets()), b(std::move(full));
  // How soon rounds come depends on rounding, and so on the compiler.
  for (int i = 0; i < 40 || (a.rounds <= 20 && i < 200); ++i) {
    a.step(), b.step();
    CHECK(a.sim.hash() == b.sim.hash());
    CHECK(counted(a.sim, "impacts") == counted(b.sim, "impacts"));
  }
  CHECK(a.rounds > 20);
}

TEST_CASE("each search of impacts with one response keeps cloth out of cloth and bodies") {
  nothing_crosses("forest", "inelastic", 12);
  nothing_crosses("hash", "distance", 12);
}

TEST_CASE("every way of searching impacts keeps cloth out of cloth and bodies" *
          doctest::test_suite("full")) {
  for (const char* search : {"forest", "hash"})
    for (const char* response : {"distance", "inelastic"}) nothing_crosses(search, response, 20);
}

TEST_CASE("without rounds everything that impacts is held back, and nothing crosses") {
  Scene scene = torn_sheets();
  scene.set("impact_zones.rounds", "0");
  scene.set("impact_zones.fallback", "hold_back");
  Run run(std::move(scene));
  for (int i = 0; i < 20; ++i) run.step();
  CHECK(run.held > 0);
  CHECK(run.rounds == 0);
  CHECK(run.trial.crossed_states == 0);
  CHECK(run.trial.unpromised == 0);
}

TEST_CASE("steps whose impacts remain are made in parts, and keep their time") {
  Scene scene = torn_sheets();
  scene.set("impact_zones.rounds", "1");
  const double dt = double(scene.step.dt);
  Run run(std::move(scene));
  int64_t most_parts = 0;
  for (int i = 1; i <= 20; ++i) {
    run.step();
    most_parts = std::max(most_parts, counted(run.sim, "parts"));
    CHECK(run.sim.stats().time == doctest::Approx(i * dt));
    CHECK(run.sim.state().step == i);
  }
  CHECK(most_parts > 1);
  CHECK(run.trial.crossed_states == 0);
}

TEST_CASE("as in the paper a state with impacts is published, and then nothing is promised") {
  Scene scene = torn_sheets();
  scene.set("impact_zones.rounds", "0");
  scene.set("impact_zones.fallback", "none");
  Run run(std::move(scene));
  bool promised_while_crossed = false;
  for (int i = 0; i < 20; ++i) {
    const int crossed = run.trial.crossed_states;
    run.sim.step();
    check::look(run.sim, run.trial, check::BodyPlaces::shown);
    run.left += counted(run.sim, "impacts_left");
    const std::vector<std::string> remarks = run.sim.collision_remarks(run.sim.stats());
    const bool told = std::any_of(remarks.begin(), remarks.end(), [](const std::string& r) {
      return r.find("were published") != std::string::npos;
    });
    CHECK(told == (run.sim.promises().self == Protection::none));
    if (run.trial.crossed_states > crossed)
      promised_while_crossed |= run.sim.promises().self != Protection::none;
  }
  CHECK(run.left > 0);
  CHECK(run.trial.crossed_states > 0);
  CHECK(run.trial.unpromised > 0);
  CHECK_FALSE(promised_while_crossed);
}

TEST_CASE("bodies that close on cloth lag, and say so") {
  Run run(pressed_sheet());
  float lag = 0;
  for (int i = 0; i < 20; ++i) {
    run.step();
    lag = std::max(lag, run.sim.stats().body_lag);
  }
  MESSAGE("bodies lag by up to " << 1e3f * lag << " mm");
  CHECK(run.trial.crossed_states == 0);
  CHECK(run.trial.unpromised == 0);
  CHECK(lag > 1e-4f);
}

TEST_CASE("contact pairs of impact zones are what is near, and depth is measured from the onset of contact") {
  Run run(torn_sheets());
  const double onset = 1.3e-3;  // m: a millimetre and the slack of terms
  int pairs = 0, with_bodies = 0, deep = 0;
  for (int i = 0; i < 30; ++i) {
    run.step();
    const std::vector<vec3> x = run.sim.positions();
    std::vector<float> depth(x.size());
    const Span<const float> on_device = run.sim.device_field("contact");
    REQUIRE(on_device.size == int(x.size()));
    run.device->download(depth.data(), on_device.data, depth.size() * sizeof(float));
    std::vector<char> in_pair(x.size(), 0);
    const int64_t impacts = counted(run.sim, "impacts");  // whose sides may have been moved further apart
    int64_t apart = 0;
    for (const ContactPair& p : run.sim.contact_pairs(1000000)) {
      ++pairs, with_bodies += p.kind == ContactKind::body;
      apart += !(double(glm::length(p.a - p.b)) < onset);
      for (const int side : {p.points.x, p.points.y})
        if (side >= 0 && side < int(x.size())) in_pair[size_t(side)] = 1;
    }
    CHECK(apart <= impacts);
    for (size_t v = 0; v < x.size(); ++v) {
      CHECK(double(depth[v]) <= 1.0001 * onset);
      if (x[v].y < 0.9e-3f) CHECK(depth[v] > 0);  // on the ground
      // The corner that stands for a pair is in contact.
      if (in_pair[v] && impacts == 0) CHECK(depth[v] > 0);
      deep += depth[v] > 0;
    }
  }
  MESSAGE(pairs << " pairs, " << with_bodies << " with bodies, " << deep << " vertices in contact");
  CHECK(pairs > with_bodies);
  CHECK(with_bodies > 0);
  CHECK(run.sim.contact_pairs(10).size() <= 10);
  CHECK(run.sim.contact_pairs(0).empty());
}

TEST_CASE("points that are to move metres beside each other ask for smaller steps, and the panel says so") {
  Scene scene;
  scene.set("step.collision", "impact_zones");
  scene.contact.ground = false;
  for (const char* name : {"rests", "moves"}) {
    Cloth c;
    c.name = name, c.size = {0.1f, 0.1f}, c.edge = 0.01f;
    c.placement.position = {0, 0, name[0] == 'm' ? 0.5f : 0.0f};
    scene.cloths.push_back(c);
  }
  Pin hand;
  hand.cloth = "moves", hand.box = Bounds{vec3(-1), vec3(1)};  // all of it
  hand.motion.keys = {{0, vec3(0)}, {float(scene.step.dt), vec3(2, 0, 0)}};
  scene.pins.push_back(hand);
  scene.duration = 1;
  Run run(std::move(scene));
  run.step();
  const std::vector<std::string> remarks = run.sim.collision_remarks(run.sim.stats());
  CAPTURE(remarks.size());
  CHECK(counted(run.sim, "parts") == 4);  // 2 m are 200 edges and a little more: edges are shorter than asked
  CHECK(std::any_of(remarks.begin(), remarks.end(),
                    [](const std::string& r) { return r.find("too far at once") != std::string::npos; }));
  CHECK(run.trial.crossed_states == 0);
}
