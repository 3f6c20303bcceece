#include "viewer/render/caption_painter.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "sim/base/shorten.h"
#include "viewer/render/legend_painter.h"

namespace weft {
namespace {

// At a height of 720 pixels.
constexpr float kTitlePixels = 24, kTimingsPixels = 16, kMargin = 20, kPadding = 9, kLegendHeight = 86;
constexpr float kLeastPixels = 9;
constexpr size_t kMostLetters = 2000;  // more than fit into a picture

const vec4 kPlate(0.07f, 0.075f, 0.085f, 0.72f), kText(0.95f, 0.955f, 0.965f, 1);

std::vector<unsigned> code_points(const std::string& text) {
  std::vector<unsigned> codes;
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    unsigned code = 0;
    at += std::max(1, ImTextCharFromUtf8(&code, at, end));
    codes.push_back(code);
  }
  return codes;
}

}  // namespace

/// One size of the font in its own atlas (which needs no ImGui context), with the requested letters.
struct CaptionPainter::Face {
  Face(const std::string& file, float size, const std::string& text) : pixels(size), letters(text) {
    ImFontGlyphRangesBuilder builder;
    builder.AddRanges(atlas.GetGlyphRangesDefault());
    builder.AddText(text.c_str());
    builder.BuildRanges(&ranges);
    ImFontConfig config;
    config.SizePixels = size;
    config.OversampleH = 1;
    config.PixelSnapH = true;  // each letter on whole pixels: crisp
    if (!file.empty()) font = atlas.AddFontFromFileTTF(file.c_str(), size, &config, ranges.Data);
    if (!font) font = atlas.AddFontDefault(&config);
    texture = atlas_texture(atlas);
    texture.filter(GL_NEAREST);
  }

  const ImFontGlyph* glyph(unsigned code) const {
    return font->FindGlyph(ImWchar(code <= IM_UNICODE_CODEPOINT_MAX ? code : '?'));
  }
  float width(const std::vector<unsigned>& codes) const {
    float sum = 0;
    for (const unsigned c : codes) sum += glyph(c) ? glyph(c)->AdvanceX : 0;
    return sum;
  }

  float pixels;
  std::string letters;
  ImFontAtlas atlas;
  ImVector<ImWchar> ranges;
  ImFont* font = nullptr;
  gl::Texture texture;
};

CaptionPainter::CaptionPainter(std::string font_file)
    : font_file_(std::move(font_file)), program_({"caption.vert", "caption.frag"}) {}
CaptionPainter::~CaptionPainter() = default;

CaptionPainter::Face& CaptionPainter::face(float pixels, const std::string& text) {
  // Only letters beyond Latin-1 need a new atlas.
  std::string unusual;
  for (char c : text)
    if (static_cast<unsigned char>(c) >= 128) unusual += c;
  for (auto& f : faces_)
    if (f->pixels == pixels && (unusual.empty() || f->letters.find(unusual) != std::string::npos)) return *f;
  if (faces_.size() > 8) faces_.clear();  // a window that is being resized
  faces_.push_back(std::make_unique<Face>(font_file_, pixels, unusual));
  return *faces_.back();
}

void CaptionPainter::quad(const vec2& min, const vec2& max, const vec2& uv_min, const vec2& uv_max,
                          const vec4& color) {
  Corner c[4];
  for (int k = 0; k < 4; ++k) {
    const bool right = k & 1, low = k & 2;
    c[k] = {vec2(right ? max.x : min.x, low ? max.y : min.y),
            vec2(right ? uv_max.x : uv_min.x, low ? uv_max.y : uv_min.y), color};
  }
  for (int k : {0, 1, 2, 2, 1, 3}) corners_.push_back(c[k]);
}

/// Lines of `text`, at most `room` pixels wide if its words allow it.
template <class Width>
static std::vector<std::vector<unsigned>> wrapped(const std::vector<unsigned>& text, float room,
                                                  const Width& width) {
  std::vector<std::vector<unsigned>> lines(1);
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && text[end] != ' ' && text[end] != '\n') ++end;
    // A word that no line can hold is broken.
    while (end - at > 1 &&
           width(std::vector<unsigned>(text.begin() + long(at), text.begin() + long(end))) > room)
      end = at + std::max<size_t>(1, (end - at) * 3 / 4);
    std::vector<unsigned> longer = lines.back();
    if (!longer.empty()) longer.push_back(' ');
    longer.insert(longer.end(), text.begin() + long(at), text.begin() + long(end));
    if (!lines.back().empty() && width(longer) > room)
      lines.emplace_back(text.begin() + long(at), text.begin() + long(end));
    else lines.back() = longer;
    if (end < text.size() && text[end] == '\n') lines.emplace_back();
    const bool broken = end < text.size() && text[end] != ' ' && text[end] != '\n';
    at = broken ? end : end + 1;
  }
  return lines;
}

/// A plate with text whose corner (upper left, or lower left if it grows upwards) is at `at` in the area.
void CaptionPainter::block(Face& face, const std::string& text, const ivec4& area, vec2 at, bool grows_up) {
  const float pad = std::round(kPadding * face.pixels / kTitlePixels * 1.2f),
              leading = std::round(1.25f * face.pixels);
  const auto lines = wrapped(code_points(shortened(text, kMostLetters)), float(area.z) - 2 * (at.x + pad),
                             [&](const auto& line) { return face.width(line); });
  float widest = 0;
  for (const auto& line : lines) widest = std::max(widest, face.width(line));
  const float height = float(lines.size()) * leading + 2 * pad;
  const vec2 corner(float(area.x) + at.x, float(area.y) + std::round(grows_up ? at.y - height : at.y));
  quad(corner, corner + vec2(std::ceil(widest) + 2 * pad, height), vec2(-1), vec2(-1), kPlate);
  for (size_t i = 0; i < lines.size(); ++i) {
    vec2 pen = glm::round(corner + vec2(pad, pad + float(i) * leading + 0.5f * (leading - face.pixels)));
    for (const unsigned code : lines[i]) {
      const ImFontGlyph* g = face.glyph(code);
      if (!g) continue;
      if (g->Visible)
        quad(pen + vec2(g->X0, g->Y0), pen + vec2(g->X1, g->Y1), vec2(g->U0, g->V0), vec2(g->U1, g->V1),
             kText);
      pen.x += g->AdvanceX;
    }
  }
}

void CaptionPainter::flush(const Face& face, ivec2 size) {
  const size_t bytes = corners_.size() * sizeof(Corner);
  if (buffer_.bytes() < bytes) {
    buffer_ = gl::Buffer(2 * bytes);
    array_.attribute(0, 2, buffer_.id(), offsetof(Corner, pixel), sizeof(Corner));
    array_.attribute(1, 2, buffer_.id(), offsetof(Corner, uv), sizeof(Corner));
    array_.attribute(2, 4, buffer_.id(), offsetof(Corner, color), sizeof(Corner));
  }
  buffer_.write(corners_);
  program_.set("picture_size", vec2(size));
  face.texture.bind(0);
  program_.use();
  array_.bind();
  glDrawArrays(GL_TRIANGLES, 0, GLsizei(corners_.size()));
  corners_.clear();
}

GLuint CaptionPainter::burn(GLuint from, ivec2 size, const Captions& captions) {
  if (captions.empty()) return from;
  if (!copy_ || copy_->size() != size) copy_.emplace(size, GL_RGBA8, 0);
  glDisable(GL_FRAMEBUFFER_SRGB);
  glBlitNamedFramebuffer(from, copy_->id(), 0, 0, size.x, size.y, 0, 0, size.x, size.y, GL_COLOR_BUFFER_BIT,
                         GL_NEAREST);
  draw(*copy_, captions);
  return copy_->id();
}

void CaptionPainter::draw(const gl::Framebuffer& picture, const Captions& captions) {
  if (captions.empty()) return;
  const ivec2 size = picture.size();
  const ivec4 area = captions.area.z > 0 ? captions.area : ivec4(0, 0, size);
  const float scale = float(area.w) / 720;
  const auto letter = [&](float pixels) { return std::round(std::max(kLeastPixels, pixels * scale)); };
  picture.bind();
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_FRAMEBUFFER_SRGB);
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  const float margin = std::round(kMargin * scale);
  if (!captions.timings.empty()) {
    Face& f = face(letter(kTimingsPixels), captions.timings);
    block(f, captions.timings, area, vec2(margin), false);
    flush(f, size);
  }
  if (!captions.title.empty()) {
    Face& f = face(letter(kTitlePixels), captions.title);
    // The legend keeps its size in small pictures.
    const float low = captions.above_legend ? std::round(kLegendHeight * std::clamp(scale, 0.6f, 4.0f)) : 0;
    block(f, captions.title, area, vec2(margin, float(area.w) - margin - low), true);
    flush(f, size);
  }
  glDisable(GL_BLEND);
  glUseProgram(0);
  glBindVertexArray(0);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

}  // namespace weft
