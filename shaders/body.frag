#include "common.glsl"
#include "lighting.glsl"
// Bodies: painted, slightly glossy (GGX, roughness 0.38) under the same lights as the cloth.
in vec3 position;
in vec3 normal;
layout(location = 0) out vec4 out_color;
uniform vec3 color;  // linear

// What a glossy body reflects of the studio: bright softbox overhead, floor below.
vec3 studio(vec3 d) {
  float box = smoothstep(0.80, 0.95, dot(d, light_direction.xyz));
  if (sky[0].w > 0.0) return sky_light(d) * 1.25 + KEY * 0.35 * box;
  return mix(FLOOR * 1.3, SKY * 1.25, smoothstep(-0.25, 0.45, d.y)) + KEY * 0.35 * box;
}

void main() {
  vec3 n = normalize(normal), v = normalize(eye.xyz - position), l = light_direction.xyz;
  if (dot(n, v) < 0.0) n = -n;
  float ndl = dot(n, l), ndv = max(dot(n, v), 0.03);
  float lit = ndl > 0.0 ? key_visibility(position, n, 0.0) : 0.0, open = ambient_visibility();
  vec3 result = color * (KEY * max(0.0, ndl) * lit +
                         open * (ambient(n) + FILL * max(0.0, dot(n, FILL_DIRECTION)) +
                                 BACK * max(0.0, dot(n, BACK_DIRECTION))));
#ifdef LOW
  // A highlight and an edge from products alone: on software OpenGL each power costs as much as the diffuse
  // light.
  vec3 half_way = normalize(l + v);
  float edge = (1.0 - ndv) * (1.0 - ndv), peak = max(dot(n, half_way), 0.0);
  peak *= peak, peak *= peak, peak *= peak, peak *= peak, peak *= peak;  // to the 32nd
  result += SKY * (0.03 + 0.5 * edge * edge) + KEY * (0.16 * lit * max(ndl, 0.0) * peak);
  out_color = vec4(tone_map(result), 1);
  return;
#endif
  float fresnel = 0.04 + 0.96 * pow(1.0 - ndv, 5.0);
  result += studio(reflect(-v, n)) * (0.55 * fresnel * open);
  if (ndl > 0.0) {
    vec3 h = normalize(l + v);
    float ndh = max(dot(n, h), 0.0), a2 = 0.0209, d = ndh * ndh * (a2 - 1.0) + 1.0;  // a2 = roughness^4
    float k = 0.24, visibility = 0.25 / ((ndl * (1.0 - k) + k) * (ndv * (1.0 - k) + k));
    float f = 0.04 + 0.96 * pow(1.0 - max(dot(v, h), 0.0), 5.0);
    result += KEY * (lit * ndl * f * visibility * a2 / (PI * d * d));
  }
  out_color = vec4(tone_map(result), 1);
}
