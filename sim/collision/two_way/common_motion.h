// Moves cloth by the part of its motion that it shares with its surroundings.
#pragma once
#include "sim/collision/proximity/triangle_search.h"
#include "sim/collision/smooth_field/smooth_field.h"
#include "sim/collision/two_way/common_motion_kernels.h"

namespace weft {

/// Common motion of cloth and its surroundings. Not in the paper, where cloth far from all contact still
/// moves at most 1.8 mm per forward step. A smooth field s over space changes distances no faster than its
/// derivatives allow; bounded so that no pair loses more than half its distance, the whole field is one safe
/// step of any length.
class CommonMotion {
 public:
  CommonMotion(Device& device, int cloth_points, float mean_edge, Span<const ivec2> edges);
  /// Moves `x` (m; points, cloth first) towards `y`. `pairs`: those within `radius` at x. `far`: from
  /// FarFromTarget. Bodies do not move.
  void move(const BodiesView& bodies, const PairList (&pairs)[2], float radius,
            Span<const float> inverse_mass, Span<const vec3> y, Span<vec3> x, Span<float> remaining,
            Span<float> nearest);
  /// Sets far()[0] if a vertex has more than `worth` (m) to go.
  void look(Span<const vec3> x, Span<const vec3> y, float worth);
  Span<const int> far() const { return far_.span(); }

 private:
  Device& device_;
  int cloth_points_;
  Span<const ivec2> edges_;
  SmoothField field_;
  Buffer<vec3> way_;
  Buffer<int64_t> held_;
  Buffer<int> maxima_, far_;
  Buffer<float> least_, negated_, share_;
};

}  // namespace weft
