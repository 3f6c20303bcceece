// Kernels of segment_sums (primitives.h): sums of blocks of 32 elements, of blocks of such blocks, and of
// segments.
#pragma once
#include "sim/device/launch.h"

namespace weft::segments {

constexpr int kBlock = 32;

/// sum[b] of the elements [32 b, 32 b + 32) of `in`.
template <class T>
struct SumBlocks {
  Span<const T> in;
  Span<T> sum;
  HD void operator()(int b) const {
    T total(0);
    const int begin = b * kBlock, end = begin + kBlock < in.size ? begin + kBlock : in.size;
    for (int i = begin; i < end; ++i) total += in[i];
    sum[b] = total;
  }
};

/// Elements before the first whole block, whole blocks, elements behind the last one; the same among blocks.
template <class T>
struct SumSegments {
  Span<const T> in, blocks, large_blocks;
  Span<const int> start;
  Span<T> sum;
  HD void operator()(int s) const {
    T total(0);
    int begin = start[s], end = start[s + 1];
    if (trim(in, begin, end, total) && trim(blocks, begin, end, total))
      for (int b = begin; b < end; ++b) total += large_blocks[b];
    sum[s] = total;
  }
  /// Adds what lies outside of whole blocks and turns [begin, end) into their numbers. False if there are
  /// none.
  HD static bool trim(Span<const T> values, int& begin, int& end, T& total) {
    for (; begin < end && begin % kBlock; ++begin) total += values[begin];
    const int whole = end / kBlock * kBlock;
    for (int i = begin > whole ? begin : whole; i < end; ++i) total += values[i];
    begin /= kBlock, end = whole / kBlock;
    return begin < end;
  }
};

}  // namespace weft::segments
