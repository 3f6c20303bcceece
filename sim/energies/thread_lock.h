// Threads that lock: a second spring whose stiffness grows from 0 at the stretch b to K = kLocked k at 2 b -
// 1 and then stays there. With the stretch s = |d| / l0, o = s - b and r = b - 1:
//
//        dE/d|d|                       E = K l0² / r (max(o, 0)³ - max(o - r, 0)³) / 6
//           |         /   slope K      dE/d|d| = K l0 q (o - q r / 2),   q = min(max(o / r, 0), 1)
//           |       ,'                 d²E/d|d|² = K q
//       ----+-----'-------> s
//           1    b    2b - 1
#pragma once
#include "sim/energies/spring.h"

namespace weft {

constexpr float kLocked = 30;  // stiffness of a locked spring over that of a free one

struct ThreadLock : AxialEnergy<ThreadLock> {
  template <class R>
  struct Rest {
    R length;  // m
  };
  template <class R>
  struct Material {
    R stiffness;  // k of the free spring, N/m
    R begin;      // b, stretch
  };
  template <class R>
  struct Law {
    R force, tangent;  // N, N/m
  };
  /// r, of which a fabric without stretch has none.
  template <class R>
  WEFT_INLINE static R range(const Material<R>& m) {
    return larger_of<R>(m.begin - 1.0f, splat<R>(1e-6));
  }
  /// Share of the range by which solvers with few iterations take the stiffness further on, so that they do
  /// not run into a stiffness of which they knew nothing.
  static constexpr float kAhead = 0.25f;
  /// Force and stiffness at a stretch. `ahead`: the share of the range by which the stiffness is taken
  /// further on.
  template <class R>
  WEFT_INLINE static Law<R> law(const R& stretch, const Rest<R>& rest, const Material<R>& m,
                                float ahead = 0) {
    const R r = range(m), over = stretch - m.begin, share = over / r, zero = splat<R>(0), one = splat<R>(1);
    const R q = smaller_of<R>(larger_of<R>(share, zero), one);
    const R later = smaller_of<R>(larger_of<R>(share + ahead, zero), one);
    const R stiff = splat<R>(kLocked) * m.stiffness;
    return {stiff * rest.length * (over * q - 0.5f * q * q * r), stiff * later};
  }
  /// A thread under tension resists turning.
  template <class R>
  WEFT_INLINE static Axial<R> axial(const Length<R>& length, const Rest<R>& rest, const Material<R>& m) {
    const Law<R> l = law(length.value / rest.length, rest, m);
    const R pull = l.force * length.inverse;
    return {pull, l.tangent, pull};
  }
  template <class R>
  HD static R energy(const Edges<R, 2>& x, const Rest<R>& rest, const Material<R>& m) {
    const R zero = splat<R>(0), r = range(m), over = length_of(x[0]) / rest.length - m.begin;
    const R a = larger_of<R>(over, zero), b = larger_of<R>(over - r, zero);
    return splat<R>(kLocked / 6.0) * m.stiffness * rest.length * rest.length / r * (a * a * a - b * b * b);
  }
  /// The edge at the stretch where it begins to lock, or as it is where it is shorter.
  template <class R>
  HD static Edges<R, 2> project(const Edges<R, 2>& x, const Rest<R>& rest, const Material<R>& m) {
    const R longest = m.begin * rest.length;
    return {{choose(length_of(x[0]) - longest, longest * direction(x[0]), x[0])}};
  }
  /// E(d + w) - E(d) - dE . w.
  template <class R>
  WEFT_INLINE static R beyond_slope(const Lengthening<R>& l, const Rest<R>& rest, const Material<R>& m) {
    const R r = range(m), stretch = l.before / rest.length, over = stretch - m.begin,
            grown = l.grown / rest.length;
    return law(stretch, rest, m).force * l.bow +
           splat<R>(kLocked) * m.stiffness * rest.length * rest.length *
               ((1.0f / r) * (cubed(over, grown) - cubed(over - r, grown)));
  }

 private:
  /// What max(x, 0)³ / 6 has beyond its slope after x has grown.
  template <class R>
  WEFT_INLINE static R cubed(const R& x, const R& grown) {
    const R zero = splat<R>(0), end = x + grown;
    const R a = larger_of<R>(x, zero), b = larger_of<R>(end, zero), change = b - a;
    return splat<R>(1.0 / 6) * change * change * (2.0f * a + b) + 0.5f * a * a * larger_of<R>(-end, zero);
  }
};

}  // namespace weft
