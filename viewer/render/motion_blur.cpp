#include "viewer/render/motion_blur.h"

namespace weft {

MotionBlur::MotionBlur(bool alpha)
    : add_({"backdrop.vert", "blend_add.frag"}), encode_({"backdrop.vert", "blend_encode.frag"}) {
  add_.set("with_alpha", alpha ? 1.0f : 0.0f), encode_.set("with_alpha", alpha ? 1.0f : 0.0f);
}

void MotionBlur::add(const gl::Framebuffer& picture, float weight) {
  if (!sum_ || sum_->size() != picture.size()) {
    sum_.emplace(picture.size(), GL_RGBA32F, 0);
    target_.emplace(picture.size(), GL_RGBA8, 0);
    begun_ = false;
  }
  sum_->bind();
  if (!begun_) {
    const float zero[4] = {0, 0, 0, 0};
    glClearBufferfv(GL_COLOR, 0, zero);
    begun_ = true;
  }
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_FRAMEBUFFER_SRGB);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE);
  picture.color().bind(0);
  add_.set("weight", weight);
  add_.use();
  none_.bind();
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDisable(GL_BLEND);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

const gl::Framebuffer& MotionBlur::average() {
  target_->bind();
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_FRAMEBUFFER_SRGB);
  sum_->color().bind(0);
  encode_.use();
  none_.bind();
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  begun_ = false;
  return *target_;
}

}  // namespace weft
