// Kernels of TriangleSearch that keep the pairs within the radius out of the candidates, say where their closest points are and which pairs
// every point is in.
#pragma once
#include "sim/collision/proximity/candidate_kernels.h"
#include "sim/collision/proximity/pair_list.h"
#include "sim/geometry/primitive_distance.h"
#include "sim/geometry/squared_distance.h"

namespace weft::triangle_search {

/// 1 for candidates within the radius, 0 for others, 16 side by side. What rounding leaves in doubt is within.
template <bool kEdges>
struct TestCandidates {
  Span<const vec3> position;
  Span<const int> points;
  float radius = 0;
  Span<float> within;
  HD void operator()(int i) const { row<OneRow>(i); }
  HD void sixteen(int first) const { row<SixteenRows>(first); }
  template <class L>
  HD void row(int i) const {
    using R = typename L::Real;
    Vec3<R> x[4];
    for (int k = 0; k < 4; ++k) x[k] = L::gather(position.data, &points[interleaved(i, k, 4)]);
    const SquaredDistance<L> d = kEdges ? squared_edge_edge<L>(x) : squared_vertex_triangle<L>(x);
    const R reach = L::splat(radius) + L::splat(kDistanceRounding) * L::root(d.size_squared);
    L::store(&within[i], L::where(reach * reach - d.squared, L::splat(1)));
  }
};

/// Pairs per row.
struct CountPairs {
  Span<const int> start;
  Span<const float> within;
  Span<int> count;
  HD void operator()(int row) const {
    float sum = 0;
    const int end = row_end(start, row, within.size);
    for (int c = row_begin(start, row, within.size); c < end; ++c) sum += within[c];
    count[row] = int(sum);
  }
};

/// Puts values[0, count) in ascending order of key(value): insertion for short rows, a heap for long ones.
template <class Key>
HD inline void sort_row(int* values, int count, const Key& key) {
  if (count <= 32) {
    for (int i = 1; i < count; ++i) {
      const int v = values[i], own = key(v);
      int k = i;
      for (; k > 0 && key(values[k - 1]) > own; --k) values[k] = values[k - 1];
      values[k] = v;
    }
    return;
  }
  const auto sink = [&](int at, int end) {
    const int v = values[at], own = key(v);
    for (int child = 2 * at + 1; child < end; child = 2 * at + 1) {
      if (child + 1 < end && key(values[child + 1]) > key(values[child])) ++child;
      if (key(values[child]) <= own) break;
      values[at] = values[child];
      at = child;
    }
    values[at] = v;
  };
  for (int i = count / 2 - 1; i >= 0; --i) sink(i, count);
  for (int end = count - 1; end > 0; --end) {
    const int v = values[end];
    values[end] = values[0];
    values[0] = v;
    sink(0, end);
  }
}

/// The row's pairs: which candidates, in ascending order of the second primitive.
struct ListPairs {
  Span<const int> start;          // of candidates
  Span<const float> within;
  Span<const int> item;
  Span<const int> pair_start;
  Span<int> candidate;            // per pair
  Span<ivec2> primitives;
  HD void operator()(int row) const {
    const int first = row_begin(pair_start, row, candidate.size), room = row_end(pair_start, row, candidate.size) - first;
    if (room == 0) return;
    int found = 0;
    const int end = row_end(start, row, within.size);
    for (int c = row_begin(start, row, within.size); c < end && found < room; ++c)
      if (within[c] > 0) candidate[first + found++] = c;
    const int* items = item.data;
    sort_row(&candidate[first], found, [items](int c) { return items[c]; });
    for (int k = 0; k < found; ++k) primitives[first + k] = {row, item[candidate[first + k]]};
  }
};

/// Points, distance and closest features of each pair.
template <bool kEdges>
struct DescribePairs {
  Span<const vec3> position;
  Span<const int> candidate, candidate_points;
  Span<ivec4> points;
  Span<int> support;
  Span<float> distance;
  HD void operator()(int i) const {
    ivec4 p;
    for (int k = 0; k < 4; ++k) p[k] = candidate_points[interleaved(candidate[i], k, 4)];
    const vec3 x0 = position[p.x], x1 = position[p.y], x2 = position[p.z], x3 = position[p.w];
    const ClosestPair<float> c = kEdges ? closest_edge_edge(x0, x1, x2, x3) : closest_vertex_triangle(x0, x1, x2, x3);
    points[i] = p;
    // An edge that meets an edge at an end is a vertex and an edge, or two vertices: the vertex-triangle pairs have those.
    support[i] = c.support | (c.support == 15 ? kOwner : 0);
    distance[i] = sqrtf(c.squared);
  }
};

/// Among the vertex-triangle pairs that reduce to one vertex and one edge, the one with the first triangle owns the contact; among those that
/// reduce to two vertices the first triangle of the lower vertex, if that vertex has such a pair, else of the higher one.
struct ChooseOwners {
  Span<const int> pair_start;  // per vertex
  Span<const ivec4> points;
  Span<int> support;
  HD void operator()(int i) const {
    const int own = support[i] & 15, size = support_size(own);
    if (size == 4) return;
    const int vertex = points[i].x;
    const ivec2 feature = second(points[i], own);
    if (has(vertex, i, feature, size)) return;
    if (size == 2 && feature.x < vertex && has(feature.x, points.size, {vertex, vertex}, size)) return;
    atomic_or(&support[i], kOwner);
  }
  /// Whether the row of `vertex` has a pair before `end` with these closest points.
  HD bool has(int vertex, int end, const ivec2& feature, int size) const {
    const int last = row_end(pair_start, vertex, points.size);
    for (int i = row_begin(pair_start, vertex, points.size); i < last && i < end; ++i) {
      const int s = load(i);
      if (support_size(s) == size && second(points[i], s) == feature) return true;
    }
    return false;
  }
  /// The four bits, which nobody changes here, beside the one that others may set.
  HD int load(int i) const {
#ifdef __CUDA_ARCH__
    return support[i] & 15;
#else
    return __atomic_load_n(&support[i], __ATOMIC_RELAXED) & 15;
#endif
  }
  /// The least and the greatest of the triangle's points that carry weight.
  HD static ivec2 second(const ivec4& p, int support) {
    ivec2 f(0x7fffffff, -1);
    for (int k = 1; k < 4; ++k) {
      if (!(support >> k & 1)) continue;
      f.x = p[k] < f.x ? p[k] : f.x;
      f.y = p[k] > f.y ? p[k] : f.y;
    }
    return f;
  }
};

struct CountPoints {
  Span<const ivec4> points;
  Span<int> count;
  HD void operator()(int i) const {
    for (int k = 0; k < 4; ++k)
      if (points[i][k] >= 0) atomic_add(&count[points[i][k]], 1);
  }
};

/// Writes each pair into the rows of its points in whatever order, to be sorted. `left`: entries that are still to come, per point.
struct ListPoints {
  Span<const ivec4> points;
  Span<const int> start;
  Span<int> left, entry;
  HD void operator()(int i) const {
    for (int k = 0; k < 4; ++k) {
      const int p = points[i][k];
      if (p >= 0) entry[start[p] + atomic_add(&left[p], -1) - 1] = 4 * i + k;
    }
  }
};

struct SortPoints {
  Span<const int> start;
  Span<int> entry;
  HD void operator()(int p) const {
    sort_row(entry.data + start[p], start[p + 1] - start[p], [](int v) { return v; });
  }
};

}  // namespace weft::triangle_search
