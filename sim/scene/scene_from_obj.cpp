#include <filesystem>

#include "sim/base/log.h"
#include "sim/mesh/obj.h"
#include "sim/scene/scene_file.h"
#include "sim/scene/scene_names.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

/// The file's name without what a parameter group may not hold.
std::string name_from(const std::string& path) {
  std::string name = fs::path(path).stem().string();
  for (char& c : name)
    if (!is_cloth_name(std::string(1, c))) c = '_';
  return is_cloth_name(name) ? name : "cloth";
}

CameraPose frame(const Bounds& bounds) {
  CameraPose pose;
  pose.target = bounds.center();
  // The sphere around the bounds fills the height of the picture, with a tenth to spare.
  pose.distance = std::max(0.05f, 1.1f * 0.5f * bounds.diagonal() / std::sin(0.5f * glm::radians(pose.fov)));
  pose.pitch = 20;
  return pose;
}

void warn_of_units(const Bounds& bounds, const std::string& path) {
  const float size = bounds.diagonal();
  if (size > 30)
    log_notice("{}: the cloth is {:.3g} m across; if the file is in centimetres or millimetres, save the scene and give its cloth scale = 0.01 or 0.001", path, size);
  else if (size < 0.01f) log_notice("{}: the cloth is only {:.3g} mm across; a scene file can give it a scale", path, 1e3 * size);
}

}  // namespace

Scene scene_from_obj(const std::string& cloth_obj, const std::vector<std::string>& obstacle_objs) {
  Scene scene;
  scene.title = fs::path(cloth_obj).filename().string();
  ImportReport report;  // the model reports anew when it loads the same files
  Bounds bounds = bounds_of(read_obj(cloth_obj, report).positions);
  warn_of_units(bounds, cloth_obj);
  Cloth cloth;
  cloth.name = name_from(cloth_obj);
  cloth.shape = "obj";
  cloth.file = fs::absolute(cloth_obj).lexically_normal().string();
  cloth.fabric = read_fabric(cloth.fabric_name);
  scene.cloths.push_back(cloth);
  float lowest = 1e30f;
  for (const std::string& path : obstacle_objs) {
    const Bounds body = bounds_of(read_obj(path, report).positions);
    bounds.add(body.min), bounds.add(body.max);
    lowest = std::min(lowest, body.min.y);
    Obstacle obstacle;
    obstacle.name = name_from(path);
    obstacle.shape = "mesh";
    obstacle.file = fs::absolute(path).lexically_normal().string();
    scene.obstacles.push_back(obstacle);
  }
  // Bodies stand on the floor. Cloth alone that reaches below height 0 knows nothing of our floor.
  if (!scene.obstacles.empty()) scene.contact.ground_height = lowest;
  else scene.contact.ground = bounds.min.y >= -1e-3f;
  scene.camera = frame(bounds);
  return scene;
}

}  // namespace weft
