#include "sim/collision/impact_zones/hold_back.h"

#include <algorithm>

namespace weft {
using namespace impact_zones;

HoldBack::HoldBack(Device& device, const ContactSurface& surface)
    : device_(device),
      surface_(surface),
      zone_first_(device, "points held back", surface.points()),
      point_first_(device, "held pins", surface.cloth_points()),
      cut_(device, "points held back", surface.points()) {
  const std::vector<int> body_of = surface.obstacles_of_points();
  body_of_ = Buffer<int>(device, "bodies of points", body_of);
  body_first_ = Buffer<float>(device, "held bodies",
                              body_of.empty() ? 0 : *std::max_element(body_of.begin(), body_of.end()) + 1);
}

void HoldBack::shorten(const ImpactList& list, const ZoneLists& zones, Span<const float> inverse_mass,
                       Span<vec3> d, Span<int> moved, Span<Progress> progress) {
  for (auto* b : {&zone_first_, &point_first_, &body_first_})
    launch(device_, "hold back", b->size(), NoTimes{b->span()});
  const int cloth = surface_.cloth_points();
  launch_counted(device_, "hold back", list.count, list.impact.size,
                 FindFirst{.list = list,
                           .progress = progress,
                           .inverse_mass = inverse_mass,
                           .label = zones.labels(),
                           .cut = cut_,
                           .body_of = body_of_,
                           .cloth_points = cloth,
                           .zone_first = zone_first_,
                           .point_first = point_first_,
                           .body_first = body_first_});
  launch(device_, "hold back", surface_.points(),
         Cut{.inverse_mass = inverse_mass,
             .label = zones.labels(),
             .body_of = body_of_,
             .zone_first = zone_first_,
             .point_first = point_first_,
             .body_first = body_first_,
             .cloth_points = cloth,
             .d = d,
             .cut = cut_,
             .moved = moved,
             .progress = progress});
}

}  // namespace weft
