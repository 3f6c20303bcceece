#include "sim/linear/chebyshev.h"

#include <algorithm>
#include <cmath>

namespace weft {

constexpr double kTargetReduction = 15;  // for resolving_rho

float resolving_rho(int n) { return float(1.0 / std::cosh(std::acosh(kTargetReduction) / std::max(1, n))); }

float chebyshev_reduction(float rho, int n) {
  return float(1.0 / std::cosh(n * std::acosh(1.0 / double(rho))));
}

std::vector<float> chebyshev_weights(float rho, int count) {
  std::vector<float> weight(size_t(std::max(count, 1)), 1.0f);
  for (size_t k = 1; k < weight.size(); ++k)
    weight[k] = k == 1 ? 2 / (2 - rho * rho) : 4 / (4 - rho * rho * weight[k - 1]);
  return weight;
}

}  // namespace weft
