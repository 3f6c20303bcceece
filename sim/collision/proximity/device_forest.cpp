#include "sim/collision/proximity/device_forest.h"

#include <algorithm>

namespace weft {

DeviceForest::DeviceForest(Device& device, const char* name, BoxForest shape)
    : shape_(std::move(shape)),
      corner_(device, name, shape_.corner),
      used_(device, name, shape_.used),
      child_(device, name, shape_.child),
      node_(device, name, shape_.node),
      tree_(device, name, shape_.tree),
      boxes_(device, name, buffer_size(int64_t(shape_.blocks) * kSides, name)) {}

triangle_search::ForestView DeviceForest::view() const {
  triangle_search::ForestView v{corner_, used_, child_, node_, tree_, boxes_, shape_.leaf_blocks, {}};
  std::copy(shape_.root, shape_.root + kTrees, v.root);
  return v;
}

}  // namespace weft
