#pragma once
#include "sim/base/params.h"

namespace weft {

/// Solver of a zone: multipliers alone, or gradient descent as in the paper (Tang 2018, algorithm 2).
enum class ZoneSolverKind { multipliers, gradient };
/// What an impact must become: a distance, or no relative velocity (Harmon et al. 2008).
enum class ZoneResponse { distance, inelastic };
/// What happens to a step whose impacts remain.
enum class ZoneFallback { smaller_steps, hold_back, none };

/// Impact zones (Tang et al. 2018).
struct ImpactZonesParams {
  bool operator==(const ImpactZonesParams&) const = default;
  int rounds = 200;
  float thickness = 1e-4f;  // m
  float gap = 0;            // m; 0: a tenth of thickness
  int response = int(ZoneResponse::distance);
  int solver = int(ZoneSolverKind::multipliers);
  int iterations = 100;
  float step_threshold = 1e-12f;  // m^2
  float mu = 1000;
  float alpha = 1e-4f;
  float rho = 0.9992f;
  int delay = 10;
  int fallback = int(ZoneFallback::smaller_steps);
  int search = 0;
  bool incremental = true;
  bool zones = true;
  bool terms = true;
  float activation = 1e-3f;  // m
  float repulsion = 30;
  float firmness = 0.1f;
  float self_friction = 0.3f;

  void describe(ParamVisitor& v);
};

}  // namespace weft
