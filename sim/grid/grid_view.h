// What kernels see of a grid: square blocks of W x W vertices, of which only occupied ones are stored.
//
//   slot = block * W * W + y * W + x        a vertex, inside of a panel or not (flags)
//
//        (0,1)-----(1,1)      planar triangles of the cell of vertex (0,0): lower (00 10 11) and upper (00 11 01)
//          | upper / |
//          |    /    |        bending, interleaved: at odd vertices (x + y odd) second differences along x and y,
//          | / lower |        in every cell the mixed one. Edges of even vertices go to all eight around.
//        (0,0)-----(1,0)
//
// Neighbours follow from the block table and the local index; there is no list per vertex.
#pragma once
#include "sim/base/span.h"

namespace weft::grid {

using Flags = unsigned char;

/// Bits of a vertex's flags; those of cells and triangles belong to the lower left vertex of the cell.
constexpr Flags kInside = 1;  // the vertex exists
constexpr Flags kLower = 2;   // the cell's lower triangle exists
constexpr Flags kUpper = 4;   // its upper triangle exists
constexpr Flags kCell = 8;    // all four corners exist and no edge of the panel runs between them
constexpr int kAlongX = 4;    // bits 4 and 5: hinges (0 to 2) that bend along x at this odd vertex
constexpr int kAlongY = 6;    // bits 6 and 7: hinges that bend along y

HD inline int hinges_along_x(Flags f) { return (f >> kAlongX) & 3; }
HD inline int hinges_along_y(Flags f) { return (f >> kAlongY) & 3; }

/// The six neighbours of planar elasticity, counterclockwise; triangle k lies between neighbours k and k + 1.
struct Offset {
  int x, y;
};
constexpr int kNeighbors = 6;
HD constexpr Offset neighbor_offset(int k) {
  constexpr Offset all[kNeighbors] = {{1, 0}, {1, 1}, {0, 1}, {-1, 0}, {-1, -1}, {0, -1}};
  return all[k];
}

/// Place of a block: panel and block coordinates in it.
struct Block {
  int panel;
  int x, y;
};
/// One panel: vertex (i, j) of its lattice lies at anchor + cell * (i, j) in material space (m). Its block
/// table has blocks_x * blocks_y entries from `start` on, -1 where there is no block.
struct Panel {
  double anchor_x, anchor_y;
  int blocks_x, blocks_y;
  int start;
  int mirrored;  // 1: triangles of the coarse mesh are clockwise in material space
};

/// Lattice point of a vertex.
struct Lattice {
  int panel, i, j;
};

/// A vertex of the band around a closed panel (Wang 2021, section 4.2): its nearest vertex inside, and where
/// it lies from there
/// (cells).
struct Ghost {
  int vertex, inside, x, y;
};

struct GridView {
  float cell = 0;     // m
  int log_width = 3;  // W = 1 << log_width
  int blocks = 0;
  Span<const Block> block;
  Span<const int> around;  // nine per block, row by row from (-1, -1); -1: no block. The fifth is the block
  Span<const Panel> panel;
  Span<const int> table;
  Span<const Flags> flags;       // per slot
  Span<const int> triangle;      // per slot, of the coarse mesh; -1: none
  Span<const vec2> barycentric;  // weights of its second and third corner

  HD int width() const { return 1 << log_width; }
  HD int slots_per_block() const { return 1 << (2 * log_width); }
  HD int block_of(int slot) const { return slot >> (2 * log_width); }
  HD int local_x(int slot) const { return slot & (width() - 1); }
  HD int local_y(int slot) const { return (slot >> log_width) & (width() - 1); }
  /// Slot of local coordinates relative to a block, which may lie up to W outside of it; -1 if there is no
  /// block.
  HD int slot(int b, int x, int y) const {
    const int w = width();
    const int over_x = x < 0 ? 0 : x < w ? 1 : 2, over_y = y < 0 ? 0 : y < w ? 1 : 2;
    const int to = around[9 * b + 3 * over_y + over_x];
    return to < 0 ? -1 : (((to << log_width) + (y & (w - 1))) << log_width) + (x & (w - 1));
  }
  /// The vertex at (dx, dy) cells from one, |d| <= W; -1 if it does not exist.
  HD int neighbor(int from, int dx, int dy) const {
    const int to = slot(block_of(from), local_x(from) + dx, local_y(from) + dy);
    return to >= 0 && (flags[to] & kInside) ? to : -1;
  }
  HD bool inside(int v) const { return flags[v] & kInside; }
  /// A vertex of the band around a closed panel: it has no place in the coarse mesh.
  HD bool ghost(int v) const { return (flags[v] & kInside) && triangle[v] < 0; }
  /// Triangles around a vertex, over the six of a whole sheet.
  HD float share(int v) const {
    const int b = block_of(v), x = local_x(v), y = local_y(v);
    const auto at = [&](int dx, int dy) {
      const int n = slot(b, x + dx, y + dy);
      return n < 0 ? Flags(0) : flags[n];
    };
    const Flags corner = at(-1, -1);
    const int count = ((flags[v] & kLower) != 0) + ((flags[v] & kUpper) != 0) + ((at(-1, 0) & kLower) != 0) +
                      ((corner & kLower) != 0) + ((corner & kUpper) != 0) + ((at(0, -1) & kUpper) != 0);
    return float(count) * (1.0f / 6);
  }
  HD Lattice lattice(int v) const {
    const Block b = block[block_of(v)];
    return {b.panel, (b.x << log_width) + local_x(v), (b.y << log_width) + local_y(v)};
  }
  /// Slot of a lattice point, -1 if there is no block.
  HD int find(const Lattice& at) const {
    const Panel& p = panel[at.panel];
    const int bx = at.i >> log_width, by = at.j >> log_width;
    if (at.i < 0 || at.j < 0 || bx >= p.blocks_x || by >= p.blocks_y) return -1;
    const int b = table[p.start + by * p.blocks_x + bx], w = width();
    return b < 0 ? -1 : (((b << log_width) + (at.j & (w - 1))) << log_width) + (at.i & (w - 1));
  }
  HD vec2 material(int v) const {
    const Lattice at = lattice(v);
    const Panel& p = panel[at.panel];
    return {float(p.anchor_x + double(cell) * at.i), float(p.anchor_y + double(cell) * at.j)};
  }
};

/// Positions as offsets from a point of the vertex's block. At a metre from the origin float32 resolves 2e-4
/// of a cell of half a millimetre, within a block of eight such cells 2e-6. Origins are multiples of 2^-10 m,
/// so that their differences have no rounding.
template <class V>
struct PositionsOf {
  Span<V> origin;     // per block, m
  Span<V> local;      // per slot, m
  int log_slots = 6;  // slots per block = 1 << log_slots
  int unused = 0;     // explicit padding (see Span)

  PositionsOf() = default;
  HD PositionsOf(Span<V> o, Span<V> l, int slots) : origin(o), local(l), log_slots(slots) {}
  /// PositionsView reads as FixedPositions.
  template <class U, class = std::enable_if_t<std::is_same_v<const U, V>>>
  HD PositionsOf(const PositionsOf<U>& o) : origin(o.origin), local(o.local), log_slots(o.log_slots) {}

  HD vec3 world(int v) const { return origin[v >> log_slots] + local[v]; }
  /// Position of v relative to the origin of block b.
  HD vec3 seen_from(int b, int v) const {
    const int own = v >> log_slots;
    return own == b ? vec3(local[v]) : local[v] + (origin[own] - origin[b]);
  }
  /// b - a, m.
  HD vec3 between(int a, int b) const { return seen_from(a >> log_slots, b) - local[a]; }
};
using PositionsView = PositionsOf<vec3>;
using FixedPositions = PositionsOf<const vec3>;

}  // namespace weft::grid
