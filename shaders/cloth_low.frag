#include "common.glsl"
#include "hatch.glsl"
in vec3 front_light;
in vec3 back_light;
in vec2 data;  // hem, place on the colour scale
layout(location = 0) out vec4 out_color;
layout(binding = 3) uniform sampler2D color_scale;
uniform vec3 front_color, back_color;  // linear albedo
uniform float hem_width;               // m; negative: none
#ifdef COLORING
// x: 1 if the scalar colours the cloth, 2 if it marks it, 3 if it colours it without light
uniform vec3 coloring;
uniform vec3 mark_color;
in float along;  // m, across the stripes of marked cloth
#endif

void main() {
  vec3 albedo = gl_FrontFacing ? front_color : back_color, light = gl_FrontFacing ? front_light : back_light;
#ifdef COLORING
  if (coloring.x == 2.0) albedo = hatched(albedo, mark_color, along, smoothstep(0.1, 0.6, data.y));
  else albedo = texture(color_scale, vec2((clamp(data.y, 0.0, 1.0) * 255.0 + 0.5) / 256.0, 0.5)).rgb;
  if (coloring.x == 3.0) {
    out_color = vec4(albedo, 1);
    return;
  }
#endif
  float from_groove = (data.x - hem_width) * 700.0;
  out_color = vec4(tone_map(albedo * light * (1.0 - 0.28 / (1.0 + from_groove * from_groove))), 1);
}
