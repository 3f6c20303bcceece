// Skinning by dual quaternions.
#pragma once
#include <vector>

#include "sim/mannequin/body_mesh.h"

namespace weft {

/// Positions of a body's vertices in a pose: each follows the blend of its bones' rigid motions as unit dual
/// quaternions (Kavan, Collins, Zara, O'Sullivan 2008), which keeps the volume where joints twist.
void skin(const BodyMesh& body, const BonePoses& poses, std::vector<vec3>& out);

}  // namespace weft
