#include "viewer/window/recorded_picture.h"

namespace weft {

const gl::Framebuffer& RecordedPicture::draw(Renderer& renderer, const Camera& camera,
                                             const ViewSettings& settings, const Overlay& overlay, ivec2 size,
                                             int samples) {
  renderer.draw(camera.view(samples * size), settings, overlay);
  if (samples <= 1) return *renderer.picture();
  if (!averaged_ || averaged_->size() != size) averaged_.emplace(size, GL_RGBA8, 0);
  renderer.picture()->shrink_to(*averaged_, samples);
  return *averaged_;
}

}  // namespace weft
