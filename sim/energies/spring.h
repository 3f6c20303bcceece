// Spring.
//
//   E = k/2 (|d| - l0)²,   d = x1 - x0
//
//        x0 o-----/\/\/\-----o x1          n = d / |d|
//
//   k   stiffness, N/m        l0   rest length, m
//
//   dE/dx1 = k (|d| - l0) n,   dE/dx0 = -dE/dx1
//   H = d²E/dx1² = k ( n nᵀ + (1 - l0/|d|) (I - n nᵀ) ),   H00 = H11 = H, H01 = H10 = -H
//
// A compressed spring (|d| < l0) has two negative eigenvalues; the projection drops them. This is the fast
// mass-spring form of Liu, Bargteil, O'Brien and Kavan 2013, section 3. At |d| = 0 the energy has a cone's
// tip and no derivative: gradient and projected Hessian are then 0.
#pragma once
#include "sim/energies/element.h"

namespace weft {

/// An energy of |d| alone: its gradient is pull d, its projected Hessian along n nᵀ + across (I - n nᵀ). All
/// in N/m.
template <class R>
struct Axial {
  R pull, along, across;
};

/// |d| in m and 1 / |d|, which is finite at |d| = 0.
template <class R>
struct Length {
  R value, inverse;
};
template <class R>
WEFT_INLINE Length<R> length_and_inverse(const Vec3<R>& d) {
  const R length = square_root(dot(d, d));
  return {length, 1.0f / (length + splat<R>(1e-20))};
}

/// d / |d|; the first axis where d is 0.
template <class R>
WEFT_INLINE Vec3<R> direction(const Vec3<R>& d) {
  const R length = length_of(d), zero = splat<R>(0);
  return choose(length, (1.0f / length) * d, Vec3<R>{splat<R>(1), zero, zero});
}

/// How the length of an edge grows when its end moves by w, without cancellation.
template <class R>
struct Lengthening {
  R before;  // |d|, m
  R grown;   // c = |d + w| - |d|, m
  R bow;     // c - n . w, m, from (c - n . w) (|d + w| + |d|) = |w|² - (n . w) c
};
template <class R>
WEFT_INLINE Lengthening<R> lengthening(const Vec3<R>& d, const Vec3<R>& w) {
  const Vec3<R> f = d + w;
  const R before = square_root(dot(d, d)), after = square_root(dot(f, f)),
          inv = 1.0f / (before + after + 1e-20f);
  const R along = dot(d, w) / (before + 1e-20f), ww = dot(w, w);
  const R c = (2.0f * dot(d, w) + ww) * inv;
  return {before, c, (ww - along * c) * inv};
}

/// The parts that springs and thread locks have in common, of E::axial.
template <class E>
struct AxialEnergy {
  static constexpr int kPoints = 2, kTangent = 3;
  static constexpr bool kBoundMoves = true;
  template <class R, class Rest, class Material>
  HD static Edges<R, 2> gradient(const Edges<R, 2>& x, const Rest& rest, const Material& m) {
    return {{E::axial(length_and_inverse(x[0]), rest, m).pull * x[0]}};
  }
  template <class R, class Rest, class Material>
  HD static Tangent<E, R> tangent(const Edges<R, 2>& x, const Rest& rest, const Material& m) {
    const Length<R> length = length_and_inverse(x[0]);
    const Axial<R> a = E::axial(length, rest, m);
    const Vec3<R> n = length.inverse * x[0];
    const Mat3<R> h = scaled_identity<R>(a.across) + (a.along - a.across) * outer(n, n);
    return {{h.x, h.y, h.z}};
  }
  template <class R, class Read>
  HD static Mat3<R> block(const Read& read, int, int) {
    return splat<R>(-1) * Mat3<R>{read(0), read(1), read(2)};
  }
  /// Twice the stiffer of both: (u1 - u0)² is at most 2 u0² + 2 u1².
  template <class R, class Rest, class Material>
  HD static R bound(const Edges<R, 2>& x, const Rest& rest, const Material& m, int) {
    const Axial<R> a = E::axial(length_and_inverse(x[0]), rest, m);
    return 2.0f * larger_of<R>(a.along, a.across);
  }
};

struct Spring : AxialEnergy<Spring> {
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
    const R tension = 1.0f - rest.length * length.inverse;
    return {m.stiffness * tension, m.stiffness, m.stiffness * larger_of<R>(tension, splat<R>(0))};
  }
  template <class R>
  HD static R energy(const Edges<R, 2>& x, const Rest<R>& rest, const Material<R>& m) {
    const R change = length_of(x[0]) - rest.length;
    return 0.5f * m.stiffness * change * change;
  }
  /// The edge at its rest length in the direction that it has; along the first axis where it has none. E is
  /// k/2 times the squared distance to it.
  template <class R>
  HD static Edges<R, 2> project(const Edges<R, 2>& x, const Rest<R>& rest, const Material<R>&) {
    return {{rest.length * direction(x[0])}};
  }
  /// E(d + w) - E(d) - dE . w = k ((|d| - l0) (c - n . w) + c² / 2).
  template <class R>
  WEFT_INLINE static R beyond_slope(const Lengthening<R>& l, const Rest<R>& rest, const Material<R>& m) {
    return m.stiffness * ((l.before - rest.length) * l.bow + 0.5f * l.grown * l.grown);
  }
};

}  // namespace weft
