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

/// The mean of the light of n by n pixels from `from` on. Colours of four channels come, and go, multiplied
/// by their alpha.
void average(const uint8_t* from, size_t row, int channels, int n, uint8_t* out) {
  float light[3] = {0, 0, 0}, covered = 0;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const uint8_t* pixel = from + size_t(j) * row + size_t(i) * size_t(channels);
      const float alpha = channels == 4 ? float(pixel[3]) / 255 : 1;
      covered += alpha;
      for (int c = 0; c < 3 && alpha > 0; ++c)
        light[c] += alpha * light_of()[size_t(std::min(255.0f, float(pixel[c]) / alpha + 0.5f))];
    }
  const float alpha = covered / float(n * n);
  for (int c = 0; c < 3; ++c)
    out[c] = covered > 0 ? uint8_t(alpha * float(srgb_of(light[c] / covered)) + 0.5f) : uint8_t(0);
  if (channels == 4) out[3] = uint8_t(255 * alpha + 0.5f);
}

}  // namespace

ReadPicture averaged(const ReadPicture& picture, int n) {
  if (n <= 1) return picture;
  ReadPicture out{picture.size / n, picture.channels, {}};
  const size_t channels = size_t(picture.channels), row = size_t(picture.size.x) * channels;
  out.pixels.resize(size_t(out.size.x) * size_t(out.size.y) * channels);
  uint8_t* to = out.pixels.data();
  for (int y = 0; y < out.size.y; ++y)
    for (int x = 0; x < out.size.x; ++x, to += channels)
      average(picture.pixels.data() + size_t(y * n) * row + size_t(x * n) * channels, row, picture.channels,
              n, to);
  return out;
}

ReadPicture read_picture(GLuint framebuffer, ivec2 size, bool alpha, int supersample) {
  if (alpha) return averaged({size, 4, gl::read_pixels_with_alpha(framebuffer, size)}, supersample);
  return averaged({size, 3, gl::read_pixels(framebuffer, size).rgb}, supersample);
}

}  // namespace weft
