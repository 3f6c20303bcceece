#include "sim/solvers/block_descent/block_descent_params.h"

namespace weft {

void BlockDescentParams::describe(ParamVisitor& v) {
  v(method,
    {.key = "method",
     .label = "Method",
     .help = "What is iterated: descent on blocks, on vertices alone, or conjugate gradients of either.",
     .choices = {"blocks", "descent", "conjugate", "conjugate_blocks"},
     .advanced = true});
  v(iterations,
    {.key = "iterations",
     .label = "Iterations",
     .min = 2,
     .max = 100000,
     .help = "Outer iterations of a step. More: less lag behind gravity and moving pins; fine grids "
             "need more. Wang 2021 takes 1,024 for 600,000 vertices."});
  v(rounds, {.key = "rounds",
             .label = "Contact rounds",
             .min = 0,
             .max = 100,
             .help = "Looks at contact per step, which share its iterations. More: friction and "
                     "self-collision settle within the step. 0: 4, or 8 where cloth collides with itself.",
             .zero = "automatic"});
  v(inner, {.key = "inner",
            .label = "Inner iterations (L)",
            .min = 1,
            .max = 16,
            .help = "Iterations within a block before it sees its neighbours again. More does more work per "
                    "memory access.",
            .advanced = true});
  v(alpha, {.key = "alpha",
            .label = "Step (alpha)",
            .min = 0.01,
            .max = 1,
            .help = "Share of the preconditioned step that is taken. Less is slower; too much is taken back "
                    "by the solver.",
            .advanced = true});
  v(chebyshev_rho, {.key = "chebyshev_rho",
                    .label = "Chebyshev rho",
                    .min = 0,
                    .max = 0.99999,
                    .help = "Spectral radius (rho) of the acceleration of outer iterations. 0: chosen from "
                            "their number.",
                    .zero = "automatic",
                    .advanced = true});
  v(lag_outer, {.key = "lag_outer",
                .label = "Lag outer ring",
                .help = "Bending takes vertices beyond the six neighbours from the start of an outer "
                        "iteration (equation 9).",
                .advanced = true});
  v(block_width, {.key = "block_width",
                  .label = "Block width (W)",
                  .min = 8,
                  .max = 16,
                  .help = "Vertices along a block: 8, or 16 for any greater number.",
                  .advanced = true,
                  .rebuilds = true});
}

}  // namespace weft
