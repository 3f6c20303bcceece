// Absolute values of a vector's components, without branches.
#pragma once
#include <cmath>

#include "sim/base/math.h"

namespace weft {

/// glm::abs compares and negates, which compilers must keep as branches for the sake of -0.
template <class R>
HD inline glm::vec<3, R> absolute(const glm::vec<3, R>& v) {
  return {::fabs(v.x), ::fabs(v.y), ::fabs(v.z)};
}
template <>
HD inline glm::vec<3, float> absolute(const glm::vec<3, float>& v) {
  return {fabsf(v.x), fabsf(v.y), fabsf(v.z)};
}

}  // namespace weft
