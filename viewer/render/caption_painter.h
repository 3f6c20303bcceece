// Text that becomes part of a recorded picture.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "viewer/gl/framebuffer.h"
#include "viewer/gl/program.h"

namespace weft {

/// Texts and their corners. Lines end at '\n'; long ones are wrapped.
struct Captions {
  std::string title;          // UTF-8, lower left
  std::string timings;        // UTF-8, upper left, smaller
  bool above_legend = false;  // the colour scale is in the lower left corner
  ivec4 area{0};              // where texts may stand: left, top, width, height; no width: the whole picture
  bool empty() const { return title.empty() && timings.empty(); }
};

/// Draws light text on dark plates, so that it can be read before any background; sizes follow the picture's
/// height. All calls on the thread of the OpenGL context.
class CaptionPainter {
 public:
  /// `font_file`: an outline font; empty: a small built-in one.
  explicit CaptionPainter(std::string font_file);
  ~CaptionPainter();
  /// Draws onto a picture that stores sRGB values without conversion (GL_RGBA8). Leaves framebuffer 0 bound
  /// and blending off.
  void draw(const gl::Framebuffer& picture, const Captions& captions);
  /// Copies framebuffer `from` (0: the window), draws onto the copy and returns it; the screen is unchanged.
  /// Returns `from` if there is nothing to draw.
  GLuint burn(GLuint from, ivec2 size, const Captions& captions);

 private:
  struct Face;  // the font at one size
  struct Corner {
    vec2 pixel, uv;
    vec4 color;
  };
  Face& face(float pixels, const std::string& text);
  void block(Face& face, const std::string& text, const ivec4& area, vec2 at, bool grows_up);
  void quad(const vec2& min, const vec2& max, const vec2& uv_min, const vec2& uv_max, const vec4& color);
  void flush(const Face& face, ivec2 size);

  std::string font_file_;
  std::vector<std::unique_ptr<Face>> faces_;
  std::optional<gl::Framebuffer> copy_;
  gl::Program program_;
  gl::Buffer buffer_;
  gl::VertexArray array_;
  std::vector<Corner> corners_;
};

}  // namespace weft
