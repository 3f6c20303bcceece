// An arm that bends, and a cloth beside it.
#pragma once
#include <algorithm>

#include "sim/mesh/shapes/shapes.h"
#include "tests/physics/scenes.h"

namespace weft::physics {

/// An upright capsule of two bones that bends at its middle.
inline Obstacle arm(float bend_degrees, float seconds) {
  Obstacle o;
  o.name = "arm";
  o.shape = ObstacleShape::capsule;
  o.size = {0.08f, 0.6f, 0};
  Bone upper{"upper", "", {0, -0.3f, 0}, {0, 0, 0}, {}};
  Bone lower{"lower",
             "upper",
             {0, 0, 0},
             {0, 0.3f, 0},
             {{0, vec3(0), vec3(0)}, {seconds, vec3(0), vec3(0, 0, bend_degrees)}}};
  o.bones = {upper, lower};
  return o;
}

inline TriMesh arm_mesh() { return make_capsule(0.08f, 0.6f, 32, 38); }

/// A cloth that hangs beside the arm, which lies along x and bends towards it.
inline Scene pushed_cloth(int vertices = 2500) {
  Scene s;
  Cloth& c = s.cloths.emplace_back();
  c.size = {0.7f, 0.7f};
  c.vertices = vertices;
  c.placement.position = {0, 1.0f, 0.16f};
  s.pins.push_back(pin_where(s, [](const vec3& p) { return p.y > 1.3499f; }));
  s.contact.ground = false;
  return s;
}

/// How deep cloth is in a body, m.
inline float deepest(Simulation& sim) {
  float worst = 0;
  for (const vec3& p : sim.positions()) worst = std::max(worst, -sim.signed_distance(p));
  return worst;
}

}  // namespace weft::physics
