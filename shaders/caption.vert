// Rectangles in pixels, from the upper left corner: plates and letters of captions.
layout(location = 0) in vec2 in_pixel;
layout(location = 1) in vec2 in_uv;
layout(location = 2) in vec4 in_color;
uniform vec2 picture_size;
out vec2 uv;
out vec4 color;
void main() {
  uv = in_uv;
  color = in_color;
  gl_Position = vec4(in_pixel / picture_size * vec2(2, -2) + vec2(-1, 1), 0, 1);
}
