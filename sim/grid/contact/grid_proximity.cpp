#include "sim/grid/contact/grid_proximity.h"

#include <algorithm>

#include "sim/device/primitives.h"
#include "sim/device/run_kernels.h"

namespace weft::grid_repulsion {

constexpr int kFirstPairs = 1024, kFirstContacts = 4096;

GridProximity::GridProximity(GrowingLists& lists, const grid::Grid& grid)
    : device_(lists.device()),
      tiling_{grid.view()},
      ball_(device_, "balls of collision blocks", tiling_.count()),
      radius_(device_, "radii of collision blocks", tiling_.count()),
      largest_(device_, "largest collision block", 1),
      longest_path_(device_, "limits of ways", tiling_.count()),
      cells_(device_, tiling_.count()),
      long_{.count = Buffer<int>(device_, "long-range pairs", tiling_.count()),
            .start = Buffer<int>(device_, "long-range pairs", tiling_.count() + 1),
            .other = {}},
      row_count_(device_, "contact counts", grid.slot_count() / kSide),
      row_start_(device_, "contact starts", grid.slot_count() / kSide + 1),
      block_start_(device_, "contacts of blocks", grid.block_count() + 1),
      pair_list_(lists, "long-range pairs",
                 [this](int n) { long_.other = Buffer<int>(device_, "long-range pairs", n); }),
      contact_list_(lists, "contacts of the grid",
                    [this](int n) { contact_ = Buffer<grid::Contact>(device_, "contacts of the grid", n); }) {
  make_room(kFirstPairs, kFirstContacts);
}

void GridProximity::find(const grid::FixedPositions& x, float radius, const PathLimits& limits,
                         const grid::RestView& rest, float widest_scale) {
  const int count = tiling_.count();
  const float widest = radius * widest_scale, reach = std::max(widest, limits.reach);
  const uint32_t mask = cells_.mask();
  launch(device_, "collision blocks", count, BoundBlocks{tiling_, x, ball_, radius_});
  reduce_max(device_, radius_, largest_);
  launch(device_, "collision blocks", count,
         HashBlocks{ball_, largest_, reach, mask, cells_.key(), cells_.order()});
  cells_.sort();
  launch(device_, "collision blocks", count, KeyRuns{cells_.key(), cells_.begin(), cells_.end()});
  LongRange pairs{tiling_, ball_,       largest_, cells_.order(), cells_.begin(), cells_.end(), reach,
                  mask,    long_.count, {},       long_.other};
  launch(device_, "block pairs", count, pairs);
  exclusive_scan(device_, long_.count, long_.start);
  pairs.start = long_.start;
  launch(device_, "block pairs", count, pairs);
  launch(device_, "block pairs", 1,
         CheckRoom{{long_.start.span().data + count, 1}, long_.other.size(), pair_list_.wanted()});

  FindContacts contacts{tiling_,     x,           rest,       radius,        widest, sewn_,   limits,
                        long_.start, long_.other, row_count_, longest_path_, {},     contact_};
  launch(device_, "contacts", count, contacts);
  exclusive_scan(device_, row_count_, row_start_);
  contacts.start = row_start_;
  launch(device_, "contacts", count, contacts);
  const int rows = row_count_.size(), blocks = tiling_.grid.blocks;
  launch(device_, "contacts", blocks + 1,
         BlockStarts{row_start_, rows / std::max(blocks, 1), contact_.size(), block_start_});
  launch(device_, "contacts", 1,
         CheckRoom{{row_start_.span().data + rows, 1}, contact_.size(), contact_list_.wanted()});
}

void GridProximity::set_sewn(const std::vector<grid::SeamPair>& pairs) {
  sewn_ = Buffer<grid::SeamPair>(device_, "neighbours across seams", pairs);
}

size_t GridProximity::bytes() const {
  const size_t blocks = tiling_.count();
  return blocks * (sizeof(vec4) + 2 * sizeof(float) + 2 * sizeof(int)) + cells_.bytes() +
         size_t(long_.other.size()) * sizeof(int) + size_t(contact_.size()) * sizeof(grid::Contact) +
         size_t(sewn_.size()) * sizeof(grid::SeamPair) + 2 * size_t(row_count_.size()) * sizeof(int) +
         size_t(block_start_.size()) * sizeof(int);
}

}  // namespace weft::grid_repulsion
