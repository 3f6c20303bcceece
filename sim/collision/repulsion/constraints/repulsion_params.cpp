#include "sim/collision/repulsion/constraints/repulsion_params.h"

namespace weft {

void RepulsionParams::describe(ParamVisitor& v) {
  v(integration, {.key = "integration",
                  .label = "Integration",
                  .help = "How collision handling is coupled to the solver. splitting: as in the paper. "
                          "The others exist for comparison.",
                  .choices = {"splitting", "interleaving", "post_processing", "phantom_mesh"}});
  v(coupling, {.key = "coupling",
               .label = "Coupling",
               .unit = "1/s^2",
               .min = 0,
               .max = 1e7,
               .help = "Strength with which the solver is pulled towards the collision-free positions "
                       "(sigma), relative to mass; stronger where contact separates the two. 0: "
                       "collisions only correct the result, and pulled cloth overstretches.",
               .log_scale = true});
  v(coupling_everywhere, {.key = "coupling_everywhere",
                          .label = "Couple everywhere",
                          .help = "On: all vertices are coupled, as in the paper, which slows cloth in "
                                  "flight. Off: only vertices in contact, along the contact direction.",
                          .advanced = true});
  v(coupling_grows,
    {.key = "coupling_grows",
     .label = "Coupling grows",
     .help = "On: where contact holds, the coupling grows with the gap between the solver's "
             "cloth and the collision-free one, which keeps pulled cloth from stretching. Off: it is "
             "the same everywhere, as in the paper.",
     .advanced = true});
  v(steps, {.key = "steps",
            .label = "Collision steps",
            .min = 1,
            .max = 2000,
            .help = "Collision steps per time step (K). More: cloth in fast motion lags less; cost "
                    "grows in proportion."});
  v(initial_steps, {.key = "initial_steps",
                    .label = "Initial steps",
                    .min = 0,
                    .max = 100,
                    .help = "Number of parts in which a smoothed displacement is applied before the first "
                            "collision step (I_init). 0: none, and fast cloth is damped.",
                    .advanced = true});
  v(step_limit, {.key = "step_limit",
                 .label = "Step limit",
                 .unit = "m",
                 .min = 1e-6,
                 .max = 0.01,
                 .help = "Largest intended motion of a vertex in one collision step (D), at the reference "
                         "edge length. Larger: cloth in contact can move faster.",
                 .log_scale = true,
                 .display_unit = "mm",
                 .display_scale = 1e3});
  v(move_limit,
    {.key = "move_limit",
     .label = "Move limit",
     .unit = "m",
     .min = 0,
     .max = 0.01,
     .help = "Largest motion of a vertex in one collision step with what constraints add to it, at "
             "the reference edge length (2.5 mm in the paper). More: constraints push further, and more "
             "pairs are searched. 0: the step limit.",
     .display_unit = "mm",
     .display_scale = 1e3,
     .advanced = true});
  v(max_edge, {.key = "max_edge",
               .label = "Longest edge",
               .unit = "m",
               .min = 1e-4,
               .max = 0.1,
               .help = "Maximum edge length (L). Vertices stay at least L / sqrt(2) (B) apart; together "
                       "this prevents crossings.",
               .display_unit = "mm",
               .display_scale = 1e3,
               .advanced = true});
  v(tightening, {.key = "tightening",
                 .label = "Tightening",
                 .unit = "m",
                 .min = 1e-6,
                 .max = 0.01,
                 .help = "Extra distance that vertices keep at each update (B_tight), so that the minimum "
                         "also holds between updates.",
                 .display_unit = "mm",
                 .display_scale = 1e3,
                 .advanced = true});
  v(slack, {.key = "slack",
            .label = "Slack",
            .unit = "m^2",
            .min = 0,
            .max = 1e-3,
            .help = "Range over which distances and edges resist before their limit (epsilon_slack, on "
                    "squared lengths). Layers rest at its end.",
            .display_unit = "mm^2",
            .display_scale = 1e6,
            .advanced = true});
  v(condition, {.key = "condition",
                .label = "Success margin",
                .unit = "m^2",
                .min = 0,
                .max = 1e-4,
                .help = "Margin by which the soft phase must meet the limits (epsilon_cond, on squared "
                        "lengths).",
                .display_unit = "mm^2",
                .display_scale = 1e6,
                .advanced = true});
  v(reference_edge, {.key = "reference_edge",
                     .label = "Reference edge",
                     .unit = "m",
                     .min = 1e-4,
                     .max = 0.1,
                     .help = "Edge length to which the lengths above refer (L_ref). On other meshes they "
                             "scale with the edges.",
                     .display_unit = "mm",
                     .display_scale = 1e3,
                     .advanced = true});
  v(resampling, {.key = "resampling",
                 .label = "Resample stretched edges",
                 .help = "Adds a sample point in the middle of stretched edges, which may then grow to "
                         "twice the maximum edge length. For cloth that stretches far."});
  v(resample_from, {.key = "resample_from",
                    .label = "Resample from",
                    .unit = "m",
                    .min = 1e-4,
                    .max = 0.1,
                    .help = "Edges longer than this get a sample point (L_ada).",
                    .display_unit = "mm",
                    .display_scale = 1e3,
                    .advanced = true});
  v(soft_phase, {.key = "soft_phase",
                 .label = "Soft phase",
                 .help = "Penalty iterations that separate vertices quickly; nearly always sufficient."});
  v(soft_iterations, {.key = "soft_iterations",
                      .label = "Soft iterations",
                      .min = 1,
                      .max = 200,
                      .help = "Iterations of the soft phase (I_soft; 6 to 16 in the paper).",
                      .advanced = true});
  v(penalty, {.key = "penalty",
              .label = "Penalty",
              .min = 0.01,
              .max = 1000,
              .help = "Penalty strength of the soft phase (rho).",
              .log_scale = true,
              .advanced = true});
  v(hard_phase, {.key = "hard_phase",
                 .label = "Hard phase",
                 .help = "Log-barrier iterations used where the soft phase fails; every iterate is "
                         "valid. With this or Limits off, crossings are possible."});
  v(hard_iterations, {.key = "hard_iterations",
                      .label = "Hard iterations",
                      .min = 1,
                      .max = 200,
                      .help = "Iterations of the hard phase (I_hard).",
                      .advanced = true});
  v(hard_rounds,
    {.key = "hard_rounds",
     .label = "Hard rounds",
     .min = 1,
     .max = 100,
     .help = "The hard phase goes on for so many times its iterations at most, until its gradient "
             "is below the end. 1: no further than its iterations.",
     .advanced = true});
  v(hard_end,
    {.key = "hard_end",
     .label = "Hard end",
     .unit = "m",
     .min = 0,
     .max = 1,
     .help = "Norm of the gradient below which the hard phase ends (eta), at the reference edge length. "
             "More: it ends sooner. 0: after all its rounds.",
     .display_unit = "mm",
     .display_scale = 1e3,
     .advanced = true});
  v(hard_step, {.key = "hard_step",
                .label = "Hard step",
                .min = 1e-4,
                .max = 1,
                .help = "Initial step size of the line search in the hard phase (alpha_0).",
                .advanced = true});
  v(barrier, {.key = "barrier",
              .label = "Barrier",
              .unit = "m^2",
              .min = 1e-10,
              .max = 1e-4,
              .help = "Strength of the log barrier in the hard phase (mu).",
              .log_scale = true,
              .display_unit = "mm^2",
              .display_scale = 1e6,
              .advanced = true});
  v(rollback_steps, {.key = "rollback_steps",
                     .label = "Rollback steps",
                     .min = 1,
                     .max = 100,
                     .help = "Collision steps between two checks for failure (R). After a failure they "
                             "are repeated with the hard phase.",
                     .advanced = true});
  v(self_friction, {.key = "self_friction",
                    .label = "Self-friction",
                    .min = 0,
                    .max = 5,
                    .help = "Coulomb friction coefficient between cloth and cloth."});
  v(body_vertices, {.key = "body_vertices",
                    .label = "Body vertices",
                    .help = "Samples bodies with vertices that take part in the repulsion, so that "
                            "cloth never crosses a body; it rests about 8 mm above bodies at 4.2 mm "
                            "edges. Off: bodies are half spaces, and vertices enter them by at most 1 "
                            "mm."});
  v(limits, {.key = "limits",
             .label = "Limits",
             .help = "Limits the motion of vertices between two neighbour searches, so that no pair is "
                     "missed. Off: crossings are possible.",
             .advanced = true});
}

}  // namespace weft
