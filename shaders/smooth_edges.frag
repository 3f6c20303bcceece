#include "common.glsl"
// Smooths the steps of edges in a finished picture: where neighbours differ much in lightness, the mean
// along the edge takes the pixel's place (fast approximate antialiasing, Lottes 2009). Other pixels stay as
// they are.
layout(binding = 0) uniform sampler2D drawn;  // sRGB numbers as they are stored
layout(location = 0) out vec4 out_color;

float lightness(vec3 c) { return dot(c, vec3(0.299, 0.587, 0.114)); }

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy), last = ivec2(picture.xy) - 1;
  vec4 own = texelFetch(drawn, at, 0);
  float middle = lightness(own.rgb);
  float left_up = lightness(texelFetch(drawn, clamp(at + ivec2(-1, 1), ivec2(0), last), 0).rgb);
  float right_up = lightness(texelFetch(drawn, clamp(at + ivec2(1, 1), ivec2(0), last), 0).rgb);
  float left_down = lightness(texelFetch(drawn, clamp(at + ivec2(-1, -1), ivec2(0), last), 0).rgb);
  float right_down = lightness(texelFetch(drawn, clamp(at + ivec2(1, -1), ivec2(0), last), 0).rgb);
  float least = min(middle, min(min(left_up, right_up), min(left_down, right_down)));
  float most = max(middle, max(max(left_up, right_up), max(left_down, right_down)));
  if (most - least < max(0.04, 0.12 * most)) discard;
  // across the gradient: along the edge
  vec2 along = vec2(left_down + right_down - left_up - right_up, left_up + left_down - right_up - right_down);
  float sum = left_up + right_up + left_down + right_down;
  float shortest = min(abs(along.x), abs(along.y)) + max(sum / 32.0, 1.0 / 128.0);
  along = clamp(along / shortest, -8.0, 8.0) * picture.zw;
  vec2 uv = gl_FragCoord.xy * picture.zw;
  vec4 near = 0.5 * (texture(drawn, uv - along / 6.0) + texture(drawn, uv + along / 6.0));
  vec4 far = 0.5 * near + 0.25 * (texture(drawn, uv - along / 2.0) + texture(drawn, uv + along / 2.0));
  float far_lightness = lightness(far.rgb);
  out_color = far_lightness < least || far_lightness > most ? near : far;
}
