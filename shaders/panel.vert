#include "common.glsl"
// Rectangles in pixels, from the upper left corner: the legend and its text.
layout(location = 0) in vec2 in_pixel;
layout(location = 1) in vec2 in_uv;
layout(location = 2) in vec4 in_color;
layout(location = 3) in float in_kind;
out vec2 uv;
out vec4 color;
flat out float kind;
void main() {
  uv = in_uv;
  color = in_color;
  kind = in_kind;
  gl_Position = vec4(in_pixel * picture.zw * vec2(2, -2) + vec2(-1, 1), 0, 1);
}
