#include "sim/solvers/projective/projective_params.h"

#include "sim/base/param_rows.h"

namespace weft {

void ProjectiveParams::describe(ParamVisitor& v) {
  const ParamRows row(v);
  row(iterations, param("iterations", "Iterations").range(1, 2000),
      "Local-global (LG) iterations of a step. More: less lag behind gravity and moving pins, most of all in "
      "fast turns of stiff cloth.");
  row(start, param("start", "Start of a step").choices({"velocity", "inertia"}),
      "Where iterations begin: at x + h v (velocity), or at the target z of inertia and outer forces "
      "(inertia), from where few iterations leave cloth at rest too low.");
  row(jacobi, param("jacobi", "Jacobi sweeps").range(0, 5000),
      "Sweeps of Jacobi's method (A-Jacobi) of an iteration, after the subspace. Each carries forces from a "
      "vertex to its neighbours.");
  row(rank, param("rank", "Rank of sweeps").range(0, 2).zero("by device"),
      "Rank l of aggregated Jacobi. 2: two sweeps in one pass with precomputed products, fewer launches and "
      "more memory; the result is the same but for rounding. 0: the faster one, 1 on CPU cores and 2 on a "
      "GPU.");
  row(damping, param("damping", "Damping").range(0, 1).zero("none needed").advanced(),
      "Weight (omega) of damped sweeps, D = H_ii / omega, for comparison: with 1 those of stiff bending "
      "diverge. 0: D is at least half the sum of its row, which needs no damping.");
  row(modes, param("modes", "Modes").range(0, 400),
      "Size r of the subspace U: the lowest eigenvectors of the mesh with its pins, for cloth without "
      "contact. At most a quarter of the vertices. 0: no subspace.");
  row(reused_modes, param("reused_modes", "Reused modes").range(0, 64),
      "Size r_c of the subspace U_c that is reused under contact or while a hand holds cloth: the first of "
      "the modes.");
  row(products, param("products", "Mode products").choices({"formed", "stored"}).advanced(),
      "Products of reused modes at each vertex (u_j^T u_j, eq. 19), which are summed under contact. formed: "
      "from the modes, the faster on CPU cores. stored: made in advance, with r_c (r_c + 1) / 2 numbers per "
      "vertex.");
  row(reduced, param("reduced", "Reduced system").choices({"elimination", "inverse"}).advanced(),
      "How the system of the reused modes is solved. elimination: for the forces at hand, the faster. "
      "inverse: by way of its scaled inverse (eq. 25), with the same result.");
  row(acceleration, param("acceleration", "Acceleration").choices({"off", "chebyshev", "anderson"}),
      "What iterations learn from those before: a fixed momentum (Chebyshev's method), or the combination of "
      "the last ones that leaves least (Anderson's). It begins anew where what is left of the step grows.");
  row(chebyshev_rho, param("chebyshev_rho", "Chebyshev rho").range(0, 0.9999),
      "Spectral radius (rho) of the iterations that acceleration assumes. Larger: more momentum.");
  row(anderson_window, param("anderson_window", "Anderson window").range(1, 8),
      "Iterations (m) that Anderson's method looks back. More: fewer iterations, and more memory.");
}

}  // namespace weft
