#include "sim/collision/impact_zones/zone_solver.h"

#include "sim/device/primitives.h"

namespace weft {
using namespace impact_zones;

ZoneSolver::ZoneSolver(Device& device) : device_(device), left_(device, "zones left", 1), most_(device, "zone iterations", 1) {}

void ZoneSolver::make_room(int impacts) {
  const int rows = buffer_size(4 * int64_t(impacts), "points of zones");
  multiplier_ = Buffer<Multiplier>(device_, "multipliers", impacts);
  zone_ = Buffer<Zone>(device_, "zones", rows);
  bound_ = Buffer<float>(device_, "zones", rows);
  for (auto* b : {&value_, &sum_}) *b = Buffer<vec3>(device_, "zone sums", rows);
  work_ = Buffer<vec3>(device_, "zone sums", segment_work(rows));
}

void ZoneSolver::solve(const ImpactZonesParams& params, const ImpactList& list, const ZonesView& zones, Span<const int> first, const Points& points, Span<vec3> d, Span<int> moved) {
  StageScope stage(device_.profiler(), "zone solver");
  const int rows = zone_.size(), impacts = list.impact.size;
  left_.clear();
  most_.clear();
  launch_counted(device_, "zones", zones.zones, rows, RestZones{zone_.span(), bound_.span()});
  launch_counted(device_, "zones", list.count, impacts, WakeZones{first, zones.impact_zone, zone_.span()});
  launch_counted(device_, "zones", zones.rows, rows, BoundZones{zones, list.impact, points.inverse_mass, zone_.span(), bound_.span(), moved});
  launch_counted(device_, "zones", zones.zones, rows, StartZones{bound_.span(), zone_.span(), left_.span()});
  launch_counted(device_, "zones", list.count, impacts, StartMultipliers{list, first, multiplier_.span()});
  by_multipliers(params, list, zones, points, d);
  launch_counted(device_, "zones", zones.zones, rows, CountZones{zones.zones, zone_.span(), most_.span()});
}

void ZoneSolver::by_multipliers(const ImpactZonesParams& params, const ImpactList& list, const ZonesView& zones, const Points& points, Span<vec3> d) {
  const int rows = zone_.size();
  const bool inelastic = params.response == int(ZoneResponse::inelastic);
  const ZoneLimits limits{params.iterations, params.delay, params.step_threshold, params.rho};
  MovePoints move{zones, list.impact, points.inverse_mass, zone_.span(), multiplier_.span(), points.y, false, d, value_.span()};
  device_.repeat(left_.span(), [&] {
    launch_counted(device_, "zone solver", list.count, list.impact.size,
                   MoveMultipliers{list, zones, zone_.span(), d, inelastic, multiplier_.span()});
    launch_counted(device_, "zone solver", zones.rows, rows, move);
    segment_sums(device_, value_.span(), zones.zone_start, zones.zones, work_.span(), sum_.span());
    launch_counted(device_, "zone solver", zones.zones, rows, DecideZones{sum_.span(), limits, zone_.span(), left_.span()});
  });
  move.last = true;
  launch_counted(device_, "zone solver", zones.rows, rows, move);
}

}  // namespace weft
