// Rest shapes that differ from the grid's own, where the reference was modified (Wang 2021, section 6.2): of
// three edges per vertex the length over that in the grid, as half floats that hold the offset from 1. Only
// blocks with a modification have them.
#pragma once
#include <vector>

#include "sim/device/buffer.h"
#include "sim/grid/grid.h"
#include "sim/grid/packed.h"

namespace weft::grid {

/// Lengths of the edges of a vertex to (1, 0), (1, 1) and (0, 1) over those in the grid.
struct EdgeScale {
  float x = 1, diagonal = 1, y = 1;
};

/// How much farther apart than on the grid the nearest vertices are at rest that are no neighbours: the ends
/// of a square's second diagonal (|d1|² + |d2|² = 2 (x² + y²)), and vertices two cells apart.
HD inline float second_neighbor_scale(const EdgeScale& s) {
  const float diagonal = s.x * s.x + s.y * s.y - s.diagonal * s.diagonal;
  return fminf(sqrtf(fmaxf(diagonal, 0.01f)), 1.41421356f * fminf(s.x, s.y));
}

struct RestView {
  Span<const int> list;  // per block: number of its list, -1: none; empty: no block has one
  Span<Half> offset;     // three per vertex of listed blocks
  int log_slots = 6;
  int unused = 0;  // explicit padding (see Span)

  HD bool listed(int block) const { return !list.empty() && list[block] >= 0; }
  HD int place(int slot) const {
    return 3 * ((list[slot >> log_slots] << log_slots) + (slot & ((1 << log_slots) - 1)));
  }
  HD EdgeScale scale(int slot) const {
    if (!listed(slot >> log_slots)) return {};
    const int p = place(slot);
    return {1 + from_half(offset[p]), 1 + from_half(offset[p + 1]), 1 + from_half(offset[p + 2])};
  }
  /// Factor on R^self between two vertices: how much further apart gathering has their neighbours.
  HD float reach_scale(int a, int b) const {
    return list.empty() ? 1.0f : 0.5f * (second_neighbor_scale(scale(a)) + second_neighbor_scale(scale(b)));
  }
  /// For slots of listed blocks.
  HD void set(int slot, const EdgeScale& s) const {
    const int p = place(slot);
    offset[p] = to_half(s.x - 1), offset[p + 1] = to_half(s.diagonal - 1), offset[p + 2] = to_half(s.y - 1);
  }
};

class RestLists {
 public:
  RestLists() = default;
  /// Lists, all of scale 1, for the blocks with a nonzero mark.
  RestLists(Device& device, const Grid& grid, const std::vector<char>& marked)
      : log_slots_(2 * grid.view().log_width) {
    std::vector<int> list;
    int count = 0;
    for (const char m : marked) list.push_back(m ? count++ : -1);
    list_ = Buffer<int>(device, "rest lists of blocks", list);
    offset_ = Buffer<Half>(device, "modified rest lengths",
                           buffer_size(int64_t(3 * count) << log_slots_, "modified rest lengths"));
  }
  bool empty() const { return offset_.empty(); }
  RestView view() {
    RestView v;
    v.list = list_, v.offset = offset_, v.log_slots = log_slots_;
    return v;
  }
  size_t bytes() const { return size_t(list_.size()) * sizeof(int) + size_t(offset_.size()) * sizeof(Half); }

 private:
  Buffer<int> list_;
  Buffer<Half> offset_;
  int log_slots_ = 6;
};

}  // namespace weft::grid
