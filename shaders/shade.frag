#include "common.glsl"
#define DISC_TAPS 3
#include "lighting.glsl"
#include "studio.glsl"
// Multiplies the floor that is there already.
in vec3 position;
layout(location = 0) out vec4 out_color;
void main() {
  float lit = disc_visibility(position, vec3(0, 1, 0), 0.008, 0.0);
  out_color = vec4(mix(vec3(1), floor_shade(lit, 0.75 + 0.25 * lit), floor_presence(position.xz)), 1);
}
