// Chebyshev acceleration: spectral radii and weights.
#pragma once
#include <vector>

namespace weft {

/// Spectral radius that n Chebyshev iterations resolve: errors above the smoothed range shrink by 15, T_n(1 /
/// rho) = 15.
float resolving_rho(int n);
/// 1 / T_n(1 / rho): factor by which n iterations reduce errors in the smoothed range.
float chebyshev_reduction(float rho, int n);
/// omega of iterations 0 to count - 1.
std::vector<float> chebyshev_weights(float rho, int count);

}  // namespace weft
