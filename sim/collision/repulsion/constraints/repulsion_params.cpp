#include "sim/collision/repulsion/constraints/repulsion_params.h"

#include "sim/base/param_rows.h"

namespace weft {

void RepulsionParams::describe(ParamVisitor& v) {
  const ParamRows row(v);
  row(integration,
      param("integration", "Integration")
          .choices({"splitting", "interleaving", "post_processing", "phantom_mesh"}),
      "How collision handling is coupled to the solver. splitting: as in the paper. The others exist for "
      "comparison.");
  row(coupling, param("coupling", "Coupling").unit("1/s^2").range(0, 1e7).log_scale(),
      "Strength with which the solver is pulled towards the collision-free positions (sigma), relative to "
      "mass; stronger where contact separates the two. 0: collisions only correct the result, and pulled "
      "cloth overstretches.");
  row(coupling_everywhere, param("coupling_everywhere", "Couple everywhere").advanced(),
      "On: all vertices are coupled, as in the paper, which slows cloth in flight. Off: only vertices in "
      "contact, along the contact direction.");
  row(coupling_grows, param("coupling_grows", "Coupling grows").advanced(),
      "On: where contact holds, the coupling grows with the gap between the solver's cloth and the "
      "collision-free one, which keeps pulled cloth from stretching. Off: it is the same everywhere, as in "
      "the paper.");
  row(steps, param("steps", "Collision steps").range(1, 2000),
      "Collision steps per time step (K). More: cloth in fast motion lags less; cost grows in proportion.");
  row(initial_steps, param("initial_steps", "Initial steps").range(0, 100).advanced(),
      "Number of parts in which a smoothed displacement is applied before the first collision step (I_init). "
      "0: none, and fast cloth is damped.");
  row(step_limit, param("step_limit", "Step limit").length(1e-6, 0.01).log_scale(),
      "Largest intended motion of a vertex in one collision step (D), at the reference edge length. Larger: "
      "cloth in contact can move faster.");
  row(move_limit, param("move_limit", "Move limit").length(0, 0.01).advanced(),
      "Largest motion of a vertex in one collision step with what constraints add to it, at the reference "
      "edge length (2.5 mm in the paper). More: constraints push further, and more pairs are searched. 0: "
      "the step limit.");
  row(max_edge, param("max_edge", "Longest edge").length(1e-4, 0.1).advanced(),
      "Maximum edge length (L). Vertices stay at least L / sqrt(2) (B) apart; together this prevents "
      "crossings.");
  row(tightening, param("tightening", "Tightening").length(1e-6, 0.01).advanced(),
      "Extra distance that vertices keep at each update (B_tight), so that the minimum also holds between "
      "updates.");
  row(slack, param("slack", "Slack").unit("m^2").range(0, 1e-3).shown_in("mm^2", 1e6).advanced(),
      "Range over which distances and edges resist before their limit (epsilon_slack, on squared lengths). "
      "Layers rest at its end.");
  row(condition,
      param("condition", "Success margin").unit("m^2").range(0, 1e-4).shown_in("mm^2", 1e6).advanced(),
      "Margin by which the soft phase must meet the limits (epsilon_cond, on squared lengths).");
  row(reference_edge, param("reference_edge", "Reference edge").length(1e-4, 0.1).advanced(),
      "Edge length to which the lengths above refer (L_ref). On other meshes they scale with the edges.");
  row(resampling, param("resampling", "Resample stretched edges"),
      "Adds a sample point in the middle of stretched edges, which may then grow to twice the maximum edge "
      "length. For cloth that stretches far.");
  row(resample_from, param("resample_from", "Resample from").length(1e-4, 0.1).advanced(),
      "Edges longer than this get a sample point (L_ada).");
  row(soft_phase, param("soft_phase", "Soft phase"),
      "Penalty iterations that separate vertices quickly; nearly always sufficient.");
  row(soft_iterations, param("soft_iterations", "Soft iterations").range(1, 200).advanced(),
      "Iterations of the soft phase (I_soft; 6 to 16 in the paper).");
  row(penalty, param("penalty", "Penalty").range(0.01, 1000).log_scale().advanced(),
      "Penalty strength of the soft phase (rho).");
  row(hard_phase, param("hard_phase", "Hard phase"),
      "Log-barrier iterations used where the soft phase fails; every iterate is valid. With this or Limits "
      "off, crossings are possible.");
  row(hard_iterations, param("hard_iterations", "Hard iterations").range(1, 200).advanced(),
      "Iterations of the hard phase (I_hard).");
  row(hard_rounds, param("hard_rounds", "Hard rounds").range(1, 100).advanced(),
      "The hard phase goes on for so many times its iterations at most, until its gradient is below the end. "
      "1: no further than its iterations.");
  row(hard_end, param("hard_end", "Hard end").length(0, 1).advanced(),
      "Norm of the gradient below which the hard phase ends (eta), at the reference edge length. More: it "
      "ends sooner. 0: after all its rounds.");
  row(hard_step, param("hard_step", "Hard step").range(1e-4, 1).advanced(),
      "Initial step size of the line search in the hard phase (alpha_0).");
  row(barrier,
      param("barrier", "Barrier").unit("m^2").range(1e-10, 1e-4).log_scale().shown_in("mm^2", 1e6).advanced(),
      "Strength of the log barrier in the hard phase (mu).");
  row(rollback_steps, param("rollback_steps", "Rollback steps").range(1, 100).advanced(),
      "Collision steps between two checks for failure (R). After a failure they are repeated with the hard "
      "phase.");
  row(self_friction, param("self_friction", "Self-friction").range(0, 5),
      "Coulomb friction coefficient between cloth and cloth.");
  row(body_vertices, param("body_vertices", "Body vertices"),
      "Samples bodies with vertices that take part in the repulsion, so that cloth never crosses a body; it "
      "rests about 8 mm above bodies at 4.2 mm edges. Off: bodies are half spaces, and vertices enter them "
      "by at most 1 mm.");
  row(limits, param("limits", "Limits").advanced(),
      "Limits the motion of vertices between two neighbour searches, so that no pair is missed. Off: "
      "crossings are possible.");
}

}  // namespace weft
