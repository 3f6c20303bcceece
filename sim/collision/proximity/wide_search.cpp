// What parts with radii of their own ask of a search: apart, so that all else is compiled as it would be
// without.
#include "sim/collision/proximity/triangle_search.h"
#include "sim/device/launch.h"

namespace weft {
using namespace triangle_search;

void TriangleSearch::widen(const PartRadii& radii, float widest) {
  const PartRadii& now = excluded_.radii;
  if (!radii.any() && !now.any()) return;
  if (radii.usual == now.usual && radii.onset == now.onset && radii.radius.data == now.radius.data) return;
  excluded_.radii = radii;
  excluded_.widest = radii.any() ? widest : 0.0f;
  drop_candidates();
  ++moves_;
}

void TriangleSearch::widen_boxes() {
  launch(device_, "search boxes", forest_.shape().leaf_blocks * kLanes,
         WidenBoxes{forest_.corner(), excluded_.radii, forest_.boxes()});
}

void TriangleSearch::leave_out_thin(Kind& kind, bool vertex_triangle, Span<const vec3> positions,
                                    float radius) {
  launch_counted(device_, "test candidates", kind.candidate.count, kind.candidate.item.size(),
                 LeaveOutThin{.position = positions,
                              .points = kind.candidate.points,
                              .vertex_triangle = vertex_triangle,
                              .radius = radius,
                              .radii = excluded_.radii,
                              .distance = kind.candidate.distance,
                              .support = kind.candidate.support});
}

}  // namespace weft
