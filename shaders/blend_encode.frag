// Linear light as sRGB numbers. The driver's own encoding would do on a GPU; software OpenGL rounds it
// coarsely.
layout(binding = 0) uniform sampler2D sum_map;
layout(location = 0) out vec4 out_color;
void main() {
  vec3 light = clamp(texelFetch(sum_map, ivec2(gl_FragCoord.xy), 0).rgb, 0.0, 1.0);
  out_color = vec4(
      mix(12.92 * light, 1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055, greaterThan(light, vec3(0.0031308))),
      1.0);
}
