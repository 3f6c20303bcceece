// Directions in which pairs of a contact surface may push each other, where its points are.
#pragma once
#include "sim/collision/contact_terms/surface_normals.h"
#include "sim/collision/surface/contact_surface.h"
#include "sim/device/buffer.h"

namespace weft {

class SurfaceDirections {
 public:
  /// The surface must outlive this.
  SurfaceDirections(Device& device, const ContactSurface& surface);
  /// At `x` (m, one per point), which must outlive the result; `segments`: the pairs' shortest segments,
  /// whatever the surface. Launches only.
  contact::PairDirections find(Span<const vec3> x, bool segments = false);

 private:
  Device& device_;
  const ContactSurface& surface_;
  Buffer<vec3> face_normal_, normal_;  // per point
};

}  // namespace weft
