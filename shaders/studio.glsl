// The far wall: the background colour, a little lighter towards the horizon and darker towards the picture's corners.
vec3 backdrop(vec2 pixel) {
  vec2 c = pixel * picture.zw - 0.5;
  return background.rgb * (1.04 - 0.42 * dot(c, c));
}
