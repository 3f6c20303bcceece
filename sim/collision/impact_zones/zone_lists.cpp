#include "sim/collision/impact_zones/zone_lists.h"

#include "sim/device/primitives.h"

namespace weft {
using namespace impact_zones;

ZoneLists::ZoneLists(Device& device, int points)
    : device_(device),
      label_(device, "zone labels", points),
      changed_(device, "zone labels", 1),
      rows_(device, "zone counts", 1),
      zones_(device, "zone counts", 1),
      row_of_point_(device, "rows of points", points),
      runs_(device, "zone counts", 1) {}

void ZoneLists::make_room(int impacts) {
  const int places = buffer_size(4 * int64_t(impacts), "places of impacts");
  for (auto* b : {&place_key_, &run_point_, &row_key_, &zone_key_})
    *b = Buffer<uint32_t>(device_, "impact zones", places);
  for (auto* b : {&place_, &run_, &point_, &zone_}) *b = Buffer<int>(device_, "impact zones", places);
  for (auto* b : {&run_start_, &zone_start_}) *b = Buffer<int>(device_, "impact zones", places + 1);
  impact_zone_ = Buffer<int>(device_, "impact zones", impacts);
  entries_ = Buffer<ivec2>(device_, "impact zones", places);
}

void ZoneLists::clear() { launch(device_, "zone labels", label_.size(), BeginLabels{label_.span()}); }

void ZoneLists::join(const ImpactList& list, Span<const float> inverse_mass, bool together) {
  StageScope stage(device_.profiler(), "zones");
  const auto pass = [&] {
    changed_.clear();
    launch_counted(device_, "zone labels", list.count, list.impact.size,
                   LinkPoints{list, inverse_mass, together, label_.span(), changed_.span()});
    launch(device_, "zone labels", label_.size(), FollowLabels{label_.span()});
  };
  pass();
  device_.repeat(changed_.span(), pass);
}

void ZoneLists::build(const ImpactList& list, Span<const float> inverse_mass) {
  StageScope stage(device_.profiler(), "zones");
  const int places = place_.size();
  launch(device_, "zone lists", places, ListPlaces{list, inverse_mass, place_key_.span(), place_.span()});
  sort_pairs(device_, place_key_.span(), place_.span());
  run_length(device_, place_key_.span(), run_point_.span(), run_start_.span(), runs_.span());
  launch(device_, "zone lists", 1,
         CountRuns{run_point_.span(), runs_.span(), places, run_start_.span(), rows_.span()});
  launch(device_, "zone lists", places,
         KeyByZone{run_point_.span(), rows_.span(), label_.span(), row_key_.span(), run_.span()});
  sort_pairs(device_, row_key_.span(), run_.span());
  run_length(device_, row_key_.span(), zone_key_.span(), zone_start_.span(), runs_.span());
  launch(device_, "zone lists", 1,
         CountRuns{zone_key_.span(), runs_.span(), places, zone_start_.span(), zones_.span()});
  launch_counted(
      device_, "zone lists", rows_.span(), places,
      FillRows{row_key_.span(), zone_key_.span(), zones_.span(), run_.span(), run_start_.span(),
               run_point_.span(), point_.span(), zone_.span(), row_of_point_.span(), entries_.span()});
  launch_counted(device_, "zone lists", list.count, list.impact.size,
                 ZonesOfImpacts{list, label_.span(), zones_.span(), zone_key_.span(), impact_zone_.span()});
}

ZonesView ZoneLists::view() const {
  return {rows_.span(),  zones_.span(),      point_.span(),       zone_.span(),        entries_.span(),
          place_.span(), zone_start_.span(), impact_zone_.span(), row_of_point_.span()};
}

}  // namespace weft
