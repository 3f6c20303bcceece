// A share of a picture that is stored as sRGB numbers, in linear light, onto a sum. With alpha, by which
// stored colours are multiplied, the sum is of light times alpha.
layout(binding = 0) uniform sampler2D picture_map;
uniform float weight;
uniform float with_alpha;  // 1 or 0
layout(location = 0) out vec4 out_color;
void main() {
  vec4 stored = texelFetch(picture_map, ivec2(gl_FragCoord.xy), 0);
  float alpha = mix(1.0, stored.a, with_alpha);
  vec3 s = alpha > 0.0 ? min(stored.rgb / alpha, 1.0) : vec3(0.0);
  vec3 light = mix(s / 12.92, pow((s + 0.055) / 1.055, vec3(2.4)), greaterThan(s, vec3(0.04045)));
  out_color = weight * vec4(alpha * light, alpha);
}
