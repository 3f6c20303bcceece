// Ambient occlusion in the space of the picture.
#pragma once
#include <memory>
#include <optional>

#include "viewer/gl/framebuffer.h"
#include "viewer/gl/program.h"

namespace weft {

class Occlusion {
 public:
  Occlusion();
  /// Opens the pass that lays down the depth of the scene, at half the picture's size.
  void begin(ivec2 picture);
  /// Computes the fraction of the sky that each pixel sees.
  void compute();
  /// Binds the result at texture unit 2; `open` binds a white texel instead.
  void bind(bool open) const;

 private:
  gl::Program program_, blur_;
  std::optional<gl::Framebuffer> depth_, raw_, smooth_;
  gl::Texture white_;
  gl::VertexArray none_;
};

}  // namespace weft
