// Which edges are so long that they need a sample.
#pragma once
#include "sim/collision/repulsion/fold_guard/exempt_pairs.h"
#include "sim/collision/repulsion/samples/sample_kernels.h"
#include "sim/device/primitives.h"

namespace weft {

/// Edges of the cloth: their lengths, those that are stretched, and the slot of each edge's sample.
class StretchedEdges {
 public:
  /// `layout`: of ConstraintRows::edges. The topology must outlive this.
  StretchedEdges(Device& device, const Topology& topology, const EdgeLists& layout)
      : device_(device), topology_(topology), edge_of_place_(layout.edge), any_(device, "sample counts", 1) {}

  void allocate() {
    std::vector<ivec2> places(topology_.edges.size(), ivec2(-1));
    for (size_t k = 0; k < edge_of_place_.size(); ++k)
      if (const int e = edge_of_place_[k]; e >= 0) (places[e].x < 0 ? places[e].x : places[e].y) = int(k);
    ends_ = Buffer<ivec2>(device_, "sample edges", topology_.edges);
    places_ = Buffer<ivec2>(device_, "sample edges", places);
    const int edges = int(topology_.edges.size());
    length_ = Buffer<float>(device_, "sample edges", edges);
    for (auto* b : {&is_long_, &flag_, &edge_}) *b = Buffer<int>(device_, "sample edges", edges);
    slot_at_ = Buffer<int>(device_, "sample edges", std::vector<int>(edge_of_place_.size(), -1));
    found_ = Buffer<int>(device_, "sample counts", 1);
  }

  int edges() const { return ends_.size(); }
  /// One element: not 0 if some edge may be stretched, as AcceptAndAim finds.
  Buffer<int>& any() { return any_; }
  /// Those that are longer than `from`, or will be before the next search, `furthest` (all m) further on.
  /// No edge has a slot then.
  void find(Span<const vec3> base, Span<const vec3> u, Span<const vec3> target, float furthest, float from,
            float max_edge) {
    launch(device_, "resampling", edges(),
           repulsion::MarkStretched{.ends = ends_,
                                    .base = base,
                                    .u = u,
                                    .target = target,
                                    .furthest = furthest,
                                    .from = from,
                                    .max_edge = max_edge,
                                    .length = length_,
                                    .is_long = is_long_,
                                    .stretched = flag_});
    select();
  }
  void select() { weft::select(device_, flag_, edge_, found_); }
  void clear_slots() { launch(device_, "resampling", edges(), repulsion::ClearSlots{places_, slot_at_}); }

  Span<const int> found() const { return found_; }
  /// The stretched ones, ascending.
  Span<const int> list() const { return edge_; }
  std::vector<int> list_on_host(int count) const {
    std::vector<int> edges(static_cast<size_t>(count));
    device_.download(edges.data(), edge_.span().data, edges.size() * sizeof(int));
    return edges;
  }
  /// Per edge: its vertices, its two places in the layout, its length (m), whether it is beyond L.
  Span<const ivec2> ends() const { return ends_; }
  Span<const ivec2> places() const { return places_; }
  Span<const float> length() const { return length_; }
  Span<const int> is_long() const { return is_long_; }
  /// Per place of the layout: slot of the sample in that edge, or -1.
  Span<int> slot_at() { return slot_at_; }
  Span<const int> slot_at() const { return slot_at_; }

 private:
  Device& device_;
  const Topology& topology_;
  std::vector<int> edge_of_place_;
  Buffer<ivec2> ends_, places_;
  Buffer<float> length_;
  Buffer<int> is_long_, flag_, edge_, slot_at_, found_, any_;
};

}  // namespace weft
