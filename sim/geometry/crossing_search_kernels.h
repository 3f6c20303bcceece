// Kernels of CrossingSearch: triangles in the order of a curve through space, boxes over them, and the test
// of those whose boxes overlap.
#pragma once
#include "sim/device/atomics.h"
#include "sim/device/launch.h"
#include "sim/geometry/surface_tree_kernels.h"
#include "sim/mesh/algorithms/crossing_test.h"

namespace weft::crossing_search {

using crossing::Answer;
using surface_tree::Box;

/// Triangles of cloth, and from number `own` on of bodies. Corners are numbered through, those of the cloth
/// first.
struct Surfaces {
  Span<const vec3> cloth, body;  // m
  Span<const ivec3> triangle;
  int own = 0, unused = 0;  // explicit padding (see Span)

  HD vec3 point(int p) const { return p < cloth.size ? cloth[p] : body[p - cloth.size]; }
  HD crossing::Corners corners(int t) const {
    const ivec3 c = triangle[t];
    return {{dvec3(point(c.x)), dvec3(point(c.y)), dvec3(point(c.z))}};
  }
  HD Box box(int t) const {
    const ivec3 c = triangle[t];
    Box b{vec3(1e30f), vec3(-1e30f)};
    for (int k = 0; k < 3; ++k) {
      const vec3 p = point(c[k]);
      b.low = glm::min(b.low, p), b.high = glm::max(b.high, p);
    }
    return b;
  }
};

/// What a search has found.
struct Tally {
  int64_t pairs = 0;  // that cross, and triangles without area
  int open = 0;       // pairs that are to be decided on the host; more than there is room for: all are
  int crowded = 0;    // not 0: some triangle crosses so many that the search was given up
};

/// Pairs that are open (x < y), or triangles of which it is open whether they have area (x = y).
struct OpenPairs {
  Span<ivec2> pair;
  Span<Tally> tally;
  HD void add(int x, int y) const {
    const int at = atomic_add(&tally[0].open, 1);
    if (at < pair.size) pair[at] = {x, y};
  }
};

/// The places of a curve in equal parts: 2^depth leaves of a complete binary tree (surface_tree::View).
struct Leaves {
  int depth = 0, places = 0;
  HD int count() const { return 1 << depth; }
  HD int first(int leaf) const { return int(int64_t(leaf) * places >> depth); }
};

constexpr int kWithCloth = 1, kWithBody = 2;  // bits of a triangle: what crosses it

/// Place of each triangle along a curve through cells that repeats itself every 1024 cells; the curve of
/// bodies begins after that of the cloth. Places far from each other that share a cell cost time, no more.
struct CurveKeys {
  Surfaces of;
  float per_cell = 0;  // 1/m
  Span<uint32_t> key;
  Span<int> triangle;
  HD void operator()(int t) const {
    const ivec3 c = of.triangle[t];
    const vec3 sum = of.point(c.x) + of.point(c.y) + of.point(c.z);
    uint32_t place = t >= of.own ? 1u << 30 : 0;
    for (int a = 0; a < 3; ++a) {
      const float cell = floorf(sum[a] * (per_cell / 3));
      place |= spread(fabsf(cell) < 1e9f ? uint32_t(int(cell)) & 1023u : 0) << a;
    }
    key[t] = place;
    triangle[t] = t;
  }
  /// Ten bits, two places free after each.
  HD static uint32_t spread(uint32_t x) {
    x = (x | x << 16) & 0x30000ffu;
    x = (x | x << 8) & 0x300f00fu;
    x = (x | x << 4) & 0x30c30c3u;
    return (x | x << 2) & 0x9249249u;
  }
};

/// Boxes of the triangles of one leaf, in the order of the curve, and of the leaf.
struct TriangleBoxes {
  Surfaces of;
  Leaves leaves;
  Span<const int> order;
  Span<Box> of_triangle, of_node;
  HD void operator()(int leaf) const {
    Box all{vec3(1e30f), vec3(-1e30f)};
    const int end = leaves.first(leaf + 1);
    for (int place = leaves.first(leaf); place < end; ++place) {
      const Box b = of.box(order[place]);
      of_triangle[place] = b;
      all.low = glm::min(all.low, b.low), all.high = glm::max(all.high, b.high);
    }
    of_node[leaves.count() - 1 + leaf] = all;
  }
};

/// Triangles of the cloth without area, and what the others have crossed: nothing yet.
struct Areas {
  Surfaces of;
  OpenPairs open;
  Span<int> area, crossed;  // per triangle of the cloth: an Answer; bits
  HD void operator()(int t) const {
    const Answer answer = crossing::has_area<crossing::CertainSigns>(of.corners(t));
    area[t] = int(answer);
    crossed[t] = answer == Answer::apart ? kWithCloth : 0;
    if (answer == Answer::apart) atomic_add(&open.tally[0].pairs, int64_t(1));
    if (answer == Answer::open) open.add(t, t);
  }
};

/// Tests the triangles of the cloth in each leaf against those after them on the curve whose boxes overlap:
/// in the leaf, and below the right neighbour of each node that is a left child on the way up from it.
struct Cross {
  static constexpr int kMost = 10000;  // crossings of the triangles of a leaf
  Surfaces of;
  OpenPairs open;
  Span<const int> order, area;
  Span<const Box> of_triangle, of_node;
  Span<int> crossed;
  Leaves leaves;

  /// Places on the curve of triangles that ask, and what they have found.
  struct Asking {
    int begin, end, found;
  };

  HD void operator()(int leaf) const {
    const int end = leaves.first(leaf + 1), own = leaves.count() - 1 + leaf;
    Asking asking{leaves.first(leaf), glm::min(end, of.own), 0};
    if (asking.begin >= asking.end) return;
    for (int place = asking.begin; place < asking.end; ++place) test(asking, place, place + 1, end);
    for (int node = own; node > 0 && asking.found <= kMost; node = (node - 1) / 2)
      if (node % 2 == 1) descend(asking, of_node[own], node + 1);
    if (asking.found == 0) return;
    atomic_add(&open.tally[0].pairs, int64_t(asking.found));
    if (asking.found > kMost) atomic_or(&open.tally[0].crowded, 1);
  }
  HD void descend(Asking& asking, const Box& box, int from) const {
    const int first_leaf = leaves.count() - 1;
    int stack[32];  // one node per level, and one more
    int top = 0;
    stack[top++] = from;
    while (top > 0 && asking.found <= kMost) {
      const int node = stack[--top];
      if (!of_node[node].overlaps(box)) continue;
      if (node < first_leaf) {
        stack[top++] = 2 * node + 2, stack[top++] = 2 * node + 1;
        continue;
      }
      const int begin = leaves.first(node - first_leaf), end = leaves.first(node - first_leaf + 1);
      for (int place = asking.begin; place < asking.end; ++place)
        if (of_node[node].overlaps(of_triangle[place])) test(asking, place, begin, end);
    }
  }
  HD void test(Asking& asking, int own, int begin, int end) const {
    for (int place = begin; place < end; ++place)
      if (of_triangle[place].overlaps(of_triangle[own])) pair(asking, order[own], order[place]);
  }
  /// The first of a pair is of the cloth. Triangles without area are not tested against those after them.
  HD void pair(Asking& asking, int one, int other) const {
    const int a = glm::min(one, other), b = glm::max(one, other);
    const Answer has_area = Answer(area[a]);
    if (has_area == Answer::apart) return;
    Answer answer = Answer::open;
    if (has_area == Answer::meet)
      answer = crossing::cross<crossing::CertainSigns>(
          {of.triangle[a], of.triangle[b], of.corners(a), of.corners(b)});
    if (answer == Answer::open) open.add(a, b);
    if (answer != Answer::meet) return;
    ++asking.found;
    const int bit = b < of.own ? kWithCloth : kWithBody;
    atomic_or(&crossed[a], bit);
    if (b < of.own) atomic_or(&crossed[b], bit);
  }
};

}  // namespace weft::crossing_search
