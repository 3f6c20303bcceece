// Cloth that goes along where bodies and pins jump.
#pragma once
#include <vector>

#include "sim/collision/bodies/bodies.h"
#include "sim/scene/model/model.h"
#include "sim/scene/model/state.h"
#include "sim/step/pins.h"

namespace weft {

/// Connected pieces of cloth that jump, with stitches as part of a piece.
struct Jump {
  mat4 motion{1};           // rigid
  std::vector<int> points;  // vertices of the pieces, ascending
};

/// The jumps of the step from the state's time on, of `dt` (s): of bodies and pins with `teleport` that
/// move at more than kJumpSpeed. With a body go the pieces that are within 2 cm of it, or pinned to it;
/// with a pin those that it holds; no piece goes twice. A body that changes its shape is taken as the rigid
/// motion nearest to its own. Sets the bodies to that step.
std::vector<Jump> find_jumps(const Scene&, const Model&, const State&, Bodies&, const Kinematics&, float dt);

/// Moves positions and turns velocities; the state is then another one (State::revision).
void carry_along(State&, const std::vector<Jump>&);

/// The rotation and translation that bring `from` nearest to `to` (least squares; both of the same points).
mat4 nearest_rigid_motion(const std::vector<vec3>& from, const std::vector<vec3>& to);

}  // namespace weft
