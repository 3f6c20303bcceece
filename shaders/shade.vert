#include "common.glsl"
// The part of the floor that shadows can fall on.
uniform vec4 area;  // least x and z, greatest x and z
out vec3 position;
void main() {
  position =
      vec3((gl_VertexID & 1) == 0 ? area.x : area.z, ground.y, (gl_VertexID & 2) != 0 ? area.y : area.w);
  gl_Position = view_projection * vec4(position, 1);
}
