// A BoxForest on the device, with the boxes of its blocks.
#pragma once
#include "sim/collision/proximity/box_forest.h"
#include "sim/collision/proximity/candidate_kernels.h"
#include "sim/device/buffer.h"

namespace weft {

class DeviceForest {
 public:
  DeviceForest(Device& device, const char* name, BoxForest shape);

  /// Numbers of blocks; the arrays of the same names lie on the device.
  const BoxForest& shape() const { return shape_; }
  Span<const int> corner() const { return corner_; }
  Span<const int> used() const { return used_; }
  Span<const int> child() const { return child_; }
  /// Written for each search by the owner, kSides numbers per block.
  Span<float> boxes() { return boxes_; }
  triangle_search::ForestView view() const;

 private:
  BoxForest shape_;
  Buffer<int> corner_, used_, child_, node_, tree_;
  Buffer<float> boxes_;
};

}  // namespace weft
