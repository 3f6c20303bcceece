// The constants of one picture, laid out as the block Frame in shaders/common.glsl.
#pragma once
#include "sim/base/math.h"

namespace weft {

struct FrameBlock {
  mat4 view_projection{1};
  mat4 view{1};
  mat4 light_matrix{1};
  vec4 eye{0};
  vec4 light_direction{0, 1, 0, 0};
  vec4 background{0};
  vec4 ground{0};
  vec4 shadow{0};
  vec4 picture{1};
  vec4 tone{1, 0, 0, 0};
  vec4 lens{1};
  vec4 sky[9]{};
};
static_assert(sizeof(FrameBlock) == 3 * 64 + 17 * 16, "std140 layout of the block Frame");

}  // namespace weft
