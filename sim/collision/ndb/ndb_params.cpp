#include "sim/collision/ndb/ndb_params.h"

#include "sim/base/param_rows.h"

namespace weft {

void NdbParams::describe(ParamVisitor& v) {
  const ParamRows row(v);
  iterations(v);
  weights(v);
  path(v);
  row(self_friction, param("self_friction", "Self-friction").range(0, 5),
      "Coulomb friction coefficient (mu) between cloth and cloth.");
  row(slip_speed,
      param("slip_speed", "Slip speed")
          .unit("m/s")
          .range(1e-6, 0.1)
          .log_scale()
          .shown_in("mm/s", 1e3)
          .advanced(),
      "Speed up to which friction grows smoothly (epsilon_v). Larger: cloth that should stick creeps faster, "
      "by up to this speed. Smaller: more iterations.");
}

void NdbParams::iterations(ParamVisitor& v) {
  const ParamRows row(v);
  row(budget, param("budget", "Budget").range(1, 2000),
      "Iterations of a step after which contact no longer changes: neither its list nor its weights. The "
      "solver's own number of iterations limits them too.");
  row(warm_start, param("warm_start", "Warm start").range(0, 100),
      "Iterations without contact at the start of a step (3 to 5 in the paper). At least 16 others remain, "
      "so that solvers of fewer have none; nor has Newton's method.");
  row(inner, param("inner", "Inner iterations").range(1, 500),
      "Iterations of a round: between two searches for contacts.");
  row(rounds, param("rounds", "Rounds").range(1, 100),
      "Outer rounds of a step, at most. Each finds contacts anew.");
  row(inner_change, param("inner_change", "Inner change").range(0, 1).log_scale().advanced(),
      "Weights of a round stop growing where an iteration moves no vertex by more than this share of the "
      "cloth's size (epsilon of the inner loop).");
  row(round_change, param("round_change", "Round change").range(0, 1).log_scale().advanced(),
      "No further round follows where one has moved no vertex by more than this share of the cloth's size "
      "(epsilon of the outer loop).");
  row(ends, param("ends", "Small changes end").choices({"weights", "iterations"}).advanced(),
      "What small changes end. weights: their growth, and further rounds. iterations: iterations as well, as "
      "in the paper, with projective dynamics; cloth lags where inner_change is large.");
}

void NdbParams::weights(ParamVisitor& v) {
  const ParamRows row(v);
  row(weight, param("weight", "Weight").range(0.01, 1000).log_scale(),
      "Weight (w0) with which a contact begins, in units of mass over dt squared.");
  row(base, param("base", "Base").range(1, 16),
      "Factor (K) by which the weight of a contact grows with each iteration in which it lasts; solvers of "
      "few iterations take a larger one. Large: contacts act like projections, and iterations converge more "
      "slowly.");
  row(weight_cap, param("weight_cap", "Largest weight").range(0.001, 10).log_scale().advanced(),
      "Largest weight of a contact, as a multiple of the cloth's stiffness at its vertices. Larger: harder "
      "contact that the solver resolves more slowly.");
  row(keep_weights, param("keep_weights", "Keep weights").advanced(),
      "Contacts that last go on in the next step with the weight that they had. Off: each step begins with "
      "w0, as in the paper.");
  row(barrier, param("barrier", "Barrier").choices({"non_distance", "distance"}),
      "What the weight of a contact depends on. non_distance: how many iterations it has lasted. distance: a "
      "log barrier of its distance, with full detection in every iteration.");
  row(samples, param("samples", "Samples").choices({"plane", "bernstein", "one", "three", "six"}).advanced(),
      "Test for pairs that may have passed each other (partial CCD, eq. 10). plane: one plane between both "
      "sides. bernstein: a bound over all places, which reports most near pairs. one, three, six: samples.");
  row(gap, param("gap", "Gap").length(1e-5, 0.02),
      "Distance that contacts keep, from cloth and from bodies. At most 0.4 of the mean edge.");
}

void NdbParams::path(ParamVisitor& v) {
  const ParamRows row(v);
  row(filter, param("filter", "Filter").range(0.05, 0.95).advanced(),
      "Share (eta) of the path up to an impact, or of a safe distance, that cloth takes.");
  row(exit, param("exit", "Exit").choices({"planes", "toi"}),
      "How a step ends without a crossing. planes: every vertex stops by itself at planes between close "
      "pairs. toi: all cloth stops at the first time of impact, as in the paper; it locks in knots and "
      "funnels.");
  row(advance, param("advance", "Advance").choices({"each_round", "exit"}).advanced(),
      "When the crossing-free state moves: in each round, or only at the exit, as in the paper, while rounds "
      "search around the path there.");
  row(residual_forwarding, param("residual_forwarding", "Residual forwarding").range(0, 1).zero("never"),
      "Where exit = toi lets cloth take less than this share of its path, the rest acts as a force in the "
      "next step (f_rf). 0: never.");
  row(step_limit, param("step_limit", "Maximum steps").range(1, 65536).log_scale().advanced(),
      "Maximum number of pieces of the path from the crossing-free state to the solver's result. Rounds take "
      "at most 16.");
  row(threshold, param("threshold", "Threshold").range(1e-7, 1).log_scale().advanced(),
      "The path ends where every vertex has gone all but this share of its path.");
}

}  // namespace weft
