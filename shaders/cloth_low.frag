#include "common.glsl"
in vec3 front_light;
in vec3 back_light;
in vec2 data;  // hem, place on the colour scale
layout(location = 0) out vec4 out_color;
layout(binding = 3) uniform sampler2D color_scale;
uniform vec3 front_color, back_color;  // linear albedo
uniform float hem_width;               // m; negative: none
uniform vec3 coloring;                 // x: 2 if colours of a quantity are without light

void main() {
  vec3 albedo = gl_FrontFacing ? front_color : back_color, light = gl_FrontFacing ? front_light : back_light;
#ifdef COLORING
  albedo = texture(color_scale, vec2((clamp(data.y, 0.0, 1.0) * 255.0 + 0.5) / 256.0, 0.5)).rgb;
  if (coloring.x > 1.5) {
    out_color = vec4(albedo, 1);
    return;
  }
#endif
  float from_groove = (data.x - hem_width) * 700.0;
  out_color = vec4(tone_map(albedo * light * (1.0 - 0.28 / (1.0 + from_groove * from_groove))), 1);
}
