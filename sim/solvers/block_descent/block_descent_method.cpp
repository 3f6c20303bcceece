#include "sim/methods/method_table.h"
#include "sim/solvers/block_descent/block_solver.h"

namespace weft {

SolverEntry block_descent_method() {
  SolverEntry e;
  e.name = "block_descent";
  e.label = "Block descent";
  e.help =
      "Descent on blocks of a regular grid with Chebyshev acceleration (Wang 2021). For cloth that is a grid "
      "of squares. The same work for every step, solved or not; fine grids lag unless they get more "
      "iterations.";
  e.params = param_group<BlockDescentParams>("block_descent", "Block descent");
  e.consumes = kAnchors;
  e.refuses = why_no_grid;
  e.make = [](const StepContext& c) { return std::make_unique<BlockSolver>(c); };
  return e;
}

}  // namespace weft
