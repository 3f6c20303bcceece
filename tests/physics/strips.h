// Strips that several physics tests hang up.
#pragma once
#include "tests/physics/scenes.h"

namespace weft::physics {

/// A vertical strip of length L (y) and width w, hanging from its top edge at y = 0.
inline Scene hanging_strip(ElasticModel model, float stiffness, float edge = 0.02f) {
  Scene s = bare_scene();
  Cloth& c = s.cloths[0];
  c.shape = ClothShape::strip;
  c.size = {0.1f, 1.0f};
  c.edge = edge;
  c.placement.position = {0, -0.5f, 0};
  c.fabric.stretch_stiffness = stiffness;
  c.fabric.poisson_ratio = 0;
  c.fabric.internal_damping = 0.5f;
  s.step.elastic_model = int(model);
  s.pins.push_back(pin_where(s, [](const vec3& p) { return p.y > -1e-4f; }));
  return s;
}

inline double lowest(const std::vector<vec3>& positions) {
  double y = 1e30;
  for (auto& p : positions) y = std::min(y, double(p.y));
  return y;
}

constexpr float kPendulumLength = 0.3f;

/// A stiff strip that swings in the y-z plane about the x axis, let go at 60 degrees.
inline Scene pendulum(float dt) {
  Scene s = bare_scene();
  Cloth& c = s.cloths[0];
  const float angle = 60;
  c.shape = ClothShape::strip;
  c.size = {0.06f, kPendulumLength};
  c.edge = 0.03f;
  c.fabric.stretch_stiffness = 3e4f;
  c.fabric.bending_rigidity = 0.1f;
  c.fabric.areal_density = 0.5f;
  s.step.dt = dt;
  const float rad = glm::radians(angle);
  c.placement.position = {0, -0.5f * kPendulumLength * std::cos(rad), 0.5f * kPendulumLength * std::sin(rad)};
  c.placement.rotation = {-angle, 0, 0};
  s.pins.push_back(
      pin_where(s, [](const vec3& p) { return std::abs(p.y) < 1e-3f && std::abs(p.z) < 1e-3f; }));
  return s;
}

inline double mean_z(const std::vector<vec3>& positions) {
  double sum = 0;
  for (auto& p : positions) sum += p.z;
  return sum / double(positions.size());
}

}  // namespace weft::physics
