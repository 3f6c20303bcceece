#include "common.glsl"
// Evaluates the curved triangle and moves it to the front or back side of the sheet.
layout(triangles, equal_spacing, ccw) in;
in Corner {
  vec3 position;
  vec3 normal;
  vec2 uv;
  vec2 data;
  vec3 near_control, far_control;
  vec3 middle_normal;
} corner[];
out Vertex {
  vec3 position;
  vec3 normal;
  vec2 uv;
  vec2 data;
} vertex;

uniform float shell_offset;  // m along the normal: half the thickness, negative for the back

void main() {
  vec3 w = gl_TessCoord, w2 = w * w;
  vec3 b210 = corner[0].near_control, b120 = corner[0].far_control;
  vec3 b021 = corner[1].near_control, b012 = corner[1].far_control;
  vec3 b102 = corner[2].near_control, b201 = corner[2].far_control;
  vec3 p0 = corner[0].position, p1 = corner[1].position, p2 = corner[2].position;
  vec3 b111 = (b210 + b120 + b021 + b012 + b102 + b201) / 4.0 - (p0 + p1 + p2) / 6.0;
  vec3 p = p0 * w2.x * w.x + p1 * w2.y * w.y + p2 * w2.z * w.z +
           3.0 * (b210 * w2.x * w.y + b120 * w.x * w2.y + b021 * w2.y * w.z + b012 * w.y * w2.z +
                  b102 * w2.z * w.x + b201 * w.z * w2.x) +
           6.0 * b111 * w.x * w.y * w.z;
  vec3 n = corner[0].normal * w2.x + corner[1].normal * w2.y + corner[2].normal * w2.z +
           corner[0].middle_normal * w.x * w.y + corner[1].middle_normal * w.y * w.z +
           corner[2].middle_normal * w.z * w.x;
  n = normalize(n);
  vertex.position = p + shell_offset * n;
  vertex.normal = n;
  vertex.uv = corner[0].uv * w.x + corner[1].uv * w.y + corner[2].uv * w.z;
  vertex.data = corner[0].data * w.x + corner[1].data * w.y + corner[2].data * w.z;
  gl_Position = view_projection * vec4(vertex.position, 1);
}
