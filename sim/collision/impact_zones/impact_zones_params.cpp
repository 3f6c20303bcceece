#include "sim/collision/impact_zones/impact_zones_params.h"

#include "sim/base/param_rows.h"

namespace weft {

void ImpactZonesParams::describe(ParamVisitor& v) {
  const ParamRows row(v);
  row(rounds, param("rounds", "Rounds").range(0, 1000).zero("no zones"),
      "Most rounds of detection and zone solving in a time step (200 in the paper). 0: impacts are only "
      "detected, and the fallback deals with all of them.");
  row(thickness, param("thickness", "Thickness").length(1e-6, 5e-3).log_scale(),
      "Distance that an impact must have at the end of the step. Larger: fewer rounds, cloth is pushed "
      "further. At most a tenth of the mean edge.");
  row(gap, param("gap", "Gap").length(0, 1e-3).zero("from the thickness").advanced(),
      "Distance below which two sides count as an impact. Must be below Thickness, or impacts are found for "
      "ever. 0: a tenth of Thickness.");
  row(response, param("response", "Response").choices({"distance", "inelastic"}),
      "What the zone solver makes of impacts. distance: they keep Thickness at the end of the step (eq. 2 "
      "and 3). inelastic: their relative velocity becomes zero (Harmon 2008), which sticks and needs more "
      "rounds.");
  row(solver, param("solver", "Zone solver").choices({"multipliers", "gradient"}),
      "multipliers: accelerated Jacobi iterations on the multipliers of the augmented Lagrangian; converges "
      "to the least motion. gradient: gradient descent on positions with backtracking, as in the paper (eq. "
      "6 to 8); moves points further than needed.");
  row(iterations, param("iterations", "Zone iterations").range(1, 10000).log_scale(),
      "Most iterations of the zone solver in a round (100 in the paper).");
  row(step_threshold, param("step_threshold", "Step threshold").unit("m²").range(0, 1e-4).advanced(),
      "A zone is solved when the squared motions of its points in an iteration sum to less than this (1e-12 "
      "in the paper: a micrometre).");
  row(mu, param("mu", "mu").range(1, 1e6).log_scale().advanced(),
      "Penalty of the augmented Lagrangian, relative to the mean motion (mu of eq. 5). Larger: less "
      "violation, slower convergence. Only with the gradient solver.");
  row(alpha, param("alpha", "alpha").range(0, 0.5).advanced(),
      "Share of the predicted decrease that a step must reach, or it is halved (alpha of eq. 7). Only with "
      "the gradient solver.");
  row(rho, param("rho", "rho").range(0, 0.9999).zero("no acceleration").advanced(),
      "Estimated spectral radius of the zone solver's iteration (rho of eq. 8): momentum. 0: none.");
  row(delay, param("delay", "Delay").range(0, 1000).advanced(),
      "Iterations before momentum begins, also after a restart (k < 10 in eq. 8).");
  row(fallback, param("fallback", "Fallback").choices({"smaller_steps", "hold_back", "none"}),
      "What happens if impacts remain. smaller_steps: the step is made in 2, 4 or 8 parts, then as "
      "hold_back. hold_back: points of these zones go only as far as nothing meets. none: as in the paper, "
      "the state is published with its impacts and nothing is promised.");
  row(search, param("search", "Search").choices({"forest", "hash"}).advanced(),
      "How pairs are found: trees of boxes over whole paths, or a spatial hash with cells of several sizes "
      "(section 3). The result is the same.");
  row(incremental, param("incremental", "Incremental").advanced(),
      "Rounds after the first test only pairs with a point that the zone solver moved (algorithm 1). Off: "
      "all pairs, with the same result.");
  row(zones, param("zones", "Separate zones").advanced(),
      "Solves each group of connected impacts for itself. Off: all impacts of a step are one zone, which "
      "converges as slowly as the slowest.");
  row(terms, param("terms", "Proximity terms"),
      "Repulsion and friction inside the solver (section 2.5). Off: the solver ignores contact, cloth sticks "
      "where it impacts, without friction's law.");
  row(activation, param("activation", "Repulsion distance").length(1e-5, 0.02),
      "Distance below which pairs repel in the solver, hence the resting distance from cloth and bodies. At "
      "most 0.4 of the mean edge.");
  row(repulsion, param("repulsion", "Repulsion").range(0, 1000).log_scale(),
      "Stiffness of contact inside the solver, relative to inertia. Resting cloth sinks in by g dt² divided "
      "by this (dt: time step, at most 1/60 s). 0: no terms.");
  row(firmness, param("firmness", "Firmness").range(0, 10).log_scale(),
      "Contact stiffness added to Repulsion, relative to the stretch stiffness of the cloth. Needed where "
      "much cloth hangs from a tip or an edge.");
  row(self_friction, param("self_friction", "Self-friction").range(0, 5),
      "Coulomb friction coefficient between cloth and cloth.");
}

}  // namespace weft
