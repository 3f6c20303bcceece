layout(location = 0) out vec4 out_color;
uniform vec4 color;  // linear
void main() {
#ifdef POINTS
  float r = 2.0 * length(gl_PointCoord - 0.5), soft = 2.0 * fwidth(gl_PointCoord.x);
  float inside = 1.0 - smoothstep(0.72 - soft, 0.72, r), edge = 1.0 - smoothstep(1.0 - soft, 1.0, r);
  out_color = vec4(mix(vec3(0.02), color.rgb, inside), color.a * edge);
#else
  out_color = color;
#endif
}
