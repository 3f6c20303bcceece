// A letter's coverage; a plate has a texture coordinate below zero.
in vec2 uv;
in vec4 color;
layout(binding = 0) uniform sampler2D font;
layout(location = 0) out vec4 out_color;
void main() {
  float coverage = texture(font, uv).r;
  out_color = vec4(color.rgb, color.a * (uv.x < 0.0 ? 1.0 : coverage));
}
