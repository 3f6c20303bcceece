// Pairs of a grid's vertices that are close (Wang 2021, section 5.3), by collision blocks of 4 x 4 vertices.
#pragma once
#include "sim/collision/proximity/cell_buckets.h"
#include "sim/device/growing_lists.h"
#include "sim/grid/contact/proximity_kernels.h"
#include "sim/grid/grid.h"

namespace weft::grid_repulsion {

/// Finds every pair of vertices nearer than a radius that are not neighbours on the grid. Complete at any
/// density: a list that is too short reports to the GrowingLists. The lists do not depend on the number of
/// threads.
class GridProximity {
 public:
  GridProximity(GrowingLists& lists, const grid::Grid& grid);

  /// Pairs across seams, in both orders, sorted (grid::seam_neighbors): those with a path shorter than the
  /// radius are no contacts, and none of them limits paths. At first there are none.
  void set_sewn(const std::vector<grid::SeamPair>& pairs);
  /// Queues a search at x, `radius` in m, and for how far vertices may move until the next one. `rest`: of a
  /// gathered sheet, whose radii are scaled by RestView::reach_scale, `widest_scale` at most. No allocation,
  /// no wait.
  void find(const grid::FixedPositions& x, float radius, const PathLimits& limits = {},
            const grid::RestView& rest = {}, float widest_scale = 1);
  /// Reserves list entries: block pairs of long range, in both orders, and contacts, in both orders.
  void make_room(int pairs, int contacts) { pair_list_.reserve(pairs), contact_list_.reserve(contacts); }

  /// Both orders of every pair, sorted by the first vertex; those of block b are entries start()[b] to
  /// start()[b + 1] - 1.
  Span<const grid::Contact> contacts() const { return contact_; }
  Span<const int> start() const { return block_start_; }
  /// Limits of paths, m, per collision block (grid::collision_block). Of the last search with limits.
  Span<const float> longest_paths() const { return longest_path_; }
  /// Number of contacts, in both orders. Waits for the device.
  int contact_count() const { return row_start_.download().back(); }
  size_t bytes() const;

 private:
  Device& device_;
  Tiling tiling_;
  Buffer<vec4> ball_;
  Buffer<float> radius_, largest_, longest_path_;
  CellBuckets cells_;  // of collision blocks
  /// Pairs of blocks of long range, by their first block.
  struct LongPairs {
    Buffer<int> count, start, other;
  } long_;
  Buffer<int> row_count_, row_start_, block_start_;
  Buffer<grid::Contact> contact_;
  Buffer<grid::SeamPair> sewn_;
  GrowingList pair_list_, contact_list_;
};

}  // namespace weft::grid_repulsion
