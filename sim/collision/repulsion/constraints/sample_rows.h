// Samples at the middles of stretched edges, and the pairs in which they keep the distance of vertices (Wu
// 2020, section 6.2).
#pragma once
#include "sim/collision/proximity/neighbor_lists.h"

namespace weft::repulsion {

/// Points are numbered: vertices first, then the slots of samples. A sample moves with the mean of its edge's
/// ends, and a push on it moves each by half.
struct SampleRows {
  Span<const int> count;    // one element: active samples; empty where resampling is off
  Span<const int> edge;     // per slot, ascending
  Span<const ivec2> ends;   // per edge
  Span<const int> slot_at;  // per place of ConstraintRows::edges: slot of the sample in that edge, or -1
  Span<const int> guarded;  // per slot: 1 where safety depends on it, see GuardSamples
  NeighborLists of_vertex;  // slots near each vertex
  NeighborLists of_sample;  // per slot: points near it
  int vertices = 0;

  HD bool active() const { return count.size > 0 && count[0] > 0; }
  HD ivec2 corners(int point) const {
    return point < vertices ? ivec2(point, point) : ends[edge[point - vertices]];
  }
  /// Interpolates values at the vertices, relative to `origin`.
  HD vec3 at(const vec3* value, int point, const vec3& origin) const {
    const ivec2 c = corners(point);
    return 0.5f * ((value[c.x] - origin) + (value[c.y] - origin));
  }
  /// The difference of the values at two points.
  HD vec3 between(const vec3* value, int from, int to) const {
    const vec3 origin = value[corners(from).x];
    return at(value, to, origin) - at(value, from, origin);
  }
  HD bool must_keep(int p, int q) const {
    return (p < vertices || guarded[p - vertices]) && (q < vertices || guarded[q - vertices]);
  }

  /// Calls look(own, other, weight) for each pair of points with a sample, where `own` moves by `weight` with
  /// vertex i.
  template <class Look>
  HD void for_pairs(const NeighborLists& edges, int i, const Look& look) const {
    for (int k = 0; k < edges.count[i]; ++k) {
      const int s = slot_at[edges.at(i, k)];
      for (int m = 0; s >= 0 && m < of_sample.count[s]; ++m)
        look(vertices + s, of_sample.neighbor[of_sample.at(s, m)], 0.5f);
    }
    for (int k = 0; k < of_vertex.count[i]; ++k)
      look(i, vertices + of_vertex.neighbor[of_vertex.at(i, k)], 1.0f);
  }
  /// Calls look(other) for each pair of a slot; pairs of two samples are visited from their first only.
  template <class Look>
  HD void for_sample(int s, const Look& look) const {
    for (int m = 0; m < of_sample.count[s]; ++m) {
      const int q = of_sample.neighbor[of_sample.at(s, m)];
      if (q < vertices || q - vertices > s) look(q);
    }
  }
};

}  // namespace weft::repulsion
