#include "sim/collision/ndb/ndb_params.h"

namespace weft {

void NdbParams::describe(ParamVisitor& v) {
  iterations(v);
  weights(v);
  path(v);
  v(self_friction, {.key = "self_friction",
                    .label = "Self-friction",
                    .min = 0,
                    .max = 5,
                    .help = "Coulomb friction coefficient (mu) between cloth and cloth."});
  v(slip_speed, {.key = "slip_speed",
                 .label = "Slip speed",
                 .unit = "m/s",
                 .min = 1e-6,
                 .max = 0.1,
                 .help = "Speed up to which friction grows smoothly (epsilon_v). Larger: cloth that should "
                         "stick creeps faster, by up to this speed. Smaller: more iterations.",
                 .log_scale = true,
                 .display_unit = "mm/s",
                 .display_scale = 1e3,
                 .advanced = true});
}

void NdbParams::iterations(ParamVisitor& v) {
  v(budget, {.key = "budget",
             .label = "Budget",
             .min = 1,
             .max = 2000,
             .help = "Iterations of a step after which contact no longer changes: neither its list nor its "
                     "weights. The solver's own number of iterations limits them too."});
  v(warm_start, {.key = "warm_start",
                 .label = "Warm start",
                 .min = 0,
                 .max = 100,
                 .help = "Iterations without contact at the start of a step (3 to 5 in the paper). At least "
                         "16 others remain, so that solvers of fewer have none; nor has Newton's method."});
  v(inner, {.key = "inner",
            .label = "Inner iterations",
            .min = 1,
            .max = 500,
            .help = "Iterations of a round: between two searches for contacts."});
  v(rounds, {.key = "rounds",
             .label = "Rounds",
             .min = 1,
             .max = 100,
             .help = "Outer rounds of a step, at most. Each finds contacts anew."});
  v(inner_change, {.key = "inner_change",
                   .label = "Inner change",
                   .min = 0,
                   .max = 1,
                   .help = "Weights of a round stop growing where an iteration moves no vertex by more than "
                           "this share of the cloth's size (epsilon of the inner loop).",
                   .log_scale = true,
                   .advanced = true});
  v(round_change, {.key = "round_change",
                   .label = "Round change",
                   .min = 0,
                   .max = 1,
                   .help = "No further round follows where one has moved no vertex by more than this share "
                           "of the cloth's size (epsilon of the outer loop).",
                   .log_scale = true,
                   .advanced = true});
  v(ends, {.key = "ends",
           .label = "Small changes end",
           .help = "What small changes end. weights: their growth, and further rounds. iterations: "
                   "iterations as well, as in "
                   "the paper, with projective dynamics; cloth lags where inner_change is large.",
           .choices = {"weights", "iterations"},
           .advanced = true});
}

void NdbParams::weights(ParamVisitor& v) {
  v(weight, {.key = "weight",
             .label = "Weight",
             .min = 0.01,
             .max = 1000,
             .help = "Weight (w0) with which a contact begins, in units of mass over dt squared.",
             .log_scale = true});
  v(base, {.key = "base",
           .label = "Base",
           .min = 1,
           .max = 16,
           .help = "Factor (K) by which the weight of a contact grows with each iteration in which it "
                   "lasts; solvers of few iterations take a larger one. Large: contacts act like "
                   "projections, and iterations converge more slowly."});
  v(weight_cap,
    {.key = "weight_cap",
     .label = "Largest weight",
     .min = 0.001,
     .max = 10,
     .help = "Largest weight of a contact, as a multiple of the cloth's stiffness at its vertices. "
             "Larger: harder contact that the solver resolves more slowly.",
     .log_scale = true,
     .advanced = true});
  v(keep_weights, {.key = "keep_weights",
                   .label = "Keep weights",
                   .help = "Contacts that last go on in the next step with the weight that they had. Off: "
                           "each step begins with w0, as in the paper.",
                   .advanced = true});
  v(barrier, {.key = "barrier",
              .label = "Barrier",
              .help = "What the weight of a contact depends on. non_distance: how many iterations it has "
                      "lasted. distance: a log barrier of its distance, with full detection in every "
                      "iteration.",
              .choices = {"non_distance", "distance"}});
  v(samples,
    {.key = "samples",
     .label = "Samples",
     .help = "Test for pairs that may have passed each other (partial CCD, eq. 10). plane: one plane "
             "between both sides. bernstein: a bound over all places, which reports most near "
             "pairs. one, three, six: samples.",
     .choices = {"plane", "bernstein", "one", "three", "six"},
     .advanced = true});
  v(gap, {.key = "gap",
          .label = "Gap",
          .unit = "m",
          .min = 1e-5,
          .max = 0.02,
          .help = "Distance that contacts keep, from cloth and from bodies. At most 0.4 of the mean edge.",
          .display_unit = "mm",
          .display_scale = 1e3});
}

void NdbParams::path(ParamVisitor& v) {
  v(filter, {.key = "filter",
             .label = "Filter",
             .min = 0.05,
             .max = 0.95,
             .help = "Share (eta) of the path up to an impact, or of a safe distance, that cloth takes.",
             .advanced = true});
  v(exit, {.key = "exit",
           .label = "Exit",
           .help = "How a step ends without a crossing. planes: every vertex stops by itself at planes "
                   "between close pairs. toi: all cloth stops at the first time of impact, as in the paper; "
                   "it locks in knots and funnels.",
           .choices = {"planes", "toi"}});
  v(advance, {.key = "advance",
              .label = "Advance",
              .help = "When the crossing-free state moves: in each round, or only at the exit, as in the "
                      "paper, while rounds search around the path there.",
              .choices = {"each_round", "exit"},
              .advanced = true});
  v(residual_forwarding,
    {.key = "residual_forwarding",
     .label = "Residual forwarding",
     .min = 0,
     .max = 1,
     .help = "Where exit = toi lets cloth take less than this share of its path, the rest acts as a force in "
             "the next step (f_rf). 0: never.",
     .zero = "never"});
  v(step_limit, {.key = "step_limit",
                 .label = "Maximum steps",
                 .min = 1,
                 .max = 65536,
                 .help = "Maximum number of pieces of the path from the crossing-free state to the "
                         "solver's result. Rounds take at "
                         "most 16.",
                 .log_scale = true,
                 .advanced = true});
  v(threshold, {.key = "threshold",
                .label = "Threshold",
                .min = 1e-7,
                .max = 1,
                .help = "The path ends where every vertex has gone all but this share of its path.",
                .log_scale = true,
                .advanced = true});
}

}  // namespace weft
