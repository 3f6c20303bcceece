#pragma once
#include "sim/base/params.h"

namespace weft {

enum class CgPreconditioner { multilevel, block_jacobi };

/// Newton's method with conjugate gradients (Wang 2023, section 6.1): effort of one step.
struct NewtonParams {
  bool operator==(const NewtonParams&) const = default;
  int steps = 8;
  float tolerance = 0.01f;
  int preconditioner = int(CgPreconditioner::multilevel);
  int cg_iterations = 30;
  float cg_tolerance = 0.1f;
  bool forcing_terms = true;
  bool line_search = true;

  void describe(ParamVisitor& v);
};

}  // namespace weft
