#include "common.glsl"
// Curved PN triangles (Vlachos et al. 2001): a cubic patch through the vertices with the vertices' normals.
// Each invocation prepares the edge from its own vertex to the next.
layout(vertices = 3) out;
in Vertex {
  vec3 position;
  vec3 normal;
  vec2 uv;
  vec2 data;
} vertex[];
out Corner {
  vec3 position;
  vec3 normal;
  vec2 uv;
  vec2 data;
  vec3 near_control, far_control;  // b210 and b120 of the edge to the next corner
  vec3 middle_normal;              // n110
} corner[];

uniform float most_pieces;

// Pieces that keep the chord within an eighth of a pixel of the curve: the sagitta of a piece falls with the
// square of their number. The same from both triangles at the edge.
float pieces(int a, int b) {
  vec3 d = vertex[b].position - vertex[a].position;
  float depth = max(1e-3, distance(0.5 * (vertex[a].position + vertex[b].position), eye.xyz));
  float bend = acos(clamp(dot(vertex[a].normal, vertex[b].normal), -1.0, 1.0));
  float sagitta = length(d) * bend / 8.0 / (depth * tone.w);
  return clamp(ceil(sqrt(8.0 * sagitta)), 1.0, most_pieces);
}

bool outside() {
  vec4 a = gl_in[0].gl_Position, b = gl_in[1].gl_Position, c = gl_in[2].gl_Position;
  // A curved patch leaves its flat triangle by less than a quarter of its size, hence the margin.
  float m = 1.2;
  return (a.x > m * a.w && b.x > m * b.w && c.x > m * c.w) ||
         (a.x < -m * a.w && b.x < -m * b.w && c.x < -m * c.w) ||
         (a.y > m * a.w && b.y > m * b.w && c.y > m * c.w) ||
         (a.y < -m * a.w && b.y < -m * b.w && c.y < -m * c.w);
}

void main() {
  int i = gl_InvocationID, j = (i + 1) % 3;
  vec3 p = vertex[i].position, q = vertex[j].position, n = vertex[i].normal, m = vertex[j].normal, d = q - p;
  corner[gl_InvocationID].position = p;
  corner[gl_InvocationID].normal = n;
  corner[gl_InvocationID].uv = vertex[i].uv;
  corner[gl_InvocationID].data = vertex[i].data;
  corner[gl_InvocationID].near_control = (2.0 * p + q - dot(d, n) * n) / 3.0;
  corner[gl_InvocationID].far_control = (2.0 * q + p + dot(d, m) * m) / 3.0;
  vec3 sum = n + m;
  vec3 middle = sum - (2.0 * dot(d, sum) / max(dot(d, d), 1e-12)) * d;
  corner[gl_InvocationID].middle_normal = dot(middle, middle) > 1e-12 ? normalize(middle) : n;
  if (i == 0) {
    if (outside()) {
      gl_TessLevelOuter[0] = 0.0;
    } else {
      gl_TessLevelOuter[0] = pieces(1, 2);
      gl_TessLevelOuter[1] = pieces(2, 0);
      gl_TessLevelOuter[2] = pieces(0, 1);
      gl_TessLevelInner[0] = max(gl_TessLevelOuter[0], max(gl_TessLevelOuter[1], gl_TessLevelOuter[2]));
    }
  }
}
