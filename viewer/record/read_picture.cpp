#include "viewer/record/read_picture.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace weft {
namespace {

/// Light of an sRGB value, 0 to 1.
const std::array<float, 256>& light_of() {
  static const std::array<float, 256> table = [] {
    std::array<float, 256> t{};
    for (int i = 0; i < 256; ++i) {
      const float s = float(i) / 255;
      t[size_t(i)] = s <= 0.04045f ? s / 12.92f : std::pow((s + 0.055f) / 1.055f, 2.4f);
    }
    return t;
  }();
  return table;
}

uint8_t srgb_of(float light) {
  const float s = light <= 0.0031308f ? 12.92f * light : 1.055f * std::pow(light, 1 / 2.4f) - 0.055f;
  return uint8_t(std::clamp(s * 255 + 0.5f, 0.0f, 255.0f));
}

}  // namespace

ReadPicture averaged(const ReadPicture& picture, int n) {
  if (n <= 1) return picture;
  ReadPicture out{picture.size / n, picture.channels, {}};
  const size_t channels = size_t(picture.channels), row = size_t(picture.size.x) * channels;
  out.pixels.resize(size_t(out.size.x) * size_t(out.size.y) * channels);
  const float share = 1 / float(n * n);
  for (size_t y = 0, at = 0; y < size_t(out.size.y); ++y)
    for (size_t x = 0; x < size_t(out.size.x); ++x)
      for (size_t c = 0; c < channels; ++c, ++at) {
        float sum = 0;
        for (size_t j = 0; j < size_t(n); ++j)
          for (size_t i = 0; i < size_t(n); ++i) {
            const uint8_t value =
                picture.pixels[(y * size_t(n) + j) * row + (x * size_t(n) + i) * channels + c];
            sum += c == 3 ? float(value) : light_of()[value];
          }
        out.pixels[at] = c == 3 ? uint8_t(sum * share + 0.5f) : srgb_of(sum * share);
      }
  return out;
}

ReadPicture read_picture(GLuint framebuffer, ivec2 size, bool alpha, int supersample) {
  if (alpha) return averaged({size, 4, gl::read_pixels_with_alpha(framebuffer, size)}, supersample);
  return averaged({size, 3, gl::read_pixels(framebuffer, size).rgb}, supersample);
}

}  // namespace weft
