#include "viewer/render/edge_smoothing.h"

namespace weft {

void EdgeSmoothing::apply(const gl::Framebuffer& picture) {
  if (!copy_ || copy_->size() != picture.size()) {
    copy_.emplace(picture.size(), GL_RGBA8, 0);
    copy_->color().filter(GL_LINEAR);
    copy_->color().wrap(GL_CLAMP_TO_EDGE);
  }
  glDisable(GL_FRAMEBUFFER_SRGB);  // stored numbers are read and written
  picture.copy_to(copy_->id(), ivec2(0));
  picture.bind();
  glDisable(GL_DEPTH_TEST);
  copy_->color().bind(0);
  program_.use();
  none_.bind();
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glEnable(GL_DEPTH_TEST);
  glEnable(GL_FRAMEBUFFER_SRGB);
}

}  // namespace weft
