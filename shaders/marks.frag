in vec3 shape;
in vec4 color;
layout(location = 0) out vec4 out_color;
uniform float opacity;
// Kinds: 0 line (y runs across it from -1 to 1), 1 ball, 2 ring.
void main() {
  float coverage, light = 1.0;
  if (shape.z < 0.5) {
    coverage = 1.0 - smoothstep(0.55, 1.0, abs(shape.y));
  } else {
    float r = length(shape.xy), soft = fwidth(r) * 1.5;
    coverage = 1.0 - smoothstep(1.0 - soft, 1.0, r);
    if (shape.z > 1.5) {
      coverage *= smoothstep(0.62 - soft, 0.62, r);
    } else {
      float z = sqrt(max(0.0, 1.0 - r * r));
      light = 0.55 + 0.45 * max(0.0, dot(vec3(shape.xy, z), vec3(-0.4, 0.6, 0.69)));
      light *= mix(1.0, 0.35, smoothstep(0.80 - soft, 0.80, r));
    }
  }
  out_color = vec4(color.rgb * light, color.a * coverage * opacity);
}
