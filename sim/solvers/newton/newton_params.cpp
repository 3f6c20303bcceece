#include "sim/solvers/newton/newton_params.h"

namespace weft {

void NewtonParams::describe(ParamVisitor& v) {
  v(steps, {.key = "steps",
            .label = "Newton steps",
            .min = 1,
            .max = 500,
            .help = "Newton steps per time step, at most. More: contact, buckling and large rotations "
                    "settle within the step."});
  v(tolerance, {.key = "tolerance",
                .label = "Newton tolerance",
                .min = 0,
                .max = 1,
                .help = "Newton steps end where so much of each piece of cloth's motion in the step is still "
                        "missing, in the mean; at most of what gravity moves in a step, and at least of a "
                        "thousandth of that. solver_residual says what was left. 0: all steps are taken.",
                .log_scale = true});
  v(preconditioner,
    {.key = "preconditioner",
     .label = "Preconditioner",
     .help = "What an iteration of conjugate gradients is made of. Multilevel: coarser meshes carry forces "
             "across the cloth; an iteration costs five times as much and does what dozens do without. "
             "Block Jacobi: every vertex for itself, as in Wang 2023; it wants 80 iterations and more.",
     .choices = {"multilevel", "block_jacobi"}});
  v(cg_iterations, {.key = "cg_iterations",
                    .label = "CG iterations",
                    .min = 1,
                    .max = 20000,
                    .help = "Iterations of conjugate gradients per Newton step, at most. Too few: cloth "
                            "lags behind in its large motions.",
                    .log_scale = true});
  v(cg_tolerance, {.key = "cg_tolerance",
                   .label = "CG tolerance",
                   .min = 0,
                   .max = 1,
                   .help = "Conjugate gradients end where the residual has fallen to this share (in the "
                           "preconditioner's norm).",
                   .log_scale = true});
  v(forcing_terms,
    {.key = "forcing_terms",
     .label = "Forcing terms",
     .help =
         "Where nothing touches the cloth, a linear system is solved only as well as the last Newton step "
         "was worth: where that left most of the residual, conjugate gradients end sooner. Off: each "
         "system is solved to the CG tolerance, whatever that buys."});
  v(line_search, {.key = "line_search",
                  .label = "Line search",
                  .help = "Shortens a Newton step that would not lower the energy. Costs little; without "
                          "it slack cloth can tremble."});
}

}  // namespace weft
