// All vertex-triangle and edge-edge pairs within a distance, over cloth and obstacles together, on the device.
#pragma once
#include <vector>

#include "sim/collision/proximity/pair_list.h"
#include "sim/device/buffer.h"

namespace weft {

/// What is searched. Points below `obstacle_from` are cloth, the others belong to obstacles; a triangle or an edge is one or the other.
struct SearchSurface {
  std::vector<vec3> positions;     // m, at the beginning: they decide what lies together in the search's trees
  std::vector<ivec3> triangles;
  std::vector<ivec2> edges;        // each once
  int obstacle_from = 0;
};

/// Finds every vertex-triangle and every edge-edge pair within a radius, each once, without pairs that share a vertex and without those of two
/// obstacle primitives. Order: by vertex and then triangle; by lower and then higher edge, cloth first where an obstacle's edge is involved.
/// The lists do not depend on how the search came by them. Points without a triangle are searched too.
///
/// What is near in a wider sense (radius + margin) is kept as candidates until some point has moved so far that a pair could be missing
/// (Wang 2023, section 3.1); a find between costs the candidates' distances only.
class TriangleSearch {
 public:
  TriangleSearch(Device& device, const SearchSurface& surface);

  /// Pairs at `positions` (m, one per point). No allocation, no look at the host. `margin`: how much wider candidates are collected where they have to
  /// be; larger makes that rarer and every find dearer. A radius of 0 or less, or a position that is no number, finds nothing.
  void find(Span<const vec3> positions, float radius, float margin);
  void find(Span<const vec3> positions, float radius) { find(positions, radius, 0.5f * radius); }

  PairList vertex_triangle() const;
  PairList edge_edge() const;

  /// Lists per point of the pairs of the last find; only on demand, since it costs about as much as a find.
  void list_per_point();
  PointPairs vertex_triangle_of_points() const;
  PointPairs edge_edge_of_points() const;

  /// To be called before the searches of a step.
  void clear_overflow();
  /// Waits for the device. False if a list was cut short since clear_overflow: there is more room now, and what was computed with it is
  /// void. A step that does not fit must be taken anew.
  bool fits();
  /// Room for so many pairs of each kind, and so many candidates of each.
  void make_room(int pairs, int candidates);
  /// Forgets the candidates.
  void drop_candidates();
  /// How often candidates were collected, on the device.
  Span<const int> rebuilds() const;
  /// Changes when memory moves.
  int moves() const { return moves_; }

 private:
  int moves_ = 0;
};

}  // namespace weft
