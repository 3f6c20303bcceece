// Files of bodies that may move by themselves: which they are, and how a scene names one with its animation.
#pragma once
#include <string>

#include "sim/scene/scene.h"

namespace weft {

/// .glb and .gltf.
bool is_gltf(const std::string& file);
/// .usda, and the binary forms, of which only a message comes.
bool is_usd(const std::string& file);
/// True for files with times of their own: glTF and USD. Obstacle::sequence names them.
bool has_own_times(const std::string& file);

/// True for files that say how long their unit is and which axis points up, so that a scene does not: USD.
bool states_unit(const std::string& file);

/// A file and one of its animations, as in Obstacle::sequence: "body.glb#walk"; `animation` is empty where
/// none is named.
struct AnimationReference {
  std::string path, animation;
};
AnimationReference split_animation(const std::string& file);
std::string with_animation(const std::string& path, const std::string& animation);

/// Makes `obstacle` a body from a file, as a scene's `file` does.
void set_body_file(Obstacle& obstacle, const std::string& path);
/// The file, without an animation; "" for bodies that are not from a file.
std::string body_file(const Obstacle& obstacle);

}  // namespace weft
