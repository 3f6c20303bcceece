#include "common.glsl"
#include "lighting.glsl"
#include "fabric.glsl"
// For software OpenGL: light is computed at the vertices, for both sides. At about 1 cm between vertices that
// is hard to tell from light at each pixel, and a triangle of ten pixels costs a tenth.
layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 3) in float in_hem;
layout(location = 4) in float in_scalar;
uniform float gloss;
uniform vec3 coloring;  // y: value at the low end, z: 1/range
out vec3 front_light;
out vec3 back_light;
out vec2 data;  // hem, place on the colour scale
#ifdef COLORING
out float along;  // m, in space: these vertices have no material points
#endif

vec3 light_from(vec3 n, vec3 v, float lit, float open) {
  vec3 l = light_direction.xyz;
  float ndl = dot(n, l), ndv = max(dot(n, v), 0.1);
  float ndh = clamp(dot(n, normalize(l + v)), 0.0, 1.0);
  float sheen = lit * max(ndl, 0.0) * mix(0.5 * fuzz(ndh, max(ndl, 0.0), ndv), 1.4 * pow(ndh, 24.0), gloss);
  return light_on_fabric(n, ndl, lit, open) + KEY * sheen + SKY * (0.25 * open * (1.0 - ndv) * (1.0 - ndv));
}

void main() {
  vec3 v = normalize(eye.xyz - in_position);
  float side = dot(in_normal, light_direction.xyz);
  vec3 toward = side > 0.0 ? in_normal : -in_normal;
  float lit = disc_visibility(in_position, toward, 0.006, 0.004);
  // What hides the surroundings of the key light hides much of the sky as well.
  float open = 0.55 + 0.45 * disc_visibility(in_position, toward, 0.06, 0.02);
  float through = side > 0.0 ? 1.0 : -1.0;
  front_light = light_from(in_normal, v, lit, through > 0.0 ? open : 0.9);
  back_light = light_from(-in_normal, v, lit, through < 0.0 ? open : 0.9);
  data = vec2(in_hem, (in_scalar - coloring.y) * coloring.z);
#ifdef COLORING
  along = in_position.x + in_position.y + 0.5 * in_position.z;
#endif
  gl_Position = view_projection * vec4(in_position, 1);
}
