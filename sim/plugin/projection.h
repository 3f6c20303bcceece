// The nearest positive semidefinite matrix.
#pragma once
#include <span>

namespace weft {

/// Takes the negative eigenvalues out of the symmetric matrix `a` of n rows, at most 12, by Jacobi's
/// rotations: a becomes sum of max(lambda_k, 0) v_k v_kᵀ. What is not symmetric in it is dropped. False, and
/// `a` unchanged, where it has something that is not finite.
bool project_definite(std::span<double> a, int n);

}  // namespace weft
