#include "sim/collision/impact_zones/zone_solver.h"

#include <algorithm>

#include "sim/device/primitives.h"

namespace weft {
using namespace impact_zones;

ZoneSolver::ZoneSolver(Device& device)
    : device_(device),
      solves_(device, "zone iterations", 1),
      left_(device, "zones left", 1),
      trying_(device, "zones left", 1) {}

void ZoneSolver::make_room(int impacts) {
  const int rows = buffer_size(4 * int64_t(impacts), "points of zones");
  multiplier_ = Buffer<Multiplier>(device_, "multipliers", impacts);
  violation_ = Buffer<Violation>(device_, "violations", impacts);
  row_ = Buffer<ZoneRow>(device_, "zone rows", rows);
  zone_ = Buffer<Zone>(device_, "zones", rows);
  bound_ = Buffer<float>(device_, "zones", rows);
  for (auto* b : {&value_, &sum_}) *b = Buffer<vec3>(device_, "zone sums", rows);
  work_ = Buffer<vec3>(device_, "zone sums", segment_work(rows));
}

void ZoneSolver::solve(const ImpactZonesParams& params, const ImpactList& list, const ZonesView& zones,
                       Span<const int> first, const Points& points, Span<vec3> d, Span<int> moved) {
  StageScope stage(device_.profiler(), "zone solver");
  const int rows = zone_.size(), impacts = list.impact.size;
  left_.clear();
  solves_.clear();
  launch_counted(device_, "zones", zones.zones, rows, RestZones{zone_.span(), bound_.span()});
  launch_counted(device_, "zones", list.count, impacts, WakeZones{first, zones.impact_zone, zone_.span()});
  launch_counted(device_, "zones", zones.rows, rows,
                 BoundZones{zones, list.impact, points.inverse_mass, zone_.span(), bound_.span(), moved});
  launch_counted(device_, "zones", zones.zones, rows, StartZones{bound_.span(), zone_.span(), left_.span()});
  launch_counted(device_, "zones", list.count, impacts, StartMultipliers{list, first, multiplier_.span()});
  if (params.solver == int(ZoneSolverKind::gradient) && params.response == int(ZoneResponse::distance))
    by_gradient(params, list, zones, points, d);
  else by_multipliers(params, list, zones, points, d);
  launch_counted(device_, "zones", zones.zones, rows, CountZones{zone_.span(), solves_.span()});
}

void ZoneSolver::by_multipliers(const ImpactZonesParams& params, const ImpactList& list,
                                const ZonesView& zones, const Points& points, Span<vec3> d) {
  const int rows = zone_.size();
  const bool inelastic = params.response == int(ZoneResponse::inelastic);
  const ZoneLimits limits{params.iterations, params.delay, params.step_threshold, params.rho};
  MovePoints move{zones, list.impact, points.inverse_mass, zone_.span(), multiplier_.span(), points.y,
                  false, d,           value_.span()};
  device_.repeat(left_.span(), [&] {
    launch_counted(device_, "zone solver", list.count, list.impact.size,
                   MoveMultipliers{list, zones, zone_.span(), d, inelastic, multiplier_.span()});
    launch_counted(device_, "zone solver", zones.rows, rows, move);
    segment_sums(device_, value_.span(), zones.zone_start, zones.zones, work_.span(), sum_.span());
    launch_counted(device_, "zone solver", zones.zones, rows,
                   DecideZones{sum_.span(), limits, zone_.span(), left_.span()});
  });
  move.last = true;
  launch_counted(device_, "zone solver", zones.rows, rows, move);
}

void ZoneSolver::by_gradient(const ImpactZonesParams& params, const ImpactList& list, const ZonesView& zones,
                             const Points& points, Span<vec3> d) {
  const int rows = zone_.size(), impacts = list.impact.size;
  const ZoneLimits limits{params.iterations, params.delay, params.step_threshold, params.rho};
  const GradientView view{
      zones,    list.impact, zone_.span(), multiplier_.span(), violation_.span(), points.inverse_mass,
      points.y, params.mu};
  const auto sum = [&] {
    segment_sums(device_, value_.span(), zones.zone_start, zones.zones, work_.span(), sum_.span());
  };
  launch_counted(device_, "zone solver", zones.rows, rows,
                 ZoneMasses{zones, points.inverse_mass, value_.span()});
  sum();
  launch_counted(device_, "zone solver", zones.rows, rows,
                 StartRows{zones, points.inverse_mass, sum_.span(), d, row_.span()});
  launch_counted(device_, "zone solver", list.count, impacts,
                 StartGradient{list, d, multiplier_.span(), violation_.span()});
  device_.repeat(left_.span(), [&] {
    launch_counted(device_, "zone solver", list.count, impacts,
                   Violations{list, zones, zone_.span(), d, violation_.span()});
    launch_counted(device_, "zone solver", zones.rows, rows, Directions{view, d, row_.span(), value_.span()});
    sum();
    trying_.clear();
    launch_counted(device_, "zone solver", zones.zones, rows,
                   BeginSearch{sum_.span(), zone_.span(), trying_.span()});
    device_.repeat(trying_.span(), [&] {
      launch_counted(device_, "zone solver", list.count, impacts,
                     TryStep{list, zones, zone_.span(), points.inverse_mass, row_.span(), violation_.span()});
      launch_counted(device_, "zone solver", zones.rows, rows,
                     EnergyChange{view, d, row_.span(), value_.span()});
      sum();
      launch_counted(device_, "zone solver", zones.zones, rows,
                     AcceptSteps{sum_.span(), params.alpha, zone_.span(), trying_.span()});
    });
    launch_counted(device_, "zone solver", zones.rows, rows,
                   TakeSteps{view, limits, d, row_.span(), value_.span()});
    launch_counted(
        device_, "zone solver", list.count, impacts,
        RaiseMultipliers{list, zones, zone_.span(), d, std::max(1, params.delay), multiplier_.span()});
    sum();
    launch_counted(device_, "zone solver", zones.zones, rows,
                   EndIteration{sum_.span(), limits, zone_.span(), left_.span()});
  });
}

}  // namespace weft
