// Pictures on the host, and reading them back from OpenGL.
#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "viewer/gl/objects.h"

namespace weft {

/// RGB8, sRGB, top row first, rows tightly packed (3 * width bytes).
struct Image {
  int width = 0, height = 0;
  std::vector<uint8_t> rgb;
  const uint8_t* at(int x, int y) const { return rgb.data() + 3 * (size_t(y) * size_t(width) + size_t(x)); }
};

/// Throws Error that names the file if it cannot be written.
void write_png(const std::string& path, const Image& image);
/// RGBA8, top row first. The colours of pixels that are partly covered come multiplied by their alpha, as
/// they are drawn; the file has them undivided. Throws as write_png.
void write_transparent_png(const std::string& path, ivec2 size, std::vector<uint8_t> rgba);
/// A PNG or JPEG. Throws Error that names the file if it cannot be read as a picture.
Image read_png(const std::string& path);

namespace gl {

/// The picture as a texture that repeats, with its smaller versions, read as linear colours.
Texture repeated_picture(const Image& image);

/// Reads the colours of framebuffer `framebuffer` (0: the window; must not be multisampled), waiting for the
/// drawing.
Image read_pixels(GLuint framebuffer, ivec2 size, ivec2 at = ivec2(0));

/// The same with alpha: RGBA8, top row first.
std::vector<uint8_t> read_pixels_with_alpha(GLuint framebuffer, ivec2 size);

/// Read-back for recording that does not wait: pictures come out a few calls later, in order, none lost.
class PixelReader {
 public:
  explicit PixelReader(int depth = 3) : depth_(depth) {}
  /// Starts reading. If `depth` pictures are pending, waits for the oldest, which `take` then returns.
  void start(GLuint framebuffer, ivec2 size, ivec2 at = ivec2(0));
  /// The next finished picture in order of start; empty if it is pending (`wait` true: waits for it) or none
  /// was started.
  std::optional<Image> take(bool wait = false);
  ~PixelReader();

 private:
  struct Slot {
    Buffer buffer;
    ivec2 size;
    GLsync fence;
  };
  Image finish(Slot& slot);
  int depth_;
  std::deque<Slot> slots_;
  std::deque<Image> ready_;
  std::vector<Buffer> spare_;
};

}  // namespace gl
}  // namespace weft
