// Neighbouring triangles, which the bound B does not keep apart: a plane between each two that could meet
// before the next search.
#pragma once
#include "sim/device/atomics.h"
#include "sim/device/lanes.h"
#include "sim/device/launch.h"
#include "sim/geometry/primitive_distance.h"

namespace weft::repulsion {

constexpr float kNeverUnsafe = 1e9f;  // m
constexpr float kMotionShare = 0.2f;  // fraction of a distance that the initial motion may use
constexpr float kKeptShare = 0.2f;    // fraction of it that must be left at the next search
// but not below this many roundings of a position: such a pair must not come closer
constexpr float kLeastKept = 20;
// factor on lengths, since distances at rest are taken as shorter by it
constexpr float kRounded = 1.0002f;
// larger stretches at which edges can cross are bounded in a simpler way
constexpr float kExactBelow = 1.25f;

/// Limits of folding of one mesh, for edges laid out as in ConstraintRows::edges.
struct FoldRows {
  // m, per entry: shorter edges are safe; kNeverUnsafe in entries without an edge
  Span<const float> safe_edge;
  Span<float> longest;  // m, per place: no edge grows beyond it until the next search
  // per vertex: the largest ratio of its distances to near vertices to those kept until the next search; 1 if
  // all are kept
  Span<float> squeezed;
  Span<float> near_kept;  // m, per entry of ConstraintRows::near: distance kept until the next search
  float released = 1;     // share of the distance that squeezed vertices keep at least
  Span<int> needed;       // one element: 1 if an exact examination is needed
  Span<int> look;         // one element: 1 if that or a sample is needed, which is rare
  float grows = 0;        // m by which an edge may at least grow between two searches
  float resampled_from = kNeverUnsafe;  // L_ada, m
  Span<int> stretched;  // one element: 1 where an edge is or gets beyond it before the next search
};

/// Between two searches.
struct FoldPeriod {
  int needed = 0;   // 1: an exact examination is needed
  int look = 0;     // 1: that, or edges need samples
  int pairs = 0;    // number found, possibly above the capacity
  int work = 0;     // slices of rows, followed by the pairs: the tests of a step (EndStep)
  float scale = 1;  // the share of the initial motion that is safe
};

/// Two edges, or a triangle and a vertex: the corners v[0 .. sides) are on one side and the others on the
/// other side of every plane across n between them. If both ends of a straight path keep the gap, the whole
/// path does: the gap is concave in time.
struct FoldPair {
  int v[4] = {0, 0, 0, 0};
  int sides = 2;
  vec3 n{0};       // unit, from the first side to the other
  float keep = 0;  // m: least gap along n
};

/// The pairs of one period, in any order.
struct FoldPairSpan {
  Span<int> v;              // corner c of pair k at c * room + k
  Span<vec3> n;             // capacity, a multiple of 16
  Span<float> keep, three;  // three: 1 for a triangle and a vertex
  // one element; pairs beyond the capacity are missing, and the time step is repeated
  Span<const int> count;

  HD void set(int k, const FoldPair& p) const {
    for (int c = 0; c < 4; ++c) v[c * n.size + k] = p.v[c];
    n[k] = p.n, keep[k] = p.keep, three[k] = p.sides == 3 ? 1.0f : 0.0f;
  }
};

/// One of them, or 16.
template <class L>
struct FoldLanes {
  using R = typename L::Real;
  const int* v[4];
  int rows = 1;  // number of pairs
  R three, keep;
  Vec3<R> n;

  HD explicit FoldLanes(const FoldPair& p)
      : three(L::splat(p.sides == 3 ? 1.0f : 0.0f)),
        keep(L::splat(p.keep)),
        n{L::splat(p.n.x), L::splat(p.n.y), L::splat(p.n.z)} {
    for (int c = 0; c < 4; ++c) v[c] = &p.v[c];
  }
  /// From number k on.
  HD FoldLanes(const FoldPairSpan& pairs, int k)
      : rows(pairs.count[0] - k),
        three(L::load(&pairs.three[k])),
        keep(L::load(&pairs.keep[k])),
        n(L::rows(&pairs.n[k])) {
    for (int c = 0; c < 4; ++c) v[c] = &pairs.v[c * pairs.n.size + k];
  }
  /// True if value[v] is `wanted` for any vertex.
  HD static bool any_is(const FoldPairSpan& pairs, int k, const int* value, int wanted) {
    bool found = false;
    for (int c = 0; c < 4; ++c) found |= L::any_is(value, &pairs.v[c * pairs.n.size + k], wanted);
    return found;
  }
  HD static bool any_set(const FoldPairSpan& pairs, int k, const int* flag) {
    R set = L::splat(0);
    for (int c = 0; c < 4; ++c) set = set + L::flags(flag, &pairs.v[c * pairs.n.size + k]);
    bool any = false;
    for (int l = 0; l < kRowsOf<L>; ++l) any |= lane<L>(set, l) > 0;
    return any;
  }
  /// Gap along n at positions base + at(vertices).
  template <class At>
  HD R gap(Span<const vec3> base, const At& at) const {
    const Vec3<R> o = L::gather(base.data, v[0]), uo = at(v[0]);
    const auto along = [&](int c) { return dot(n, (L::gather(base.data, v[c]) - o) + (at(v[c]) - uo)); };
    const R second = along(2), last = along(3),
            ahead = L::larger(L::larger(along(1), L::splat(0)), L::where(three, second));
    return L::smaller(last, three > 0.0f ? last : second) - ahead;
  }
  /// Calls fails(v) with the four vertices of each pair whose gap is less than its minimum.
  template <class At, class Fails>
  HD void for_failing(Span<const vec3> base, const At& at, const Fails& fails) const {
    const R left = gap(base, at) - keep;
    for (int l = 0; l < kRowsOf<L>; ++l)
      if (l < rows && !(lane<L>(left, l) >= 0)) fails(ivec4(v[0][l], v[1][l], v[2][l], v[3][l]));
  }
};

/// Largest length of an edge before the next search (m). Everything it could then meet is examined now.
template <class Real>
HD inline Real edge_until_search(const Real& length, const Real& safe, float grows, float max_edge) {
  const Real wanted = length + grows > safe ? length + grows : safe;
  return wanted < max_edge ? wanted : max_edge + Real{};
}

/// Partners in ascending order of the stretch from which they matter.
struct FoldRow {
  Span<const int> start, partner;
  Span<const float> stretch;
};

/// Length that each edge may reach before the next search, and the stretch up to which its partners matter: 0
/// for none. Vertices that keep less than their distances count as edges that are longer by as much.
struct EdgeReach {
  Span<const vec3> base, u;           // as in ConstraintRows
  Span<const ivec2> edges, places;    // per edge: its vertices; where it is in their rows
  Span<const float> longest;          // m, per place
  Span<const float> rest, safe;       // m, per edge
  Span<const float> squeezed;         // per vertex
  Span<float> until, squeeze, reach;  // m; the larger of both ends'; -
  HD void operator()(int e) const {
    const ivec2 v = edges[e];
    // An edge already beyond its limit, after resampling was switched off or from another method, must not
    // grow: its present length counts.
    const vec3 along = (base[v.y] - base[v.x]) + (u[v.y] - u[v.x]);
    until[e] =
        fmaxf(fminf(longest[places[e].x], longest[places[e].y]), sqrtf(glm::dot(along, along))) * 1.0001f;
    squeeze[e] = fmaxf(squeezed[v.x], squeezed[v.y]);
    const float most = until[e] * squeeze[e];
    reach[e] = most > safe[e] * kRounded ? most / rest[e] : 0.0f;
  }
};

struct FoldGeometry {
  Span<const vec3> base, u;  // as in ConstraintRows
  Span<const ivec2> edges;
  Span<const float> rest, until, squeeze, reach;  // per edge, of EdgeReach
  Span<const float> squeezed;                     // per vertex
  Span<const vec3> motion;                        // m, per vertex: target of the initial motion; may be empty
  Span<FoldPeriod> period;                        // one element: the scale is lowered, pairs are counted
  float margin = 0;                               // m: rounding
  float out_of_reach = 0;                         // m: pairs further apart cannot meet before the next search
  FoldPairSpan pairs;
  Span<int> overflow;  // one element: required capacity if there is too little

  /// In double: float32 leaves the direction of short segments inaccurate, and the plane might not separate
  /// the two.
  HD Vec<double> from(int origin, int v) const {
    return (Vec<double>(base[v]) - Vec<double>(base[origin])) + (Vec<double>(u[v]) - Vec<double>(u[origin]));
  }

  HD vec3 edge(int from, int to) const { return (base[to] - base[from]) + (u[to] - u[from]); }
  /// True if points within `radii` around two points, `offset` apart, cannot meet. The initial motion needs
  /// all pairs.
  HD bool out_of_sight(const vec3& offset, float radii) const {
    const float r = 1.001f * (radii + out_of_reach);
    return motion.empty() && glm::dot(offset, offset) > r * r;
  }
  /// Two edges ab and cd.
  HD void add_edges(int a, int b, int c, int d) const {
    const vec3 ab = edge(a, b), ac = edge(a, c), cd = edge(c, d);
    const vec3 between = ac + 0.5f * (cd - ab);
    if (out_of_sight(between, 0.5f * (glm::length(ab) + glm::length(cd)))) return;
    const vec3 at[4] = {vec3(0), ab, ac, ac + cd};
    const int v[4] = {a, b, c, d};
    if (stay_apart(between, at, v, 2)) return;
    add(-closest_edge_edge(Vec<double>(0), from(a, b), from(a, c), from(a, d)).offset, 2, a, b, c, d);
  }
  /// A triangle abc and a vertex v.
  HD void add_vertex(int a, int b, int c, int v) const {
    const vec3 ab = edge(a, b), ac = edge(a, c), middle = (ab + ac) / 3.0f;
    const float squared = fmaxf(glm::dot(middle, middle), fmaxf(glm::dot(ab - middle, ab - middle),
                                                                glm::dot(ac - middle, ac - middle)));
    const vec3 av = edge(a, v);
    if (out_of_sight(av - middle, sqrtf(squared))) return;
    const vec3 at[4] = {vec3(0), ab, ac, av};
    const int corners[4] = {a, b, c, v};
    if (stay_apart(av - middle, at, corners, 3)) return;
    add(closest_vertex_triangle(from(a, v), Vec<double>(0), from(a, b), from(a, c)).offset, 3, a, b, c, v);
  }

 private:
  /// True if planes across `between` already prove that the two cannot meet: a few products instead of the
  /// shortest distance.
  HD bool stay_apart(const vec3& between, const vec3 (&at)[4], const int (&v)[4], int sides) const {
    float ahead = -3e38f, back = 3e38f, ahead_moves = -3e38f, back_moves = 3e38f;
    for (int k = 0; k < 4; ++k) {
      const float along = glm::dot(between, at[k]),
                  moves = motion.empty() ? 0.0f : glm::dot(between, motion[v[k]]);
      if (k < sides) ahead = fmaxf(ahead, along), ahead_moves = fmaxf(ahead_moves, moves);
      else back = fminf(back, along), back_moves = fminf(back_moves, moves);
    }
    const float gap = back - ahead;  // m^2: times the length of `between`
    return gap > 0 && gap * gap > 1.002f * out_of_reach * out_of_reach * glm::dot(between, between) &&
           ahead_moves - back_moves < 0.999f * kMotionShare * gap;
  }
  /// `offset`: the shortest vector from the first side to the other.
  HD void add(const Vec<double>& offset, int sides, int a, int b, int c, int d) const {
    const float squared = float(glm::dot(offset, offset)), distance = sqrtf(squared);
    FoldPair p;
    p.v[0] = a, p.v[1] = b, p.v[2] = c, p.v[3] = d;
    p.sides = sides;
    if (!motion.empty()) keep_motion(p, vec3(offset), squared);
    if (distance > out_of_reach) return;
    // Rounding error here, as in `rounding`. Primitives that are closer than that from the start must not
    // come closer, and a slightly tilted plane must not stop motion that does not approach.
    const float least =
        kLeastKept * (margin + 4e-7f * (fabsf(base[a].x) + fabsf(base[a].y) + fabsf(base[a].z)));
    p.n = vec3(1 / (double(distance) + 1e-30) * offset);
    p.keep = distance < least ? 0.999f * distance : fmaxf(kKeptShare * distance, 0.999f * least);
    // Nor primitives at their limit within rounding of their extent: compilers may contract the sums of each
    // test differently.
    const float gap =
        FoldLanes<OneRow>(p).gap(base, [this](const int* v) { return OneRow::gather(u.data, v); });
    const float rounded =
        1e-7f * (distance + glm::length(base[b] - base[a]) + glm::length(base[d] - base[c]));
    p.keep = fminf(p.keep, gap > 0 ? fmaxf(gap - rounded, 0.999f * gap) : gap);
    const int place = atomic_add(&period[0].pairs, 1);
    if (place >= pairs.n.size) return void(atomic_max(&overflow[0], place + 1));
    pairs.set(place, p);
    atomic_add(&period[0].work, 1);
  }
  /// Each corner may move towards the other side as long as planes across the gap do not meet: the motion is
  /// shared by neighbours and is given up only where it rotates or compresses them.
  HD void keep_motion(const FoldPair& p, const vec3& offset, float squared) const {
    float ahead = -3e38f, back = 3e38f;
    for (int k = 0; k < 4; ++k) {
      const float along = glm::dot(offset, motion[p.v[k]]);
      if (k < p.sides) ahead = fmaxf(ahead, along);
      else back = fminf(back, along);
    }
    const float closing = ahead - back;  // m^2
    if (closing > kMotionShare * squared) atomic_min(&period[0].scale, kMotionShare * squared / closing);
  }
};

/// Each edge against the edges that it could cross.
struct GuardEdges {
  FoldGeometry g;
  FoldRow list;
  HD void operator()(int e) const {
    const float reach = g.reach[e];
    if (!(reach > 0)) return;
    const int a = g.edges[e].x, b = g.edges[e].y;
    for (int k = list.start[e]; k < list.start[e + 1] && list.stretch[k] <= reach; ++k) {
      const int f = list.partner[k];
      if (f < e && list.stretch[k] <= g.reach[f]) continue;  // handled from its own side
      if (too_short(e, f, list.stretch[k])) continue;
      g.add_edges(a, b, g.edges[f].x, g.edges[f].y);
    }
  }
  /// A reduced distance between both has squeezed an end of each. Beyond kExactBelow the stretch is a joint
  /// requirement of two edges: a sum of lengths, or of squares.
  HD bool too_short(int e, int f, float stretch) const {
    const float squeeze = fminf(g.squeeze[e], g.squeeze[f]), r = g.rest[e], s = g.rest[f],
                p = squeeze * g.until[e], q = squeeze * g.until[f];
    if (stretch < kExactBelow) return p < stretch * r && q < stretch * s;
    return p + q < stretch * (r + s) && p * p + q * q < stretch * stretch * (r * r + s * s);
  }
};

/// Each triangle against the vertices that could pass through it.
struct GuardTriangles {
  FoldGeometry g;
  FoldRow list;
  Span<const ivec3> triangles, triangle_edges;
  HD void operator()(int t) const {
    float grown = 0;
    for (int k = 0; k < 3; ++k)
      grown = fmaxf(grown, g.until[triangle_edges[t][k]] / (kRounded * g.rest[triangle_edges[t][k]]));
    const ivec3 c = triangles[t];
    const float squeeze = fmaxf(g.squeezed[c.x], fmaxf(g.squeezed[c.y], g.squeezed[c.z]));
    for (int k = list.start[t]; k < list.start[t + 1] && list.stretch[k] <= squeeze * grown; ++k) {
      const int v = list.partner[k];
      if (list.stretch[k] <= fminf(squeeze, g.squeezed[v]) * grown) g.add_vertex(c.x, c.y, c.z, v);
    }
  }
};

/// Both: edges, then triangles.
struct GuardFolds {
  GuardEdges edges;
  GuardTriangles triangles;
  HD void operator()(int i) const {
    const int first = edges.g.edges.size;
    if (i < first) edges(i);
    else triangles(i - first);
  }
};

constexpr int kCutShort = 2;  // flag of failing rows: shorten in any direction

/// Marks the vertices of pairs whose gap the update u violates.
struct TestFolds {
  FoldPairSpan pairs;
  Span<const vec3> base, u;
  Span<int> fails;   // per vertex; may be empty
  Span<int> failed;  // one element
  HD void operator()(int k) const { row<OneRow>(k); }
  void sixteen(int first) const { row<SixteenRows>(first); }

 private:
  template <class L>
  HD void row(int k) const {
    FoldLanes<L>(pairs, k).for_failing(
        base, [&](const int* v) { return L::gather(u.data, v); },
        [&](const ivec4& v) {
          atomic_or(&failed[0], 1);
          for (int c = 0; c < 4 && !fails.empty(); ++c) atomic_or(&fails[v[c]], kCutShort);
        });
  }
};

/// If some vertices of a pair do not move, and it would fail because of that, none moves.
struct SpreadFolds {
  FoldPairSpan pairs;
  Span<const vec3> base, before, candidate;
  Span<const int> stays;
  Span<int> stays_next;
  Span<int> changed;  // one element
  HD void operator()(int k) const { row<OneRow>(k); }
  void sixteen(int first) const { row<SixteenRows>(first); }

 private:
  template <class L>
  HD void row(int k) const {
    if (!FoldLanes<L>::any_set(pairs, k, stays.data)) return;
    const FoldLanes<L> p(pairs, k);
    const auto at = [&](const int* v) {
      const auto staying = L::flags(stays.data, v);
      const auto from = L::gather(before.data, v), to = L::gather(candidate.data, v);
      return Vec3<typename L::Real>{staying > 0.0f ? from.x : to.x, staying > 0.0f ? from.y : to.y,
                                    staying > 0.0f ? from.z : to.z};
    };
    p.for_failing(base, at, [&](const ivec4& v) {
      int staying = 0;
      for (int c = 0; c < 4; ++c) staying += stays[v[c]] != 0;
      if (staying == 0 || staying == 4) return;
      for (int c = 0; c < 4; ++c) atomic_or(&stays_next[v[c]], 1);
      atomic_or(&changed[0], 1);
    });
  }
};

}  // namespace weft::repulsion
