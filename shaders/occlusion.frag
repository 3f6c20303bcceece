#include "common.glsl"
// Ambient occlusion from the depth of the picture (after McGuire et al. 2012): how much of the sky above each
// point is hidden by what lies within RADIUS of it.
layout(binding = 0) uniform sampler2D depth_map;
layout(location = 0) out float out_open;

const float RADIUS = 0.16;  // m

vec3 view_position(vec2 uv) {
  float z = -lens.w / (2.0 * texture(depth_map, uv).r - 1.0 + lens.z);
  return vec3((2.0 * uv - 1.0) / lens.xy * -z, z);
}

// Normal from the nearer neighbour on each axis, so that a silhouette does not bend it.
vec3 view_normal(vec3 p, vec2 uv, vec2 texel) {
  vec3 r = view_position(uv + vec2(texel.x, 0)) - p, l = p - view_position(uv - vec2(texel.x, 0));
  vec3 u = view_position(uv + vec2(0, texel.y)) - p, d = p - view_position(uv - vec2(0, texel.y));
  return normalize(cross(abs(r.z) < abs(l.z) ? r : l, abs(u.z) < abs(d.z) ? u : d));
}

void main() {
  vec2 texel = 1.0 / vec2(textureSize(depth_map, 0)), uv = gl_FragCoord.xy * texel;
  if (texture(depth_map, uv).r == 1.0) {
    out_open = 1.0;
    return;
  }
  vec3 p = view_position(uv), n = view_normal(p, uv, texel);
  vec2 reach = min(0.5 * RADIUS * lens.xy / -p.z, vec2(0.12, 0.2));
  float turn = 2.0 * PI * dither(gl_FragCoord.xy), sum = 0.0;
  for (int i = 0; i < TAPS; ++i) {
    float a = turn + float(i) * 2.399963, t = (float(i) + 0.5) / float(TAPS);
    vec3 d = view_position(uv + t * reach * vec2(cos(a), sin(a))) - p;
    float d2 = dot(d, d), along = dot(d, n) - 0.004;
    float near = max(0.0, 1.0 - d2 / (RADIUS * RADIUS));
    sum += near * max(0.0, along) / sqrt(d2 + 1e-5);
  }
  out_open = max(0.15, 1.0 - 2.1 * sum / float(TAPS));
}
