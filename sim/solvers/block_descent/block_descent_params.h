#pragma once
#include "sim/base/params.h"

namespace weft {

/// Block descent on cloth that is a grid of squares (Wang 2021, section 7.6).
struct BlockDescentParams {
  bool operator==(const BlockDescentParams&) const = default;
  int method = 0;  // index of block_descent::Method
  int iterations = 256;
  int rounds = 0;
  int inner = 8;
  float alpha = 0.4f;
  float chebyshev_rho = 0;
  bool lag_outer = true;
  int block_width = 8;

  void describe(ParamVisitor& v);
};

}  // namespace weft
