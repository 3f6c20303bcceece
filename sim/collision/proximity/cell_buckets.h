// Points or blocks in the order of the cells of space in which they are.
#pragma once
#include <algorithm>
#include <bit>

#include "sim/device/buffer.h"
#include "sim/device/primitives.h"

namespace weft {

/// Items hashed to buckets, at least two for each, and sorted by them. One bucket may hold several cells.
class CellBuckets {
 public:
  explicit CellBuckets(Device& device) : device_(device) {}
  CellBuckets(Device& device, int items) : CellBuckets(device) { make_room(items); }
  void make_room(int items) {
    count_ = std::bit_ceil(uint32_t(std::max(64, 2 * items)));
    key_ = Buffer<uint32_t>(device_, "keys of cells", items);
    order_ = Buffer<int>(device_, "order by cells", items);
    for (auto* b : {&begin_, &end_}) *b = Buffer<int>(device_, "buckets of cells", int(count_));
  }

  /// Of a hash: which bucket.
  uint32_t mask() const { return count_ - 1; }
  /// Per item, to be written before sort(): its bucket, and its number.
  Span<uint32_t> key() { return key_; }
  Span<int> order() { return order_; }
  /// Per bucket, to be written after sort(), which clears them: its part of the order.
  Span<int> begin() { return begin_; }
  Span<int> end() { return end_; }
  void sort() {
    sort_pairs(device_, key_, order_);
    begin_.clear();
    end_.clear();
  }
  size_t bytes() const { return (2 * size_t(key_.size()) + 2 * size_t(count_)) * sizeof(int); }

 private:
  Device& device_;
  uint32_t count_ = 0;
  Buffer<uint32_t> key_;
  Buffer<int> order_, begin_, end_;
};

}  // namespace weft
