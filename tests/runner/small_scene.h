// The cloth with which runner and simulation are tried.
#pragma once
#include "sim/scene/scene.h"

namespace weft::testing {

/// A small cloth hanging at two corners.
inline Scene small_scene(int vertices = 150) {
  Scene scene;
  Cloth cloth;
  cloth.vertices = vertices;
  cloth.placement.position = {0, 1.2f, 0};
  scene.cloths.push_back(cloth);
  Pin left, right;
  left.where = "top_left";
  right.where = "top_right";
  scene.pins = {left, right};
  return scene;
}

}  // namespace weft::testing
