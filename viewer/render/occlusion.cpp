#include "viewer/render/occlusion.h"

namespace weft {

Occlusion::Occlusion()
    : program_({"backdrop.vert", "occlusion.frag"}, {{"TAPS", "16"}}),
      blur_({"backdrop.vert", "blur.frag"}, {{"REACH", "1"}}),
      white_(GL_R8, ivec2(1)) {
  const unsigned char one = 255;
  glTextureSubImage2D(white_.id(), 0, 0, 0, 1, 1, GL_RED, GL_UNSIGNED_BYTE, &one);
}

void Occlusion::begin(ivec2 picture) {
  const ivec2 size = glm::max((picture + 1) / 2, ivec2(1));
  if (!depth_ || depth_->size() != size) {
    depth_.emplace(size, 0, GL_DEPTH_COMPONENT32F);
    depth_->depth().filter(GL_NEAREST);
    raw_.emplace(size, GL_R8, 0);
    smooth_.emplace(size, GL_R8, 0);
  }
  depth_->bind();
  glClear(GL_DEPTH_BUFFER_BIT);
}

void Occlusion::compute() {
  glDisable(GL_DEPTH_TEST);
  none_.bind();
  raw_->bind();
  program_.use();
  depth_->depth().bind(0);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  smooth_->bind();
  blur_.use();
  raw_->color().bind(1);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glEnable(GL_DEPTH_TEST);
}

void Occlusion::bind(bool open) const { (open || !smooth_ ? white_ : smooth_->color()).bind(2); }

}  // namespace weft
