#include "common.glsl"
#include "hatch.glsl"
#include "lighting.glsl"
// Woven fabric seen from either side.
in Vertex {
  vec3 position;
  vec3 normal;
  vec2 uv;
  vec2 data;
} vertex;
#include "fabric.glsl"
#include "weave.glsl"
layout(location = 0) out vec4 out_color;

layout(binding = 3) uniform sampler2D color_scale;
uniform vec3 front_color, back_color;  // linear albedo
uniform float threads;                 // per m
uniform float gloss;                   // 0: matt and fuzzy, 1: silk
uniform int weave_kind;
uniform int shading;                   // 0: fabric, 1: plain, 2: facets
// x: 1 if the scalar colours the cloth, 2 if it marks it, 3 if it colours it without light; y: value at the
// low end, z: 1/range
uniform vec3 coloring;
uniform vec3 mark_color;
// xy: repeats per m, zw: upper left corner of the picture (m); x = 0: none
uniform vec4 print_place;
layout(binding = 4) uniform sampler2D print_picture;
uniform float hem_width;               // m; 0: none

void main() {
  vec3 v = normalize(eye.xyz - vertex.position);
  vec3 n = normalize(vertex.normal);
#ifndef RIM
  if (shading == 2)
    n = normalize(cross(dFdx(vertex.position), dFdy(vertex.position))) * (gl_FrontFacing ? 1.0 : -1.0);
  if (!gl_FrontFacing) n = -n;
#endif
  float facing = dot(n, v);
  // interpolation may turn the normal past the silhouette
  if (facing < 0.02) n = normalize(n + (0.02 - facing) * v);
#ifdef RIM
  vec3 albedo = mix(front_color, back_color, 0.35);
#else
  vec3 albedo = gl_FrontFacing ? front_color : back_color;
#endif
#ifndef RIM
  if (print_place.x > 0.0) {
    vec3 printed = texture(print_picture, (vertex.uv - print_place.zw) * print_place.xy).rgb;
    albedo = gl_FrontFacing ? printed : mix(back_color, printed, 0.2);  // some of it shows through
  }
#endif
  vec3 smooth_normal = n, warp = vec3(0);
  float cavity = 1.0;
  if (shading == 0 && threads > 0.0) {  // skins of solids have no threads
    Surface s = weave(vertex.uv, n, threads, weave_kind, tone.z);
    n = s.normal;
    warp = s.warp;
    cavity = s.cavity * hem(vertex.data.x, vertex.uv, hem_width);
  }
  bool colored = coloring.x == 1.0 || coloring.x == 3.0;
  if (coloring.x == 2.0) {  // along the diagonal of the cloth
    albedo = hatched(albedo, mark_color, vertex.uv.x + vertex.uv.y, smoothstep(0.1, 0.6, vertex.data.y));
  }
  if (colored) {
    float c = clamp((vertex.data.y - coloring.y) * coloring.z, 0.0, 1.0);
    albedo = texture(color_scale, vec2((c * 255.0 + 0.5) / 256.0, 0.5)).rgb;
    if (coloring.x == 3.0) {
      out_color = vec4(albedo, 1);
      return;
    }
  }
  vec3 l = light_direction.xyz;
  float ndl = dot(n, l), ndv = max(dot(n, v), 0.02), side = dot(smooth_normal, l);
  float lit =
      key_visibility(vertex.position, side > 0.0 ? smooth_normal : -smooth_normal, side > 0.0 ? 0.0 : 0.012);
  float open = ambient_visibility();
  vec3 light = light_on_fabric(n, side, lit, open);
  vec3 color = albedo * light * cavity;
  float rim_light = pow(1.0 - ndv, 3.0);
  vec3 fibre = mix(vec3(dot(albedo, vec3(0.3, 0.5, 0.2))), albedo, 0.6) * 0.5 + 0.04;
  float shine = colored ? 0.3 : 1.0;
  if (ndl > 0.0) {
    vec3 h = normalize(l + v);
    float ndh = clamp(dot(n, h), 0.0, 1.0);
    color += fibre * KEY * (lit * ndl * shine * (1.0 - gloss) * fuzz(ndh, ndl, ndv));
#ifndef RIM
    if (gloss > 0.0 && shading == 0) {
      vec3 weft = cross(n, warp);
      float bands =
          0.65 * filament(warp, h, mix(12.0, 70.0, gloss)) + 0.35 * filament(weft, h, mix(12.0, 70.0, gloss));
      color += mix(vec3(0.35), albedo, 0.55) * KEY * (lit * ndl * shine * gloss * 1.1 * bands * ndh);
    }
#endif
  }
  color += fibre * open * shine * (1.0 - 0.5 * gloss) * rim_light * (SKY * 0.55);
  out_color = vec4(tone_map(color), 1);
}
