// Kernels of TriangleSearch that select the pairs within the radius from the candidates, and compute their
// closest features and the pairs of every point.
#pragma once
#include "sim/collision/proximity/candidate_kernels.h"
#include "sim/collision/proximity/pair_list.h"
#include "sim/collision/proximity/part_radii.h"
#include "sim/device/atomics.h"
#include "sim/geometry/primitive_distance.h"
#include "sim/geometry/squared_distance.h"

namespace weft::triangle_search {

/// Distance and closest features of the candidates, 16 side by side; no feature beyond the radius. Uncertain
/// cases within rounding count as within.
template <bool kEdges>
struct TestCandidates {
  Span<const vec3> position;
  Span<const int> points;
  float radius = 0;
  Span<float> distance, support;
  HD void operator()(int i) const { row<OneRow>(i); }
  HD void sixteen(int first) const { row<SixteenRows>(first); }
  template <class L>
  HD void row(int i) const {
    using R = typename L::Real;
    Vec3<R> x[4];
    for (int k = 0; k < 4; ++k) x[k] = L::gather(position.data, &points[interleaved(i, k, 4)]);
    const PairDistance<R> d = kEdges ? edge_edge_distance<L>(x) : vertex_triangle_distance<L>(x);
    const R reach = L::splat(radius) + L::splat(kDistanceRounding) * L::root(d.size_squared);
    const R finite = d.size_squared - d.size_squared;  // 0, or NaN if not finite
    L::store(&distance[i], L::root(d.squared));
    L::store(&support[i], L::where(reach * reach - d.squared + finite, d.support));
  }
};

// Marks of cloth that a body passes through, and of the points of bodies that do: cloth is kept out of itself
// there all the same.
constexpr int kPassedMark = 4, kPassesMark = 16;

/// Takes back the pairs of which all four points have a mark in common; kPassedMark counts only in pairs with
/// a point that kPassesMark marks. Of those that are nearer than
/// `parted` (m) the points remember the mark.
struct LeaveOut {
  Span<const int> points;
  Span<const int> marks;  // per point, bits
  Span<const float> distance;
  float parted = 0;
  Span<float> support;
  Span<int> still_near;  // per point, as marks
  HD void operator()(int i) const {
    int common = ~kPassesMark, any = 0;
    for (int k = 0; k < 4; ++k) {
      const int mark = marks[points[interleaved(i, k, 4)]];
      common &= mark, any |= mark;
    }
    if (!(any & kPassesMark)) common &= ~kPassedMark;
    if (common && support[i] > 0 && distance[i] < parted)
      for (int k = 0; k < 4; ++k) atomic_or(&still_near[points[interleaved(i, k, 4)]], common);
    if (common) support[i] = 0;
  }
};

/// Within one rigid body there are no pairs.
struct LeaveOutBodies {
  Span<const int> points;
  Span<const int> body;  // per point, or -1
  Span<float> support;
  HD void operator()(int i) const {
    const int own = body[points[interleaved(i, 0, 4)]];
    bool same = own >= 0;
    for (int k = 1; k < 4; ++k) same &= body[points[interleaved(i, k, 4)]] == own;
    if (same) support[i] = 0;
  }
};

/// Takes back the pairs beyond `radius` (m) that have no radii, or less, of their own.
struct LeaveOutThin {
  Span<const vec3> position;
  Span<const int> points;
  bool vertex_triangle = true;
  float radius = 0;
  PartRadii radii;
  Span<const float> distance;
  Span<float> support;
  HD void operator()(int i) const {
    if (!(support[i] > 0)) return;
    ivec4 p;
    float size = 0;
    for (int k = 0; k < 4; ++k) {
      p[k] = points[interleaved(i, k, 4)];
      const vec3 d = position[p[k]] - position[p[0]];
      size += 4 * glm::dot(d, d);  // at least as much as TestCandidates takes
    }
    const float beyond = distance[i] - radius - kDistanceRounding * sqrtf(size);
    if (!(beyond > 0)) return;
    const int second = vertex_triangle ? 1 : 2;
    float wide[2] = {0, 0};
    for (int k = 0; k < 4; ++k) wide[k >= second] = glm::max(wide[k >= second], radii.width(p[k]));
    if (beyond > wide[0] + wide[1] || radii.beside(p, vertex_triangle)) support[i] = 0;
  }
};

/// Points that were in a pair with a covered point are covered as well: what meets it may push them.
struct CoverPartners {
  Span<const ivec4> points;
  Span<int> covered;  // 1; 2: by this
  HD void operator()(int i) const {
    const ivec4 p = points[i];
    int any = 0;
    for (int k = 0; k < 4; ++k) any |= atomic_read(&covered[p[k]]) & 1;
    for (int k = 0; any && k < 4; ++k) atomic_or(&covered[p[k]], 2);
  }
};

/// Pairs per row.
struct CountPairs {
  Span<const int> start;
  Span<const float> support;
  Span<int> count;
  HD void operator()(int row) const {
    int found = 0;
    const int end = row_end(start, row, support.size);
    for (int c = row_begin(start, row, support.size); c < end; c += kLanes)
      found += bits_in(positive(&support[c], end - c < kLanes ? end - c : kLanes));
    count[row] = found;
  }
};

/// The lowest and highest of the triangle's points with weight, for an edge or a corner; {-1, -1} for the
/// face.
HD inline ivec2 feature_of(const ivec4& points, int support) {
  ivec2 f(0x7fffffff, -1);
  for (int k = 1; k < 4; ++k) {
    if (!(support >> k & 1)) continue;
    f.x = points[k] < f.x ? points[k] : f.x;
    f.y = points[k] > f.y ? points[k] : f.y;
  }
  return support == 15 ? ivec2(-1) : f;
}

/// The row's pairs, in the order of its candidates. An edge that meets an edge at an end is a vertex and an
/// edge, or two vertices: such contacts belong to the vertex-triangle pairs, but for those of lines (see
/// ChooseLineOwners) and of two grains, which are edges from a point to itself.
struct ListPairs {
  CandidateRows candidates;
  Span<const float> distance, support;
  Span<const int> pair_start;
  Span<ivec4> pair_points;
  Span<ivec2> primitives;
  Span<int> pair_support;
  Span<float> pair_distance;
  Span<ivec2> feature;  // see ChooseOwners; empty for edges
  HD void operator()(int row) const {
    int at = row_begin(pair_start, row, pair_points.size);
    const int room = row_end(pair_start, row, pair_points.size),
              end = row_end(candidates.start, row, candidates.item.size);
    int kept[kLanes];
    for (int c = row_begin(candidates.start, row, candidates.item.size); c < end; c += kLanes) {
      const int found = append_places(kept, c, positive(&support[c], end - c < kLanes ? end - c : kLanes));
      for (int k = 0; k < found && at < room; ++k) write(row, kept[k], at++);
    }
  }
  HD void write(int row, int c, int at) const {
    const int s = int(support[c]);
    const int* p = &candidates.points[interleaved(c, 0, 4)];
    const ivec4 points(p[0], p[kLanes], p[2 * kLanes], p[3 * kLanes]);
    pair_points[at] = points;
    if (!feature.empty()) feature[at] = feature_of(points, s);
    primitives[at] = {row, candidates.item[c]};
    const bool grains = p[0] == p[kLanes] && p[2 * kLanes] == p[3 * kLanes];
    pair_support[at] = s | (s == 15 || grains ? kOwner : 0);
    pair_distance[at] = distance[c];
  }
};

/// Among the vertex-triangle pairs that reduce to one vertex and one edge, the first owns the contact; among
/// those that reduce to two vertices the first of the lower vertex, if that vertex has such a pair, else of
/// the higher one.
struct ChooseOwners {
  Span<const int> pair_start;  // per vertex
  Span<const ivec4> points;
  Span<const ivec2> feature;  // closest feature of the triangle
  Span<int> support;
  HD void operator()(int i) const {
    const ivec2 own = feature[i];
    if (own.x < 0) return;
    const int vertex = points[i].x;
    if (has(vertex, i, own)) return;
    if (own.x == own.y && own.x < vertex && has(own.x, feature.size, ivec2(vertex))) return;
    support[i] |= kOwner;
  }
  /// True if the row of `vertex` has a pair before `end` with this feature.
  HD bool has(int vertex, int end, const ivec2& own) const {
    const int last = row_end(pair_start, vertex, feature.size);
    for (int i = row_begin(pair_start, vertex, feature.size); i < last && i < end; ++i)
      if (feature[i].x == own.x && feature[i].y == own.y) return true;
    return false;
  }
};

/// One side of a pair of edges by its closest point: a vertex at an end of the edge, or -1: inside of it.
struct EdgeSide {
  int edge = 0, vertex = -1;
  HD bool operator==(const EdgeSide& o) const { return edge == o.edge && vertex == o.vertex; }
};

/// Lines of strands, and grains, have no triangles: no vertex-triangle pair stands for a vertex and the
/// inside of a line's edge, nor for two vertices without triangles. Of the edge-edge pairs that reduce to
/// such two features the one with the lowest edges owns the contact.
struct ChooseLineOwners {
  Span<const int> pair_start;  // per edge
  Span<const ivec4> points;
  Span<const ivec2> primitives;
  Span<const int> triangles_start;     // per point
  Span<const int> edges_start, edges;  // per point: 4 edge + place
  Span<int> support;
  HD void operator()(int i) const {
    if (atomic_read(&support[i]) & kOwner) return;
    EdgeSide a = side(i, 0), b = side(i, 2);
    const bool vertices = a.vertex >= 0 && b.vertex >= 0;
    // in the same order, whichever edge the pair has first
    if (b.vertex >= 0 && (a.vertex < 0 || b.vertex < a.vertex)) {
      const EdgeSide first = a;
      a = b, b = first;
    }
    const bool lines =
        vertices ? bare(a.vertex) && bare(b.vertex) : bare(points[i][primitives[i].x == b.edge ? 0 : 2]);
    if (lines && !has_lower(a, b)) atomic_or(&support[i], kOwner);
  }
  /// Whether a point has no triangles.
  HD bool bare(int p) const { return triangles_start[p] == triangles_start[p + 1]; }
  /// The side of pair i whose edge starts at place `first`.
  HD EdgeSide side(int i, int first) const {
    const int bits = atomic_read(&support[i]) >> first & 3;
    return {first ? primitives[i].y : primitives[i].x,
            bits == 3 ? -1 : points[i][first + (bits & 1 ? 0 : 1)]};
  }
  HD int count(const EdgeSide& s) const {
    return s.vertex < 0 ? 1 : edges_start[s.vertex + 1] - edges_start[s.vertex];
  }
  HD EdgeSide other(const EdgeSide& s, int k) const {
    return s.vertex < 0 ? s : EdgeSide{edges[edges_start[s.vertex] + k] / 4, s.vertex};
  }
  /// Whether a pair of lower edges has the same features.
  HD bool has_lower(const EdgeSide& a, const EdgeSide& b) const {
    for (int k = 0; k < count(a); ++k)
      for (int l = 0; l < count(b); ++l) {
        const EdgeSide c = other(a, k), d = other(b, l);
        const bool lower = c.edge < a.edge || (c.edge == a.edge && d.edge < b.edge);
        if (lower && (listed(c, d) || listed(d, c))) return true;
      }
    return false;
  }
  HD bool listed(const EdgeSide& first, const EdgeSide& second) const {
    const int end = row_end(pair_start, first.edge, points.size);
    for (int i = row_begin(pair_start, first.edge, points.size); i < end; ++i)
      if (primitives[i].y == second.edge) return side(i, 0) == first && side(i, 2) == second;
    return false;
  }
};

/// Second primitive (triangle or higher edge) of each pair, to sort pairs by. Beyond the last pair:
/// `seconds`.
struct KeySeconds {
  Span<const int> pair_count;
  Span<const ivec2> primitives;
  int seconds = 0;  // number of such primitives
  Span<uint32_t> key;
  Span<int> pair;
  HD void operator()(int i) const {
    key[i] = uint32_t(i < pair_count[0] ? primitives[i].y : seconds);
    pair[i] = i;
  }
};

/// The pairs of one point: first those whose first primitive contains it, then those whose second primitive
/// does. First counted, then written. Entries are 4 pair + place.
template <bool kEdges>
struct ListOfPoint {
  // per point its edges (kEdges) or triangles: 4 primitive + place there
  Span<const int> around_start, around;
  Span<const int> pair_start, second_begin, second_end, second;
  int capacity = 0;  // pairs
  bool fill = false;
  Span<int> count;
  Span<const int> start;
  Span<int> entry;

  HD void operator()(int p) const {
    int found = fill ? start[p] : 0;
    if (!kEdges) found = first(p, 0, found);
    for (int k = around_start[p]; k < around_start[p + 1]; ++k) {
      const int primitive = around[k] >> 2, place = around[k] & 3;
      if (kEdges) found = first(primitive, place, found);
      const int begin = second_begin[primitive], end = second_end[primitive];
      if (fill)
        for (int s = begin; s < end; ++s) entry[found + s - begin] = 4 * second[s] + (kEdges ? 2 : 1) + place;
      found += end - begin;
    }
    if (!fill) count[p] = found;
  }
  HD int first(int row, int place, int found) const {
    const int begin = row_begin(pair_start, row, capacity), end = row_end(pair_start, row, capacity);
    if (fill)
      for (int i = begin; i < end; ++i) entry[found + i - begin] = 4 * i + place;
    return found + end - begin;
  }
};

}  // namespace weft::triangle_search
