// Moves cloth by the part of its motion that it shares with its surroundings.
#pragma once
#include "sim/collision/free_path/common_motion_kernels.h"
#include "sim/collision/free_path/shared_piece.h"
#include "sim/collision/smooth_field/smooth_field.h"

namespace weft {

/// Common motion of cloth and its surroundings. Not in the paper, where cloth far from all contact still
/// moves at most 1.8 mm per forward step. A smooth field s over space changes distances no faster than its
/// derivatives allow: bounded so that pairs beyond the search radius cannot meet, and tested continuously for
/// all nearer ones, the whole field is one safe step of any length. Bodies that change their shape, such as
/// walking people, move with it; nodes near other bodies are held back.
class CommonMotion {
 public:
  CommonMotion(Device& device, const ContactSurface& surface, const std::vector<vec3>& positions,
               float mean_edge);
  /// Moves `x` (m; points, cloth first) towards `y`. The lists have the pairs within `radius` at x, which
  /// keep
  /// `keep` (m), and closer ones half of their distance. `far`: from FarFromTarget.
  void move(const BodiesView& bodies, const PairList& vertex_triangle, const PairList& edge_edge,
            float radius, float keep, Span<const float> inverse_mass, Span<const vec3> y, Span<vec3> x,
            Span<float> remaining, SharedPiece& piece);
  /// Sets far()[0] if a point that takes part has more than `worth` (m) to go.
  void measure(Span<const vec3> x, Span<const vec3> y, float worth);
  Span<const int> far() const { return far_; }

 private:
  Device& device_;
  const ContactSurface& surface_;
  bool flexible_take_part_;
  Span<const ivec2> cloth_edges_;
  Buffer<ivec2> body_edges_;
  Buffer<int> point_, takes_part_;  // points that take part; per point of a body
  SmoothField field_;
  Buffer<vec3> position_, motion_, end_;
  Buffer<int64_t> pinned_;
  Buffer<int> maxima_, far_;
  Buffer<float> share_;
};

}  // namespace weft
