// Pins made and freed by hand.
#pragma once
#include <vector>

#include "sim/run/simulation.h"
#include "viewer/interact/picking.h"
#include "viewer/interact/undo.h"

namespace weft {

/// The corner of the hit triangle that is nearest to the hit point.
int nearest_corner(const PickHit& hit, const std::vector<vec3>& positions, const std::vector<ivec3>& triangles);

/// The pinned vertex nearest to the hit point and within `reach` metres of it, else -1: aiming at a pin should not
/// need the exact triangle.
int pinned_near(const vec3& point, float reach, const std::vector<int>& pinned, const std::vector<vec3>& positions);

/// Pins a vertex that is free, frees one that is pinned. Undoing the latter gives it back to what held it: to its place where that was a pin made
/// by hand (`by_hand`), else to the pin of the scene.
Edit toggle_pin(int vertex, const std::vector<int>& pinned, const std::vector<HandPin>& by_hand);

}  // namespace weft
