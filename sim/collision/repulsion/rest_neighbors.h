// What each vertex has around it at rest.
#pragma once
#include "sim/collision/proximity/neighbor_lists.h"
#include "sim/collision/repulsion/constraints/repulsion_constants.h"
#include "sim/collision/repulsion/fold_guard/exempt_pairs.h"

namespace weft {

/// The other ends of the edges at each vertex, and the vertices within two edges with the distances that they
/// keep. Padded to whole slices of 16.
class RestNeighbors {
 public:
  RestNeighbors(Device& device, const Topology& topology, EdgeLists edges)
      : layout_(std::move(edges)),
        edge_count_(device, "edge counts", layout_.count),
        edge_neighbor_(device, "edge ends", layout_.neighbor) {
    const NearLists near = near_lists(topology);
    near_width_ = near.width;
    near_count_ = Buffer<int>(device, "near counts", near.count);
    near_neighbor_ = Buffer<int>(device, "near vertices", near.neighbor);
    for (auto* b : {&distance_, &kept_}) *b = Buffer<float>(device, "near distances", near.distance);
  }

  const EdgeLists& layout() const { return layout_; }
  NeighborLists edges() const { return {edge_count_, edge_neighbor_, layout_.width}; }
  NeighborLists near() const { return {near_count_, near_neighbor_, near_width_}; }
  /// Of near vertices, m.
  Span<const float> distance() const { return distance_; }
  /// Those that they keep until the next search, m: less where they are closer.
  Span<float> kept() { return kept_; }
  Span<const float> kept() const { return kept_; }

 private:
  EdgeLists layout_;
  Buffer<int> edge_count_, edge_neighbor_, near_count_, near_neighbor_;
  Buffer<float> distance_, kept_;
  int near_width_ = 0;
};

}  // namespace weft
