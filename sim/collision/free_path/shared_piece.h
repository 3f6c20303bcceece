// A piece of the path on which all points move together.
#pragma once
#include "sim/collision/free_path/path_impacts.h"
#include "sim/device/buffer.h"

namespace weft {

/// Looks for a long piece on which all points go the same share of their paths and no pair meets. Bounds by
/// planes that stand still hold back two sides that move the same way, each by its gap to the other; here
/// only what they move against each other counts. Points are those of a ContactSurface. Allocates nothing
/// after construction and reads nothing on the host.
class SharedPiece {
 public:
  SharedPiece(Device&, int points);
  /// From `x` towards `y` (m), where no point moves by more than `most` (m). The lists have all pairs that
  /// could meet on such a piece. Pairs keep `keep` (m), and closer ones half of their distance.
  void find(const ContactSurface& surface, const PairList& vertex_triangle, const PairList& edge_edge,
            Span<const vec3> x, Span<const vec3> y, float most, float keep);
  /// The same, up to the share `longest` (one element) of their paths, with which pairs that no list has
  /// cannot meet; 0: there is no such piece.
  void find(const ContactSurface& surface, const PairList& vertex_triangle, const PairList& edge_edge,
            Span<const vec3> x, Span<const vec3> y, Span<const float> longest, float keep);
  /// What was found: `share` and, at its end, all points, where it is accepted.
  Span<const path::Piece> piece() const { return piece_; }
  Span<const vec3> end() const { return end_; }

 private:
  void shorten(const ContactSurface& surface, const PairList& vertex_triangle, const PairList& edge_edge,
               Span<const vec3> x, Span<const vec3> y, float keep);
  Device& device_;
  Buffer<vec3> end_;
  Buffer<float> path_, farthest_, impact_;
  Buffer<path::Piece> piece_;
};

}  // namespace weft
