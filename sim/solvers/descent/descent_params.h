#pragma once
#include "sim/base/params.h"

namespace weft {

enum class DescentOrder { alternating, wu2020 };

/// Multilevel descent: iterations of one step on each level, coarse first (Wu 2020, section 5.1).
struct DescentParams {
  bool operator==(const DescentParams&) const = default;
  int schedule = int(DescentOrder::alternating);
  int cycles = 0;
  int fine_iterations = 12;
  int middle_iterations = 12;
  int coarse_iterations = 288;
  float chebyshev_rho = 0;

  void describe(ParamVisitor& v);
};

}  // namespace weft
