#include "common.glsl"
// Averages ambient occlusion over 4 x 4 pixels (the period of its dither) that lie at a similar depth.
layout(binding = 0) uniform sampler2D depth_map;
layout(binding = 1) uniform sampler2D open_map;
layout(location = 0) out float out_open;
float view_depth(vec2 uv) { return lens.w / (2.0 * texture(depth_map, uv).r - 1.0 + lens.z); }
void main() {
  vec2 texel = 1.0 / vec2(textureSize(open_map, 0)), uv = gl_FragCoord.xy * texel;
  float here = view_depth(uv), sum = 0.0, weight = 0.0;
  for (int y = -REACH; y <= REACH; ++y)
    for (int x = -REACH; x <= REACH; ++x) {
      vec2 q = uv + vec2(x, y) * texel;
      float w = max(1e-3, 1.0 - abs(view_depth(q) - here) / (0.02 * here + 0.01));
      sum += w * texture(open_map, q).r, weight += w;
    }
  out_open = sum / weight;
}
