// The mannequin as glTF 2.0, with its skeleton.
#pragma once
#include <string>
#include <vector>

#include "sim/mannequin/body_motion.h"
#include "sim/mannequin/skinning.h"

namespace weft {

/// A clip's name and motion, to be written as an animation.
struct NamedMotion {
  std::string name;
  BodyMotion motion;
};

/// Writes the body in its rest pose (.glb or .gltf): one skinned mesh, a node per bone under its parent,
/// inverse bind matrices, four joints and weights per vertex, and an animation per motion, sampled `fps`
/// times a second. Viewers blend linearly where the program blends dual quaternions, which differs near bent
/// joints; the skin says so in its extras ("weft_skinning"), and the program itself reads the file as it
/// wrote it
/// (gltf_body.h). Throws Error.
void write_body_gltf(const std::string& path, const BodyMesh& body, const std::vector<NamedMotion>& motions,
                     double fps = 120);

}  // namespace weft
