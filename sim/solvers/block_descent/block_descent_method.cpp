#include "sim/methods/method_table.h"
#include "sim/solvers/block_descent/block_solver.h"

namespace weft {
namespace {

// What it takes itself is about 155 bytes per vertex: seven sets of positions, anchors, and the grid. The
// estimate of every scene holds coarser meshes and stencils of descent, which there are none of here:
// measured with grids of 4,000 to 40,000 vertices, 535 to 550 bytes per vertex in all, and 1,350 with
// descent, of which 1,590 are reported.
constexpr double kBesideDescent = -1000;

}  // namespace

SolverEntry block_descent_method() {
  SolverEntry e;
  e.name = "block_descent";
  e.label = "Block descent";
  e.help =
      "Descent on blocks of a regular grid with Chebyshev acceleration (Wang 2021). For cloth that is a grid "
      "of squares. The same work for every step, solved or not; fine grids lag unless they get more "
      "iterations.";
  e.params = param_group<BlockDescentParams>("block_descent", "Block descent");
  e.bytes_per_vertex = [](const Scene&) { return kBesideDescent; };
  e.refuses = why_no_grid;
  e.effort = {"block_descent.iterations", "iterations"};
  e.make = [](const StepContext& c) { return std::make_unique<BlockSolver>(c); };
  return e;
}

}  // namespace weft
