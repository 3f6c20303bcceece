// Contact of triangles as stencils, which Newton's method takes: its points press on each other, and what
// presses moves together.
#include "sim/collision/two_way/two_way.h"
#include "sim/run/simulation.h"
#include "sim/solvers/newton/newton_params.h"
#include "tests/physics/scenes.h"
#include "tests/solvers/newton_fixture.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// Two sheets that lie `apart` (m) from each other, so near that they press.
Scene pressed_sheets(float edge, float apart) {
  Scene s = physics::bare_scene();
  s.set("step.collision", "two_way");
  s.set("step.solver", "newton");
  s.cloths.push_back(s.cloths[0]);
  for (int k = 0; k < 2; ++k) {
    Cloth& c = s.cloths[size_t(k)];
    c.name = k ? "upper" : "lower";
    c.size = {0.3f, 0.3f}, c.edge = edge;
    c.placement.position = {0, 1 + apart * float(k), 0};
    c.placement.rotation = {-90, 25.0f * float(k), 0};
  }
  return s;
}

/// What is left of forces at `d` (N) with contact as the solver is said to take it. Steps that find a list
/// too short are begun anew.
std::vector<vec3> forces(Bench& b, TwoWay& method, const std::vector<vec3>& d, bool stencils) {
  b.c.solver.stencils = stencils;
  do {
    method.prepare(b.c);
    b.c.displacement.upload(d);
    method.begin_step(b.c);
    b.c.anchor_weight.clear();
    b.c.anchor_force.clear();
    b.c.stencils.clear();
    method.before_iteration(b.c, 0);
  } while (!b.c.lists.fit());
  return b.forces(d);
}

}  // namespace

TEST_CASE("a pair's stencil pulls at its points as its anchors do, however many pairs press") {
  Bench b(pressed_sheets(0.008f, 0.8e-3f));
  TwoWay method(b.c);
  std::vector<vec3> d = b.noise(2e-4f);  // some pairs slide, some stick, some part
  for (vec3& v : d) v += vec3(1e-3f, -2e-3f, 0);
  const std::vector<vec3> anchored = forces(b, method, d, false);
  CHECK(b.c.stencils.capacity() == 0);
  const std::vector<vec3> coupled = forces(b, method, d, true);
  const int count = b.c.stencils.count()[0];
  MESSAGE(count << " pairs press, room for " << b.c.stencils.capacity());
  CHECK(count > 2000);  // more than there is room for at first
  CHECK(count <= b.c.stencils.capacity());
  const auto none = forces(b, method, d, false);
  CHECK(b.c.stencils.capacity() == 0);
  double most = 0, off = 0;
  for (size_t v = 0; v < d.size(); ++v) {
    most = std::max(most, double(glm::length(anchored[v])));
    off = std::max(off, double(glm::length(anchored[v] - coupled[v])));
    CHECK(anchored[v] == none[v]);
  }
  // An anchor's force is W (t - d) with W t summed before, which loses what W d is larger than the force by.
  MESSAGE("forces up to " << most << " N, apart by " << off);
  CHECK(off < 1e-4 * most);
  // They balance within each pair: contact moves nothing as a whole.
  b.c.anchor_weight.clear();
  b.c.anchor_force.clear();
  b.c.stencils.clear();
  const std::vector<vec3> without = b.forces(d);
  glm::dvec3 sum(0);
  double size = 0;
  for (size_t v = 0; v < d.size(); ++v) {
    sum += glm::dvec3(coupled[v] - without[v]);
    size += double(glm::length(coupled[v] - without[v]));
  }
  CHECK(size > 0.1);
  CHECK(glm::length(sum) < 1e-4 * size);
}

TEST_CASE("sheets that press on each other fall together, with a single Newton step per time step") {
  Scene s = pressed_sheets(0.01f, 0.8e-3f);
  s.of<NewtonParams>().steps = 1;
  s.of<NewtonParams>().cg_tolerance = 1e-4f;
  s.of<NewtonParams>().cg_iterations = 300;
  physics::Run run(s);
  const double h = double(s.step.dt), start = run.sim->stats().mean_height;
  int n = 0, pairs = 0;
  for (; n < 6; ++n)
    run.sim->step(), pairs = std::max(pairs, int(run.sim->stats().counter("vertex_triangle_pairs")));
  CHECK(pairs > 100);
  const double theory = -9.81 * h * h * n * (n + 1) / 2;
  MESSAGE("fell by " << start - run.sim->stats().mean_height << " m instead of " << -theory);
  // The method leaves at most a thousandth of each step's way undone (as in free flight).
  CHECK(physics::relative_error(run.sim->stats().mean_height - start, theory) < 1e-3);
}

TEST_CASE("pressed sheets come out the same for any number of threads, and played back") {
  uint64_t first = 0;
  for (const int threads : {1, 2, 3}) {
    Scene s = pressed_sheets(0.01f, 0.8e-3f);
    const auto device = Device::create(DeviceChoice::cpu, threads);
    device->verify_replays = true;
    Simulation sim(s, *device);
    for (int i = 0; i < 8; ++i) sim.step();
    if (!first) first = sim.hash();
    CHECK(sim.hash() == first);
  }
}

TEST_CASE("stencils go when the solver takes none and when another method comes") {
  Scene s = pressed_sheets(0.01f, 0.8e-3f);
  const auto device = Device::create(DeviceChoice::cpu);
  device->verify_replays = true;
  Simulation sim(s, *device);
  for (const char* key : {"step.solver=descent", "step.solver=newton", "step.collision=bodies",
                          "step.collision=two_way", "two_way.repulsion=0", "two_way.repulsion=30"}) {
    CAPTURE(key);
    const std::string setting = key;
    CHECK_NOTHROW(sim.step());
    CHECK_NOTHROW(
        sim.apply(SetParam{setting.substr(0, setting.find('=')), setting.substr(setting.find('=') + 1)}));
    for (int i = 0; i < 2; ++i) CHECK_NOTHROW(sim.step());
    for (const vec3& p : sim.positions()) REQUIRE(std::isfinite(p.x + p.y + p.z));
  }
}
