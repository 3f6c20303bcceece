// The scale of colours in the picture's lower left corner, with its numbers.
#pragma once
#include <string>
#include <vector>

#include "viewer/gl/program.h"
#include "viewer/render/color_scale.h"
#include "viewer/render/renderer.h"

namespace weft {

/// A readable font on this machine, or empty (then Dear ImGui's built-in one is used).
std::string readable_font();
/// The letters of an atlas, which needs no ImGui context.
gl::Texture atlas_texture(ImFontAtlas& atlas);

class LegendPainter {
 public:
  LegendPainter();
  /// Chooses the colours of the scale, for all that draws with it.
  void use(ColorMap map);
  /// The texture of the colour scale, 256 x 1, linear colours.
  const gl::Texture& scale() const { return scale_; }
  /// The colours of classes, side by side in equal parts of a texture of the same size.
  const gl::Texture& classes() const { return classes_; }
  void draw(const Legend& legend, ivec2 size);

 private:
  struct Corner {
    vec2 pixel, uv;
    vec4 color;
    float kind;
  };
  void write_scale();
  void build_font(float pixels);
  void rectangle(const vec2& min, const vec2& max, const vec4& color, float kind = 0,
                 const vec2& uv_min = vec2(0), const vec2& uv_max = vec2(0));
  void draw_scale(const Legend& legend, const vec2& corner, float scale);
  void draw_classes(const Legend& legend, const vec2& corner, float scale, float wide);
  float width_of(const Legend& legend, float scale) const;
  void flush();
  float text_width(const std::string& text) const;
  void text(const vec2& at, const std::string& text, const vec4& color);

  struct Glyph {
    vec2 min, max, uv_min, uv_max;
    float advance = 0;
  };
  Glyph glyphs_[128];
  float font_pixels_ = 0;
  ColorMap map_ = ColorMap::green;
  gl::Texture scale_, classes_, font_;
  gl::Program program_;
  gl::Buffer buffer_;
  gl::VertexArray array_;
  std::vector<Corner> corners_;
};

}  // namespace weft
