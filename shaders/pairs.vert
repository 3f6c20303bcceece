#include "common.glsl"
// Lines of a width in pixels between two places, six corners each.
// three per pair: its ends and its colour (linear)
layout(std430, binding = 1) readonly buffer Pairs { vec4 pairs[]; };
uniform float lift;       // share of the distance to the eye
uniform float half_width; // pixels
uniform float dark;       // not 0: a dark line for all
out vec3 shape;
out vec4 color;

void main() {
  const int corners[6] = int[6](0, 1, 2, 2, 1, 3);
  int pair = gl_VertexID / 6, corner = corners[gl_VertexID % 6];
  vec4 a = view_projection * vec4(mix(pairs[3 * pair].xyz, eye.xyz, lift), 1);
  vec4 b = view_projection * vec4(mix(pairs[3 * pair + 1].xyz, eye.xyz, lift), 1);
  bool at_b = corner > 1, left = (corner & 1) == 1;
  shape = vec3(0, left ? 1 : -1, 0);
  color = dark > 0 ? vec4(0.01, 0.02, 0.03, 0.8) : pairs[3 * pair + 2];
  gl_Position = vec4(2, 2, 2, 1);
  if (a.w <= 0 || b.w <= 0) return;
  vec2 along = (b.xy / b.w - a.xy / a.w) * picture.xy;
  along = dot(along, along) > 1e-4 ? normalize(along) : vec2(1, 0);
  // Ends stand out by half the width: a pair that is seen end on is a dot.
  vec2 offset = half_width * ((left ? 1.0 : -1.0) * vec2(-along.y, along.x) + (at_b ? 1.0 : -1.0) * along);
  vec4 p = at_b ? b : a;
  p.xy += 2.0 * offset * picture.zw * p.w;
  gl_Position = p;
}
