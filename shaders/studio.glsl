layout(binding = 5) uniform sampler2D sky_picture;  // latitude and longitude

// What one sees of the picture that lights the scene, along the ray of a pixel.
vec3 sky_behind(vec2 pixel) {
  vec3 seen = vec3((2.0 * pixel * picture.zw - 1.0) / lens.xy, -1.0);
  vec3 d = in_sky(normalize(transpose(mat3(view)) * seen));
  vec2 at = vec2(0.5 + atan(d.x, -d.z) / (2.0 * PI), acos(clamp(d.y, -1.0, 1.0)) / PI);
  return tone_map(textureLod(sky_picture, at, 0.0).rgb * sky[2].w);
}

// The far wall: the background colour, a little lighter towards the horizon and darker towards the picture's
// corners.
vec3 backdrop(vec2 pixel) {
  if (sky[2].w > 0.0) return sky_behind(pixel);
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
