// Choice of edges with a sample until the next search, their neighbours, and tests of their constraints (Wu
// 2020, section 6.2).
#pragma once
#include "sim/collision/proximity/point_search_kernels.h"
#include "sim/collision/repulsion/fold_guard/fold_kernels.h"
#include "sim/collision/repulsion/phases/hard_kernels.h"

namespace weft::repulsion {

constexpr uint32_t kNoCell = 0xffffffffu;
// lower bound on `longest`, as a fraction of L, for an edge that may grow beyond L
constexpr float kLifted = 1.001f;

/// Midpoints of edges, and their maximum length before the next search.
struct MarkStretched {
  Span<const ivec2> ends;
  Span<const vec3> base, u, target;  // see AcceptAndAim
  float furthest = 0;                // m that a vertex moves towards its target before the next search
  float from = 0, max_edge = 0;      // L_ada, L; m
  Span<float> length;                // per edge: now or then, whichever is more, m
  Span<int> is_long, stretched;      // per edge: now beyond L; needs a sample
  HD vec3 ahead(int v) const {
    const vec3 displacement = target[v] - u[v];
    const float share = furthest / (sqrtf(glm::dot(displacement, displacement)) + 1e-20f);
    return u[v] + (share < 1 ? share : 1.0f) * displacement;
  }
  HD void operator()(int e) const {
    const ivec2 v = ends[e];
    const vec3 apart = base[v.y] - base[v.x], now = apart + (u[v.y] - u[v.x]),
               then = apart + (ahead(v.y) - ahead(v.x));
    const float l = sqrtf(glm::dot(now, now));
    length[e] = fmaxf(l, sqrtf(glm::dot(then, then)));
    is_long[e] = l > max_edge;
    stretched[e] = length[e] > from;
  }
};

/// No edge has a slot.
struct ClearSlots {
  Span<const ivec2> places;
  Span<int> slot_at;
  HD void operator()(int e) const { slot_at[places[e].x] = slot_at[places[e].y] = -1; }
};

struct CloseSamples {
  Span<const int> found;
  int room = 0;
  Span<int> count, wanted;  // one element each
  HD void operator()(int) const {
    count[0] = found[0] < room ? found[0] : room;
    if (found[0] > room) atomic_max(&wanted[0], found[0]);
  }
};

/// Assigns slots to samples and hashes them to cells. Launched for the whole capacity.
struct PlaceSamples {
  Span<const int> count, edge;
  Span<const ivec2> ends, places;
  Span<const vec3> base, u;
  float inv_cell = 1;
  uint32_t mask = 0;
  Span<int> slot_at, near_count;
  Span<vec3> position;
  Span<uint32_t> key;
  Span<int> order;
  HD void operator()(int s) const {
    order[s] = s;
    near_count[s] = 0;
    key[s] = kNoCell;
    if (s >= count[0]) return;
    const int e = edge[s];
    const ivec2 v = ends[e];
    slot_at[places[e].x] = slot_at[places[e].y] = s;
    position[s] = 0.5f * ((base[v.x] + u[v.x]) + (base[v.y] + u[v.y]));
    key[s] = point_search::hash_of(point_search::cell_of(position[s], inv_cell)) & mask;
  }
};

/// Samples near a place, from the 27 cells around it.
struct SampleGrid {
  Span<const int> begin, end, order;
  Span<const vec3> position;
  float inv_cell = 1, radius = 0;
  uint32_t mask = 0;
  template <class Look>
  HD void for_near(const vec3& p, const Look& look) const {
    using namespace point_search;
    const ivec3 own = cell_of(p, inv_cell);
    const float reach = reach_of(p, radius);
    for (int n = 0; n < 27; ++n) {
      const ivec3 cell = own + ivec3(n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1);
      const int bucket = int(hash_of(cell) & mask);
      for (int o = begin[bucket]; o < end[bucket]; ++o) {
        const int s = order[o];
        const vec3 d = position[s] - p;
        // Two of the cells may share a bucket: a sample belongs to its own cell only.
        if (glm::dot(d, d) <= reach * reach && cell_of(position[s], inv_cell) == cell) look(s);
      }
    }
  }
};

/// Points of which some corners are within two edges of each other, which the fold guard keeps apart
/// (exempt_pairs).
struct ExemptPoints {
  SampleRows rows;  // corners() is used
  NeighborLists near;
  HD bool within_two(int v, int w) const {
    if (v == w) return true;
    for (int k = 0; k < near.count[v]; ++k)
      if (near.neighbor[near.at(v, k)] == w) return true;
    return false;
  }
  HD bool operator()(int p, int q) const {
    const ivec2 a = rows.corners(p), b = rows.corners(q);
    return within_two(a.x, b.x) || (b.y != b.x && within_two(a.x, b.y)) ||
           (a.y != a.x && (within_two(a.y, b.x) || within_two(a.y, b.y)));
  }
};

/// A row of at most `width` entries in ascending order; counts entries that do not fit too.
struct SortedRow {
  Span<int> neighbor;
  NeighborLists places;  // at() is used
  int row = 0, found = 0;
  HD void insert(int entry) {
    int k = found < places.width ? found : -1;
    ++found;
    if (k < 0) return;
    for (; k > 0 && neighbor[places.at(row, k - 1)] > entry; --k)
      neighbor[places.at(row, k)] = neighbor[places.at(row, k - 1)];
    neighbor[places.at(row, k)] = entry;
  }
};

/// Samples near each vertex; and each vertex into the rows of those samples, in any order.
struct SamplesNearVertices {
  SampleGrid grid;
  ExemptPoints exempt;
  Span<const vec3> base, u;
  Span<int> count, neighbor, sample_count, sample_neighbor;  // output for SampleRows::of_vertex and of_sample
  Span<int> wanted;                                          // one element: places per vertex
  HD void operator()(int i) const {
    const SampleRows& r = exempt.rows;
    SortedRow row{neighbor, r.of_vertex, i};
    grid.for_near(base[i] + u[i], [&](int s) {
      if (exempt(i, r.vertices + s)) return;
      row.insert(s);
      const int place = atomic_add(&sample_count[s], 1);
      if (place < r.of_sample.width) sample_neighbor[r.of_sample.at(s, place)] = i;
    });
    if (row.found > r.of_vertex.width) atomic_max(&wanted[0], row.found);
    count[i] = row.found < r.of_vertex.width ? row.found : r.of_vertex.width;
  }
};

/// Completes the rows of samples, in ascending order.
struct SamplesNearSamples {
  SampleGrid grid;
  ExemptPoints exempt;
  Span<int> count, neighbor;
  Span<int> wanted;  // one element: places per sample
  HD void operator()(int s) const {
    const SampleRows& r = exempt.rows;
    SortedRow row{neighbor, r.of_sample, s};
    const int vertices = count[s], width = r.of_sample.width;
    for (int k = 0; k < vertices && k < width; ++k) row.insert(neighbor[r.of_sample.at(s, k)]);
    row.found = vertices;
    grid.for_near(grid.position[s], [&](int t) {
      if (t != s && !exempt(r.vertices + s, r.vertices + t)) row.insert(r.vertices + t);
    });
    if (row.found > width) atomic_max(&wanted[0], row.found);
    count[s] = row.found < width ? row.found : width;
  }
};

/// Decides which edges may grow beyond L. An edge may (it is lifted) if its sample is far enough from all
/// vertices, and from all samples that are lifted or whose edges are beyond L already. Of two samples that
/// are too close, that of an edge beyond L has priority; of two edges below L, neither may. Safety depends on
/// samples that are lifted or beyond L: these are guarded. The others are pushed, but cause no failure.
struct GuardSamples {
  SampleRows rows;
  Span<const vec3> base, u;
  RepulsionConstants c;
  Span<const ivec2> places;
  Span<const float> length;  // from MarkStretched
  Span<const int> is_long;
  FoldRows fold;
  Span<int> guarded;
  HD void operator()(int s) const {
    const int e = rows.edge[s], own = rows.vertices + s;
    bool lifted = true;
    for (int k = 0; k < rows.of_sample.count[s]; ++k) {
      const int q = rows.of_sample.neighbor[rows.of_sample.at(s, k)];
      const vec3 p = rows.between(base.data, own, q) + rows.between(u.data, own, q);
      const bool yields = q >= rows.vertices && is_long[e] && !is_long[rows.edge[q - rows.vertices]];
      if (glm::dot(p, p) < c.settled() * c.settled() && !yields) lifted = false;
    }
    guarded[s] = lifted || is_long[e];
    if (!lifted || !(c.longest_edge > c.max_edge)) return;
    const float safe = fold.safe_edge[places[e].x],
                until = fmaxf(edge_until_search(length[e], safe, fold.grows, c.longest_edge),
                              kLifted * c.max_edge);
    fold.longest[places[e].x] = fold.longest[places[e].y] = until;
    if (until > safe) atomic_or(&fold.needed[0], 1);
  }
};

/// Least distance as for any pair (m^2): positive where the move of point q against point p breaks it.
HD inline float sample_excess(const ConstraintRows& rows, int p, const vec3& p0, const vec3& move) {
  const vec3 a = rows.base[rows.samples.corners(p).x], b = rows.base[rows.samples.corners(p).y];
  const float margin = fmaxf(rounding<OneRow>({a.x, a.y, a.z}), rounding<OneRow>({b.x, b.y, b.z}));
  return pair_excess<OneRow>(rows.c, {p0.x, p0.y, p0.z}, {move.x, move.y, move.z}, margin);
}

/// Tests a step for the pairs of a sample.
struct TestSamples {
  ConstraintRows rows;
  Span<const vec3> before, candidate;
  Span<int> fails;   // per vertex: those of pairs that fail; may be empty
  Span<int> failed;  // one element; may be empty
  Span<int> busy;    // see AcceptAndAim; may be empty
  float margin = 0;
  HD void operator()(int s) const {
    const SampleRows& r = rows.samples;
    const int own = r.vertices + s;
    const float act = rows.c.soft_distance + margin;
    r.for_sample(s, [&](int q) {
      const vec3 apart = r.between(rows.base.data, own, q), u0 = r.between(before.data, own, q),
                 u1 = r.between(candidate.data, own, q);
      const vec3 p1 = apart + u1;
      if (!busy.empty() && glm::dot(p1, p1) < act * act) mark(busy, own, q, kLanes, 1);
      if (failed.empty() || !r.must_keep(own, q) || sample_excess(rows, own, apart + u0, u1 - u0) <= 0)
        return;
      atomic_or(&failed[0], 1);
      if (!fails.empty()) mark(fails, own, q, 1, kCutShort);
    });
  }

 private:
  HD void mark(Span<int> flags, int p, int q, int rows_per_flag, int flag) const {
    const ivec2 a = rows.samples.corners(p), b = rows.samples.corners(q);
    const int corner[4] = {a.x, a.y, b.x, b.y};
    for (const int v : corner) atomic_or(&flags[v / rows_per_flag], flag);
  }
};

/// If some corners of a pair do not move, and it would fail because of that, none moves.
struct SpreadSamples {
  ConstraintRows rows;
  Span<const vec3> before, candidate;
  Span<const int> stays;
  Span<int> stays_next;
  Span<int> changed;  // one element
  HD vec3 move(int point) const {
    const ivec2 v = rows.samples.corners(point);
    return 0.5f * ((stays[v.x] ? vec3(0) : candidate[v.x] - before[v.x]) +
                   (stays[v.y] ? vec3(0) : candidate[v.y] - before[v.y]));
  }
  HD void operator()(int s) const {
    const SampleRows& r = rows.samples;
    const int own = r.vertices + s;
    r.for_sample(s, [&](int q) {
      const ivec2 a = r.corners(own), b = r.corners(q);
      const int staying = (stays[a.x] != 0) + (stays[a.y] != 0) + (stays[b.x] != 0) + (stays[b.y] != 0);
      if (staying == 0 || staying == 4 || !r.must_keep(own, q)) return;
      const vec3 p0 = r.between(rows.base.data, own, q) + r.between(before.data, own, q);
      if (sample_excess(rows, own, p0, move(q) - move(own)) <= 0) return;
      const int corner[4] = {a.x, a.y, b.x, b.y};
      for (const int v : corner) atomic_or(&stays_next[v], 1);
      atomic_or(&changed[0], 1);
    });
  }
};

/// Tests whether the trial step of the hard phase violates the distance of a sample.
struct TrySamples {
  HardObjective f;
  Span<const vec3> u;
  Trial trial;
  HD void operator()(int s) const {
    const SampleRows& r = f.rows.samples;
    const int own = r.vertices + s;
    const ivec2 a = r.corners(own);
    bool breaks = false;
    r.for_sample(s, [&](int q) {
      const ivec2 b = r.corners(q);
      const int corner[4] = {a.x, a.y, b.x, b.y};
      bool concerned = false;
      for (const int v : corner) concerned |= f.moving[v] && trial.is_new(v);
      if (!concerned || !r.must_keep(own, q)) return;
      const vec3 p0 = r.between(f.rows.base.data, own, q) + r.between(u.data, own, q);
      const vec3 displacement =
          0.5f * ((trial.move[b.x] + trial.move[b.y]) - (trial.move[a.x] + trial.move[a.y]));
      if (sample_excess(f.rows, own, p0, displacement) <= 0) return;
      breaks = true;
      for (const int v : corner)
        if (f.moving[v]) atomic_or(&trial.blocks[v], 1);
    });
    if (breaks) atomic_or(&trial.broken[0], 1);
  }
};

}  // namespace weft::repulsion
