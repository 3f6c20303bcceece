#include "common.glsl"
// Handles, circles and the like: flat shapes of a size in pixels at points in space.
layout(location = 0) in vec3 in_position;
layout(location = 1) in vec2 in_offset;  // pixels from the point
layout(location = 2) in vec3 in_shape;   // coordinates in the shape, kind
layout(location = 3) in vec4 in_color;   // linear
out vec3 shape;
out vec4 color;
void main() {
  vec4 p = view_projection * vec4(in_position, 1);
  p.xy += 2.0 * in_offset * picture.zw * p.w;
  shape = in_shape;
  color = in_color;
  gl_Position = p;
}
