// Kernels of GridProximity.
#pragma once
#include "sim/collision/proximity/point_search_kernels.h"
#include "sim/device/atomics.h"
#include "sim/device/launch.h"
#include "sim/grid/contact.h"
#include "sim/grid/grid_view.h"
#include "sim/grid/rest_lists.h"
#include "sim/grid/seam_kernels.h"

namespace weft::grid_repulsion {

using point_search::hash_of;

constexpr int kSide = grid::kCollisionSide, kMembers = kSide * kSide;

/// Collision blocks of a grid.
struct Tiling {
  grid::GridView grid;

  HD int per_row() const { return grid.width() / kSide; }
  HD int per_block() const { return per_row() * per_row(); }
  HD int count() const { return grid.blocks * per_block(); }
  HD int block_of(int c) const { return c / per_block(); }
  HD int first_x(int c) const { return c % per_block() % per_row() * kSide; }
  HD int first_y(int c) const { return c % per_block() / per_row() * kSide; }
  /// Slot of member k, row by row.
  HD int member(int c, int k) const {
    const int w = grid.width();
    return (block_of(c) * w + first_y(c) + k / kSide) * w + first_x(c) + k % kSide;
  }
  /// The collision block (dx, dy) beside c, at most one away; -1: none.
  HD int beside(int c, int dx, int dy) const {
    const int v = grid.slot(block_of(c), first_x(c) + kSide * dx, first_y(c) + kSide * dy);
    if (v < 0) return -1;
    return grid::collision_block(v, grid.width());
  }
  /// Ghosts of closed boundaries meet nothing.
  HD bool meets(int v) const { return grid.inside(v) && !grid.ghost(v); }
  HD bool neighbors(int c, int d) const {
    for (int k = 0; k < 9; ++k)
      if (beside(c, k % 3 - 1, k / 3 - 1) == d) return true;
    return false;
  }
};

/// Ball around a collision block, in the world: centre and radius, -1 for an empty one.
struct BoundBlocks {
  Tiling tiling;
  grid::FixedPositions x;
  Span<vec4> ball;
  Span<float> radius;
  HD void operator()(int c) const {
    vec3 low(1e30f), high(-1e30f);
    for (int k = 0; k < kMembers; ++k) {
      const int v = tiling.member(c, k);
      if (!tiling.meets(v)) continue;
      const vec3 p = x.world(v);
      low = glm::min(low, p), high = glm::max(high, p);
    }
    if (low.x > high.x) {
      ball[c] = vec4(0, 0, 0, -1);
      radius[c] = 0;
      return;
    }
    const vec3 center = 0.5f * (low + high);
    float most = 0;
    for (int k = 0; k < kMembers; ++k) {
      const int v = tiling.member(c, k);
      if (!tiling.meets(v)) continue;
      const vec3 d = x.world(v) - center;
      most = fmaxf(most, glm::dot(d, d));
    }
    // World positions are rounded to half a unit in the last place.
    const float slack = 4e-7f * (fabsf(center.x) + fabsf(center.y) + fabsf(center.z));
    radius[c] = 1.00001f * sqrtf(most) + slack;
    ball[c] = vec4(center, radius[c]);
  }
};

/// Cells in which two blocks that touch lie beside each other: as wide as the largest ball's diameter and the
/// reach.
HD inline float inverse_cell(Span<const float> largest, float reach) {
  return 0.999f / (2 * largest[0] + reach + 1e-20f);
}

HD inline ivec3 cell_of(const vec4& ball, float inverse) {
  ivec3 c;
  for (int a = 0; a < 3; ++a) c[a] = int(fminf(fmaxf(floorf(ball[a] * inverse), -1e9f), 1e9f));
  return c;
}
struct HashBlocks {
  Span<const vec4> ball;
  Span<const float> largest;
  float reach = 0;
  uint32_t mask = 0;
  Span<uint32_t> key;
  Span<int> order;
  HD void operator()(int c) const {
    key[c] = hash_of(cell_of(ball[c], inverse_cell(largest, reach))) & mask;
    order[c] = c;
  }
};

/// Long-range pairs of one block: others whose balls come within the reach and that are not its neighbours.
/// Counts them, or writes those that fit from start[c] on.
struct LongRange {
  Tiling tiling;
  Span<const vec4> ball;
  Span<const float> largest;
  Span<const int> order, begin, end;
  float reach = 0;
  uint32_t mask = 0;
  Span<int> count;
  Span<const int> start;  // empty: count
  Span<int> other;

  HD void operator()(int c) const {
    const vec4 own = ball[c];
    int found = 0;
    if (own.w >= 0) {
      const float inverse = inverse_cell(largest, reach);
      const ivec3 at = cell_of(own, inverse);
      for (int k = 0; k < 27; ++k) {
        const ivec3 cell = at + ivec3(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
        const int bucket = int(hash_of(cell) & mask);
        for (int o = begin[bucket]; o < end[bucket]; ++o) {
          const int d = order[o];
          if (!touches(own, ball[d]) || cell_of(ball[d], inverse) != cell || tiling.neighbors(c, d)) continue;
          if (!start.empty() && start[c] + found < other.size) other[start[c] + found] = d;
          ++found;
        }
      }
    }
    if (start.empty()) count[c] = found;
  }
  HD bool touches(const vec4& a, const vec4& b) const {
    if (b.w < 0) return false;
    const vec3 d = vec3(b) - vec3(a);
    const float far = a.w + b.w + reach;
    return glm::dot(d, d) <= far * far;
  }
};

/// How far vertices may move before the next search, so that none passes through a layer unseen. Half of what
/// two vertices that are more than two rings apart on the grid have between them: up to `meet` while they are
/// on no list, up to `keep` once they are.
struct PathLimits {
  float reach = 0;  // m: others farther away than this count as if they were there; 0: no limits
  float meet = 0;   // m: where vertices begin to push each other away (R^self)
  float keep = 0;   // m: nearer than this triangles can pass between vertices
  float least = 0;  // m: limit of vertices that are too near already
  float share = 1;  // of the limit that is reported: 1 / n for each of n iterations
};

/// Pairs of vertices nearer than `radius` that are no neighbours on the grid: of every vertex of a collision
/// block with its own block, the eight beside it (short range) and the long-range ones. Counts them by rows
/// of four and finds the block's limit, or writes them.
struct FindContacts {
  Tiling tiling;
  grid::FixedPositions x;
  grid::RestView rest;  // of a gathered sheet: distances that count as near are scaled by it
  float radius = 0;     // m, where it is not gathered
  float widest = 0;     // m, the largest of them
  Span<const grid::SeamPair>
      sewn;  // pairs across seams, sorted: none is a contact whose path is shorter than the radius
  PathLimits limits;
  Span<const int> long_start, other;
  Span<int> count;           // per four slots
  Span<float> longest_path;  // per collision block, m
  Span<const int> start;     // empty: count
  Span<grid::Contact> contact;

  struct Members {
    float x[kMembers], y[kMembers], z[kMembers];
  };
  /// Least squared distances (m²) of vertices more than two rings apart, by places of the other one in its
  /// block.
  struct Nearest {
    float listed[kMembers], free[kMembers];
  };

  HD void operator()(int c) const {
    const int b = tiling.block_of(c);
    Members near[9];
    int beside[9];
    for (int n = 0; n < 9; ++n) {
      beside[n] = tiling.beside(c, n % 3 - 1, n / 3 - 1);
      if (beside[n] >= 0) place(b, beside[n], near[n]);
    }
    const Members& own = near[4];
    Nearest nearest;
    for (int l = 0; l < kMembers; ++l) nearest.listed[l] = nearest.free[l] = 1e30f;
    const bool limited = start.empty() && limits.reach > 0;
    for (int row = 0; row < kSide; ++row) {
      const int first = tiling.member(c, kSide * row);
      int found = 0;
      const int at = start.empty() ? 0 : start[first / kSide];
      for (int k = kSide * row; k < kSide * (row + 1); ++k) {
        const int v = tiling.member(c, k);
        if (!tiling.meets(v)) continue;
        const vec3 p(own.x[k], own.y[k], own.z[k]);
        const Sewn across = sewn_to(v);
        // member (i, j) lies (i + 4 dx - k % 4, j + 4 dy - k / 4) cells from the vertex
        for (int n = 0; n < 9; ++n) {
          if (beside[n] < 0) continue;
          const int off_x = kSide * (n % 3 - 1) - k % kSide, off_y = kSide * (n / 3 - 1) - k / kSide;
          test(v, p, across, beside[n], near[n], off_x, off_y, at, found);
          if (limited) measure(p, across, beside[n], near[n], off_x, off_y, nearest);
        }
        for (int o = long_start[c]; o < long_start[c + 1] && o < other.size; ++o) {
          Members far;
          place(b, other[o], far);
          test(v, p, across, other[o], far, kFar, kFar, at, found);
          if (limited) measure(p, across, other[o], far, kFar, kFar, nearest);
        }
      }
      if (start.empty()) count[first / kSide] = found;
    }
    if (limited) longest_path[c] = limit(nearest);
  }
  /// Entries of `sewn` of one vertex.
  struct Sewn {
    int first = 0, end = 0;
  };
  HD Sewn sewn_to(int v) const {
    int low = 0, high = sewn.size;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (sewn[middle].vertex < v) low = middle + 1;
      else high = middle;
    }
    Sewn out{low, low};
    while (out.end < sewn.size && sewn[out.end].vertex == v) ++out.end;
    return out;
  }
  /// Whether another vertex is sewn to it by a path shorter than `within`, m.
  HD bool is_sewn(const Sewn& across, int w, float within) const {
    for (int k = across.first; k < across.end; ++k)
      if (sewn[k].other == w && sewn[k].path < within) return true;
    return false;
  }
  /// Takes members that are sewn to a vertex out of its sight.
  HD void hide_sewn(const Sewn& across, int d, Members& m) const {
    for (int l = 0; l < kMembers; ++l)
      if (is_sewn(across, tiling.member(d, l), 1e30f)) m.x[l] = 1e15f;
  }
  HD void measure(const vec3& p, const Sewn& across, int d, const Members& all, int off_x, int off_y,
                  Nearest& nearest) const {
    if (across.first < across.end) {
      Members seen = all;
      hide_sewn(across, d, seen);
      return measure(p, seen, off_x, off_y, nearest);
    }
    measure(p, all, off_x, off_y, nearest);
  }
  HD void measure(const vec3& p, const Members& m, int off_x, int off_y, Nearest& nearest) const {
    const float r2 = radius * radius;
    for (int l = 0; l < kMembers; ++l) {
      const int i = l % kSide + off_x, j = l / kSide + off_y;
      const float x = m.x[l] - p.x, y = m.y[l] - p.y, z = m.z[l] - p.z;
      const float d2 = i * i > 4 || j * j > 4 ? x * x + y * y + z * z : 1e30f;
      const float listed = d2 < r2 ? d2 : 1e30f, free = d2 < r2 ? 1e30f : d2;
      nearest.listed[l] = listed < nearest.listed[l] ? listed : nearest.listed[l];
      nearest.free[l] = free < nearest.free[l] ? free : nearest.free[l];
    }
  }
  HD float limit(const Nearest& nearest) const {
    float listed = 1e30f, free = limits.reach * limits.reach;
    for (int l = 0; l < kMembers; ++l)
      listed = fminf(listed, nearest.listed[l]), free = fminf(free, nearest.free[l]);
    const float room = fminf(sqrtf(listed) - limits.keep, sqrtf(free) - limits.meet);
    return limits.share * fmaxf(0.5f * room, limits.least);
  }
  static constexpr int kFar = 1000;  // cells: no neighbour

  /// Positions of a block's members relative to the origin of block b of the grid; far away where there is no
  /// vertex.
  HD void place(int b, int c, Members& m) const {
    for (int k = 0; k < kMembers; ++k) {
      const int v = tiling.member(c, k);
      const vec3 p = tiling.meets(v) ? x.seen_from(b, v) : vec3(1e15f);
      m.x[k] = p.x, m.y[k] = p.y, m.z[k] = p.z;
    }
  }
  HD void test(int v, const vec3& p, const Sewn& across, int d, const Members& m, int off_x, int off_y,
               int at, int& found) const {
    const float r2 = widest * widest;
    int close[kMembers], any = 0;
    for (int l = 0; l < kMembers; ++l) {
      const float x = m.x[l] - p.x, y = m.y[l] - p.y, z = m.z[l] - p.z;
      close[l] = x * x + y * y + z * z < r2;
      any |= close[l];
    }
    if (!any) return;
    for (int l = 0; l < kMembers; ++l) {
      const int i = l % kSide + off_x, j = l / kSide + off_y;
      if (!close[l] || itself_or_neighbor(i, j) || is_sewn(across, tiling.member(d, l), radius)) continue;
      if (!rest.list.empty()) {
        const float x = m.x[l] - p.x, y = m.y[l] - p.y, z = m.z[l] - p.z;
        const float near = radius * rest.reach_scale(v, tiling.member(d, l));
        if (x * x + y * y + z * z >= near * near) continue;
      }
      if (!start.empty() && at + found < contact.size) contact[at + found] = {v, tiling.member(d, l)};
      ++found;
    }
  }
  HD static bool itself_or_neighbor(int i, int j) {
    return (i == j && i >= -1 && i <= 1) || (i * j == 0 && i + j >= -1 && i + j <= 1);
  }
};

/// Where the contacts of each block of the grid begin, limited to those that were written.
struct BlockStarts {
  Span<const int> start;  // per four slots, with the total at the end
  int rows_per_block = 16, capacity = 0;
  Span<int> block_start;
  HD void operator()(int b) const {
    const int s = start[b * rows_per_block];
    block_start[b] = s < capacity ? s : capacity;
  }
};

/// How many entries a list lacked room for: raises `needed` if there are more than fit.
struct CheckRoom {
  Span<const int> total;
  int capacity = 0;
  Span<int> needed;
  HD void operator()(int) const {
    if (total[0] > capacity && total[0] > needed[0]) needed[0] = total[0];
  }
};

}  // namespace weft::grid_repulsion
