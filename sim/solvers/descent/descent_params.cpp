#include "sim/solvers/descent/descent_params.h"

#include "sim/base/param_rows.h"

namespace weft {

void DescentParams::describe(ParamVisitor& v) {
  const ParamRows row(v);
  row(schedule, param("schedule", "Schedule").choices({"alternating", "wu2020"}),
      "Order of a step's iterations. Alternating: turns on the full mesh and corrections from the coarser "
      "ones, back and forth. Wu 2020 (A Safe and Fast Repulsion Method for GPU-based Cloth Self Collisions, "
      "section 5.1): first all on the coarsest mesh, in 48 steps of six iterations (I_dyn = 6), then 12 on "
      "the middle mesh and 12 on the full one (I_dyn = 1), with contact after every step. Several times "
      "dearer.");
  row(cycles, param("cycles", "Coarse corrections").range(0, 50).zero("automatic"),
      "Visits to the coarser meshes per step, which share their iterations. More: friction, self-collision "
      "and large rotations settle within the step. 0: 2, or 6 where cloth collides with itself; 12 with "
      "non-distance barriers, which allow 16 at most. Alternating schedule only.");
  row(fine_iterations, param("fine_iterations", "Fine iterations").range(0, 20000),
      "Iterations per step on the full mesh. More: sharper detail, less stretch.");
  row(middle_iterations, param("middle_iterations", "Middle iterations").range(0, 20000),
      "Iterations per step on the middle mesh (a quarter of the vertices), shared among the corrections. 12 "
      "are the dynamics steps of Wu 2020, with I_dyn = 1.");
  row(coarse_iterations, param("coarse_iterations", "Coarse iterations").range(0, 100000),
      "Iterations per step on the coarsest mesh. They carry the weight of large cloth, and cost little. 288 "
      "are the 48 dynamics steps of Wu 2020 with I_dyn = 6 iterations each (table 2 there: 1 to 6); for "
      "another I_dyn, 48 times that.");
  row(chebyshev_rho, param("chebyshev_rho", "Chebyshev rho").range(0, 0.99999).zero("automatic"),
      "Spectral radius (rho) of Chebyshev acceleration. 0: chosen from the number of iterations, so that "
      "what they do not resolve is damped, never amplified.");
}

}  // namespace weft
