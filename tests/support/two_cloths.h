// A scene of two cloths that differ in their names.
#pragma once
#include <string>

#include "sim/scene/scene.h"

namespace weft::testing {

inline Scene two_cloths(const std::string& first, const std::string& second) {
  Scene scene;
  scene.cloths.resize(2);
  scene.cloths[0].name = first;
  scene.cloths[1].name = second;
  return scene;
}

}  // namespace weft::testing
