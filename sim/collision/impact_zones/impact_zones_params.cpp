#include "sim/collision/impact_zones/impact_zones_params.h"

namespace weft {

void ImpactZonesParams::describe(ParamVisitor& v) {
  v(rounds,
    {.key = "rounds",
     .label = "Rounds",
     .min = 0,
     .max = 1000,
     .help = "Most rounds of detection and zone solving in a time step (200 in the paper). 0: impacts are "
             "only detected, and the fallback deals with all of them.",
     .zero = "no zones"});
  v(thickness,
    {.key = "thickness",
     .label = "Thickness",
     .unit = "m",
     .min = 1e-6,
     .max = 5e-3,
     .help = "Distance that an impact must have at the end of the step. Larger: fewer rounds, cloth is "
             "pushed further. At most a tenth of the mean edge.",
     .log_scale = true,
     .display_unit = "mm",
     .display_scale = 1e3});
  v(gap,
    {.key = "gap",
     .label = "Gap",
     .unit = "m",
     .min = 0,
     .max = 1e-3,
     .help =
         "Distance below which two sides count as an impact. Must be below Thickness, or impacts are found "
         "for ever. 0: a tenth of Thickness.",
     .display_unit = "mm",
     .display_scale = 1e3,
     .zero = "from the thickness",
     .advanced = true});
  v(response,
    {.key = "response",
     .label = "Response",
     .help = "What the zone solver makes of impacts. distance: they keep Thickness at the end of the step "
             "(eq. 2 and 3). inelastic: their relative velocity becomes zero (Harmon 2008), which sticks "
             "and needs more rounds.",
     .choices = {"distance", "inelastic"}});
  v(solver,
    {.key = "solver",
     .label = "Zone solver",
     .help = "multipliers: accelerated Jacobi iterations on the multipliers of the augmented Lagrangian; "
             "converges to the least motion. gradient: gradient descent on positions with backtracking, as "
             "in the paper (eq. 6 to 8); moves points further than needed.",
     .choices = {"multipliers", "gradient"}});
  v(iterations, {.key = "iterations",
                 .label = "Zone iterations",
                 .min = 1,
                 .max = 10000,
                 .help = "Most iterations of the zone solver in a round (100 in the paper).",
                 .log_scale = true});
  v(step_threshold,
    {.key = "step_threshold",
     .label = "Step threshold",
     .unit = "m²",
     .min = 0,
     .max = 1e-4,
     .help = "A zone is solved when the squared motions of its points in an iteration sum to less "
             "than this (1e-12 in the paper: a micrometre).",
     .advanced = true});
  v(mu,
    {.key = "mu",
     .label = "mu",
     .min = 1,
     .max = 1e6,
     .help = "Penalty of the augmented Lagrangian, relative to the mean motion (mu of eq. 5). Larger: less "
             "violation, slower convergence. Only with the gradient solver.",
     .log_scale = true,
     .advanced = true});
  v(alpha,
    {.key = "alpha",
     .label = "alpha",
     .min = 0,
     .max = 0.5,
     .help = "Share of the predicted decrease that a step must reach, or it is halved (alpha of eq. 7). Only "
             "with the gradient solver.",
     .advanced = true});
  v(rho,
    {.key = "rho",
     .label = "rho",
     .min = 0,
     .max = 0.9999,
     .help = "Estimated spectral radius of the zone solver's iteration (rho of eq. 8): momentum. 0: none.",
     .zero = "no acceleration",
     .advanced = true});
  v(delay, {.key = "delay",
            .label = "Delay",
            .min = 0,
            .max = 1000,
            .help = "Iterations before momentum begins, also after a restart (k < 10 in eq. 8).",
            .advanced = true});
  v(fallback,
    {.key = "fallback",
     .label = "Fallback",
     .help = "What happens if impacts remain. smaller_steps: the step is made in 2, 4 or 8 parts, then as "
             "hold_back. hold_back: points of these zones go only as far as nothing meets. none: as in "
             "the paper, the state is published with its impacts and nothing is promised.",
     .choices = {"smaller_steps", "hold_back", "none"}});
  v(search,
    {.key = "search",
     .label = "Search",
     .help = "How pairs are found: trees of boxes over whole paths, a spatial hash with cells of several "
             "sizes (section 3), or trees over patches. The result is the same.",
     .choices = {"forest", "hash", "patches"},
     .advanced = true});
  v(incremental, {.key = "incremental",
                  .label = "Incremental",
                  .help = "Rounds after the first test only pairs with a point that the zone solver moved "
                          "(algorithm 1). Off: all pairs, with the same result.",
                  .advanced = true});
  v(zones,
    {.key = "zones",
     .label = "Separate zones",
     .help = "Solves each group of connected impacts for itself. Off: all impacts of a step are one zone, "
             "which converges as slowly as the slowest.",
     .advanced = true});
  v(terms,
    {.key = "terms",
     .label = "Proximity terms",
     .help = "Repulsion and friction inside the solver (section 2.5). Off: the solver ignores contact, cloth "
             "sticks where it impacts, without friction's law."});
  v(activation,
    {.key = "activation",
     .label = "Repulsion distance",
     .unit = "m",
     .min = 1e-5,
     .max = 0.02,
     .help = "Distance below which pairs repel in the solver, hence the resting distance from cloth and "
             "bodies. At most 0.4 of the mean edge.",
     .display_unit = "mm",
     .display_scale = 1e3});
  v(repulsion,
    {.key = "repulsion",
     .label = "Repulsion",
     .min = 0,
     .max = 1000,
     .help = "Stiffness of contact inside the solver, relative to inertia. Resting cloth sinks in by "
             "g dt² divided by this (dt: time step, at most 1/60 s). 0: no terms.",
     .log_scale = true});
  v(firmness,
    {.key = "firmness",
     .label = "Firmness",
     .min = 0,
     .max = 10,
     .help = "Contact stiffness added to Repulsion, relative to the stretch stiffness of the cloth. Needed "
             "where much cloth hangs from a tip or an edge.",
     .log_scale = true});
  v(self_friction, {.key = "self_friction",
                    .label = "Self-friction",
                    .min = 0,
                    .max = 5,
                    .help = "Coulomb friction coefficient between cloth and cloth."});
}

}  // namespace weft
