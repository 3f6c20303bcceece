// Smooth edges for pictures with one sample per pixel.
#pragma once
#include <optional>

#include "viewer/gl/framebuffer.h"
#include "viewer/gl/program.h"

namespace weft {

class EdgeSmoothing {
 public:
  EdgeSmoothing() : program_({"backdrop.vert", "smooth_edges.frag"}) {}
  /// Smooths a picture in place: one copy of it, five reads a pixel, and four more at edges. The frame's
  /// block is bound. Leaves the picture bound and depth testing on.
  void apply(const gl::Framebuffer& picture);

 private:
  gl::Program program_;
  std::optional<gl::Framebuffer> copy_;
  gl::VertexArray none_;
};

}  // namespace weft
