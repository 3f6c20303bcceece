#include "sim/methods/method_table.h"
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
  e.consumes = kAnchors;
  e.make = [](const StepContext& c) { return std::make_unique<DescentSolver>(c); };
  return e;
}

}  // namespace weft
