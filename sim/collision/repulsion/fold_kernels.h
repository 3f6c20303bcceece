// Neighbouring triangles, which the bound B does not keep apart: a plane between each two that could meet before the next search.
#pragma once
#include "sim/device/atomics.h"
#include "sim/device/launch.h"
#include "sim/geometry/primitive_distance.h"

namespace weft::repulsion {

constexpr float kNeverUnsafe = 1e9f;   // m
constexpr float kMotionShare = 0.2f;   // of a distance that the initial motion may use up
constexpr float kKeptShare = 0.2f;     // and what must be left of it at the next search
constexpr float kLeastKept = 20;       // but not below so many roundings of a position: such a pair must not come closer
constexpr float kExactBelow = 1.25f;   // stretches from which edges can cross that are as large are bounded in a simpler way

/// What limits the folding of one mesh, for edges laid out as ConstraintRows::edges.
struct FoldRows {
  Span<const float> safe_edge;   // m, per place: shorter edges need no look; kNeverUnsafe in places without an edge
  Span<float> longest;           // m, per place: no edge grows beyond it until the next search
  Span<float> squeezed;          // per vertex: > 0 where it is closer to a near vertex than it should keep
  Span<int> needed;              // one element: 1 where a closer look is needed
  float grows = 0;               // m by which an edge may at least grow between two searches
  float resampled_from = kNeverUnsafe;  // L_ada, m
  Span<int> stretched;           // one element: 1 where an edge is or gets beyond it before the next search
};

/// Two edges, or a triangle and a vertex: the corners v[0 .. sides) lie on one side and the others on the other side of every plane across n between
/// them. Where both ends of a straight way keep the gap, all of it does: the gap is concave in time.
struct FoldPair {
  int v[4] = {0, 0, 0, 0};
  int sides = 2;
  vec3 n{0};        // unit, from the first side to the other
  float keep = 0;   // m: least gap along n

  /// Gap along n at positions base + at(v).
  template <class At>
  HD float gap(Span<const vec3> base, const At& at) const {
    const vec3 o = base[v[0]], uo = at(v[0]);
    float ahead = 0, back = 3e38f;
    for (int k = 1; k < 4; ++k) {
      const float along = glm::dot(n, (base[v[k]] - o) + (at(v[k]) - uo));
      if (k < sides) ahead = along > ahead ? along : ahead;
      else back = along < back ? along : back;
    }
    return back - ahead;
  }
};

/// The pairs of one period, in any order.
struct FoldPairSpan {
  Span<const FoldPair> pair;
  Span<const int> count;   // one element, at most pair.size
};

/// Longest that an edge may become before the next search (m). What it then could meet is looked at now.
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

/// How long each edge may become before the next search, and the stretch up to which its partners matter: 0 for none. Where vertices are closer
/// than they should keep, all matter.
struct EdgeReach {
  Span<const ivec2> edges, places;  // per edge: its vertices; where it is in their rows
  Span<const float> longest;        // m, per place
  Span<const float> rest, safe;     // m, per edge
  Span<const float> squeezed;       // per vertex
  Span<float> until, reach;         // m; -
  HD void operator()(int e) const {
    const ivec2 v = edges[e];
    until[e] = fmaxf(longest[places[e].x], longest[places[e].y]) * 1.0001f;
    reach[e] = squeezed[v.x] > 0 || squeezed[v.y] > 0 ? kNeverUnsafe : until[e] > safe[e] * 1.0002f ? until[e] / rest[e] : 0.0f;
  }
};

struct FoldGeometry {
  Span<const vec3> base, u;        // as in ConstraintRows
  Span<const ivec2> edges;
  Span<const float> rest, until, reach;  // per edge, of EdgeReach
  Span<const vec3> motion;         // m, per vertex: where the initial motion is about to take it; empty: nowhere
  Span<float> scale;               // one element: the share of it that is safe, lowered
  float margin = 0;                // m: rounding
  float out_of_reach = 0;          // m: what is further apart cannot meet before the next search
  Span<FoldPair> pair;
  Span<int> found;                 // one element: pairs, more than there is room for if need be

  /// In double: float32 leaves the direction of short ways vague, and the plane would not lie between the two.
  HD Vec<double> from(int origin, int v) const { return (Vec<double>(base[v]) - Vec<double>(base[origin])) + (Vec<double>(u[v]) - Vec<double>(u[origin])); }

  /// Two edges ab and cd.
  HD void add_edges(int a, int b, int c, int d) const {
    add(-closest_edge_edge(Vec<double>(0), from(a, b), from(a, c), from(a, d)).offset, 2, a, b, c, d);
  }
  /// A triangle abc and a vertex v.
  HD void add_vertex(int a, int b, int c, int v) const {
    add(closest_vertex_triangle(from(a, v), Vec<double>(0), from(a, b), from(a, c)).offset, 3, a, b, c, v);
  }

 private:
  /// `offset`: the shortest way from the first side to the other.
  HD void add(const Vec<double>& offset, int sides, int a, int b, int c, int d) const {
    const float squared = float(glm::dot(offset, offset)), distance = sqrtf(squared);
    FoldPair p;
    p.v[0] = a, p.v[1] = b, p.v[2] = c, p.v[3] = d;
    p.sides = sides;
    if (!motion.empty()) keep_motion(p, vec3(offset), squared);
    if (distance > out_of_reach) return;
    // What rounding takes off at this place, as in `rounding`. What is nearer than that to begin with must not come nearer, nor may a plane that is
    // not quite across the way hold up what is no nearer than it was.
    const float least = kLeastKept * (margin + 4e-7f * (fabsf(base[a].x) + fabsf(base[a].y) + fabsf(base[a].z)));
    p.n = vec3(1 / (double(distance) + 1e-30) * offset);
    p.keep = distance < least ? 0.999f * distance : fmaxf(kKeptShare * distance, 0.999f * least);
    p.keep = fminf(p.keep, p.gap(base, [this](int v) { return u[v]; }));
    const int place = atomic_add(&found[0], 1);
    if (place < pair.size) pair[place] = p;
  }
  /// Each corner may be taken towards the other side as long as planes across the way do not meet: the motion takes neighbours along and is given up
  /// only where it turns or squeezes them.
  HD void keep_motion(const FoldPair& p, const vec3& offset, float squared) const {
    float ahead = -3e38f, back = 3e38f;
    for (int k = 0; k < 4; ++k) {
      const float along = glm::dot(offset, motion[p.v[k]]);
      if (k < p.sides) ahead = fmaxf(ahead, along);
      else back = fminf(back, along);
    }
    const float closing = ahead - back;  // m^2
    if (closing > kMotionShare * squared) atomic_min(&scale[0], kMotionShare * squared / closing);
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
      if (f < e && list.stretch[k] <= g.reach[f]) continue;  // it looks itself
      if (reach < kNeverUnsafe && too_short(e, f, list.stretch[k])) continue;
      g.add_edges(a, b, g.edges[f].x, g.edges[f].y);
    }
  }
  /// Beyond kExactBelow the stretch stands for what two edges need together: a sum of lengths, or one of squares.
  HD bool too_short(int e, int f, float stretch) const {
    if (stretch < kExactBelow || g.reach[f] >= kNeverUnsafe) return false;
    const float p = g.until[e], q = g.until[f], r = g.rest[e], s = g.rest[f];
    return p + q < stretch * (r + s) && p * p + q * q < stretch * stretch * (r * r + s * s);
  }
};

/// Each triangle against the vertices that could pass through it.
struct GuardTriangles {
  FoldGeometry g;
  FoldRow list;
  Span<const ivec3> triangles, triangle_edges;
  HD void operator()(int t) const {
    float reach = 0;
    for (int k = 0; k < 3; ++k) {
      const float r = g.reach[triangle_edges[t][k]];
      reach = r > reach ? r : reach;
    }
    if (!(reach > 0)) return;
    const ivec3 c = triangles[t];
    for (int k = list.start[t]; k < list.start[t + 1] && list.stretch[k] <= reach; ++k) {
      g.add_vertex(c.x, c.y, c.z, list.partner[k]);
    }
  }
};

/// How many pairs there are, and whether there was room for all.
struct CloseFolds {
  Span<const int> found;
  int room = 0;
  Span<int> count, overflow;  // one element each; overflow: how much room is wanted
  HD void operator()(int) const {
    count[0] = found[0] < room ? found[0] : room;
    if (found[0] > room) atomic_max(&overflow[0], found[0]);
  }
};

constexpr int kCutShort = 2;  // of what is marked as failing: cut short, whatever the direction

/// Marks the vertices of pairs whose gap the update u does not keep.
struct TestFolds {
  FoldPairSpan pairs;
  Span<const vec3> base, u;
  Span<int> fails;   // per vertex; may be empty
  Span<int> failed;  // one element
  HD void operator()(int k) const {
    const FoldPair p = pairs.pair[k];
    if (p.gap(base, [this](int v) { return u[v]; }) >= p.keep) return;
    atomic_or(&failed[0], 1);
    if (fails.empty()) return;
    for (const int v : p.v) atomic_or(&fails[v], kCutShort);
  }
};

/// Where some vertices of a pair stay, and it would fail for that, all stay.
struct SpreadFolds {
  FoldPairSpan pairs;
  Span<const vec3> base, before, candidate;
  Span<const int> stays;
  Span<int> stays_next;
  Span<int> changed;  // one element
  HD void operator()(int k) const {
    const FoldPair p = pairs.pair[k];
    const int staying = (stays[p.v[0]] != 0) + (stays[p.v[1]] != 0) + (stays[p.v[2]] != 0) + (stays[p.v[3]] != 0);
    if (staying == 0 || staying == 4) return;
    if (p.gap(base, [this](int v) { return stays[v] ? before[v] : candidate[v]; }) >= p.keep) return;
    for (const int v : p.v) atomic_or(&stays_next[v], 1);
    atomic_or(&changed[0], 1);
  }
};

}  // namespace weft::repulsion
