// All vertex-triangle and edge-edge pairs whose boxes over the path of a step overlap: the broad phase of
// continuous collision detection, on the device.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/collision/proximity/pair_list.h"
#include "sim/collision/proximity/triangle_search.h"
#include "sim/device/growing_lists.h"

namespace weft {

namespace swept_search {
class Collector;
}

/// How pairs are collected. All find the same pairs, each in an order of its own.
enum class SweptMethod {
  forest,  // trees of boxes over vertices, edges and triangles
  hash,    // cells of several sizes that list the triangles in them (Tang 2018, section 3)
};

/// Finds every vertex-triangle and every edge-edge pair that may come closer than a margin while each point i
/// moves straight from x0[i] to x1[i], each pair once. No pair shares a vertex or consists of two obstacle
/// primitives.
///
/// With c the mean of x1 - x0 over the cloth, the box of a point is
///
///     [min(x0, x1 - c) - margin / 2 - r,  max(x0, x1 - c) + margin / 2 + r],   r: bound of the rounding,
///
/// the box of a primitive encloses those of its points, and a pair is found if its boxes overlap. In the
/// frame that moves with c all distances at equal times are the same, so that pairs that come closer than
/// `margin` (m) are among them, and boxes of cloth that moves as a whole stay small. Primitives with a
/// position that is not finite are in no pair.
///
/// The order depends on the surface, the positions and the method, not on threads. Points and edges without a
/// triangle are searched too.
class SweptSearch {
 public:
  /// `lists` says after a step whether all pairs had room.
  SweptSearch(GrowingLists& lists, const SearchSurface& surface, SweptMethod method = SweptMethod::forest);
  ~SweptSearch();

  /// Allocates nothing and does not read the device. x0, x1: one position (m) per point of the surface. With
  /// a negative or non-finite margin (m) nothing is found.
  void find(Span<const vec3> x0, Span<const vec3> x1, float margin) { find_moved(x0, x1, margin, {}); }
  /// Only those pairs of `find` in which at least one point has moved[point] != 0 (Tang 2018, algorithm 1).
  void find_moved(Span<const vec3> x0, Span<const vec3> x1, float margin, Span<const int> moved);

  /// From now on pairs of which all four points have a mark in common (bits, per point) are no pairs. Empty:
  /// none is left out. Not from within a recorded sequence.
  void leave_out(const std::vector<int>& marks);

  /// The pairs of the last find. `support` and `distance` are empty.
  PairList vertex_triangle() const { return triangle_.list(); }
  PairList edge_edge() const { return edge_.list(); }

  /// Reserves this many pairs of each kind.
  void make_room(int pairs) { triangle_list_.reserve(pairs), edge_list_.reserve(pairs); }
  /// Changes when memory moves.
  int moves() const;

  /// Whether later searches count their tests of two boxes. Not from within a recorded sequence.
  void count_tests(bool wanted);
  /// Tests of two boxes since count_tests(true). Waits for the device.
  int64_t box_tests() const { return tests_.empty() ? 0 : tests_.download()[0]; }

  /// Pairs of one kind on the device.
  struct Pairs {
    Buffer<int> count;  // one element
    Buffer<ivec4> points;
    Buffer<ivec2> primitives;
    PairList list() const { return {count, points, primitives, {}, {}}; }
  };

 private:
  void give_room(Pairs& pairs, const char* name, int room);

  Device& device_;
  int cloth_points_, moves_ = 0;
  std::unique_ptr<swept_search::Collector> collector_;
  Pairs triangle_, edge_;
  Buffer<vec3> displacement_, motion_;  // displacements of the cloth's points, their sum
  Buffer<vec3> lower_, upper_;          // box of each point
  Buffer<int> left_out_;
  Buffer<int64_t> tests_;
  GrowingList triangle_list_, edge_list_;
};

}  // namespace weft
