// Scenes and measurements that the physics tests share.
#pragma once
#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "sim/run/simulation.h"

namespace weft::physics {

/// A cloth of an imaginary fabric without any damping, air or ground, solved to convergence: theory knows no
/// iterations.
inline Scene bare_scene() {
  Scene s;
  // By name: an edit of a solver's parameters would compile every test of physics.
  s.set("descent.fine_iterations", "240");
  s.set("descent.middle_iterations", "96");
  s.set("newton.tolerance", "1e-3");
  s.forces.lift = s.forces.drag = s.forces.air_damping = 0;
  s.contact.ground = false;
  Cloth c;
  c.fabric.internal_damping = 0;
  c.unevenness = 0;
  s.cloths.push_back(c);
  return s;
}

/// |measured / expected - 1|; doctest's own Approx is not relative for small numbers.
inline double relative_error(double measured, double expected) { return std::abs(measured / expected - 1); }

struct Run {
  std::unique_ptr<Device> device;
  std::unique_ptr<Simulation> sim;
  explicit Run(Scene scene, int threads = 0)
      : device(Device::create(DeviceChoice::cpu, threads)),
        sim(std::make_unique<Simulation>(std::move(scene), *device)) {}

  /// Steps until nothing moves faster than `speed` m/s, at most `most` steps. Returns the steps taken.
  int settle(float speed, int most) {
    for (int i = 0; i < most; ++i) {
      sim->step();
      if (i % 10 == 9 && sim->stats().max_speed < speed) return i + 1;
    }
    return most;
  }
};

/// Start positions of a scene's cloth without running it.
inline std::vector<vec3> start_positions(const Scene& scene) {
  auto device = Device::create(DeviceChoice::cpu, 1);
  std::vector<vec3> start;
  Model model(scene, *device, start);
  return start;
}

/// A pin for every start position that `chosen` picks.
template <class Chosen>
Pin pin_where(const Scene& scene, const Chosen& chosen) {
  Pin pin;
  const auto start = start_positions(scene);
  for (size_t v = 0; v < start.size(); ++v)
    if (chosen(start[v])) pin.vertices.push_back(int(v));
  return pin;
}

}  // namespace weft::physics
