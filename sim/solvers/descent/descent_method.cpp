#include "sim/methods/method_table.h"
#include "sim/scene/model/stitches.h"
#include "sim/solvers/descent/descent_params.h"
#include "sim/solvers/descent/descent_solver.h"

namespace weft {

SolverEntry descent_method() {
  SolverEntry e;
  e.name = "descent";
  e.label = "Multilevel descent";
  e.help =
      "Block-Jacobi descent with Chebyshev acceleration over three mesh levels (Wu 2020). The same work for "
      "every "
      "step, solved or not: fast, but large motions lag, more on finer meshes, cloth collapses too slowly, "
      "and "
      "at rest it may creep.";
  e.params = param_group<DescentParams>("descent", "Multilevel descent");
  // its rows hold the forces of springs and bending alone between evaluations of elements
  e.refuses = [](const Scene& s) { return why_no_stitches(s, "Descent"); };
  // Measured: more iterations on the full mesh alone make contact worse.
  e.effort = {"descent.cycles", "visits to the coarser meshes", 16};
  e.make = [](const StepContext& c) { return std::make_unique<DescentSolver>(c); };
  return e;
}

}  // namespace weft
