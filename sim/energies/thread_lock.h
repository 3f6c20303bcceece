// Threads that lock: a second spring whose stiffness grows from 0 at the stretch `begin` to kLocked k at 2 begin - 1 and then stays.
#pragma once
#include "sim/device/lanes.h"

namespace weft {

constexpr float kLocked = 30;  // stiffness of a locked spring over that of a free one

template <class R>
struct LockLaw {
  R force, tangent;  // N, N/m
};
/// Of a spring of stiffness `k` (N/m), rest length and length in m, that begins to lock at the stretch `begin`.
template <class L>
HD inline LockLaw<typename L::Real> lock_law(const typename L::Real& k, const typename L::Real& rest, const typename L::Real& length,
                                             const typename L::Real& begin) {
  using R = typename L::Real;
  const R zero = L::splat(0), one = L::splat(1);
  const R range = L::larger(begin - 1.0f, L::splat(1e-6f)), over = length / rest - begin;
  const R share = L::smaller(L::larger(over / range, zero), one), stiff = L::splat(kLocked) * k;
  return {stiff * rest * share * (over - 0.5f * share * range), stiff * share};
}

}  // namespace weft
