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
  for (auto* sorted : {&places_, &points_}) sorted->make_room(device_, places);
  for (auto* b : {&point_, &zone_}) *b = Buffer<int>(device_, "impact zones", places);
  impact_zone_ = Buffer<int>(device_, "impact zones", impacts);
  entries_ = Buffer<ivec2>(device_, "impact zones", places);
}

void ZoneLists::Sorted::make_room(Device& device, int items) {
  for (auto* b : {&key, &once}) *b = Buffer<uint32_t>(device, "impact zones", items);
  item = Buffer<int>(device, "impact zones", items);
  start = Buffer<int>(device, "impact zones", items + 1);
}

void ZoneLists::Sorted::sort(Device& device, Span<int> keys, Span<int> count) {
  sort_pairs(device, key, item);
  run_length(device, key, once, start, keys);
  launch(device, "zone lists", 1, CountRuns{once, keys, item.size(), start, count});
}

void ZoneLists::clear() { launch(device_, "zone labels", label_.size(), BeginLabels{label_}); }

void ZoneLists::join(const ImpactList& list, Span<const float> inverse_mass, bool together) {
  StageScope stage(device_.profiler(), "zones");
  const auto pass = [&] {
    changed_.clear();
    launch_counted(device_, "zone labels", list.count, list.impact.size,
                   LinkPoints{list, inverse_mass, together, label_, changed_});
    launch(device_, "zone labels", label_.size(), FollowLabels{label_});
  };
  pass();
  device_.repeat(changed_, pass);
}

void ZoneLists::build(const ImpactList& list, Span<const float> inverse_mass) {
  StageScope stage(device_.profiler(), "zones");
  const int places = places_.item.size();
  launch(device_, "zone lists", places, ListPlaces{list, inverse_mass, places_.key, places_.item});
  places_.sort(device_, runs_, rows_);
  launch(device_, "zone lists", places, KeyByZone{places_.once, rows_, label_, points_.key, points_.item});
  points_.sort(device_, runs_, zones_);
  launch_counted(device_, "zone lists", rows_, places,
                 FillRows{.key = points_.key,
                          .zone_key = points_.once,
                          .zones = zones_,
                          .run = points_.item,
                          .run_start = places_.start,
                          .run_point = places_.once,
                          .point = point_,
                          .zone = zone_,
                          .row_of_point = row_of_point_,
                          .entries = entries_});
  launch_counted(device_, "zone lists", list.count, list.impact.size,
                 ZonesOfImpacts{list, label_, zones_, points_.once, impact_zone_});
}

ZonesView ZoneLists::view() const {
  return {rows_, zones_, point_, zone_, entries_, places_.item, points_.start, impact_zone_, row_of_point_};
}

}  // namespace weft
