// Bodies and pins that take cloth along where they jump.
#pragma once
#include <set>

#include "sim/base/params.h"

namespace weft {

/// Places of bodies in Scene::obstacles and of pins in Scene::pins that jump from place to place
/// (`teleport = true`): one of a scene's blocks of parameters (Scene::of). None can be set in a run.
struct Teleports {
  std::set<int> obstacles, pins;
  bool operator==(const Teleports&) const = default;
  void describe(ParamVisitor&) {}
};

constexpr float kJumpSpeed = 25;  // m/s: faster than anything that a scene means to move through cloth

}  // namespace weft
