#include "common.glsl"
#include "lighting.glsl"
#include "studio.glsl"
// The floor: fades into the far wall, carries a 10 cm grid with stronger lines each metre.
in vec3 position;
layout(location = 0) out vec4 out_color;

// Coverage of lines of `width` (m) every `spacing` (m), filtered by the size of a pixel.
float lines(vec2 p, vec2 pixel, float spacing, float width) {
  vec2 d = abs(fract(p / spacing - 0.5) - 0.5) * spacing;
  vec2 w = vec2(width) + pixel;
  vec2 c = clamp((0.5 * w - d) / pixel + 0.5, 0.0, 1.0) * (width / w);
  float coarse = 1.0 - smoothstep(0.15, 0.5, max(pixel.x, pixel.y) / spacing);
  return max(c.x, c.y) * coarse;
}

void main() {
#ifdef UNLIT
  float lit = 1.0, open = 1.0;
#else
  float lit = key_visibility(position, vec3(0, 1, 0), 0.0), open = ambient_visibility();
#endif
  vec3 wall = backdrop(gl_FragCoord.xy);
  float near = floor_presence(position.xz);
  vec2 pixel = fwidth(position.xz) + 1e-6;
  float grid = max(0.5 * lines(position.xz, pixel, 0.1, 0.0012), lines(position.xz, pixel, 1.0, 0.0028));
  vec3 color = wall * floor_shade(lit, open) * (1.0 - 0.30 * grid);
  out_color = vec4(mix(wall, color, near), 1);
}
