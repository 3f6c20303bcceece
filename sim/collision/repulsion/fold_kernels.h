// Neighbouring triangles, which the bound B does not keep apart: how far each vertex may go before they could meet.
#pragma once
#include "sim/device/atomics.h"
#include "sim/device/launch.h"
#include "sim/geometry/segment_distance.h"

namespace weft::repulsion {

constexpr float kNoRoomNeeded = 1e9f;  // m
constexpr float kRoomShare = 0.38f;    // of a distance that each of two sides may use up,
constexpr float kMotionShare = 0.2f;   // and the initial motion
constexpr float kExactBelow = 1.25f;   // stretches from which edges can cross that are as large are bounded in a simpler way

/// What limits the folding of one mesh, for edges laid out as ConstraintRows::edges.
struct FoldRows {
  Span<const float> safe_edge;   // m, per place: shorter edges need no look; kNoRoomNeeded in places without an edge
  Span<float> longest;           // m, per place: no edge grows beyond it until the next search
  Span<float> squeezed;          // per vertex: > 0 where it is closer to a near vertex than it should keep
  Span<float> room;              // m, per vertex: no vertex moves further until the next search
  Span<int> needed;              // one element: 1 where a closer look is needed
  float grows = 0;               // m by which an edge may at least grow between two searches
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
    reach[e] = squeezed[v.x] > 0 || squeezed[v.y] > 0 ? kNoRoomNeeded : until[e] > safe[e] * 1.0002f ? until[e] / rest[e] : 0.0f;
  }
};

struct FoldGeometry {
  Span<const vec3> base, u;        // as in ConstraintRows
  Span<const ivec2> edges;
  Span<const float> rest, until, reach;  // per edge, of EdgeReach
  Span<float> room;                // per vertex, lowered
  Span<const vec3> motion;         // m, per vertex: where the initial motion is about to take it; empty: nowhere
  Span<float> scale;               // one element: the share of it that is safe, lowered
  float margin = 0;                // m

  HD vec3 from(int origin, int v) const { return (base[v] - base[origin]) + (u[v] - u[origin]); }
  HD void keep_apart(const vec3& offset, const vec3& where, int a, int b, int c, int d) const {
    // What rounding takes off at this place, as in `rounding`.
    const float rounded = margin + 4e-7f * (fabsf(where.x) + fabsf(where.y) + fabsf(where.z));
    const float distance = sqrtf(glm::dot(offset, offset)), left = distance > rounded ? distance - rounded : 0.0f, share = kRoomShare * left;
    atomic_min(&room[a], share);
    atomic_min(&room[b], share);
    atomic_min(&room[c], share);
    atomic_min(&room[d], share);
  }
  /// The planes across the shortest way `offset` from a side to the other keep them apart. Each vertex of `near` may go towards the other side, and
  /// each of `far` back, as long as planes do not meet: the motion takes neighbours along and is given up only where it turns or squeezes them.
  template <int kNear, int kFar>
  HD void keep_motion(const vec3& offset, const int (&near)[kNear], const int (&far)[kFar]) const {
    if (motion.empty()) return;
    const float squared = glm::dot(offset, offset);
    float ahead = -3e38f, back = 3e38f;
    for (const int v : near) ahead = fmaxf(ahead, glm::dot(offset, motion[v]));
    for (const int v : far) back = fminf(back, glm::dot(offset, motion[v]));
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
    const vec3 ab = g.from(a, b);
    for (int k = list.start[e]; k < list.start[e + 1] && list.stretch[k] <= reach; ++k) {
      const int f = list.partner[k];
      if (reach < kNoRoomNeeded && too_short(e, f, list.stretch[k])) continue;
      const ivec2 other = g.edges[f];
      const ClosestOnSegments s = closest_on_segments(vec3(0), ab, g.from(a, other.x), g.from(a, other.y));
      g.keep_apart(s.offset, g.base[a], a, b, other.x, other.y);
      g.keep_motion(s.offset, {a, b}, {other.x, other.y});
    }
  }
  /// Beyond kExactBelow the stretch stands for what two edges need together: a sum of lengths, or one of squares.
  HD bool too_short(int e, int f, float stretch) const {
    if (stretch < kExactBelow || g.reach[f] >= kNoRoomNeeded) return false;
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
    const vec3 b = g.from(c.x, c.y), d = g.from(c.x, c.z);
    for (int k = list.start[t]; k < list.start[t + 1] && list.stretch[k] <= reach; ++k) {
      const int v = list.partner[k];
      const vec3 offset = closest_on_triangle(g.from(c.x, v), vec3(0), b, d).offset;
      g.keep_apart(offset, g.base[v], v, c.x, c.y, c.z);
      g.keep_motion(offset, {c.x, c.y, c.z}, {v});
    }
  }
};

/// Aims no further than there is room.
struct KeepRoom {
  Span<const vec3> u, target;
  Span<const float> room;
  float step_limit = 0;
  Span<float> allowed;
  Span<vec3> init;
  HD void operator()(int i) const {
    if (room[i] >= allowed[i]) return;
    allowed[i] = room[i];
    const vec3 way = target[i] - u[i];
    const float length = sqrtf(glm::dot(way, way)), most = room[i] < step_limit ? room[i] : step_limit;
    init[i] = length > most ? u[i] + (most / length) * way : target[i];
  }
};

}  // namespace weft::repulsion
