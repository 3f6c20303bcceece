// Flicker: how far wrinkles jump from frame to frame, with and without transfer (Wang 2021, section 6.1.1).
#include <doctest/doctest.h>

#include <cmath>

#include "sim/wrinkles/synthesis.h"
#include "sim/wrinkles/transfer.h"
#include "tests/physics/scenes.h"

using namespace weft;
using namespace weft::physics;

namespace {

/// A patch of 0.16 m that hangs from its top edge, which swings: the recorded run.
Scene hanging_patch() {
  Scene s;
  s.step.dt = 0.01f;
  s.contact.ground = false;
  Cloth c;
  c.size = {0.16f, 0.16f}, c.edge = 0.016f;
  c.placement.position = {0, 1, 0};
  s.cloths.push_back(c);
  Pin pin;
  pin.where = "top";
  pin.motion.keys = {{0, {0, 0, 0}}, {0.2f, {0, 0, 0.04f}}, {0.5f, {0, 0, -0.03f}}};
  s.pins.push_back(pin);
  return s;
}

/// Root of the mean square of the change of displacements in local frames from one frame to the next, m.
double flicker(const std::vector<std::vector<vec3>>& frames, const wrinkles::CoarseCloth& cloth,
               bool transfer) {
  const auto device = Device::create(DeviceChoice::cpu, 2);
  wrinkles::WrinkleSettings s;
  s.params.cell = 2e-3f, s.params.levels = 2, s.params.iterations = 96, s.params.tether = 1e6f;
  s.params.transfer = transfer;
  wrinkles::Gather g;
  g.kind = "rows", g.spacing = 0.04f, g.radius = 0.012f, g.s0 = 1.5f, g.irregularity = 0.3f;
  s.gathers.push_back(g);
  double sum = 0;
  long count = 0;
  device->run([&] {
    wrinkles::Synthesis one(*device, cloth, s);
    std::vector<vec3> before;
    for (const std::vector<vec3>& frame : frames) {
      one.solve(frame);
      const std::vector<vec3> now =
          wrinkles::local_displacements(one.grid(0), one.frame(0), one.problem(0).x()).download();
      for (size_t v = 0; v < before.size(); ++v) {
        const vec3 change = now[v] - before[v];
        sum += double(glm::dot(change, change)), ++count;
      }
      before = now;
    }
  });
  return std::sqrt(sum / double(count));
}

/// On a recorded run of so many frames, 0.03 s apart.
void flickers_less(int count) {
  const Scene scene = hanging_patch();
  Run run(scene, 1);
  std::vector<std::vector<vec3>> frames;
  for (int k = 0; k < 3 * count; ++k) {
    run.sim->step();
    if (k % 3 == 2) frames.push_back(run.sim->positions());
  }
  const Topology& host = run.sim->model().host;
  wrinkles::CoarseCloth cloth{"cloth", {}, scene.cloths[0].fabric};
  cloth.mesh.positions = cloth.mesh.rest = host.rest;
  cloth.mesh.uv = host.uv, cloth.mesh.triangles = host.triangles;
  const double with = flicker(frames, cloth, true), without = flicker(frames, cloth, false);
  MESSAGE("with transfer " << 1e3 * with << " mm, without " << 1e3 * without << " mm");
  CHECK(without > 1e-5);
  CHECK(with < without / 3);
}

}  // namespace

TEST_CASE("transfer makes wrinkles flicker at most a third as much on the first frames of a recorded run") {
  flickers_less(3);
}

TEST_CASE("transfer makes wrinkles flicker at most a third as much on a recorded run" *
          doctest::test_suite("full")) {
  flickers_less(10);
}
