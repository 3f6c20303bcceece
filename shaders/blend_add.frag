// A share of a picture that is stored as sRGB numbers, in linear light, onto a sum.
layout(binding = 0) uniform sampler2D picture_map;
uniform float weight;
layout(location = 0) out vec4 out_color;
void main() {
  vec3 s = texelFetch(picture_map, ivec2(gl_FragCoord.xy), 0).rgb;
  vec3 light = mix(s / 12.92, pow((s + 0.055) / 1.055, vec3(2.4)), greaterThan(s, vec3(0.04045)));
  out_color = vec4(weight * light, weight);
}
