#include "viewer/record/fit.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "viewer/record/recorder.h"

namespace weft {
namespace {

const uint8_t* row_of(const PictureView& p, int y) {
  const int row = p.bottom_up ? p.height - 1 - y : y;
  return p.pixels + size_t(row) * size_t(p.width) * size_t(p.channels);
}

void copy_rows(const PictureView& p, std::vector<uint8_t>& out, int channels) {
  for (int y = 0; y < p.height; ++y) {
    const uint8_t* from = row_of(p, y);
    uint8_t* to = out.data() + size_t(y) * size_t(p.width) * size_t(channels);
    if (p.channels == channels) {
      std::memcpy(to, from, size_t(p.width) * size_t(channels));
      continue;
    }
    for (int x = 0; x < p.width; ++x, from += p.channels, to += channels) {
      to[0] = from[0], to[1] = from[1], to[2] = from[2];
      if (channels == 4) to[3] = 255;
    }
  }
}

/// Bilinear sample at pixel coordinates (centres at half integers).
void sample(const PictureView& p, double x, double y, uint8_t* to, int channels) {
  x = std::clamp(x - 0.5, 0.0, double(p.width - 1));
  y = std::clamp(y - 0.5, 0.0, double(p.height - 1));
  const int x0 = int(x), y0 = int(y), x1 = std::min(x0 + 1, p.width - 1), y1 = std::min(y0 + 1, p.height - 1);
  const double fx = x - x0, fy = y - y0;
  const uint8_t *top = row_of(p, y0), *bottom = row_of(p, y1);
  if (channels == 4) to[3] = 255;
  for (int c = 0; c < std::min(channels, p.channels); ++c) {
    const double a = top[x0 * p.channels + c] * (1 - fx) + top[x1 * p.channels + c] * fx;
    const double b = bottom[x0 * p.channels + c] * (1 - fx) + bottom[x1 * p.channels + c] * fx;
    to[c] = uint8_t(std::lround(a * (1 - fy) + b * fy));
  }
}

}  // namespace

void fit_picture(const PictureView& p, int width, int height, std::vector<uint8_t>& out, int channels) {
  out.resize(size_t(width) * size_t(height) * size_t(channels));
  if (p.width == width && p.height == height && p.pixels) return copy_rows(p, out, channels);
  std::fill(out.begin(), out.end(), uint8_t(0));
  if (p.width < 1 || p.height < 1 || !p.pixels) return;
  const double scale = std::min(double(width) / p.width, double(height) / p.height);
  const int w = std::clamp(int(std::lround(p.width * scale)), 1, width),
            h = std::clamp(int(std::lround(p.height * scale)), 1, height);
  const int left = (width - w) / 2, top = (height - h) / 2;
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x)
      sample(p, (x + 0.5) * p.width / w, (y + 0.5) * p.height / h,
             out.data() + (size_t(top + y) * size_t(width) + size_t(left + x)) * size_t(channels), channels);
}

}  // namespace weft
