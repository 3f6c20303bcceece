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
  launch_counted(device_, "zones", zones.zones, rows, RestZones{zone_, bound_});
  launch_counted(device_, "zones", list.count, impacts, WakeZones{first, zones.impact_zone, zone_});
  launch_counted(device_, "zones", zones.rows, rows,
                 BoundZones{zones, list.impact, points.inverse_mass, zone_, bound_, moved});
  launch_counted(device_, "zones", zones.zones, rows, StartZones{bound_, zone_, left_});
  launch_counted(device_, "zones", list.count, impacts, StartMultipliers{list, first, multiplier_});
  if (params.solver == int(ZoneSolverKind::gradient) && params.response == int(ZoneResponse::distance))
    by_gradient(params, list, zones, points, d);
  else by_multipliers(params, list, zones, points, d);
  launch_counted(device_, "zones", zones.zones, rows, CountZones{zone_, solves_});
}

void ZoneSolver::by_multipliers(const ImpactZonesParams& params, const ImpactList& list,
                                const ZonesView& zones, const Points& points, Span<vec3> d) {
  const int rows = zone_.size();
  const bool inelastic = params.response == int(ZoneResponse::inelastic);
  const ZoneLimits limits{params.iterations, params.delay, params.step_threshold, params.rho};
  MovePoints move{zones, list.impact, points.inverse_mass, zone_, multiplier_, points.y, false, d, value_};
  device_.repeat(left_, [&] {
    launch_counted(device_, "zone solver", list.count, list.impact.size,
                   MoveMultipliers{list, zones, zone_, d, inelastic, multiplier_});
    launch_counted(device_, "zone solver", zones.rows, rows, move);
    segment_sums(device_, value_, zones.zone_start, zones.zones, work_, sum_);
    launch_counted(device_, "zone solver", zones.zones, rows, DecideZones{sum_, limits, zone_, left_});
  });
  move.last = true;
  launch_counted(device_, "zone solver", zones.rows, rows, move);
}

void ZoneSolver::by_gradient(const ImpactZonesParams& params, const ImpactList& list, const ZonesView& zones,
                             const Points& points, Span<vec3> d) {
  const int rows = zone_.size(), impacts = list.impact.size;
  const ZoneLimits limits{params.iterations, params.delay, params.step_threshold, params.rho};
  const GradientView view{zones,      list.impact,         zone_,    multiplier_,
                          violation_, points.inverse_mass, points.y, params.mu};
  const auto sum = [&] { segment_sums(device_, value_, zones.zone_start, zones.zones, work_, sum_); };
  launch_counted(device_, "zone solver", zones.rows, rows, ZoneMasses{zones, points.inverse_mass, value_});
  sum();
  launch_counted(device_, "zone solver", zones.rows, rows,
                 StartRows{zones, points.inverse_mass, sum_, d, row_});
  launch_counted(device_, "zone solver", list.count, impacts,
                 StartGradient{list, d, multiplier_, violation_});
  device_.repeat(left_, [&] {
    launch_counted(device_, "zone solver", list.count, impacts,
                   Violations{list, zones, zone_, d, violation_});
    launch_counted(device_, "zone solver", zones.rows, rows, Directions{view, d, row_, value_});
    sum();
    trying_.clear();
    launch_counted(device_, "zone solver", zones.zones, rows, BeginSearch{sum_, zone_, trying_});
    device_.repeat(trying_, [&] {
      launch_counted(device_, "zone solver", list.count, impacts,
                     TryStep{list, zones, zone_, points.inverse_mass, row_, violation_});
      launch_counted(device_, "zone solver", zones.rows, rows, EnergyChange{view, d, row_, value_});
      sum();
      launch_counted(device_, "zone solver", zones.zones, rows,
                     AcceptSteps{sum_, params.alpha, zone_, trying_});
    });
    launch_counted(device_, "zone solver", zones.rows, rows, TakeSteps{view, limits, d, row_, value_});
    launch_counted(device_, "zone solver", list.count, impacts,
                   RaiseMultipliers{list, zones, zone_, d, std::max(1, params.delay), multiplier_});
    sum();
    launch_counted(device_, "zone solver", zones.zones, rows, EndIteration{sum_, limits, zone_, left_});
  });
}

}  // namespace weft
