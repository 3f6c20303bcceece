#include "common.glsl"
#include "stream.glsl"
// One vertex of the simulated mesh with one of its material points. With SMOOTH it goes on to the
// tessellator,
// else straight to the picture.
layout(location = 0) in int in_vertex;
layout(location = 2) in vec2 in_uv;    // m along warp and weft
layout(location = 3) in float in_hem;  // distance from the boundary (m), clamped

out Vertex {
  vec3 position;
  vec3 normal;
  vec2 uv;
  vec2 data;  // hem, scalar
} vertex;

void main() {
  vertex.position = position_of(in_vertex);
  vertex.normal = normal_of(in_vertex);
  vertex.uv = in_uv;
  vertex.data = vec2(in_hem, scalar_of(in_vertex));
  gl_Position = view_projection * vec4(vertex.position, 1);
}
