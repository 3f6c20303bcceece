// A grid's arrays on the host, for what is found once.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/grid/grid.h"

namespace weft::grid {

/// `view` reads the copies.
struct HostGrid {
  std::vector<Flags> flags;
  std::vector<Block> block;
  std::vector<int> around, table, triangle;
  std::vector<Panel> panel;
  GridView view;

  explicit HostGrid(const Grid& grid) : view(grid.view()) {
    Device& d = grid.device();
    take(d, flags, view.flags), take(d, block, view.block), take(d, around, view.around),
        take(d, table, view.table);
    take(d, triangle, view.triangle), take(d, panel, view.panel);
  }
  HostGrid(const HostGrid&) = delete;
  /// A vertex that exists and is no ghost.
  bool real(int v) const { return v >= 0 && view.inside(v) && !view.ghost(v); }
  /// Slots of the planar triangle `kind` (kLower or kUpper) of the cell of a vertex, counterclockwise in the
  /// material.
  ivec3 corners(int v, Flags kind) const {
    return kind == kLower ? ivec3(v, view.neighbor(v, 1, 0), view.neighbor(v, 1, 1))
                          : ivec3(v, view.neighbor(v, 1, 1), view.neighbor(v, 0, 1));
  }

 private:
  template <class T>
  static void take(Device& device, std::vector<T>& to, Span<const T>& from) {
    to.resize(from.size);
    if (from.size) device.download(to.data(), from.data, to.size() * sizeof(T));
    from = {to.data(), int(to.size())};
  }
};

/// Three slots and weights for a material point of a panel: of the triangle that the point is least outside
/// of. False if there is none within two cells.
bool locate(const HostGrid& g, int panel, const dvec2& at, int (&slots)[3], float (&weights)[3]);

}  // namespace weft::grid
