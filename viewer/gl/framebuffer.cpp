#include "viewer/gl/framebuffer.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/error.h"

namespace weft::gl {

Framebuffer::Framebuffer(ivec2 size, GLenum color, GLenum depth, int samples) : size_(size) {
  if (size.x < 1 || size.y < 1)
    throw Error(fmt::format("a picture of {} x {} pixels has no area", size.x, size.y), "graphics");
  GLint most = 1, widest = 1;
  glGetIntegerv(GL_MAX_SAMPLES, &most);
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &widest);
  if (std::max(size.x, size.y) > widest)
    throw Error(fmt::format("a picture of {} x {} pixels is too large", size.x, size.y), "graphics",
                fmt::format("this driver draws up to {} pixels a side", widest));
  samples_ = samples > 1 ? std::min(samples, int(most)) : 0;
  glCreateFramebuffers(1, &id_);
  if (color) {
    color_ = Texture(color, size, samples_);
    glNamedFramebufferTexture(id_, GL_COLOR_ATTACHMENT0, color_.id(), 0);
  } else {
    glNamedFramebufferDrawBuffer(id_, GL_NONE);
    glNamedFramebufferReadBuffer(id_, GL_NONE);
  }
  if (depth) {
    depth_ = Texture(depth, size, samples_);
    glNamedFramebufferTexture(id_, GL_DEPTH_ATTACHMENT, depth_.id(), 0);
  }
  const GLenum status = glCheckNamedFramebufferStatus(id_, GL_FRAMEBUFFER);
  if (status == GL_FRAMEBUFFER_COMPLETE) return;
  glDeleteFramebuffers(1, &id_);
  throw Error(fmt::format("the driver refuses a picture of {} x {} pixels with {} samples (0x{:04x})", size.x,
                          size.y, samples_, status),
              "graphics", "choose a smaller size or fewer samples");
}

Framebuffer::Framebuffer(const Framebuffer& other, GLenum color)
    : size_(other.size_), color_(other.color_, color) {
  glCreateFramebuffers(1, &id_);
  glNamedFramebufferTexture(id_, GL_COLOR_ATTACHMENT0, color_.id(), 0);
}

Framebuffer::~Framebuffer() {
  if (id_) glDeleteFramebuffers(1, &id_);
}
Framebuffer::Framebuffer(Framebuffer&& o) noexcept { swap(o); }
Framebuffer& Framebuffer::operator=(Framebuffer&& o) noexcept { return swap(o), *this; }

void Framebuffer::swap(Framebuffer& o) {
  std::swap(id_, o.id_);
  std::swap(size_, o.size_);
  std::swap(samples_, o.samples_);
  std::swap(color_, o.color_);
  std::swap(depth_, o.depth_);
}

void Framebuffer::bind() const {
  glBindFramebuffer(GL_FRAMEBUFFER, id_);
  glViewport(0, 0, size_.x, size_.y);
}

void Framebuffer::resolve_to(const Framebuffer& target) const {
  glEnable(GL_FRAMEBUFFER_SRGB);
  glBlitNamedFramebuffer(id_, target.id_, 0, 0, size_.x, size_.y, 0, 0, size_.x, size_.y, GL_COLOR_BUFFER_BIT,
                         GL_NEAREST);
  glDisable(GL_FRAMEBUFFER_SRGB);
}

void Framebuffer::shrink_to(const Framebuffer& target, int factor) const {
  glDisable(GL_FRAMEBUFFER_SRGB);
  if (factor == 4) {  // in two steps: linear filtering takes the mean of four pixels
    const Framebuffer half(size_ / 2, GL_RGBA8, 0);
    shrink_to(half, 2);
    return half.shrink_to(target, 2);
  }
  const ivec2 to = target.size(), from = to * factor;
  glBlitNamedFramebuffer(id_, target.id_, 0, 0, from.x, from.y, 0, 0, to.x, to.y, GL_COLOR_BUFFER_BIT,
                         factor == 1 ? GL_NEAREST : GL_LINEAR);
}

void Framebuffer::copy_to(GLuint target, ivec2 at) const {
  glDisable(GL_FRAMEBUFFER_SRGB);
  glBlitNamedFramebuffer(id_, target, 0, 0, size_.x, size_.y, at.x, at.y, at.x + size_.x, at.y + size_.y,
                         GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

}  // namespace weft::gl
