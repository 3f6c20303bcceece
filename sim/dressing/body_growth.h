// Bodies that grow from thin to their shape, so that cloth that starts around them need not start outside
// of them.
#pragma once
#include <vector>

#include "sim/mannequin/body_mesh.h"
#include "sim/scene/scene.h"

namespace weft {

/// Share of its thickness with which a body begins.
inline constexpr float kThin = 0.3f;

/// Vertices (m) of the mannequin in its rest pose with limbs of a share of their thickness: each goes
/// towards the bones that it follows, by the shares that it follows them with.
std::vector<vec3> thin_mannequin(const BodyMesh& body, float share);

/// Vertices (m) of any surface moved inwards along its normals by (1 - share) of the radius of the largest
/// ball that touches the surface there from inside,
///
///   r(p) = min over q of |p - q|² / (2 n . (p - q)),   n . (p - q) > 0,
///
/// smoothed over the surface. What is thin goes less far, and nothing comes out on the other side.
std::vector<vec3> thin_surface(const TriMesh& mesh, float share);

/// Vertices (m) of the mannequin on its way from the rest pose to its pose at time 0 without a lead-in:
/// frames for `duration` (s) at `fps`, the first and the last one included. It begins and ends at rest.
std::vector<std::vector<vec3>> path_to_first_pose(const Mannequin& mannequin, float duration, float fps);

/// Vertices (m, in the obstacle's frame, unscaled) of an obstacle of growing() with a share of its thickness.
std::vector<vec3> thin_frame(const Obstacle& grown, const std::string& scene_folder, float share);

/// The obstacle in its pose at time 0 (a mannequin in its rest pose), growing from `share` of its thickness
/// within `duration` (s), and then at rest; planes stay as they are. Throws Error as build_obstacle_mesh
/// does.
Obstacle growing(const Obstacle& obstacle, const std::string& scene_folder, float share, float duration,
                 std::vector<std::string>& notices);

}  // namespace weft
