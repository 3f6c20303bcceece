#include "common.glsl"
// Lines, points and triangles of the simulated mesh in one colour, lifted towards the eye.
layout(location = 0) in vec3 in_position;
layout(location = 4) in float in_scalar;
uniform float lift;        // share of the distance to the eye
uniform float point_size;  // pixels
uniform float threshold;   // points whose scalar is below are left out
void main() {
  gl_Position = view_projection * vec4(mix(in_position, eye.xyz, lift), 1);
  gl_PointSize = point_size;
  if (in_scalar < threshold) gl_Position = vec4(2, 2, 2, 1);
}
