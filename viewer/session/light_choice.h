// The picture that lights a scene, between its file and the settings of the view.
#pragma once
#include <optional>

#include "sim/scene/light.h"
#include "sim/scene/scene.h"
#include "viewer/render/view_settings.h"

namespace weft {

/// The light of a scene's file into the settings, its picture by its whole path. False if the scene has none.
bool set_scene_light(ViewSettings& view, const Scene& scene);

/// The settings' light as the scene's file is to have it: a picture that the scene has keeps its name there.
void keep_light(Scene& scene, const ViewSettings& view);

/// The light of the window where scenes come and go: one that a scene brings goes with it.
class LightChoice {
 public:
  /// Another scene is shown.
  void adopt(ViewSettings& view, const Scene& scene);

 private:
  SceneLight own_;                     // of the window, while a scene brings one
  std::optional<SceneLight> brought_;  // as the scene that is shown brought it
};

}  // namespace weft
