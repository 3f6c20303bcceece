// The far wall: the background colour, a little lighter towards the horizon and darker towards the picture's
// corners.
vec3 backdrop(vec2 pixel) {
  vec2 c = pixel * picture.zw - 0.5;
  return background.rgb * (1.04 - 0.42 * dot(c, c));
}

// What shade leaves of the floor's colour. An open, lit floor has the colour of the wall, so that the two
// meet without a seam.
vec3 floor_shade(float lit, float open) {
  float key = max(light_direction.y, 0.0) * KEY.g, sky = SKY.g;
  float light = (key * mix(0.12, 1.0, lit) + sky * open) / (key + sky);
  return light * mix(vec3(0.90, 0.95, 1.06), vec3(1), light);  // the sky's light is bluer than the key's
}

// 1 near the studio's centre, 0 where the floor has become the wall.
float floor_presence(vec2 xz) { return 1.0 - smoothstep(0.25, 0.95, distance(xz, ground.xz) / ground.w); }
