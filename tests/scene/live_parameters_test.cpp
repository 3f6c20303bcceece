// Parameters set while a simulation lives, against those that a scene begins with.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "sim/run/simulation.h"
#include "tests/geometry/float_rounding.h"

using namespace weft;

namespace {

constexpr int kSteps = 3;

/// A sheet in the wind, a corner pinned, that touches a ball.
Scene touching_scene(const char* solver, const char* collision, const char* elastic, const char* bending) {
  Scene s;
  s.set("step.solver", solver);
  s.set("step.collision", collision);
  s.set("step.elastic_model", elastic);
  s.set("step.bending_model", bending);
  s.forces.wind = {6, 0, 2};
  s.forces.wind_gusts = 0.2f;
  s.contact.ground = false;
  Cloth c;
  c.vertices = 200;
  c.size = {0.3f, 0.3f};
  c.unevenness = 0.003f;
  c.fabric.strain_limit = 0.2f;
  c.placement = {{0, 0.504f, 0}, {-90, 0, 0}, 1};
  s.cloths.push_back(c);
  s.pins.push_back({});
  s.pins.back().vertices = {0};
  Obstacle o;
  o.name = "ball", o.shape = ObstacleShape::sphere, o.size = {0.25f, 0.25f, 0.25f};
  o.placement.position = {0, 0.25f, 0};
  s.obstacles.push_back(o);
  return s;
}

/// Another value than the one there is, within the range and not far off.
std::vector<std::string> other_values(const ParamRef& ref) {
  const ParamInfo& info = ref.info();
  std::vector<std::string> all;
  if (!info.choices.empty()) {
    for (const std::string& name : info.choices)
      if (name != ref.text()) all.push_back(name);
    return all;
  }
  if (std::holds_alternative<bool*>(ref.pointer())) return {ref.text() == "true" ? "false" : "true"};
  if (std::holds_alternative<vec3*>(ref.pointer())) return {};
  const double now = ref.number();
  double other = now > 0 ? 1.7 * now : info.min + (info.max - info.min) * (info.log_scale ? 1e-3 : 0.3);
  if (other > info.max) other = now > info.min ? 0.5 * (now + info.min) : now;
  if (std::holds_alternative<int*>(ref.pointer()))
    other = std::min(std::max(std::round(other), info.min), info.max);
  if (other != now)
    all.push_back(fmt::format(
        "{}", std::holds_alternative<int*>(ref.pointer()) ? other : testing::rounded_to_float(other)));
  return all;
}

/// Positions and velocities; what methods carry along lies in the order in which they were made.
std::pair<std::vector<vec3>, std::vector<vec3>> state_after(Simulation& sim) {
  for (int i = 0; i < kSteps; ++i) sim.step();
  return {sim.positions(), sim.state().velocity.download()};
}

/// Each parameter, in every `each`th of the kinds of simulation; another one for the next parameter.
void set_before_and_compare(int each) {
  struct Kind {
    const char *solver, *collision, *elastic, *bending;
  };
  const auto device = Device::create(DeviceChoice::cpu, 1);
  int first = 0;
  for (const Kind k : {Kind{"descent", "bodies", "springs", "quadratic"},
                       Kind{"descent", "repulsion", "springs", "quadratic"},
                       Kind{"descent", "two_way", "springs", "quadratic"},
                       Kind{"newton", "bodies", "finite_elements", "dihedral"},
                       Kind{"newton", "two_way", "st_venant_kirchhoff", "quadratic"},
                       Kind{"descent", "bodies", "st_venant_kirchhoff", "meshless"}}) {
    const Scene scene = touching_scene(k.solver, k.collision, k.elastic, k.bending);
    Scene list = scene;
    Simulation plain(scene, *device);
    const auto untouched = state_after(plain);
    const ParamTable table = list.params();
    int differ = 0, turn = first++;
    for (const ParamRef& ref : table.refs()) {
      if (turn++ % each != 0) continue;
      // of the cloths one by one, below
      if (ref.info().rebuilds || ref.key().rfind("fabric.", 0) == 0) continue;
      for (const std::string& value : other_values(ref)) {
        CAPTURE(k.solver);
        CAPTURE(k.collision);
        CAPTURE(k.elastic);
        CAPTURE(ref.key());
        CAPTURE(value);
        Scene begins = scene;
        begins.set(ref.key(), value);
        std::unique_ptr<Simulation> expected;
        try {
          expected = std::make_unique<Simulation>(begins, *device);
        } catch (const Error&) {
          continue;  // methods that do not go together
        }
        const auto wanted = state_after(*expected);
        Simulation live(scene, *device);
        live.apply(SetParam{ref.key(), value});
        CHECK((state_after(live) == wanted));
        live.apply(ResetState{});
        CHECK((state_after(live) == wanted));
        differ += wanted != untouched;
      }
    }
    MESSAGE(differ, " values made a difference");
    CHECK(differ > 10 / each);
  }
}

}  // namespace

TEST_CASE(
    "a parameter set before the first step, or before a reset, does what it does in a scene that begins with "
    "it" *
    doctest::test_suite("slow")) {
  set_before_and_compare(6);  // each parameter in one of the six kinds of simulation
}

TEST_CASE("the density of a cloth that hangs is felt at once, by every solver") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  for (const char* solver : {"descent", "newton"}) {
    Scene light = touching_scene(solver, "bodies", "springs", "quadratic");
    Scene heavy = light;
    heavy.set("fabric.areal_density", "2");
    Simulation live(light, *device), expected(heavy, *device);
    live.apply(SetParam{"fabric.areal_density", "2"});
    CAPTURE(solver);
    CHECK((state_after(live) == state_after(expected)));
  }
}

// Left out of the default run, and taken by ./test.sh --full.
TEST_CASE(
    "a parameter set before the first step does what it does in a scene that begins with it in all kinds of "
    "simulation" *
    doctest::test_suite("full")) {
  set_before_and_compare(1);
}
