// Cameras of a scene that have names.
#pragma once
#include <string>
#include <vector>

#include "sim/scene/scene.h"
#include "sim/scene/toml/toml_table.h"

namespace weft {

struct Viewpoint {
  std::string name;
  CameraPose pose;
  bool operator==(const Viewpoint&) const = default;
};

/// The viewpoints of a scene: one of its blocks of parameters (Scene::of), without parameters for sliders.
struct ViewpointList {
  std::vector<Viewpoint> list;
  bool operator==(const ViewpointList&) const = default;
  void describe(ParamVisitor&) {}
};

/// Reads target, distance, yaw, pitch and fov of a table; what it lacks stays. True if it had one of them.
bool read_pose(TomlTable& table, CameraPose& pose);
/// The lines of a table that read back to the same pose.
std::string pose_as_toml(const CameraPose& pose);

/// The [[viewpoint]] tables of a file. Throws Error "file:line".
std::vector<Viewpoint> read_viewpoints(TomlTable& root);
/// As [[viewpoint]] tables that read back to the same values.
std::string viewpoints_as_toml(const std::vector<Viewpoint>& list);

/// The list with one more; one of the same name is replaced.
std::vector<Viewpoint> with_viewpoint(std::vector<Viewpoint> list, const Viewpoint& viewpoint);
/// Makes a viewpoint the scene's camera, in place of its path. Throws Error for an unknown name.
void look_from(Scene& scene, const std::string& name);

}  // namespace weft
