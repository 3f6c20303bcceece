#include "viewer/render/legend_painter.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <filesystem>

#include "sim/base/program_folder.h"
#include "viewer/render/color_scale.h"

namespace weft {
namespace {
constexpr float kField = 14, kFieldGap = 6, kNameGap = 10;  // of classes, before scaling

const vec4 kDark(0.02f, 0.022f, 0.025f, 0.72f), kPale(0.86f, 0.87f, 0.88f, 1);

/// 2000 and 0.0125 as they are, neither as a power of ten.
std::string short_number(float value) {
  const float size = std::abs(value);
  return size >= 1000 && size < 1e6f ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

}  // namespace

std::string readable_font() {
  for (const char* path :
       {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
        "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
        "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
        "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf", "/usr/share/fonts/TTF/DejaVuSans.ttf"}) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(path, ignored)) return path;
  }
  std::error_code ignored;
  const std::filesystem::path own = installed_path("fonts/DejaVuSans.ttf");
  return std::filesystem::is_regular_file(own, ignored) ? own.string() : std::string();
}

LegendPainter::LegendPainter()
    : scale_(GL_RGBA16F, ivec2(256, 1)),
      classes_(GL_RGBA16F, ivec2(256, 1)),
      program_({"panel.vert", "panel.frag"}) {
  std::vector<vec4> colors;
  for (int i = 0; i < 256; ++i) colors.push_back(vec4(class_color(kClasses * i / 256), 1));
  glTextureSubImage2D(classes_.id(), 0, 0, 0, 256, 1, GL_RGBA, GL_FLOAT, colors.data());
  write_scale();
}

void LegendPainter::write_scale() {
  std::vector<vec4> colors;
  for (int i = 0; i < 256; ++i) colors.push_back(vec4(scale_color(map_, float(i) / 255), 1));
  glTextureSubImage2D(scale_.id(), 0, 0, 0, 256, 1, GL_RGBA, GL_FLOAT, colors.data());
}

void LegendPainter::use(ColorMap map) {
  if (map == map_) return;
  map_ = map;
  write_scale();
}

gl::Texture atlas_texture(ImFontAtlas& atlas) {
  unsigned char* texels = nullptr;
  int width = 0, height = 0;
  atlas.GetTexDataAsAlpha8(&texels, &width, &height);
  gl::Texture texture(GL_R8, ivec2(width, height));
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTextureSubImage2D(texture.id(), 0, 0, 0, width, height, GL_RED, GL_UNSIGNED_BYTE, texels);
  return texture;
}

void LegendPainter::build_font(float pixels) {
  font_pixels_ = pixels;
  ImFontAtlas atlas;  // needs no ImGui context
  ImFontConfig config;
  config.SizePixels = pixels;
  const std::string path = readable_font();
  ImFont* font = path.empty() ? nullptr : atlas.AddFontFromFileTTF(path.c_str(), pixels, &config);
  if (!font) font = atlas.AddFontDefault(&config);
  font_ = atlas_texture(atlas);
  for (int c = 32; c < 127; ++c) {
    const ImFontGlyph* g = font->FindGlyph(ImWchar(c));
    if (g) glyphs_[c] = {{g->X0, g->Y0}, {g->X1, g->Y1}, {g->U0, g->V0}, {g->U1, g->V1}, g->AdvanceX};
  }
}

void LegendPainter::rectangle(const vec2& min, const vec2& max, const vec4& color, float kind,
                              const vec2& uv_min, const vec2& uv_max) {
  Corner c[4];
  for (int k = 0; k < 4; ++k) {
    const bool right = k & 1, low = k & 2;
    c[k] = {vec2(right ? max.x : min.x, low ? max.y : min.y),
            vec2(right ? uv_max.x : uv_min.x, low ? uv_max.y : uv_min.y), color, kind};
  }
  for (int k : {0, 1, 2, 2, 1, 3}) corners_.push_back(c[k]);
}

float LegendPainter::text_width(const std::string& text) const {
  float width = 0;
  for (unsigned char c : text) width += c < 128 ? glyphs_[c].advance : 0.0f;
  return width;
}

void LegendPainter::text(const vec2& at, const std::string& text, const vec4& color) {
  vec2 pen = glm::round(at);
  for (unsigned char c : text) {
    if (c >= 128) continue;
    const Glyph& g = glyphs_[c];
    rectangle(pen + g.min, pen + g.max, color, 1, g.uv_min, g.uv_max);
    pen.x += g.advance;
  }
}

void LegendPainter::draw(const Legend& legend, ivec2 size) {
  if (!legend.visible) return;
  const float scale = std::clamp(float(size.y) / 720, 0.6f, 12.0f), pixels = std::round(15 * scale);
  if (pixels != font_pixels_) build_font(pixels);
  const bool plain = legend.classes.empty() && legend.note.empty();
  const float height = plain ? 78.0f : 62.0f;
  const vec2 corner(20 * scale, float(size.y) - (height + 18) * scale);
  const float wide = std::max(220 * scale, width_of(legend, scale));
  rectangle(corner, corner + vec2(wide + 36 * scale, height * scale), kDark);
  text(corner + vec2(18, 9) * scale, plain ? fmt::format("{} ({})", legend.title, legend.unit) : legend.title,
       kPale);
  if (plain) draw_scale(legend, corner, scale);
  else if (!legend.note.empty()) text(corner + vec2(18, 33) * scale, legend.note, kPale);
  else draw_classes(legend, corner, scale, wide);
  flush();
}

void LegendPainter::draw_scale(const Legend& legend, const vec2& corner, float scale) {
  const vec2 at = corner + vec2(18, 33) * scale, bar(220 * scale, 14 * scale);
  rectangle(at, at + bar, kPale, 2, vec2(0.5f / 256, 0.5f), vec2(255.5f / 256, 0.5f));
  for (int i = 0; i <= 4; i += 2) {
    const float share = float(i) / 4;
    const std::string more = i == 4 && legend.exceeded ? "+" : "";
    const std::string number = short_number(legend.min + share * (legend.max - legend.min)) + more;
    const float x = at.x + share * bar.x;
    rectangle(vec2(x - 0.6f * scale, at.y + bar.y), vec2(x + 0.6f * scale, at.y + bar.y + 4 * scale), kPale);
    const float shift = std::clamp(x - 0.5f * text_width(number), corner.x + 4 * scale,
                                   corner.x + bar.x + 34 * scale - text_width(number));
    text(vec2(shift, at.y + bar.y + 5 * scale), number, kPale);
  }
}

/// What the fields of colours and their names need, pixels.
float LegendPainter::width_of(const Legend& legend, float scale) const {
  float taken = 0;
  for (const std::string& name : legend.classes)
    taken += (kField + kFieldGap + kNameGap) * scale + text_width(name);
  return taken;
}

/// A field of each colour and its name, spread over the width.
void LegendPainter::draw_classes(const Legend& legend, const vec2& corner, float scale, float wide) {
  const float side = kField * scale, gap = kFieldGap * scale, names = float(legend.classes.size());
  const float taken = width_of(legend, scale) - names * kNameGap * scale;
  const float between = names > 1 ? (wide - taken) / (names - 1) : 0;
  vec2 at = corner + vec2(18, 33) * scale;
  for (int i = 0; i < int(legend.classes.size()); ++i) {
    const std::string& name = legend.classes[size_t(i)];
    rectangle(at, at + vec2(side), vec4(class_color(legend.first_class + i), 1));
    text(at + vec2(side + gap, -1 * scale), name, kPale);
    at.x += side + gap + text_width(name) + between;
  }
}

void LegendPainter::flush() {
  const size_t bytes = corners_.size() * sizeof(Corner);
  if (buffer_.bytes() < bytes) {
    buffer_ = gl::Buffer(2 * bytes);
    array_.attribute(0, 2, buffer_.id(), offsetof(Corner, pixel), sizeof(Corner));
    array_.attribute(1, 2, buffer_.id(), offsetof(Corner, uv), sizeof(Corner));
    array_.attribute(2, 4, buffer_.id(), offsetof(Corner, color), sizeof(Corner));
    array_.attribute(3, 1, buffer_.id(), offsetof(Corner, kind), sizeof(Corner));
  }
  buffer_.write(corners_);
  font_.bind(0);
  scale_.bind(1);
  program_.use();
  array_.bind();
  glDrawArrays(GL_TRIANGLES, 0, GLsizei(corners_.size()));
  corners_.clear();
}

}  // namespace weft
