// Linear light as sRGB numbers. The driver's own encoding would do on a GPU; software OpenGL rounds it
// coarsely. With alpha the sum is of light times alpha, and the numbers are multiplied by it.
layout(binding = 0) uniform sampler2D sum_map;
uniform float with_alpha;  // 1 or 0
layout(location = 0) out vec4 out_color;
void main() {
  vec4 sum = texelFetch(sum_map, ivec2(gl_FragCoord.xy), 0);
  float alpha = clamp(mix(1.0, sum.a, with_alpha), 0.0, 1.0);
  vec3 light = alpha > 0.0 ? clamp(sum.rgb / alpha, 0.0, 1.0) : vec3(0.0);
  vec3 code =
      mix(12.92 * light, 1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055, greaterThan(light, vec3(0.0031308)));
  out_color = vec4(alpha * code, alpha);
}
