// Kernels of PointSearch.
#pragma once
#include <cmath>

#include "sim/collision/proximity/neighbor_lists.h"
#include "sim/device/atomics.h"
#include "sim/device/run_kernels.h"

namespace weft::point_search {

constexpr int kSums = 32, kInSum = 8;  // evenly spread points whose mean motion represents all

/// Cell of the grid that holds p. Far out (beyond 1e9 cells) cells merge at the border, which costs time, not
/// pairs.
HD inline ivec3 cell_of(const vec3& p, float inv_cell) {
  ivec3 c;
  for (int a = 0; a < 3; ++a) {
    const float f = floorf(p[a] * inv_cell);
    c[a] = f < -1e9f ? -1000000000 : f > 1e9f ? 1000000000 : f == f ? int(f) : 0;
  }
  return c;
}

HD inline uint32_t hash_of(const ivec3& c) {
  uint32_t h = uint32_t(c.x) * 0x9e3779b1u ^ uint32_t(c.y) * 0x85ebca77u ^ uint32_t(c.z) * 0xc2b2ae3du;
  h ^= h >> 15;
  h *= 0x2c1b3c6du;
  return h ^ h >> 13;
}

/// Positions are rounded to half a unit in the last place each; the margin covers that.
HD inline float reach_of(const vec3& p, float radius) {
  return radius + 4e-7f * (fabsf(p.x) + fabsf(p.y) + fabsf(p.z) + radius);
}

/// Sums the motion of some points since the cache was built: common motion brings no two of them together.
/// Any reference motion would be valid.
struct SumDisplacements {
  Span<const vec3> base, offset, cached_at;
  Span<vec3> sums;  // kSums
  HD void operator()(int sum) const {
    vec3 moved(0);
    for (int k = 0; k < kInSum; ++k) {
      const int i = int((int64_t(sum) * kInSum + k) * base.size / (kSums * kInSum));
      moved += (base[i] - cached_at[i]) + offset[i];
    }
    sums[sum] = moved;
  }
};

/// Marks a cache that may miss a pair: some point has moved by more than `margin` against the mean, or it was
/// made for another radius.
struct CheckCache {
  Span<const vec3> base, offset, cached_at;
  Span<const vec3> sums;  // kSums
  float margin = 0;
  float reach = 0;                 // m: reach of a cache made now
  Span<const float> cached_reach;  // m, one element: reach of the present cache
  Span<int> stale;                 // one element
  HD void operator()(int i) const {
    if (i == 0 && cached_reach[0] != reach) atomic_or(&stale[0], 1);
    look(i, mean());
  }
  void sixteen(int first) const {
    const vec3 m = mean();
    if (first == 0 && cached_reach[0] != reach) atomic_or(&stale[0], 1);
    for (int i = first; i < first + kLanes && i < base.size; ++i) look(i, m);
  }

 private:
  HD vec3 mean() const {
    vec3 sum(0);
    for (int k = 0; k < kSums; ++k) sum += sums[k];
    return (1.0f / (kSums * kInSum)) * sum;
  }
  HD void look(int i, const vec3& mean) const {
    const vec3 displacement = (base[i] - cached_at[i]) + offset[i] - mean;
    if (!(glm::dot(displacement, displacement) <= margin * margin)) atomic_or(&stale[0], 1);
  }
};

struct HashPoints {
  Span<const vec3> base, offset;
  float inv_cell = 1;
  uint32_t mask = 0;
  Span<uint32_t> key;
  Span<int> order;
  Span<int> rebuilds;  // one element: how often this has been done
  HD void operator()(int i) const {
    if (i == 0) ++rebuilds[0];
    key[i] = hash_of(cell_of(base[i] + offset[i], inv_cell)) & mask;
    order[i] = i;
  }
};

/// First and last point of each bucket in the sorted order, and the points in that order.
struct FillBuckets {
  KeyRuns runs;
  Span<const int> order;
  Span<const vec3> base, offset;
  Span<vec3> sorted;
  HD void operator()(int k) const {
    runs(k);
    sorted[k] = base[order[k]] + offset[order[k]];
  }
};

/// Points in the order of their cells.
struct PointCells {
  Span<const int> order, begin, end;  // `begin` and `end`: per bucket
  Span<const vec3> sorted;
  float inv_cell = 1;
  uint32_t mask = 0;
};

/// Collects points near one point, from the 27 cells around it, ordered by cell and point. Only this kernel
/// records the positions of the cache: an abandoned rebuild leaves the old cache, and a truncated list is
/// never used as a cache, even if a step ends before it checks for overflow.
struct FillCache {
  PointCells cells;
  Span<const int> left_out_start, left_out;
  int strangers = 0;  // points from this number on are no neighbours of each other
  float radius = 0;
  NeighborLists lists;  // with counts and neighbours to be written:
  Span<int> count, neighbor;
  Span<vec3> cached_at;
  Span<float> cached_reach;  // one element
  Span<int> overflow;        // one element

  HD void operator()(int k) const {
    if (k == 0) cached_reach[0] = radius;
    const int i = cells.order[k];
    const vec3 p = cells.sorted[k];
    const ivec3 own = cell_of(p, cells.inv_cell);
    const float reach = reach_of(p, radius), reach2 = reach * reach;
    int found = 0;
    for (int n = 0; n < 27; ++n) {
      const ivec3 cell = own + ivec3(n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1);
      const int bucket = int(hash_of(cell) & cells.mask);
      const int last = cells.end[bucket];
      for (int o = cells.begin[bucket]; o < last; ++o) {
        const vec3 d = cells.sorted[o] - p;
        if (!(glm::dot(d, d) <= reach2)) continue;
        const int j = cells.order[o];
        // Two of the cells may share a bucket: a point belongs to its own cell only.
        if (j == i || is_left_out(i, j) || cell_of(cells.sorted[o], cells.inv_cell) != cell) continue;
        if (found < lists.width) neighbor[lists.at(i, found)] = j;
        ++found;
      }
    }
    if (found > lists.width) atomic_max(&overflow[0], found);
    cached_at[i] = found > lists.width ? vec3(NAN) : p;
    count[i] = found > lists.width ? lists.width : found;
  }

  HD bool is_left_out(int i, int j) const {
    if (i >= strangers && j >= strangers) return true;
    for (int o = left_out_start[i]; o < left_out_start[i + 1]; ++o)
      if (left_out[o] >= j) return left_out[o] == j;
    return false;
  }
};

/// The neighbours of one point from the cache, in ascending order, so that they do not depend on the cache's
/// age.
struct FilterCache {
  Span<const vec3> base, offset;
  NeighborLists cache;
  float radius = 0;
  NeighborLists lists;
  Span<int> count, neighbor;
  Span<int> overflow;  // one element

  HD void operator()(int i) const {
    const vec3 b = base[i], u = offset[i];
    const float reach = reach_of(b + u, radius), reach2 = reach * reach;
    const int before = count[i];
    int found = 0;
    for (int k = 0; k < cache.count[i]; ++k) {
      const int j = cache.neighbor[cache.at(i, k)];
      const vec3 d = (base[j] - b) + (offset[j] - u);
      if (!(glm::dot(d, d) <= reach2)) continue;
      if (found < lists.width) insert(i, found, j);
      ++found;
    }
    if (found > lists.width) {
      atomic_max(&overflow[0], found);
      found = lists.width;
    }
    count[i] = found;
    for (int k = found; k < before; ++k) neighbor[lists.at(i, k)] = i;
  }

  HD void insert(int i, int found, int j) const {
    int k = found;
    for (; k > 0 && neighbor[lists.at(i, k - 1)] > j; --k)
      neighbor[lists.at(i, k)] = neighbor[lists.at(i, k - 1)];
    neighbor[lists.at(i, k)] = j;
  }
};

}  // namespace weft::point_search
