#include "sim/solvers/newton/newton_params.h"

#include "sim/base/param_rows.h"

namespace weft {

void NewtonParams::describe(ParamVisitor& v) {
  const ParamRows row(v);
  row(steps, param("steps", "Newton steps").range(1, 500),
      "Newton steps per time step, at most. More: contact, buckling and large rotations settle within the "
      "step.");
  row(tolerance, param("tolerance", "Newton tolerance").range(0, 1).log_scale(),
      "Newton steps end where so much of each piece of cloth's motion in the step is still missing, in the "
      "mean; at most of what gravity moves in a step, and at least of a thousandth of that. solver_residual "
      "says what was left. 0: all steps are taken.");
  row(preconditioner, param("preconditioner", "Preconditioner").choices({"multilevel", "block_jacobi"}),
      "What an iteration of conjugate gradients is made of. Multilevel: coarser meshes carry forces across "
      "the cloth; an iteration costs five times as much and does what dozens do without. Block Jacobi: every "
      "vertex for itself, as in Wang 2023; it wants 80 iterations and more.");
  row(cg_iterations, param("cg_iterations", "CG iterations").range(1, 20000).log_scale(),
      "Iterations of conjugate gradients per Newton step, at most. Too few: cloth lags behind in its large "
      "motions.");
  row(cg_tolerance, param("cg_tolerance", "CG tolerance").range(0, 1).log_scale(),
      "Conjugate gradients end where the residual has fallen to this share (in the preconditioner's norm).");
  row(forcing_terms, param("forcing_terms", "Forcing terms"),
      "Where nothing touches the cloth, a linear system is solved only as well as the last Newton step was "
      "worth: where that left most of the residual, conjugate gradients end sooner. Off: each system is "
      "solved to the CG tolerance, whatever that buys.");
  row(line_search, param("line_search", "Line search"),
      "Shortens a Newton step that would not lower the energy. Costs little; without it slack cloth can "
      "tremble.");
}

}  // namespace weft
