#include "common.glsl"
// One vertex of the simulated mesh. With SMOOTH it goes on to the tessellator, else straight to the picture.
layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec2 in_uv;      // m along warp and weft
layout(location = 3) in float in_hem;    // distance from the boundary (m), clamped
layout(location = 4) in float in_scalar;

out Vertex {
  vec3 position;
  vec3 normal;
  vec2 uv;
  vec2 data;  // hem, scalar
} vertex;

void main() {
  vertex.position = in_position;
  vertex.normal = in_normal;
  vertex.uv = in_uv;
  vertex.data = vec2(in_hem, in_scalar);
  gl_Position = view_projection * vec4(in_position, 1);
}
