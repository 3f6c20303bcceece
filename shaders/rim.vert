#include "common.glsl"
#include "stream.glsl"
// The rolled hem: a thin tube along each boundary edge, following the same curve as the smooth surface. One
// instance per edge; the vertices of an instance form a strip of PIECES x SIDES quads. Lines of strands
// and grains (edges from a point to itself) are drawn so too.
layout(location = 0) in vec4 in_edge;  // vertices before, first, second, after, as whole numbers
layout(location = 1) in vec4 in_uv;    // of first and second vertex
uniform float radius;                  // m
uniform bool on_surface;               // false: of strands and grains, which have no normals

#ifdef DEPTH
uniform mat4 transform;  // from the world
#endif

out Vertex {
  vec3 position;
  vec3 normal;
  vec2 uv;
  vec2 data;
} vertex;

void main() {
  const ivec2 corners[6] =
      ivec2[](ivec2(0, 0), ivec2(1, 0), ivec2(1, 1), ivec2(0, 0), ivec2(1, 1), ivec2(0, 1));
  int quad = gl_VertexID / 6;
  ivec2 at = ivec2(quad / SIDES, quad % SIDES) + corners[gl_VertexID % 6];
  float t = float(at.x) / float(PIECES), s = 1.0 - t;
  ivec4 edge = ivec4(in_edge);
  vec3 p = position_of(edge.y), q = position_of(edge.z), n = vec3(0), m = vec3(0);
  if (on_surface) n = normal_of(edge.y), m = normal_of(edge.z);
  vec3 d = q - p;
  vec3 c1 = (2.0 * p + q - dot(d, n) * n) / 3.0, c2 = (2.0 * q + p + dot(d, m) * m) / 3.0;
  vec3 middle = p * s * s * s + 3.0 * c1 * s * s * t + 3.0 * c2 * s * t * t + q * t * t * t;
  // Tangents are shared with the neighbouring edges, so that the tubes join.
  vec3 along = normalize(mix(q - position_of(edge.x), position_of(edge.w) - p, t) + 1e-9);
  // the same side of a strand all along, but where it turns towards it
  vec3 other = abs(along.y) < 0.8 ? vec3(0, 1, 0) : vec3(1, 0, 0);
  vec3 up = on_surface ? normalize(mix(n, m, t) + 1e-9) : normalize(cross(along, other));
  vec3 side = normalize(cross(along, up) + 1e-9);
  float angle = 2.0 * PI * float(at.y) / float(SIDES);
  vec3 around = cos(angle) * up + sin(angle) * side;
  vertex.position = middle + radius * around;
  vertex.normal = around;
  vertex.uv = mix(in_uv.xy, in_uv.zw, t);
  vertex.data = vec2(0, mix(scalar_of(edge.y), scalar_of(edge.z), t));
  if (edge.y == edge.z) {  // a grain: a ball about its point
    float polar = PI * t;
    vertex.normal = vec3(sin(polar) * cos(angle), cos(polar), sin(polar) * sin(angle));
    vertex.position = p + radius * vertex.normal;
  }
#ifdef DEPTH
  gl_Position = transform * vec4(vertex.position, 1);
#else
  gl_Position = view_projection * vec4(vertex.position, 1);
#endif
}
