// Pins made and freed by the user.
#pragma once
#include <vector>

#include "sim/run/simulation.h"
#include "viewer/interact/picking.h"
#include "viewer/interact/undo.h"

namespace weft {

/// The corner of the hit triangle that is nearest to the hit point.
int nearest_corner(const PickHit& hit, const std::vector<vec3>& positions,
                   const std::vector<ivec3>& triangles);

/// The pinned vertex nearest to the hit point within `reach` metres, else -1, so that a pin can be aimed at
/// without hitting its triangle.
int pinned_near(const vec3& point, float reach, const std::vector<int>& pinned,
                const std::vector<vec3>& positions);

/// Pins a free vertex or frees a pinned one. Undoing the latter restores its pin: at its place if the user
/// made it (`by_hand`), else the pin of the scene.
Edit toggle_pin(int vertex, const std::vector<int>& pinned, const std::vector<HandPin>& by_hand);

/// The vertices that are seen within the rectangle of two pixels, also behind other cloth.
std::vector<int> vertices_within(const CameraView& view, vec2 a, vec2 b, const std::vector<vec3>& positions);

/// Pins those of the vertices that are free, or frees all of them if none is; one edit, undone as above.
Edit toggle_pins(const std::vector<int>& vertices, const std::vector<int>& pinned,
                 const std::vector<HandPin>& by_hand);

/// Pins those of the vertices that are free, or frees those that are pinned; one edit, undone as above. There
/// may be none.
Edit set_pins(const std::vector<int>& vertices, bool pin, const std::vector<int>& pinned,
              const std::vector<HandPin>& by_hand);

}  // namespace weft
