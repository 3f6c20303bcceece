// Samples by the cells of space in which they are.
#pragma once
#include "sim/collision/proximity/cell_buckets.h"
#include "sim/collision/repulsion/samples/sample_kernels.h"
#include "sim/device/run_kernels.h"

namespace weft {

/// Positions of samples (m), hashed to cells and sorted by them.
class SampleCells {
 public:
  explicit SampleCells(Device& device) : device_(device), cells_(device) {}

  /// For so many samples.
  void make_room(int samples) {
    position_ = Buffer<vec3>(device_, "samples", samples);
    cells_.make_room(samples);
    // Primitives take their work memory at their first call, which must not come while a GPU records.
    cells_.sort();
  }

  /// To be written before sorted(): per sample.
  Span<vec3> position() { return position_; }
  Span<uint32_t> key() { return cells_.key(); }
  Span<int> order() { return cells_.order(); }
  uint32_t mask() const { return cells_.mask(); }

  /// Sorts them, for searches within `radius` (m) in cells of 1 / `inv_cell`.
  repulsion::SampleGrid sorted(float inv_cell, float radius) {
    cells_.sort();
    launch(device_, "sample search", position_.size(), KeyRuns{cells_.key(), cells_.begin(), cells_.end()});
    return {cells_.begin(), cells_.end(), cells_.order(), position_, inv_cell, radius, mask()};
  }

 private:
  Device& device_;
  Buffer<vec3> position_;
  CellBuckets cells_;
};

}  // namespace weft
