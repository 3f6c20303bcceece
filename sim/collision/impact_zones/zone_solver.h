// Solver of all impact zones at once (Tang 2018, section 4).
#pragma once
#include "sim/collision/impact_zones/gradient_kernels.h"
#include "sim/collision/impact_zones/impact_zones_params.h"
#include "sim/collision/impact_zones/zone_lists.h"
#include "sim/collision/impact_zones/zone_solver_kernels.h"

namespace weft {

/// Moves the points of zones by as little as possible, weighted by mass, to where their impacts keep their
/// distance. Multipliers stay from round to round. All memory is on the device; nothing between `make_room`
/// calls reads it on the host.
class ZoneSolver {
 public:
  explicit ZoneSolver(Device& device);
  /// Memory for this many impacts. Not within a recorded sequence.
  void make_room(int impacts);
  /// The motion that a step wants: y, and inverse masses (1/kg), 0 for points that it must not move; per
  /// point.
  struct Points {
    Span<const vec3> y;
    Span<const float> inverse_mass;
  };
  /// Solves the zones with impacts from `first` on (one element); marks their points in `moved`, and changes
  /// their displacements `d` (m), which the last call left.
  void solve(const ImpactZonesParams& params, const impact_zones::ImpactList& list,
             const impact_zones::ZonesView& zones, Span<const int> first, const Points& points, Span<vec3> d,
             Span<int> moved);
  /// What the zones of the last call needed; one element.
  Span<const impact_zones::ZoneSolves> solves() const { return solves_; }
  Span<const impact_zones::Multiplier> multipliers() const { return multiplier_; }

 private:
  void by_multipliers(const ImpactZonesParams& params, const impact_zones::ImpactList& list,
                      const impact_zones::ZonesView& zones, const Points& points, Span<vec3> d);

  void by_gradient(const ImpactZonesParams& params, const impact_zones::ImpactList& list,
                   const impact_zones::ZonesView& zones, const Points& points, Span<vec3> d);

  Device& device_;
  Buffer<impact_zones::Zone> zone_;
  Buffer<impact_zones::Multiplier> multiplier_;
  Buffer<float> bound_;
  Buffer<vec3> value_, work_, sum_;
  Buffer<impact_zones::ZoneRow> row_;
  Buffer<impact_zones::Violation> violation_;
  Buffer<impact_zones::ZoneSolves> solves_;
  Buffer<int> left_, trying_;
};

}  // namespace weft
