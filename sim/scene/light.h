// The light of a scene's picture.
#pragma once
#include <string>

#include "sim/base/params.h"

namespace weft {

/// A picture that lights a scene from all around: one of its blocks of parameters (Scene::of), without
/// parameters for sliders. The simulation does not regard it.
struct SceneLight {
  std::string picture;  // a Radiance picture (.hdr), relative to the scene's folder; empty: the studio
  float strength = 1;   // 1: as bright as the studio
  float turn = 0;       // degrees about the vertical
  bool shown = true;    // behind the scene
  bool operator==(const SceneLight&) const = default;
  void describe(ParamVisitor&) {}
};

}  // namespace weft
