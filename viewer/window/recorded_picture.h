// The picture that is recorded, where it has another size than the one on screen.
#pragma once
#include <optional>

#include "viewer/render/renderer.h"

namespace weft {

class RecordedPicture {
 public:
  /// Draws `size` pixels, each the mean of samples x samples (1, 2 or 4 a side). The renderer's own picture
  /// is another one afterwards: what is on screen is to be drawn again. Throws Error where the driver has no
  /// such size.
  const gl::Framebuffer& draw(Renderer& renderer, const Camera& camera, const ViewSettings& settings,
                              const Overlay& overlay, ivec2 size, int samples);

 private:
  std::optional<gl::Framebuffer> averaged_;
};

}  // namespace weft
