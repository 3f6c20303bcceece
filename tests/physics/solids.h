// Scenes of solids alone, and measurements of them, that the physics tests share.
#pragma once
#include "sim/scene/solids.h"
#include "tests/physics/scenes.h"

namespace weft::physics {

constexpr double kGravity = 9.81;  // m/s²

/// Nothing but solids, without air and ground.
inline Scene bare_solids() {
  Scene s = bare_scene();
  s.cloths.clear();
  s.set("step.collision", "none");
  s.set("newton.tolerance", "1e-4");
  return s;
}

inline SolidParams box(const vec3& size, float edge) {
  SolidParams solid;
  solid.size = size, solid.edge = edge;
  return solid;
}

inline void add(Scene& s, const SolidParams& solid) { s.of<SolidList>().list.push_back(solid); }

/// Pins all points that `chosen` picks, by their start.
template <class Chosen>
void pin(Scene& s, const Chosen& chosen) {
  s.pins.push_back(pin_where(s, chosen));
}

inline dvec3 momentum_of(Simulation& sim, dvec3* turning = nullptr) {
  dvec3 sum(0), turn(0);
  const std::vector<vec3> x = sim.positions();
  const std::vector<vec3> v = sim.state().velocity.download();
  for (size_t i = 0; i < x.size(); ++i) {
    const dvec3 p = double(sim.model().host_mass[i]) * dvec3(v[i]);
    sum += p, turn += glm::cross(dvec3(x[i]), p);
  }
  if (turning) *turning = turn;
  return sum;
}

inline double mean_of(const std::vector<vec3>& x, int axis) {
  double sum = 0;
  for (const vec3& p : x) sum += double(p[axis]);
  return sum / double(x.size());
}

}  // namespace weft::physics
