// What vertex repulsion tells of itself, against brute force.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "sim/collision/repulsion/constraints/repulsion_params.h"
#include "sim/collision/repulsion/fold_guard/exempt_pairs.h"
#include "sim/collision/repulsion/repulsion_numbers.h"
#include "sim/mesh/shapes/shapes.h"
#include "sim/mesh/topology.h"
#include "sim/methods/method_table.h"
#include "sim/run/simulation.h"

using namespace weft;

namespace {

/// Two sheets that lie above each other, `gap` times the resting distance apart.
Scene stacked_sheets(float gap, const std::string& method = "repulsion") {
  Scene scene;
  scene.set("step.collision", method);
  scene.of<RepulsionParams>().steps = 24;
  for (int i = 0; i < 2; ++i) {
    Cloth c;
    c.name = i ? "upper" : "lower";
    c.size = {0.12f, 0.10f};
    c.edge = 0.006f;
    c.unevenness = 0;
    c.placement.rotation = {-90, 0, 0};
    c.placement.position = {0.002f * float(i), 0.5f + gap * 0.0115f * float(i), 0.001f * float(i)};
    scene.cloths.push_back(c);
  }
  return scene;
}

std::set<std::pair<int, int>> near_pairs(const std::vector<vec3>& x, const Topology& topology,
                                         float distance) {
  const auto exempt = exempt_pairs(topology);
  std::set<std::pair<int, int>> found;
  for (int i = 0; i < int(x.size()); ++i)
    for (int j = i + 1; j < int(x.size()); ++j)
      if (glm::length(x[size_t(j)] - x[size_t(i)]) < distance &&
          !std::binary_search(exempt[size_t(i)].begin(), exempt[size_t(i)].end(), j))
        found.insert({i, j});
  return found;
}

float soft_distance(Simulation& sim) {
  return repulsion_constants(sim.scene().of<RepulsionParams>(), edge_range(sim.model().host)).soft_distance;
}

std::set<std::pair<int, int>> as_set(const std::vector<ivec2>& pairs) {
  std::set<std::pair<int, int>> s;
  for (const ivec2& p : pairs) s.insert({p.x, p.y});
  return s;
}

std::set<std::pair<int, int>> as_set(const std::vector<ContactPair>& pairs) {
  std::set<std::pair<int, int>> s;
  for (const ContactPair& p : pairs) s.insert({p.points.x, p.points.y});
  return s;
}

double number(const StepStats& stats, const std::string& name) {
  for (const auto& [key, value] : stats.all())
    if (key == name) return value;
  FAIL("no number " << name);
  return 0;
}

}  // namespace

TEST_CASE(
    "contact pairs and phases are those of brute force, at the start and while sheets fall onto each other") {
  Scene scene = stacked_sheets(1.1f);
  scene.pins.push_back({.cloth = "lower", .where = "boundary"});
  auto device = Device::create(DeviceChoice::cpu, 0);
  Simulation sim(scene, *device);
  int most_pairs = 0, most_soft = 0;
  for (int step = 0; step <= 30; ++step) {
    if (step % 5 == 0) {
      const StepStats stats = sim.stats();
      const auto expected = near_pairs(sim.positions(), sim.model().host, soft_distance(sim));
      CHECK(stats.self_pairs == int(expected.size()));
      CHECK(as_set(sim.contact_pairs(100000)) == expected);
      const Span<const float> phase = sim.device_field("phase");
      REQUIRE(phase.size == sim.model().vertex_count());
      CHECK(stats.counter("soft_vertices") == std::count(phase.data, phase.data + phase.size, 1.0f));
      CHECK(stats.counter("hard_vertices") == std::count(phase.data, phase.data + phase.size, 2.0f));
      CHECK((step == 0 ? stats.collision_steps == 0
                       : stats.collision_steps == 24 ||
                             stats.collision_steps == 24 + sim.scene().of<RepulsionParams>().initial_steps));
      CHECK(stats.counter("failed_steps") <= stats.collision_steps);
      CHECK(number(stats, "self_pairs") == stats.self_pairs);
      CHECK(number(stats, "soft_vertices") == stats.counter("soft_vertices"));
      most_pairs = std::max(most_pairs, stats.self_pairs),
      most_soft = std::max(most_soft, int(stats.counter("soft_vertices")));
    }
    sim.step();
  }
  CHECK(most_pairs > 100);
  CHECK(most_soft > 50);
  sim.reset();
  CHECK(sim.stats().counter("soft_vertices") == 0);
}

TEST_CASE(
    "vertices that a state leaves nearer than they may come are counted and told of, and nothing is where "
    "they keep away") {
  auto device = Device::create(DeviceChoice::cpu, 0);
  for (const float gap : {0.2f, 1.1f}) {
    CAPTURE(gap);
    Simulation sim(stacked_sheets(gap), *device);
    const float bound =
        repulsion_constants(sim.scene().of<RepulsionParams>(), edge_range(sim.model().host)).bound;
    std::set<int> expected;
    for (const auto& [a, b] : near_pairs(sim.positions(), sim.model().host, 0.99f * bound))
      expected.insert({a, b});
    CHECK((gap < 1) == (expected.size() > 100));
    CHECK(sim.stats().counter("too_close") == int(expected.size()));
    const std::vector<std::string> told = sim.collision_remarks(sim.stats());
    CHECK((gap < 1) == std::any_of(told.begin(), told.end(), [](const std::string& s) {
            return s.find("closer to others than this method allows") != std::string::npos;
          }));
  }
}

TEST_CASE("more pairs than asked for: a part of them, from all over the cloth") {
  auto device = Device::create(DeviceChoice::cpu, 0);
  Simulation sim(stacked_sheets(0.9f), *device);
  const auto all = as_set(sim.contact_pairs(100000));
  REQUIRE(all.size() > 300);
  for (const int most : {1, 7, 100, int(all.size()) - 1}) {
    const std::vector<ContactPair> some = sim.contact_pairs(most);
    CHECK(int(some.size()) <= most);
    CHECK(2 * int(some.size()) >= std::min(most, int(all.size()) / 2));
    CHECK(as_set(some).size() == some.size());
    const std::vector<vec3> x = sim.positions();
    for (const ContactPair& p : some) {
      CHECK(all.count({p.points.x, p.points.y}) == 1);
      CHECK(p.kind == ContactKind::vertices);
      CHECK(p.a == x[size_t(p.points.x)]);
      CHECK(p.b == x[size_t(p.points.y)]);
    }
  }
  std::set<int> of;
  for (const ContactPair& p : sim.contact_pairs(100)) of.insert(p.points.x);
  CHECK(*of.rbegin() - *of.begin() > sim.model().vertex_count() / 3);
  CHECK(sim.contact_pairs(0).empty());
}

TEST_CASE("no pair is lost where lists begin too short") {
  auto device = Device::create(DeviceChoice::cpu, 0);
  std::vector<vec3> start;
  const Scene scene = stacked_sheets(0.9f);
  Model model(scene, *device, start);
  GrowingLists growing(*device);
  CollisionSteps steps(growing, model.host);
  steps.prepare(scene.of<RepulsionParams>());
  steps.search().make_room(1, 1);
  const int moves = steps.moves();
  RepulsionNumbers numbers(*device, model.vertex_count());
  const Buffer<vec3> position(*device, "positions", start);
  CHECK(as_set(numbers.pairs(position.span(), steps, 100000)) ==
        near_pairs(start, model.host, steps.constants().soft_distance));
  CHECK(steps.moves() != moves);  // what was recorded names the old memory
}

TEST_CASE("looking at numbers and pairs changes no bit of the motion") {
  const auto run = [](bool look) {
    auto device = Device::create(DeviceChoice::cpu, 0);
    Simulation sim(stacked_sheets(1.1f), *device);
    for (int i = 0; i < 20; ++i) {
      sim.step();
      if (look) sim.stats(), sim.contact_pairs(50);
    }
    return sim.hash();
  };
  CHECK(run(true) == run(false));
}

TEST_CASE("the lag of pins is how far they are from where their motion puts them") {
  Scene scene = stacked_sheets(2);
  Pin pin{.cloth = "upper", .where = "left"};
  pin.motion.keys = {{0, {0, 0, 0}}, {1, {2, 0, 0}}};
  scene.pins.push_back(pin);
  auto device = Device::create(DeviceChoice::cpu, 0);
  Simulation sim(scene, *device);
  const std::vector<vec3> start = sim.positions();
  CHECK(sim.stats().pin_lag == 0);
  for (int i = 0; i < 10; ++i) sim.step();
  float lag = 0;
  const std::vector<vec3> now = sim.positions();
  for (const int v : sim.pinned_vertices())
    lag = std::max(lag, glm::length(start[size_t(v)] + vec3(2 * sim.state().time, 0, 0) - now[size_t(v)]));
  const StepStats stats = sim.stats();
  CHECK(stats.pin_lag == doctest::Approx(lag).epsilon(1e-3));
  CHECK(stats.pin_lag > 0.002f);  // 2 m/s is more than 24 collision steps allow
  const auto remarks = sim.collision_remarks(stats);
  CHECK(std::any_of(remarks.begin(), remarks.end(),
                    [](const std::string& s) { return s.find("lag") != std::string::npos; }));
  // A snapshot restored elsewhere has no step before it.
  const Snapshot later = sim.snapshot();
  sim.reset();
  sim.restore(later);
  CHECK(sim.stats().pin_lag == 0);
}

TEST_CASE(
    "methods without self-collision have none of these numbers, and every method says what it promises") {
  for (const CollisionEntry& method : collision_methods()) {
    CAPTURE(method.name);
    auto device = Device::create(DeviceChoice::cpu, 0);
    Simulation sim(stacked_sheets(0.9f, method.name), *device);
    sim.step();
    const StepStats stats = sim.stats();
    REQUIRE_FALSE(sim.collision_remarks(stats).empty());
    const std::string promise = sim.collision_remarks(stats)[0];
    if (sim.promises().self == Protection::intersection_free) {
      CHECK(promise.find("never crosses itself") != std::string::npos);
      continue;
    }
    CHECK(promise.find("passes through itself") != std::string::npos);
    for (const char* name : {"self_pairs", "collision_steps", "pin_lag", "body_lag"})
      CHECK(number(stats, name) == 0);
    CHECK(stats.counters.empty());
    CHECK(sim.contact_pairs(1000).empty());
    CHECK(sim.device_field("phase").empty());
  }
}

TEST_CASE(
    "vertex repulsion says how fast cloth can slide: collision steps times their limit over the time step") {
  const auto told = [](const std::string& dt, const std::string& steps) {
    Scene scene = stacked_sheets(0.9f, "repulsion");
    scene.set("step.dt", dt);
    scene.set("repulsion.steps", steps);
    auto device = Device::create(DeviceChoice::cpu, 0);
    Simulation sim(scene, *device);
    sim.step();
    for (const std::string& remark : sim.collision_remarks(sim.stats())) {
      const size_t at = remark.find("moves at up to about ");
      if (at != std::string::npos) return std::stod(remark.substr(at + 21));
    }
    return 0.0;
  };
  const double usual = told("0.01", "72");
  CHECK(usual > 0);
  CHECK(told("0.005", "72") == doctest::Approx(2 * usual).epsilon(0.01));  // it is reported with two decimals
  CHECK(told("0.01", "36") == doctest::Approx(usual / 2).epsilon(0.01));
}

TEST_CASE("parameters belong to the methods that they act on") {
  const auto shown = [](const std::string& group, const std::string& method) {
    for (const CollisionEntry& c : collision_methods())
      for (const SolverEntry& s : solvers())
        if (c.name == method && s.name == "descent") return has_part(group, s, c);
    return false;
  };
  CHECK(shown("repulsion", "repulsion"));
  CHECK(shown("contact", "repulsion"));
  CHECK_FALSE(shown("repulsion", "bodies"));
  CHECK(shown("contact", "bodies"));
  CHECK_FALSE(shown("contact", "none"));
  CHECK(shown("descent", "none"));
  CHECK(shown("contact.stiffness", "repulsion"));
  CHECK(shown("contact.friction", "two_way"));
  CHECK_FALSE(shown("contact.stiffness", "two_way"));  // it carries cloth by stiffnesses of its own
}
