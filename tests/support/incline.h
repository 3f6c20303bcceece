// A cloth on an inclined plane, and how it slides.
#pragma once
#include <cmath>

#include "tests/physics/scenes.h"

namespace weft::physics {

/// A cloth of 20 cm that lies `height` (m) above the ground; gravity is turned by `degrees` instead of the
/// ground.
inline Scene cloth_on_incline(double degrees, float friction, float height) {
  Scene s = bare_scene();
  Cloth& c = s.cloths[0];
  c.size = {0.2f, 0.2f};
  c.edge = 0.01f;
  c.placement.rotation = {-90, 0, 0};
  c.placement.position = {0, height, 0};
  s.contact.ground = true;
  s.contact.friction = friction;
  const double a = degrees * M_PI / 180;
  s.forces.gravity = {float(9.81 * std::sin(a)), float(-9.81 * std::cos(a)), 0};
  return s;
}

/// Of the mean place: the way downhill (m), and the acceleration (m/s^2) between the first and the last step.
struct Slide {
  double distance = 0, acceleration = 0;
};

/// Over `seconds` after 0.2 s from rest.
inline Slide measure_slide(const Scene& scene, double seconds) {
  Run run(scene);
  const auto mean_x = [&] {
    double sum = 0;
    const auto p = run.sim->positions();
    for (const vec3& q : p) sum += q.x;
    return sum / double(p.size());
  };
  const double h = double(scene.step.dt);
  for (int i = 0; i < int(0.2 / h); ++i) run.sim->step();
  const double x0 = mean_x();
  run.sim->step();
  const double v0 = (mean_x() - x0) / h;
  const int n = int(seconds / h);
  double x1 = 0;
  for (int i = 1; i < n; ++i) {
    x1 = mean_x();
    run.sim->step();
  }
  return {mean_x() - x0, ((mean_x() - x1) / h - v0) / ((n - 1) * h)};
}

}  // namespace weft::physics
