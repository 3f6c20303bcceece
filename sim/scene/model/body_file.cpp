#include "sim/scene/model/body_file.h"

#include "sim/files/file_kind.h"

namespace weft {

bool is_gltf(const std::string& file) {
  const std::string ending = file_ending(file);
  return ending == ".glb" || ending == ".gltf";
}

bool is_usd(const std::string& file) {
  const std::string ending = file_ending(file);
  return ending == ".usda" || ending == ".usd" || ending == ".usdc" || ending == ".usdz";
}

bool has_own_times(const std::string& file) { return is_gltf(file) || is_usd(file); }

bool states_unit(const std::string& file) { return is_usd(file); }

AnimationReference split_animation(const std::string& file) {
  for (size_t at = file.find('#'); at != file.npos; at = file.find('#', at + 1))
    if (is_gltf(file.substr(0, at))) return {file.substr(0, at), file.substr(at + 1)};
  return {file, ""};
}

std::string with_animation(const std::string& path, const std::string& animation) {
  return animation.empty() ? path : path + "#" + animation;
}

void set_body_file(Obstacle& o, const std::string& path) {
  o.shape = ObstacleShape::mesh;
  o.file = has_own_times(path) ? "" : path;
  o.sequence = has_own_times(path) ? path : "";
}

std::string body_file(const Obstacle& o) {
  return o.file.empty() ? split_animation(o.sequence).path : o.file;
}

}  // namespace weft
