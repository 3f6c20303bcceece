// The average of several pictures, in linear light.
#pragma once
#include <optional>

#include "viewer/gl/framebuffer.h"
#include "viewer/gl/program.h"

namespace weft {

/// Sums up pictures in 32-bit floats on the GPU. All calls on the thread of the OpenGL context; each leaves
/// framebuffer 0 bound and blending off.
class MotionBlur {
 public:
  /// `alpha`: of pictures whose colours are multiplied by their alpha; else the average is opaque.
  explicit MotionBlur(bool alpha = false);
  /// Adds a picture (stored as sRGB, like the renderer's) with a weight. The first after `average` starts a
  /// new sum and may have another size.
  void add(const gl::Framebuffer& picture, float weight);
  /// The sum so far as an sRGB picture to read back or copy; the weights should have added up to 1. Throws
  /// nothing; call after
  /// `add`.
  const gl::Framebuffer& average();

 private:
  gl::Program add_, encode_;
  gl::VertexArray none_;
  std::optional<gl::Framebuffer> sum_, target_;
  bool begun_ = false;
};

}  // namespace weft
