#include "sim/solvers/block_descent/block_descent_params.h"

#include "sim/base/param_rows.h"

namespace weft {

void BlockDescentParams::describe(ParamVisitor& v) {
  const ParamRows row(v);
  row(method,
      param("method", "Method").choices({"blocks", "descent", "conjugate", "conjugate_blocks"}).advanced(),
      "What is iterated: descent on blocks, on vertices alone, or conjugate gradients of either.");
  row(iterations, param("iterations", "Iterations").range(2, 100000),
      "Outer iterations of a step. More: less lag behind gravity and moving pins; fine grids need more. Wang "
      "2021 takes 1,024 for 600,000 vertices.");
  row(rounds, param("rounds", "Contact rounds").range(0, 100).zero("automatic"),
      "Looks at contact per step, which share its iterations. More: friction and self-collision settle "
      "within the step. 0: 4, or 8 where cloth collides with itself.");
  row(inner, param("inner", "Inner iterations (L)").range(1, 16).advanced(),
      "Iterations within a block before it sees its neighbours again. More does more work per memory "
      "access.");
  row(alpha, param("alpha", "Step (alpha)").range(0.01, 1).advanced(),
      "Share of the preconditioned step that is taken. Less is slower; too much is taken back by the "
      "solver.");
  row(chebyshev_rho, param("chebyshev_rho", "Chebyshev rho").range(0, 0.99999).zero("automatic").advanced(),
      "Spectral radius (rho) of the acceleration of outer iterations. 0: chosen from their number.");
  row(lag_outer, param("lag_outer", "Lag outer ring").advanced(),
      "Bending takes vertices beyond the six neighbours from the start of an outer iteration (equation 9).");
  row(block_width, param("block_width", "Block width (W)").range(8, 16).advanced().rebuilds(),
      "Vertices along a block: 8, or 16 for any greater number.");
}

}  // namespace weft
