// Something to draw into that is no window.
#pragma once
#include <optional>

#include "viewer/gl/objects.h"

namespace weft::gl {

/// Colour and optional depth attachments of one size and sample count.
class Framebuffer {
 public:
  /// `color` and `depth` are sized formats (GL_RGBA8, GL_SRGB8_ALPHA8, GL_DEPTH_COMPONENT24, ...) or 0 for
  /// none. `samples` 0 or 1: no multisampling; limited to the driver's maximum. Throws Error if the driver
  /// refuses or a side is < 1.
  Framebuffer(ivec2 size, GLenum color, GLenum depth, int samples = 0);
  /// The same colours read as another format (GL_RGBA8 for GL_SRGB8_ALPHA8: the stored values without
  /// conversion), no depth.
  Framebuffer(const Framebuffer& other, GLenum color);
  ~Framebuffer();
  Framebuffer(Framebuffer&& o) noexcept;
  Framebuffer& operator=(Framebuffer&& o) noexcept;

  GLuint id() const { return id_; }
  ivec2 size() const { return size_; }
  int samples() const { return samples_; }
  const Texture& color() const { return color_; }
  const Texture& depth() const { return depth_; }
  /// Binds it for drawing and sets the viewport to its size.
  void bind() const;
  /// Copies the colours to `target` of the same size, averaging samples (in linear light where both are
  /// sRGB).
  void resolve_to(const Framebuffer& target) const;
  /// The means of `factor` x `factor` pixels (2 or 4; 1: a copy), of the stored numbers, to `target`, whose
  /// sides are so much shorter.
  void shrink_to(const Framebuffer& target, int factor) const;
  /// Copies the colours, unconverted, to framebuffer `target` (0: the window) with its lower left corner at
  /// `at`.
  void copy_to(GLuint target, ivec2 at) const;

 private:
  void swap(Framebuffer& o);
  GLuint id_ = 0;
  ivec2 size_{0};
  int samples_ = 0;
  Texture color_, depth_;
};

}  // namespace weft::gl
