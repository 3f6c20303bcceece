#pragma once
#include "sim/base/params.h"

namespace weft {

/// Multilevel descent: iterations of one step on each level, coarse first (Wu 2020, section 5.1).
struct DescentParams {
  bool operator==(const DescentParams&) const = default;
  int fine_iterations = 12;
  int middle_iterations = 12;
  int coarse_steps = 48;
  int coarse_inner = 6;
  float chebyshev_rho = 0.9992f;

  template <class V>
  void visit(V&& v) {
    v(fine_iterations, {.key = "fine_iterations", .label = "Fine iterations", .min = 0, .max = 20000,
                        .help = "Iterations per step on the full mesh. More: sharper detail, less stretch."});
    v(middle_iterations, {.key = "middle_iterations", .label = "Middle iterations", .min = 0, .max = 20000,
                          .help = "Iterations per step on the middle mesh (a quarter of the vertices)."});
    v(coarse_steps, {.key = "coarse_steps", .label = "Coarse steps", .min = 0, .max = 20000,
                     .help = "Linearisations per step on the coarsest mesh. This is what carries the weight of large cloth."});
    v(coarse_inner, {.key = "coarse_inner", .label = "Coarse inner iterations", .min = 1, .max = 100,
                     .help = "Iterations per coarse step."});
    v(chebyshev_rho, {.key = "chebyshev_rho", .label = "Chebyshev rho", .min = 0, .max = 0.99999,
                      .help = "Estimate of the spectral radius (rho) for Chebyshev acceleration; 0 switches it off."});
  }
};

}  // namespace weft
