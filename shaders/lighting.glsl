// The studio: one large key light with a shadow, a sky above a pale floor, a dim fill light and a light from
// behind.
layout(binding = 0) uniform sampler2DShadow shadow_map;
layout(binding = 1) uniform sampler2D shadow_depth;  // the same map, read as numbers
layout(binding = 2) uniform sampler2D ambient_map;   // share of the sky that a pixel sees

// radiance times pi: what a white surface that faces it returns
const vec3 KEY = vec3(1.0, 0.965, 0.91) * 1.30;
const vec3 SKY = vec3(0.82, 0.88, 1.0) * 0.40;
const vec3 FLOOR = vec3(1.0, 0.95, 0.88) * 0.23;
const vec3 FILL_DIRECTION = vec3(0.77, 0.26, 0.58);
#define FILL (vec3(0.86, 0.92, 1.0) * (0.17 * (1.0 - sky[0].w)))
const vec3 BACK_DIRECTION = vec3(0.35, 0.35, -0.87);
#define BACK (vec3(1.0, 0.98, 0.95) * (0.24 * (1.0 - sky[0].w)))

// A direction of the scene in the picture that lights it from all around.
vec3 in_sky(vec3 d) {
  float c = cos(sky[1].w), s = sin(sky[1].w);
  return vec3(c * d.x - s * d.z, d.y, s * d.x + c * d.z);
}

// Light of that picture on a surface with normal n: spherical harmonics up to order 2.
vec3 sky_light(vec3 n) {
  n = in_sky(n);
  return max(sky[0].rgb + sky[1].rgb * n.y + sky[2].rgb * n.z + sky[3].rgb * n.x + sky[4].rgb * (n.x * n.y) +
                 sky[5].rgb * (n.y * n.z) + sky[6].rgb * (3.0 * n.z * n.z - 1.0) + sky[7].rgb * (n.x * n.z) +
                 sky[8].rgb * (n.x * n.x - n.y * n.y),
             vec3(0));
}

// Light from all around on a surface with normal n.
vec3 ambient(vec3 n) {
  if (sky[0].w > 0.0) return sky_light(n);
  return mix(FLOOR, SKY, 0.5 + 0.5 * n.y);
}

float ambient_visibility() {
#ifdef LOW
  return 1.0;
#else
  return texture(ambient_map, gl_FragCoord.xy * picture.zw).r;
#endif
}

#ifdef LOW
#ifndef DISC_TAPS
#define DISC_TAPS 5
#endif
// Share of the light from a disc of `radius` (m) around the key light's direction that reaches `world`:
// DISC_TAPS reads of the map.
float disc_visibility(vec3 world, vec3 n, float radius, float toward) {
  const int TAPS = DISC_TAPS;
  if (shadow.w == 0.0) return 1.0;
  vec3 p = world + n * (1.6 * shadow.x * shadow.y + 0.5 * radius) + light_direction.xyz * toward;
  vec3 q = (light_matrix * vec4(p, 1)).xyz;
  float r = radius / shadow.y, sum = 0.0;
  for (int i = 0; i < TAPS; ++i) {
    float a = 2.0 * PI * float(i) / float(TAPS);
    sum += texture(shadow_map, vec3(q.xy + r * vec2(cos(a), sin(a)), q.z));
  }
  return sum / float(TAPS);
}
#endif

// Share of the key light that reaches `world`. `toward` shifts the point towards the light (m), to see past
// the cloth's own sheet.
float key_visibility(vec3 world, vec3 n, float toward) {
  if (shadow.w == 0.0) return 1.0;
  float texel = shadow.x * shadow.y;
  vec3 p = world + n * (1.6 * texel) + light_direction.xyz * (toward + texel);
  vec3 q = (light_matrix * vec4(p, 1)).xyz;
#ifdef LOW
  return texture(shadow_map, q);
#else
  if (any(lessThan(q.xy, vec2(0))) || any(greaterThan(q.xy, vec2(1)))) return 1.0;
  // Percentage-closer soft shadows: the mean distance of what blocks the light gives the width of the
  // penumbra.
  float spread = light_direction.w * shadow.z / shadow.y;  // texture units per unit of map depth
  // Where the surface goes on around the point, as seen by the light: a surface that is lit at a grazing
  // angle does not shade itself. Depth per texture unit; steeper than 4 it is the limit.
  vec2 slope = vec2(dot(n, vec3(light_matrix[0][0], light_matrix[1][0], light_matrix[2][0])),
                    dot(n, vec3(light_matrix[0][1], light_matrix[1][1], light_matrix[2][1]))) *
               (shadow.y * shadow.y / shadow.z) / max(dot(n, light_direction.xyz), 0.2);
  slope *= min(1.0, 4.0 / max(length(slope), 1e-4));
  float turn = 2.0 * PI * dither(gl_FragCoord.xy);
  float search = clamp(spread * 0.35, 2.0 * shadow.x, 40.0 * shadow.x);
  float blocker = 0.0, blockers = 0.0;
  const int SEARCH = 12, TAPS = 24;
  for (int i = 0; i < SEARCH; ++i) {
    float a = float(i) * 2.399963 + turn;
    vec2 d = sqrt((float(i) + 0.5) / float(SEARCH)) * search * vec2(cos(a), sin(a));
    float depth = texture(shadow_depth, q.xy + d).r;
    float surface = q.z + dot(slope, d);
    if (depth < surface - 0.3 * length(d) * shadow.y / shadow.z) blocker += surface - depth, blockers += 1.0;
  }
  // Without any, the search may have missed a thin one: its twelve places leave gaps.
  float radius = blockers > 0.0 ? clamp(spread * blocker / blockers, 1.2 * shadow.x, search) : 1.2 * shadow.x;
  float lit = 0.0;
  for (int i = 0; i < TAPS; ++i) {
    float a = float(i) * 2.399963 + turn;
    vec2 d = sqrt((float(i) + 0.5) / float(TAPS)) * radius * vec2(cos(a), sin(a));
    lit += texture(shadow_map, vec3(q.xy + d, q.z + dot(slope, d) - 0.3 * length(d) * shadow.y / shadow.z));
  }
  return lit / float(TAPS);
#endif
}
