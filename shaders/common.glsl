// What every shader of the scene shares: the constants of the picture, tone mapping, noise.
layout(std140, binding = 0) uniform Frame {
  mat4 view_projection;
  mat4 view;
  mat4 light_matrix;     // world to the shadow map: texture coordinates and depth, each 0 to 1
  vec4 eye;              // xyz
  vec4 light_direction;  // xyz: towards the key light, unit; w: tangent of its angular radius
  vec4 background;       // linear RGB
  // xz: centre of the studio, y: height of its floor, w: radius at which the floor has faded
  vec4 ground;
  // x: 1/texels, y: width of the map (m), z: depth range of the map (m), w: 1 if shadows are on
  vec4 shadow;
  vec4 picture;          // xy: pixels, zw: their inverse
  // x: exposure factor, y: ambient occlusion, z: weave strength, w: size of a pixel at 1 m (m)
  vec4 tone;
  vec4 lens;             // projection matrix: [0][0], [1][1], [2][2], [3][2]
  // rgb: light from all around, see sky_light; w: 1 if there is such a light, its turn (rad), what shows its
  // picture on the far wall (0: the background colour), and its number
  vec4 sky[9];
};

const float PI = 3.14159265;

// Colours below 0.8 stay as they were chosen; highlights roll off towards white (the shoulder of Khronos'
// neutral curve).
vec3 tone_map(vec3 color) {
  color *= tone.x;
  float peak = max(color.r, max(color.g, color.b));
  const float start = 0.8, d = 1.0 - start;
  if (peak < start) return color;
  float new_peak = 1.0 - d * d / (peak + d - start);
  float g = 1.0 - 1.0 / (0.15 * (peak - new_peak) + 1.0);
  return mix(color * (new_peak / peak), vec3(new_peak), g);
}

float hash(vec2 p) {
  uvec2 q = uvec2(ivec2(floor(p))) * uvec2(1597334673u, 3812015801u);
  uint n = (q.x ^ q.y) * 1597334673u;
  return float(n >> 8) * (1.0 / 16777216.0);
}

// Value noise, 0 to 1, one lattice cell per unit.
float noise(vec2 p) {
  vec2 f = fract(p), i = floor(p);
  f = f * f * (3.0 - 2.0 * f);
  return mix(mix(hash(i), hash(i + vec2(1, 0)), f.x), mix(hash(i + vec2(0, 1)), hash(i + vec2(1, 1)), f.x),
             f.y);
}

// A different number in each pixel whose errors cancel over small neighbourhoods (interleaved gradient
// noise).
float dither(vec2 pixel) {
  return fract(52.9829189 * fract(dot(floor(pixel), vec2(0.06711056, 0.00583715))));
}
