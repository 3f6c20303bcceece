#include "sim/collision/two_way/two_way_params.h"

#include "sim/base/param_rows.h"

namespace weft {

void TwoWayParams::describe(ParamVisitor& v) {
  const ParamRows row(v);
  row(handlings, param("handlings", "Handlings").range(1, 100),
      "Collision handlings per time step. Each moves the cloth towards the solver's target, and the solver "
      "continues from the result. With Newton's method: its iterations, as in the paper.");
  row(step_limit, param("step_limit", "Maximum steps").range(1, 65536).log_scale(),
      "Maximum number of backward and forward steps in one handling (L; in the paper 512 at 1/100 s, 2048 at "
      "1/20 s).");
  row(threshold, param("threshold", "Threshold").range(1e-7, 1).log_scale(),
      "A handling ends when every vertex has moved all but this fraction of its path (epsilon).");
  row(activation, param("activation", "Activation").length(1e-5, 0.02),
      "Distance below which pairs repel (delta), hence the resting distance from cloth and bodies. At most "
      "0.4 of the mean edge.");
  row(search_min, param("search_min", "Search, minimum").length(0, 0.1).zero("from the mesh").advanced(),
      "Distance below which every pair is known in each step (D^min; 2 mm in the paper); no vertex moves "
      "further than half of it in one step. 0: 0.4 of the mean edge.");
  row(search_max, param("search_max", "Search, maximum").length(0, 0.1).zero("from the mesh").advanced(),
      "Distance within which the search collects pairs (D^max; 4 mm in the paper). Larger: fewer searches, "
      "more pairs. 0: 0.7 of the mean edge.");
  row(stretch, param("stretch", "Edge limit").range(1, 10),
      "Largest ratio by which contact may stretch an edge of the target (sigma; 1.1 in the paper).");
  row(damping, param("damping", "Damping").range(0.05, 0.95).advanced(),
      "Fraction of the safe distance used by a forward step (gamma). Smaller: larger distances between "
      "pairs, more steps.");
  row(bound, param("bound", "Bound").choices({"planes", "half_distance"}),
      "Limit of a forward step. planes: a plane between the two sides of each pair, along which motion is "
      "free. half_distance: half the distance to the nearest primitive, as in the paper.");
  row(together, param("together", "Move together"),
      "First applies the motion that cloth shares with its surroundings, in one step of any length. Off: as "
      "in the paper, where fast cloth needs many steps.");
  row(form, param("form", "Constraints").choices({"volume", "gap"}).advanced(),
      "Constraint at edges, tips and borders: a volume that stays positive, or a gap. Smooth surfaces always "
      "push along their normal.");
  row(normals, param("normals", "Direction").choices({"surface", "segments"}).advanced(),
      "Direction of a contact. surface: the normal where surfaces are smooth; edges and corners push where "
      "they protrude. segments: every pair's shortest segment, as in the paper; sliding cloth is held by "
      "every unevenness.");
  row(lcp, param("lcp", "LCP").choices({"gauss_seidel", "jacobi", "gauss_seidel_5"}).advanced(),
      "Method of the one iteration per backward step: coloured Gauss-Seidel, or Jacobi, which needs more "
      "steps. gauss_seidel_5: five iterations, dearer and seldom fewer steps.");
  row(repulsion, param("repulsion", "Repulsion").range(0, 1000).log_scale(),
      "Stiffness of contact inside the solver, relative to inertia. Resting cloth sinks in by g dt^2 divided "
      "by this (dt: time step, at most 1/60 s). 0: the solver ignores contact, and cloth crumples.");
  row(firmness, param("firmness", "Firmness").range(0, 10).log_scale(),
      "Contact stiffness added to Repulsion, relative to the stretch stiffness of the cloth. Needed where "
      "much cloth hangs from a tip or an edge. Larger values need more solver iterations. No effect if "
      "Repulsion is 0.");
  row(self_friction, param("self_friction", "Self-friction").range(0, 5),
      "Coulomb friction coefficient between cloth and cloth.");
  row(friction_by, param("friction_by", "Friction by").choices({"contact", "velocity_filter"}).advanced(),
      "Where friction acts. contact: at every contact, in the solver and in the steps. velocity_filter: once "
      "per handling, from the penetration of the solver's target, as in the paper; less accurate, mostly "
      "between layers and at large time steps.");
}

}  // namespace weft
