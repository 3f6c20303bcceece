// What stops points before their first impacts, where rounds leave some.
#pragma once
#include "sim/collision/impact_zones/round_kernels.h"
#include "sim/collision/impact_zones/zone_lists.h"
#include "sim/collision/surface/contact_surface.h"

namespace weft {

/// Zones and pinned points are cut each for themselves, bodies as a whole.
class HoldBack {
 public:
  HoldBack(Device& device, const ContactSurface& surface);
  /// Per point: how often it was cut in this step, to be cleared by its owner.
  Span<int> cut() { return cut_; }
  /// Shortens the displacements `d` (m) of points that an impact of `list` blocks, and marks them in `moved`.
  void shorten(const impact_zones::ImpactList& list, const ZoneLists& zones, Span<const float> inverse_mass,
               Span<vec3> d, Span<int> moved, Span<impact_zones::Progress> progress);

 private:
  Device& device_;
  const ContactSurface& surface_;
  Buffer<float> zone_first_, point_first_, body_first_;  // first impacts
  Buffer<int> cut_, body_of_;
};

}  // namespace weft
