// How much two pictures differ.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"
#include "viewer/gl/image.h"

namespace weft {

/// Difference of two pictures of the same size (Error for different sizes).
struct ImageDifference {
  double mean = 0;       // mean absolute difference of a channel, 0 to 255
  double share_off = 0;  // share of the pixels of which a channel differs by more than `tolerance`
  int worst = 0;         // largest difference of a channel
};

/// Compares after averaging blocks of `block` x `block` pixels, so that a silhouette that moved by a fraction
/// of a pixel (another driver's rasteriser) counts little and a missing shadow or object counts in full.
inline ImageDifference image_difference(const Image& a, const Image& b, int block = 4, int tolerance = 12) {
  if (a.width != b.width || a.height != b.height)
    throw Error(fmt::format("pictures of {} x {} and {} x {} pixels cannot be compared", a.width, a.height,
                            b.width, b.height));
  if (block < 1) throw Error("pictures are compared in blocks of at least one pixel");
  ImageDifference result;
  long blocks = 0, off = 0;
  for (int y0 = 0; y0 < a.height; y0 += block) {
    for (int x0 = 0; x0 < a.width; x0 += block, ++blocks) {
      const int x1 = std::min(x0 + block, a.width), y1 = std::min(y0 + block, a.height);
      double difference[3] = {0, 0, 0};
      for (int y = y0; y < y1; ++y)
        for (int x = x0; x < x1; ++x)
          for (int c = 0; c < 3; ++c) difference[c] += int(a.at(x, y)[c]) - int(b.at(x, y)[c]);
      double worst = 0;
      for (double& d : difference) {
        d = std::abs(d) / ((x1 - x0) * (y1 - y0));
        result.mean += d / 3;
        worst = std::max(worst, d);
      }
      result.worst = std::max(result.worst, int(worst + 0.5));
      off += worst > tolerance;
    }
  }
  if (blocks) result.mean /= double(blocks), result.share_off = double(off) / double(blocks);
  return result;
}

}  // namespace weft
