#include "sim/solvers/projective/projective_params.h"

namespace weft {

void ProjectiveParams::describe(ParamVisitor& v) {
  v(iterations,
    {.key = "iterations",
     .label = "Iterations",
     .min = 1,
     .max = 2000,
     .help = "Local-global (LG) iterations of a step. More: less lag behind gravity and moving pins, "
             "most of all in fast turns of stiff cloth."});
  v(start,
    {.key = "start",
     .label = "Start of a step",
     .help = "Where iterations begin: at x + h v (velocity), or at the target z of inertia and outer forces "
             "(inertia), from where few iterations leave cloth at rest too low.",
     .choices = {"velocity", "inertia"}});
  v(jacobi,
    {.key = "jacobi",
     .label = "Jacobi sweeps",
     .min = 0,
     .max = 5000,
     .help = "Sweeps of Jacobi's method (A-Jacobi) of an iteration, after the subspace. Each carries forces "
             "from a vertex to its neighbours."});
  v(rank,
    {.key = "rank",
     .label = "Rank of sweeps",
     .min = 0,
     .max = 2,
     .help = "Rank l of aggregated Jacobi. 2: two sweeps in one pass with precomputed products, fewer "
             "launches and more memory; "
             "the result is the same but for rounding. 0: the faster one, 1 on CPU cores and 2 on a GPU.",
     .zero = "by device"});
  v(damping, {.key = "damping",
              .label = "Damping",
              .min = 0,
              .max = 1,
              .help = "Weight (omega) of damped sweeps, D = H_ii / omega, for comparison: with 1 those of "
                      "stiff bending diverge. "
                      "0: D is at least half the sum of its row, which needs no damping.",
              .zero = "none needed",
              .advanced = true});
  v(modes,
    {.key = "modes",
     .label = "Modes",
     .min = 0,
     .max = 400,
     .help = "Size r of the subspace U: the lowest eigenvectors of the mesh with its pins, for cloth without "
             "contact. At most a quarter of the vertices. 0: no subspace."});
  v(reused_modes,
    {.key = "reused_modes",
     .label = "Reused modes",
     .min = 0,
     .max = 64,
     .help = "Size r_c of the subspace U_c that is reused under contact or while a hand holds cloth: "
             "the first of the modes."});
  v(products, {.key = "products",
               .label = "Mode products",
               .help = "Products of reused modes at each vertex (u_j^T u_j, eq. 19), which are summed "
                       "under contact. formed: from the "
                       "modes, the faster on CPU cores. stored: made in advance, with r_c (r_c + 1) / 2 "
                       "numbers per vertex.",
               .choices = {"formed", "stored"},
               .advanced = true});
  v(reduced, {.key = "reduced",
              .label = "Reduced system",
              .help = "How the system of the reused modes is solved. elimination: for the forces at hand, "
                      "the faster. inverse: by way "
                      "of its scaled inverse (eq. 25), with the same result.",
              .choices = {"elimination", "inverse"},
              .advanced = true});
  v(acceleration,
    {.key = "acceleration",
     .label = "Acceleration",
     .help = "What iterations learn from those before: a fixed momentum (Chebyshev's method), or the "
             "combination of the last ones that leaves least (Anderson's). It begins anew where what is left "
             "of the step grows.",
     .choices = {"off", "chebyshev", "anderson"}});
  v(chebyshev_rho, {.key = "chebyshev_rho",
                    .label = "Chebyshev rho",
                    .min = 0,
                    .max = 0.9999,
                    .help = "Spectral radius (rho) of the iterations that acceleration assumes. Larger: more "
                            "momentum."});
  v(anderson_window,
    {.key = "anderson_window",
     .label = "Anderson window",
     .min = 1,
     .max = 8,
     .help = "Iterations (m) that Anderson's method looks back. More: fewer iterations, and more memory."});
}

}  // namespace weft
