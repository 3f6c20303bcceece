#include "viewer/gl/image.h"

#include <fmt/format.h>
#include <stb_image.h>
#include <stb_image_write.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "sim/base/error.h"
#include "sim/base/file.h"

namespace weft {

namespace {

void write_pixels(const std::string& path, ivec2 size, int channels, const uint8_t* pixels) {
  if (size.x < 1 || size.y < 1) throw Error("a picture without pixels cannot be written", path);
  // stb does not check its own writes: a full disk would leave an empty picture without an error.
  std::string bytes;
  const auto append = [](void* to, void* data, int count) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(data), size_t(count));
  };
  if (!stbi_write_png_to_func(append, &bytes, size.x, size.y, channels, pixels, channels * size.x))
    throw Error("not enough memory to encode the picture", path);
  write_text_file(path, bytes);
}

}  // namespace

void write_png(const std::string& path, const Image& image) {
  write_pixels(path, ivec2(image.width, image.height), 3, image.rgb.data());
}

void write_transparent_png(const std::string& path, ivec2 size, std::vector<uint8_t> rgba) {
  for (size_t i = 0; i + 3 < rgba.size(); i += 4)
    if (const int alpha = rgba[i + 3]; alpha > 0 && alpha < 255)
      for (size_t c = i; c < i + 3; ++c) rgba[c] = uint8_t(std::min(255, rgba[c] * 255 / alpha));
  write_pixels(path, size, 4, rgba.data());
}

Image read_png(const std::string& path) {
  Image image;
  int channels = 0;
  unsigned char* data = stbi_load(path.c_str(), &image.width, &image.height, &channels, 3);
  if (!data) throw Error(std::string("the picture cannot be read: ") + stbi_failure_reason(), path);
  image.rgb.assign(data, data + 3 * size_t(image.width) * size_t(image.height));
  stbi_image_free(data);
  return image;
}

namespace gl {

Texture repeated_picture(const Image& image) {
  const ivec2 size(image.width, image.height);
  const int levels = 1 + int(std::floor(std::log2(float(std::max(size.x, size.y)))));
  Texture texture = Texture::with_levels(GL_SRGB8, size, levels);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTextureSubImage2D(texture.id(), 0, 0, 0, size.x, size.y, GL_RGB, GL_UNSIGNED_BYTE, image.rgb.data());
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glGenerateTextureMipmap(texture.id());
  return texture;
}
namespace {

/// Converts RGBA with the bottom row first, as read from OpenGL, to Image.
Image to_image(const uint8_t* rgba, ivec2 size) {
  Image image{size.x, size.y, std::vector<uint8_t>(3 * size_t(size.x) * size_t(size.y))};
  uint8_t* out = image.rgb.data();
  for (int y = size.y - 1; y >= 0; --y) {
    const uint8_t* in = rgba + 4 * size_t(y) * size_t(size.x);
    for (int x = 0; x < size.x; ++x, in += 4, out += 3) out[0] = in[0], out[1] = in[1], out[2] = in[2];
  }
  return image;
}

void read_to(GLuint framebuffer, ivec2 size, ivec2 at, void* target) {
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glReadPixels(at.x, at.y, size.x, size.y, GL_RGBA, GL_UNSIGNED_BYTE, target);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
}

}  // namespace

std::vector<uint8_t> read_pixels_with_alpha(GLuint framebuffer, ivec2 size) {
  std::vector<uint8_t> rows(4 * size_t(size.x) * size_t(size.y)), pixels;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, size.x, size.y, GL_RGBA, GL_UNSIGNED_BYTE, rows.data());
  glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
  const long row = 4 * long(size.x);
  for (long y = size.y - 1; y >= 0; --y)
    pixels.insert(pixels.end(), rows.begin() + y * row, rows.begin() + (y + 1) * row);
  return pixels;
}

Image read_pixels(GLuint framebuffer, ivec2 size, ivec2 at) {
  if (size.x < 1 || size.y < 1) return {};
  std::vector<uint8_t> rgba(4 * size_t(size.x) * size_t(size.y));
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  read_to(framebuffer, size, at, rgba.data());
  return to_image(rgba.data(), size);
}

PixelReader::~PixelReader() {
  for (Slot& s : slots_) glDeleteSync(s.fence);
}

void PixelReader::start(GLuint framebuffer, ivec2 size, ivec2 at) {
  if (size.x < 1 || size.y < 1) return;
  if (int(slots_.size()) >= depth_) {
    ready_.push_back(finish(slots_.front()));
    slots_.pop_front();
  }
  const size_t bytes = 4 * size_t(size.x) * size_t(size.y);
  Buffer buffer;
  while (!spare_.empty() && buffer.bytes() != bytes) {
    buffer = std::move(spare_.back());
    spare_.pop_back();
  }
  if (buffer.bytes() != bytes) {
    GLuint id = 0;
    glCreateBuffers(1, &id);
    glNamedBufferStorage(id, GLsizeiptr(bytes), nullptr, GL_MAP_READ_BIT | GL_CLIENT_STORAGE_BIT);
    buffer = Buffer::adopt(id, bytes);
  }
  glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer.id());
  read_to(framebuffer, size, at, nullptr);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  slots_.push_back({std::move(buffer), size, glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0)});
}

std::optional<Image> PixelReader::take(bool wait) {
  if (!ready_.empty()) {
    Image image = std::move(ready_.front());
    ready_.pop_front();
    return image;
  }
  if (slots_.empty()) return std::nullopt;
  const GLenum state = glClientWaitSync(slots_.front().fence, GL_SYNC_FLUSH_COMMANDS_BIT, 0);
  if (!wait && state == GL_TIMEOUT_EXPIRED) return std::nullopt;
  Image image = finish(slots_.front());
  slots_.pop_front();
  return image;
}

Image PixelReader::finish(Slot& slot) {
  while (glClientWaitSync(slot.fence, GL_SYNC_FLUSH_COMMANDS_BIT, 1000000000) == GL_TIMEOUT_EXPIRED) {}
  glDeleteSync(slot.fence);
  const void* data =
      glMapNamedBufferRange(slot.buffer.id(), 0, GLsizeiptr(slot.buffer.bytes()), GL_MAP_READ_BIT);
  if (!data) throw Error("the picture could not be read back", "graphics");
  Image image = to_image(static_cast<const uint8_t*>(data), slot.size);
  glUnmapNamedBuffer(slot.buffer.id());
  spare_.push_back(std::move(slot.buffer));
  return image;
}

}  // namespace gl
}  // namespace weft
