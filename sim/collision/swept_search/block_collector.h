// The method `forest`: blocks of primitives and trees over them.
#pragma once
#include "sim/collision/proximity/device_forest.h"
#include "sim/collision/swept_search/block_kernels.h"
#include "sim/collision/swept_search/collector.h"
#include "sim/device/growing_lists.h"

namespace weft::swept_search {

/// The trees of TriangleSearch: one each over vertices, edges and triangles of cloth and of obstacles.
class BlockCollector : public Collector {
 public:
  BlockCollector(GrowingLists& lists, const SearchSurface& surface);
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
  int asking_ = 0, lists_ = 1, first_edge_ = 0;  // blocks that search, their lists
  Buffer<int> moved_;
  Buffer<int> block_count_, block_start_, near_, near_count_;
  Buffer<uint16_t> bits_;
  Rows triangle_, edge_;
  GrowingList near_list_;
};

}  // namespace weft::swept_search
