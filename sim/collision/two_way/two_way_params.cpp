#include "sim/collision/two_way/two_way_params.h"

namespace weft {

void TwoWayParams::describe(ParamVisitor& v) {
  v(handlings, {.key = "handlings",
                .label = "Handlings",
                .min = 1,
                .max = 100,
                .help = "Collision handlings per time step. Each moves the cloth towards the solver's "
                        "target, and the solver continues from the result. With Newton's method: its "
                        "iterations, as in the paper."});
  v(step_limit, {.key = "step_limit",
                 .label = "Maximum steps",
                 .min = 1,
                 .max = 65536,
                 .help = "Maximum number of backward and forward steps in one handling (L; in the paper "
                         "512 at 1/100 s, 2048 at 1/20 s).",
                 .log_scale = true});
  v(threshold, {.key = "threshold",
                .label = "Threshold",
                .min = 1e-7,
                .max = 1,
                .help = "A handling ends when every vertex has moved all but this fraction of its path "
                        "(epsilon).",
                .log_scale = true});
  v(activation, {.key = "activation",
                 .label = "Activation",
                 .unit = "m",
                 .min = 1e-5,
                 .max = 0.02,
                 .help = "Distance below which pairs repel (delta), hence the resting distance from cloth "
                         "and bodies. At most 0.4 of the mean edge.",
                 .display_unit = "mm",
                 .display_scale = 1e3});
  v(search_min, {.key = "search_min",
                 .label = "Search, minimum",
                 .unit = "m",
                 .min = 0,
                 .max = 0.1,
                 .help = "Distance below which every pair is known in each step (D^min; 2 mm in the "
                         "paper); no vertex moves further than half of it in one step. 0: 0.4 of the mean "
                         "edge.",
                 .display_unit = "mm",
                 .display_scale = 1e3,
                 .zero = "from the mesh",
                 .advanced = true});
  v(search_max, {.key = "search_max",
                 .label = "Search, maximum",
                 .unit = "m",
                 .min = 0,
                 .max = 0.1,
                 .help = "Distance within which the search collects pairs (D^max; 4 mm in the paper). "
                         "Larger: fewer searches, more pairs. 0: 0.7 of the mean edge.",
                 .display_unit = "mm",
                 .display_scale = 1e3,
                 .zero = "from the mesh",
                 .advanced = true});
  v(stretch, {.key = "stretch",
              .label = "Edge limit",
              .min = 1,
              .max = 10,
              .help = "Largest ratio by which contact may stretch an edge of the target (sigma; 1.1 in "
                      "the paper)."});
  v(damping, {.key = "damping",
              .label = "Damping",
              .min = 0.05,
              .max = 0.95,
              .help = "Fraction of the safe distance used by a forward step (gamma). Smaller: larger "
                      "distances between pairs, more steps.",
              .advanced = true});
  v(bound, {.key = "bound",
            .label = "Bound",
            .help = "Limit of a forward step. planes: a plane between the two sides of each pair, along "
                    "which motion is free. half_distance: half the distance to the nearest primitive, as "
                    "in the paper.",
            .choices = {"planes", "half_distance"}});
  v(together, {.key = "together",
               .label = "Move together",
               .help = "First applies the motion that cloth shares with its surroundings, in one step "
                       "of any length. Off: as in the paper, where fast cloth needs many steps."});
  v(form, {.key = "form",
           .label = "Constraints",
           .help = "Constraint at edges, tips and borders: a volume that stays positive, or a gap. Smooth "
                   "surfaces always push along their normal.",
           .choices = {"volume", "gap"},
           .advanced = true});
  v(normals, {.key = "normals",
              .label = "Direction",
              .help = "Direction of a contact. surface: the normal where surfaces are smooth; edges and "
                      "corners push where they protrude. segments: every pair's shortest segment, as in "
                      "the paper; sliding cloth is held by every unevenness.",
              .choices = {"surface", "segments"},
              .advanced = true});
  v(lcp, {.key = "lcp",
          .label = "LCP",
          .help = "Method of the one iteration per backward step: coloured Gauss-Seidel, or Jacobi, which "
                  "needs more steps. gauss_seidel_5: five iterations, dearer and seldom fewer steps.",
          .choices = {"gauss_seidel", "jacobi", "gauss_seidel_5"},
          .advanced = true});
  v(repulsion, {.key = "repulsion",
                .label = "Repulsion",
                .min = 0,
                .max = 1000,
                .help = "Stiffness of contact inside the solver, relative to inertia. Resting cloth sinks "
                        "in by g dt^2 divided by this (dt: time step, at most 1/60 s). 0: the solver "
                        "ignores contact, and cloth crumples.",
                .log_scale = true});
  v(firmness, {.key = "firmness",
               .label = "Firmness",
               .min = 0,
               .max = 10,
               .help = "Contact stiffness added to Repulsion, relative to the stretch stiffness of the "
                       "cloth. Needed where much cloth hangs from a tip or an edge. Larger values need "
                       "more solver iterations. No effect if Repulsion is 0.",
               .log_scale = true});
  v(self_friction, {.key = "self_friction",
                    .label = "Self-friction",
                    .min = 0,
                    .max = 5,
                    .help = "Coulomb friction coefficient between cloth and cloth."});
  v(friction_by, {.key = "friction_by",
                  .label = "Friction by",
                  .help = "Where friction acts. contact: at every contact, in the solver and in the "
                          "steps. velocity_filter: once per handling, from the penetration of the "
                          "solver's target, as in the paper; less accurate, mostly between layers and at "
                          "large time steps.",
                  .choices = {"contact", "velocity_filter"},
                  .advanced = true});
}

}  // namespace weft
