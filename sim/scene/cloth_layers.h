// Which cloths of a scene are worn over which.
#pragma once
#include <map>
#include <string>

#include "sim/base/params.h"

namespace weft {

/// Layers of cloths from files by their names: one of a scene's blocks of parameters (Scene::of). 1 is next
/// to the body; cloths without a layer are not named. None can be set in a run.
struct ClothLayers {
  std::map<std::string, int> of;
  bool operator==(const ClothLayers&) const = default;
  void describe(ParamVisitor&) {}
};

}  // namespace weft
