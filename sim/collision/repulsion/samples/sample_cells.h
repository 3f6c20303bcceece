// Samples by the cells of space in which they are.
#pragma once
#include <algorithm>
#include <bit>

#include "sim/collision/repulsion/samples/sample_kernels.h"
#include "sim/device/primitives.h"

namespace weft {

/// Positions of samples (m), hashed to cells and sorted by them.
class SampleCells {
 public:
  explicit SampleCells(Device& device) : device_(device) {}

  /// At least two buckets for each of so many samples.
  void make_room(int samples) {
    buckets_ = std::bit_ceil(uint32_t(std::max(64, 2 * samples)));
    position_ = Buffer<vec3>(device_, "samples", samples);
    key_ = Buffer<uint32_t>(device_, "sample keys", samples);
    order_ = Buffer<int>(device_, "sample order", samples);
    for (auto* b : {&begin_, &end_}) *b = Buffer<int>(device_, "sample buckets", int(buckets_));
    // Primitives take their work memory at their first call, which must not come while a GPU records.
    sort_pairs(device_, key_.span(), order_.span());
  }

  /// To be written before sorted(): per sample.
  Span<vec3> position() { return position_.span(); }
  Span<uint32_t> key() { return key_.span(); }
  Span<int> order() { return order_.span(); }
  uint32_t mask() const { return buckets_ - 1; }

  /// Sorts them, for searches within `radius` (m) in cells of 1 / `inv_cell`.
  repulsion::SampleGrid sorted(float inv_cell, float radius) {
    sort_pairs(device_, key_.span(), order_.span());
    begin_.clear();
    end_.clear();
    launch(device_, "sample search", key_.size(),
           repulsion::SampleBuckets{key_.span(), begin_.span(), end_.span()});
    return {begin_.span(), end_.span(), order_.span(), position_.span(), inv_cell, radius, mask()};
  }

 private:
  Device& device_;
  uint32_t buckets_ = 0;
  Buffer<vec3> position_;
  Buffer<uint32_t> key_;
  Buffer<int> order_, begin_, end_;
};

}  // namespace weft
