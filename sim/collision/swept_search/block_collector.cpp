#include "sim/collision/swept_search/block_collector.h"

#include <algorithm>

#include "sim/collision/proximity/triangle_search.h"
#include "sim/device/primitives.h"

namespace weft::swept_search {

using namespace triangle_search;

namespace {

constexpr int kNearBlocks = 32;  // initial room per list

}  // namespace

BlockLayout forest_layout(const SearchSurface& surface) {
  BlockLayout layout;
  layout.forest = build_forest(surface);
  layout.blocks = layout.forest.blocks;
  layout.searched = layout.forest.used;
  AskingBlocks& ask = layout.ask;
  ask.asking = ask.lists = layout.forest.query_blocks;
  const auto& tree = layout.forest.tree;
  ask.first_edge =
      int(std::find(tree.begin(), tree.begin() + ask.asking, int(Tree::cloth_edges)) - tree.begin());
  ask.lists = std::max(ask.lists, 1);
  return layout;
}

BlockCollector::BlockCollector(GrowingLists& lists, const SearchSurface& surface, const BlockLayout& layout)
    : device_(lists.device()),
      forest_(device_, "swept blocks", layout.forest, layout.blocks),
      ask_(layout.ask),
      blocks_(layout.blocks),
      near_list_(lists, "swept near blocks", [this](int n) { give_room(n); }) {
  Device& device = device_;
  searched_ = Buffer<int>(device, "swept blocks", layout.searched);
  moved_ = Buffer<int>(device, "swept blocks", blocks_);
  block_count_ = Buffer<int>(device, "swept near blocks", ask_.lists);
  block_start_ = Buffer<int>(device, "swept near blocks", ask_.lists + 1);
  near_count_ = Buffer<int>(device, "swept near blocks", 1);
  triangle_.count = Buffer<int>(device, "swept rows", int(surface.positions.size()));
  triangle_.start = Buffer<int>(device, "swept rows", int(surface.positions.size()) + 1);
  edge_.count = Buffer<int>(device, "swept rows", int(surface.edges.size()));
  edge_.start = Buffer<int>(device, "swept rows", int(surface.edges.size()) + 1);
  near_list_.reserve(ask_.lists * kNearBlocks);
}

void BlockCollector::give_room(int near_blocks) {
  near_ = {};
  const int64_t places = int64_t(near_blocks) * std::max(1, ask_.asking / ask_.lists) * kLanes;
  bits_ = Buffer<uint16_t>(device_, "swept near primitives", buffer_size(places, "swept near primitives"));
  near_ = Buffer<int>(device_, "swept near blocks", near_blocks);
  ++moves_;
}

void BlockCollector::update_boxes(const Swept& swept) {
  const auto primitives = [&](int first, int count) {
    launch(device_, "swept boxes", count * kLanes,
           BlockBoxes{swept.lower, swept.upper, forest_.corner(), forest_.boxes(), first * kLanes});
    if (!swept.moved.empty())
      launch(device_, "swept boxes", count,
             MovedItems{forest_.corner(), forest_.used(), swept.moved, moved_, first});
  };
  primitives(0, forest_.shape().leaf_blocks);
  primitives(forest_.shape().blocks, blocks_ - forest_.shape().blocks);
  for (const ivec2& level : forest_.shape().levels) {
    const int slots = level.y * kLanes, slot = level.x * kLanes, leafs = forest_.shape().leaf_blocks;
    if (blocks_ > forest_.shape().blocks && &level == &forest_.shape().levels[0])
      launch(device_, "swept boxes", slots,
             PatchNodes{forest_.child(), forest_.used(), forest_.boxes(), leafs, slot, ask_.first,
                        ask_.edge_offset});
    else
      launch(device_, "swept boxes", slots,
             NodeBoxes{forest_.child(), forest_.used(), forest_.boxes(), leafs, slot});
    if (!swept.moved.empty())
      launch(device_, "swept boxes", level.y,
             MovedNodes{forest_.child(), forest_.used(), moved_, forest_.shape().leaf_blocks, level.x});
  }
}

void BlockCollector::find_near_blocks(const Swept& swept) {
  const Span<const int> moved = swept.moved.empty() ? Span<const int>() : Span<const int>(moved_);
  NearBlocks near{forest_.view(), 0, false, block_count_, block_start_, near_, moved, swept.tests};
  launch(device_, "swept near blocks", ask_.lists, near);
  exclusive_scan(device_, block_count_, block_start_);
  launch(device_, "swept room", 1,
         NoteRoom{block_start_, near_.size(), near_list_.wanted(), near_count_, {}});
  near.fill = true;
  launch(device_, "swept near blocks", ask_.lists, near);
}

void BlockCollector::collect(const Swept& swept, const PairRoom& triangle, const PairRoom& edge) {
  update_boxes(swept);
  if (ask_.asking > 0) find_near_blocks(swept);
  const Span<const int> moved = swept.moved.empty() ? Span<const int>() : Span<const int>(moved_);
  const PrimitiveBlocks blocks{
      ask_, forest_.corner(), forest_.used(), searched_, forest_.boxes(), block_start_, near_};
  const int slots = ask_.asking * kLanes;
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
