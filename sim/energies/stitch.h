// Thread of a stitch: a spring that only pulls.
//
//   E = k/2 max(|d| - l, 0)²,   d = x1 - x0
//
//        x0 o----~~~~~~----o x1          n = d / |d|
//
//   k   stiffness, N/m; 0 once it is let go        l   length of the thread, m
//
//   dE/dx1 = k max(1 - l/|d|, 0) d,   dE/dx0 = -dE/dx1
//   H = d²E/dx1² = k ( n nᵀ + (1 - l/|d|) (I - n nᵀ) ) where |d| > l, else 0;   H00 = H11 = H, H01 = H10 = -H
//
// H has no negative eigenvalue. Where the thread is slack, contact alone keeps both sides apart.
#pragma once
#include "sim/energies/spring.h"

namespace weft {

struct Stitch : AxialEnergy<Stitch> {
  static constexpr bool kBoundMoves = false;
  template <class R>
  struct Rest {
    R length;  // m
  };
  template <class R>
  struct Material {
    R stiffness;  // N/m
  };
  template <class R>
  WEFT_INLINE static Axial<R> axial(const Length<R>& length, const Rest<R>& rest, const Material<R>& m) {
    const R zero = splat<R>(0), tension = 1.0f - rest.length * length.inverse;
    const R pull = m.stiffness * larger_of<R>(tension, zero);
    return {pull, choose(tension, m.stiffness, zero), pull};
  }
  template <class R>
  HD static R energy(const Edges<R, 2>& x, const Rest<R>& rest, const Material<R>& m) {
    const R change = larger_of<R>(length_of(x[0]) - rest.length, splat<R>(0));
    return 0.5f * m.stiffness * change * change;
  }
  /// Twice the stiffness along a taut thread, which is the most: (u1 - u0)² is at most 2 u0² + 2 u1².
  template <class R>
  HD static R bound(const Edges<R, 2>&, const Rest<R>&, const Material<R>& m, int) {
    return 2.0f * m.stiffness;
  }
  /// As it is, or cut to the length of the thread.
  template <class R>
  HD static Edges<R, 2> project(const Edges<R, 2>& x, const Rest<R>& rest, const Material<R>&) {
    return {{smaller_of<R>(rest.length, length_of(x[0])) * direction(x[0])}};
  }
};

}  // namespace weft
