// Pictures with something written into their corners.
#pragma once
#include "viewer/gl/image.h"

namespace weft::testing {

/// Share of the pixels of `written` in [x0, x1) x [y0, y1) whose green is darker by more than 30 of 255 than
/// in `plain`, as under a caption's backing.
inline double share_darkened(const Image& written, const Image& plain, int x0, int y0, int x1, int y1) {
  int count = 0;
  for (int y = y0; y < y1; ++y)
    for (int x = x0; x < x1; ++x) count += written.at(x, y)[1] + 30 < plain.at(x, y)[1];
  return double(count) / ((x1 - x0) * (y1 - y0));
}

}  // namespace weft::testing
