// The methods `forest` and `patches`: blocks of primitives and trees over them.
#pragma once
#include "sim/collision/proximity/device_forest.h"
#include "sim/collision/swept_search/block_kernels.h"
#include "sim/collision/swept_search/collector.h"
#include "sim/device/growing_lists.h"

namespace weft::swept_search {

/// Blocks of primitives, on the host. Leaf blocks of the trees come first, then nodes, then other blocks.
struct BlockLayout {
  BoxForest forest;           // its `corner` and `used` cover all blocks
  std::vector<int> searched;  // per block, places that others search
  int blocks = 0;             // of all kinds
  AskingBlocks ask;
};

/// The trees of TriangleSearch: one each over vertices, edges and triangles of cloth and of obstacles.
BlockLayout forest_layout(const SearchSurface& surface);

class BlockCollector : public Collector {
 public:
  BlockCollector(GrowingLists& lists, const SearchSurface& surface, const BlockLayout& layout);
  void collect(const Swept& swept, const PairRoom& triangle, const PairRoom& edge) override;

 private:
  struct Rows {
    Buffer<int> count, start;  // pairs per vertex or edge
  };
  void give_room(int near_blocks);
  void update_boxes(const Swept& swept);
  void find_near_blocks(const Swept& swept);

  Device& device_;
  DeviceForest forest_;
  AskingBlocks ask_;
  int blocks_ = 0;
  Buffer<int> searched_, moved_;
  Buffer<int> block_count_, block_start_, near_, near_count_;
  Buffer<uint16_t> bits_;
  Rows triangle_, edge_;
  GrowingList near_list_;
};

}  // namespace weft::swept_search
