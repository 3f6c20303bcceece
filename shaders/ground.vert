#include "common.glsl"
// A square of the floor about the studio's centre.
out vec3 position;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  position = vec3(ground.x + corner.x * ground.w, ground.y, ground.z - corner.y * ground.w);
  gl_Position = view_projection * vec4(position, 1);
}
