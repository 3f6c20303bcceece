#include "sim/scene/text/viewpoint_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/error.h"
#include "sim/scene/camera_limits.h"
#include "sim/scene/camera_path.h"
#include "sim/scene/toml/toml_text.h"

namespace weft {
namespace {

auto named(const std::string& name) {
  return [&name](const Viewpoint& v) { return v.name == name; };
}

}  // namespace

bool read_pose(TomlTable& t, CameraPose& pose) {
  bool given = t.read("target", pose.target);
  given |= t.read("distance", pose.distance, kLeastCameraDistance, kMostCameraDistance);
  given |= t.read("yaw", pose.yaw, -3600, 3600);
  given |= t.read("pitch", pose.pitch, -90, 90);
  given |= t.read("fov", pose.fov, kLeastCameraFov, kMostCameraFov);
  return given;
}

std::string pose_as_toml(const CameraPose& pose) {
  return fmt::format("target = {}\ndistance = {}\nyaw = {}\npitch = {}\nfov = {}\n",
                     toml_text::value(pose.target), toml_text::value(pose.distance),
                     toml_text::value(pose.yaw), toml_text::value(pose.pitch), toml_text::value(pose.fov));
}

std::vector<Viewpoint> read_viewpoints(TomlTable& root) {
  std::vector<Viewpoint> list;
  for (TomlTable& t : root.tables("viewpoint")) {
    Viewpoint v;
    if (!t.read("name", v.name) || v.name.empty())
      t.fail("", "a viewpoint needs a name", "add name = \"front\", for --viewpoint front");
    if (std::any_of(list.begin(), list.end(), named(v.name)))
      t.fail("name", "two viewpoints are called " + v.name, "give each a name of its own");
    read_pose(t, v.pose);
    t.finish();
    list.push_back(std::move(v));
  }
  return list;
}

std::string viewpoints_as_toml(const std::vector<Viewpoint>& list) {
  std::string text;
  for (const Viewpoint& v : list)
    text += "\n[[viewpoint]]\nname = " + toml_text::value(v.name) + "\n" + pose_as_toml(v.pose);
  return text;
}

std::vector<Viewpoint> with_viewpoint(std::vector<Viewpoint> list, const Viewpoint& viewpoint) {
  const auto old = std::find_if(list.begin(), list.end(), named(viewpoint.name));
  if (old == list.end()) list.push_back(viewpoint);
  else *old = viewpoint;
  return list;
}

void look_from(Scene& scene, const std::string& name) {
  const std::vector<Viewpoint>& list = scene.of<ViewpointList>().list;
  const auto found = std::find_if(list.begin(), list.end(), named(name));
  if (found == list.end()) {
    std::string names;
    for (const Viewpoint& v : list) names += (names.empty() ? "" : ", ") + v.name;
    throw Error("there is no viewpoint of that name", name,
                names.empty() ? "the scene has none; add [[viewpoint]] tables, or keep views in the window"
                              : "choose one of " + names);
  }
  scene.camera = found->pose;
  scene.camera_path.clear();
}

}  // namespace weft
