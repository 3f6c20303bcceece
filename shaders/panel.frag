in vec2 uv;
in vec4 color;
flat in float kind;  // 0 plain, 1 text, 2 colour scale
layout(location = 0) out vec4 out_color;
layout(binding = 0) uniform sampler2D font;
layout(binding = 1) uniform sampler2D color_scale;
void main() {
  out_color = color;
  if (kind > 1.5) out_color.rgb = texture(color_scale, uv).rgb;
  else if (kind > 0.5) out_color.a *= texture(font, uv).r;
}
