#include "viewer/session/light_choice.h"

#include <filesystem>

#include "sim/scene/model/cloth_mesh.h"

namespace weft {
namespace {

std::string whole_path(const std::string& picture, const Scene& scene) {
  namespace fs = std::filesystem;
  if (picture.empty()) return {};
  const std::string found = resolve_path(picture, fs::path(scene.path).parent_path().string());
  return fs::absolute(found).lexically_normal().string();
}

SceneLight light_of(const ViewSettings& view) {
  if (view.light.empty()) return {};
  return {std::filesystem::absolute(view.light).lexically_normal().string(), view.light_strength,
          view.light_turn, view.light_shown};
}

void take(ViewSettings& view, const SceneLight& light) {
  view.light = light.picture;
  view.light_strength = light.strength, view.light_turn = light.turn, view.light_shown = light.shown;
}

}  // namespace

bool set_scene_light(ViewSettings& view, const Scene& scene) {
  SceneLight light = scene.of<SceneLight>();
  if (light.picture.empty()) return false;
  light.picture = whole_path(light.picture, scene);
  take(view, light);
  return true;
}

void keep_light(Scene& scene, const ViewSettings& view) {
  SceneLight& kept = scene.of<SceneLight>();
  SceneLight now = light_of(view);
  if (now.picture == whole_path(kept.picture, scene)) now.picture = kept.picture;
  kept = std::move(now);
}

void LightChoice::adopt(ViewSettings& view, const Scene& scene) {
  // What was changed by hand since a scene brought its light is the window's own.
  const bool untouched = brought_ && light_of(view) == *brought_;
  if (untouched) take(view, own_);
  const SceneLight before = light_of(view);
  brought_.reset();
  if (!set_scene_light(view, scene)) return;
  own_ = before, brought_ = light_of(view);
}

}  // namespace weft
