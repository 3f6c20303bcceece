// Pairs of primitives that are near each other, and for each point the pairs that it is in. In device memory.
#pragma once
#include "sim/base/math.h"
#include "sim/base/span.h"

namespace weft {

/// Set in PairList::support besides the four bits of closest points (sim/geometry/primitive_distance.h): of
/// all pairs that reduce to the same two closest features (a vertex and an edge, two vertices) this is the
/// one that a contact constraint is made from.
constexpr int kOwner = 16;

/// `count[0]` pairs, at most `capacity()`; later entries are undefined. Launch over them with launch_counted.
/// Each kind of pair has its own list: vertex-triangle and edge-edge now; those of particles and strands will
/// have fewer points, and -1 for the others.
struct PairList {
  Span<const int> count;         // one element
  Span<const ivec4> points;      // vertex and corners of the triangle; ends of the one edge and of the other
  Span<const ivec2> primitives;  // vertex and triangle; edge and edge
  // points that carry weight in the closest points, and kOwner, as of the last find
  Span<const int> support;
  Span<const float> distance;  // m, as of the last find
  HD int capacity() const { return points.size; }
};

/// The pairs of one list for every point: entries start[point] to start[point + 1]; an entry is 4 pair +
/// place, where place is the point's position among the pair's four. The order is fixed: pairs whose first
/// primitive contains the point come first, then by the point's primitive, then by pair.
struct PointPairs {
  Span<const int> start;  // one more than points
  Span<const int> entry;
};

}  // namespace weft
