#include "common.glsl"
layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
uniform mat4 transform;
// m: drawn a little smaller, so that cloth at rest on a curved body is not pierced by it
uniform float inset;
uniform float behind;  // m: depth as if it were so much further away; place and outline stay

out vec3 position;
out vec3 normal;

void main() {
  normal = normalize(mat3(transform) * in_normal);  // placements turn and scale evenly
  position = (transform * vec4(in_position, 1)).xyz - inset * normal;
  gl_Position = view_projection * vec4(position, 1);
  // Across a surface that is seen edge-on the way is longer.
  vec3 away = normalize(position - eye.xyz);
  float across = max(abs(dot(normal, away)), 0.2);
  vec4 further = view_projection * vec4(position + behind / across * away, 1);
  gl_Position.z = further.z / further.w * gl_Position.w;
}
