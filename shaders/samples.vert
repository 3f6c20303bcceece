#include "common.glsl"
// Balls of a size in pixels in the middles of edges, six corners each.
layout(std430, binding = 0) readonly buffer Positions { float positions[]; };
// ends of the edge, 1 where it is guarded
layout(std430, binding = 1) readonly buffer Samples { ivec4 samples[]; };
uniform int first;        // of the positions, in floats
uniform float lift;       // share of the distance to the eye,
uniform float least_lift; // m: and out of the thickness and the curve of what is drawn, at least
uniform float radius;     // pixels
uniform vec3 guarded_color, other_color;  // linear
out vec3 shape;
out vec4 color;

vec3 position(int vertex) {
  int k = first + 3 * vertex;
  return vec3(positions[k], positions[k + 1], positions[k + 2]);
}

void main() {
  const int corners[6] = int[6](0, 1, 2, 2, 1, 3);
  int k = corners[gl_VertexID % 6];
  ivec4 s = samples[gl_VertexID / 6];
  vec3 middle = 0.5 * (position(s.x) + position(s.y));
  vec2 side = vec2((k & 1) == 1 ? 1 : -1, (k & 2) == 2 ? 1 : -1);
  vec3 to_eye = eye.xyz - middle;
  float far = length(to_eye);
  vec4 p = view_projection * vec4(middle + min(1.0, max(lift, least_lift / far)) * to_eye, 1);
  p.xy += 2.0 * radius * side * picture.zw * p.w;
  shape = vec3(side, 1);
  color = vec4(s.z != 0 ? guarded_color : other_color, 1);
  gl_Position = p;
}
