// Parts of bodies that are beside all cloth, and go to their targets before it moves.
//
// Cloth stands still meanwhile, within a box. A part beside the box, beyond one of its six faces, cannot meet
// it: a half space is convex, and so the triangles whose corners stay in it stay in it too.
#pragma once
#include "sim/collision/free_path/far_bodies_kernels.h"
#include "sim/device/buffer.h"

namespace weft {

class FarBodies {
 public:
  /// The surface must outlive this.
  FarBodies(Device& device, const ContactSurface& surface);
  /// True if there are bodies, and cloth to be beside of.
  bool any() const { return beyond_.size() > 0 && surface_.cloth_points() > 0; }
  /// Moves points of `x` (m, of all points) that are further than `margin` (m) beside all cloth to their
  /// targets `y`; nothing remains of their path.
  void move(Span<const vec3> y, float margin, Span<vec3> x, Span<float> remaining);

 private:
  Device& device_;
  const ContactSurface& surface_;
  Buffer<int> beyond_;
  Buffer<smooth_field::Box> box_;
};

}  // namespace weft
