// Stripes 24 mm or a power of two times that apart, to be some pixels wide, and the fabric darkened between
// them, so that they show on fabrics of their own colour too. `along` is a length across the stripes, m.
vec3 hatched(vec3 albedo, vec3 color, float along, float mark) {
  float pixel = max(fwidth(along), 1e-6);
  float period = 0.024 * exp2(max(ceil(log2(pixel / (0.2 * 0.024))), 0.0));
  float wave = abs(fract(along / period) - 0.5) * 2.0, width = pixel / period;  // 1 in the middle of the gaps
  return mix(albedo, mix(0.25 * albedo, color, smoothstep(0.4 - width, 0.4 + width, wave)), mark);
}
