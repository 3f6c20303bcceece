#include "sim/collision/swept_search/block_collector.h"

#include <algorithm>

#include "sim/collision/proximity/triangle_search.h"
#include "sim/device/primitives.h"

namespace weft::swept_search {

using namespace triangle_search;

namespace {

constexpr int kNearBlocks = 32;  // initial room per list

}  // namespace

BlockCollector::BlockCollector(GrowingLists& lists, const SearchSurface& surface)
    : device_(lists.device()),
      forest_(device_, "swept blocks", build_forest(surface)),
      asking_(forest_.shape().query_blocks),
      lists_(std::max(asking_, 1)),
      near_list_(lists, "swept near blocks", [this](int n) { give_room(n); }) {
  Device& device = device_;
  const std::vector<int>& tree = forest_.shape().tree;
  first_edge_ = int(std::find(tree.begin(), tree.begin() + asking_, int(Tree::cloth_edges)) - tree.begin());
  moved_ = Buffer<int>(device, "swept blocks", forest_.shape().blocks);
  block_count_ = Buffer<int>(device, "swept near blocks", lists_);
  block_start_ = Buffer<int>(device, "swept near blocks", lists_ + 1);
  near_count_ = Buffer<int>(device, "swept near blocks", 1);
  triangle_.count = Buffer<int>(device, "swept rows", int(surface.positions.size()));
  triangle_.start = Buffer<int>(device, "swept rows", int(surface.positions.size()) + 1);
  edge_.count = Buffer<int>(device, "swept rows", int(surface.edges.size()));
  edge_.start = Buffer<int>(device, "swept rows", int(surface.edges.size()) + 1);
  near_list_.reserve(lists_ * kNearBlocks);
}

void BlockCollector::give_room(int near_blocks) {
  near_ = {};
  const int64_t places = int64_t(near_blocks) * kLanes;
  bits_ = Buffer<uint16_t>(device_, "swept near primitives", buffer_size(places, "swept near primitives"));
  near_ = Buffer<int>(device_, "swept near blocks", near_blocks);
  ++moves_;
}

void BlockCollector::update_boxes(const Swept& swept) {
  const BoxForest& shape = forest_.shape();
  launch(device_, "swept boxes", shape.leaf_blocks * kLanes,
         BlockBoxes{swept.lower, swept.upper, forest_.corner(), forest_.boxes()});
  if (!swept.moved.empty())
    launch(device_, "swept boxes", shape.leaf_blocks,
           MovedItems{forest_.corner(), forest_.used(), swept.moved, moved_});
  for (const ivec2& level : shape.levels) {
    launch(device_, "swept boxes", level.y * kLanes,
           NodeBoxes{forest_.child(), forest_.used(), forest_.boxes(), shape.leaf_blocks, level.x * kLanes});
    if (!swept.moved.empty())
      launch(device_, "swept boxes", level.y,
             MovedNodes{forest_.child(), forest_.used(), moved_, shape.leaf_blocks, level.x});
  }
}

void BlockCollector::find_near_blocks(const Swept& swept) {
  const Span<const int> moved = swept.moved.empty() ? Span<const int>() : Span<const int>(moved_);
  NearBlocks near{forest_.view(), 0, false, block_count_, block_start_, near_, moved, swept.tests};
  launch(device_, "swept near blocks", lists_, near);
  exclusive_scan(device_, block_count_, block_start_);
  launch(device_, "swept room", 1,
         NoteRoom{block_start_, near_.size(), near_list_.wanted(), near_count_, {}});
  near.fill = true;
  launch(device_, "swept near blocks", lists_, near);
}

void BlockCollector::collect(const Swept& swept, const PairRoom& triangle, const PairRoom& edge) {
  update_boxes(swept);
  if (asking_ > 0) find_near_blocks(swept);
  const Span<const int> moved = swept.moved.empty() ? Span<const int>() : Span<const int>(moved_);
  const PrimitiveBlocks blocks{.first_edge = first_edge_,
                               .corner = forest_.corner(),
                               .used = forest_.used(),
                               .boxes = forest_.boxes(),
                               .start = block_start_,
                               .near = near_};
  const int slots = asking_ * kLanes;
  launch(device_, "swept near primitives", slots,
         NearPrimitives{blocks, swept, moved, bits_, triangle_.count, edge_.count});
  const auto scan = [&](Rows& rows, const PairRoom& room) {
    exclusive_scan(device_, rows.count, rows.start);
    launch(device_, "swept room", 1, NoteRoom{rows.start, room.points.size, room.wanted, room.count, {}});
    return PairRows{rows.start, room.points, room.primitives};
  };
  const PairRows triangles = scan(triangle_, triangle), edges = scan(edge_, edge);
  launch(device_, "swept pairs", slots, WriteBlockPairs{blocks, bits_, triangles, edges});
}

}  // namespace weft::swept_search
