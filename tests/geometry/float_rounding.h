// Numbers in double precision that a float holds exactly.
#pragma once
#include "sim/base/math.h"

namespace weft::testing {

/// x rounded to float. By way of memory: of `double(float(x))` for neighbouring members, as in
/// `dvec3(vec3(p))`, the vectoriser of g++ 12.2 makes x itself from -O2 on (two thirds of the members then
/// keep all their digits).
inline double rounded_to_float(double x) {
  const volatile float rounded = float(x);
  return double(rounded);
}
inline dvec3 rounded_to_float(const dvec3& p) {
  return {rounded_to_float(p.x), rounded_to_float(p.y), rounded_to_float(p.z)};
}

/// Whether rounding to float changes nothing.
inline bool exact_in_float(const dvec3& p) { return rounded_to_float(p) == p; }

}  // namespace weft::testing
