// How fabric scatters light.

// A rough sheet of fibres: diffuse with a soft terminator.
float diffuse(float c, float wrap) { return max(0.0, (c + wrap) / ((1.0 + wrap) * (1.0 + wrap))); }

// Fibres that stand off the sheet catch light at grazing angles (Estevez and Kulla 2017, roughness 0.5).
float fuzz(float ndh, float ndl, float ndv) {
  float s2 = max(0.0, 1.0 - ndh * ndh);
  return (4.0 * s2 / (2.0 * PI)) / (4.0 * (ndl + ndv - ndl * ndv) + 1e-3);
}

// Smooth filaments reflect along the thread's cone (Kajiya and Kay): bright bands across the threads.
float filament(vec3 t, vec3 h, float exponent) {
  float th = dot(t, h);
  return pow(max(0.0, 1.0 - th * th), 0.5 * exponent);
}

// Light on a side of the sheet: the key light (`lit`: its share that arrives) from the front or shining
// through from behind, the sky (`open`: its share that is seen), fill and back light. `side`: cosine between
// the side's smooth normal and the key light.
vec3 light_on_fabric(vec3 n, float side, float lit, float open) {
  float direct = diffuse(dot(n, light_direction.xyz), 0.15) * smoothstep(0.0, 0.22, side);
  float through = 0.16 * max(0.0, -side);
  vec3 around = FILL * diffuse(dot(n, FILL_DIRECTION), 0.3) + BACK * diffuse(dot(n, BACK_DIRECTION), 0.1);
  return KEY * (lit * (direct + through)) + open * (ambient(n) + around);
}
