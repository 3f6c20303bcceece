// Bending of a strand at one of its points, between the two segments that meet there.
//
//   x1 o----a----o x0           a = x1 - x0, b = x2 - x0;  u, v: their unit vectors
//                 \             w = u + v:  |w| = 2 sin(angle / 2), the angle between the segments
//                  b
//                   o x2        E = B / (2 l) (|w| - r)²
//
//   B   bending rigidity, N m²     l   mean rest length of the two segments, m     r   |w| at rest
//
// For small angles that is the energy B/2 (curvature)² of a rod over the length l: unlike a spring between
// the next but one, whose energy grows with the fourth power of the angle, it resists small angles too.
//
//   dE/dx1 = B/l (1 - r/|w|) J w,   J = (I - u uᵀ) / |a|;   likewise x2 with v and b
//   H      = B/l Jᵀ (n nᵀ + max(1 - r/|w|, 0) (I - n nᵀ)) J,   n = w/|w|: the derivative of J is left out
//
// Where r is not 0 and the strand is straight, the way to bend is open: the force there is 0.
#pragma once
#include "sim/energies/spring.h"

namespace weft {

struct StrandBend {
  static constexpr int kPoints = 3, kTangent = 9;
  static constexpr bool kBoundMoves = false;
  template <class R>
  struct Rest {
    R length, angle;  // l, m; r
    R first, second;  // |a| and |b| at rest, m
  };
  template <class R>
  struct Material {
    R rigidity;  // B, N m²
  };
  static Rest<float> rest_of(const dvec3& a, const dvec3& b) {
    const double first = glm::length(a), second = glm::length(b);
    return {float(0.5 * (first + second)), float(glm::length(a / first + b / second)), float(first),
            float(second)};
  }

  /// What the energy is made of at the present shape.
  template <class R>
  struct Shape {
    Vec3<R> u, v, w;
    R over_a, over_b;  // 1/|a|, 1/|b|, 1/m
    R size, over;      // |w|, and 1/|w|, finite at 0
  };
  template <class R>
  WEFT_INLINE static Shape<R> shape(const Edges<R, 3>& x, const Rest<R>& rest) {
    // A segment that is shorter than a thousandth of its length at rest has no more direction than that.
    const R a = 1.0f / larger_of<R>(length_of(x[0]), 1e-3f * rest.first),
            b = 1.0f / larger_of<R>(length_of(x[1]), 1e-3f * rest.second);
    const Vec3<R> u = a * x[0], v = b * x[1], w = u + v;
    const Length<R> size = length_and_inverse(w);
    return {u, v, w, a, b, size.value, size.inverse};
  }
  /// (I - u uᵀ) y times `over`.
  template <class R>
  WEFT_INLINE static Vec3<R> across(const Vec3<R>& u, const R& over, const Vec3<R>& y) {
    return over * (y - dot(u, y) * u);
  }
  /// 1 - r/|w|; 1 where r is 0.
  template <class R>
  WEFT_INLINE static R pull(const Shape<R>& s, const Rest<R>& rest) {
    return 1.0f - rest.angle * s.over;
  }

  template <class R>
  HD static R energy(const Edges<R, 3>& x, const Rest<R>& rest, const Material<R>& m) {
    const R change = shape(x, rest).size - rest.angle;
    return 0.5f * m.rigidity / rest.length * change * change;
  }
  template <class R>
  HD static Edges<R, 3> gradient(const Edges<R, 3>& x, const Rest<R>& rest, const Material<R>& m) {
    const Shape<R> s = shape(x, rest);
    const R open = choose(s.size - 1e-12f, pull(s, rest), splat<R>(0));
    const Vec3<R> f = (m.rigidity / rest.length * open) * s.w;
    return {{across(s.u, s.over_a, f), across(s.v, s.over_b, f)}};
  }
  template <class R>
  HD static Tangent<StrandBend, R> tangent(const Edges<R, 3>& x, const Rest<R>& rest, const Material<R>& m) {
    const Shape<R> s = shape(x, rest);
    const R t = larger_of<R>(choose(s.size - 1e-12f, pull(s, rest), splat<R>(1)), splat<R>(0));
    const R k = m.rigidity / rest.length;
    const Vec3<R> n = s.over * s.w;
    const Vec3<R> pa = across(s.u, s.over_a, n), pb = across(s.v, s.over_b, n);
    // J ρ J of two ends; columns
    const auto product = [&](const Vec3<R>& u, const R& over_u, const Vec3<R>& pu, const Vec3<R>& v,
                             const R& over_v, const Vec3<R>& pv) {
      const R one = splat<R>(1), zero = splat<R>(0);
      const auto column = [&](const Vec3<R>& e) { return across(u, over_u, across(v, over_v, e)); };
      const Mat3<R> both{column({one, zero, zero}), column({zero, one, zero}), column({zero, zero, one})};
      return (k * t) * both + (k * (1.0f - t)) * outer(pu, pv);
    };
    const Mat3<R> h11 = product(s.u, s.over_a, pa, s.u, s.over_a, pa),
                  h12 = product(s.u, s.over_a, pa, s.v, s.over_b, pb),
                  h22 = product(s.v, s.over_b, pb, s.v, s.over_b, pb);
    const R minus = splat<R>(-1);
    const Mat3<R> h01 = minus * transposed(h11 + h12), h20 = minus * (h22 + transposed(h12));
    return {{h01.x, h01.y, h01.z, h12.x, h12.y, h12.z, h20.x, h20.y, h20.z}};
  }
  template <class R, class Read>
  HD static Mat3<R> block(const Read& read, int a, int b) {
    const bool forward = b == (a + 1) % 3;
    const int first = 3 * (forward ? a : b);
    const Mat3<R> h{read(first), read(first + 1), read(first + 2)};
    return forward ? h : transposed(h);
  }
  /// With the segments at their rest lengths.
  template <class R>
  HD static R bound(const Edges<R, 3>&, const Rest<R>& rest, const Material<R>& m, int point) {
    const R a = 1.0f / rest.first, b = 1.0f / rest.second;
    const R own = point == 1 ? a : point == 2 ? b : a + b;
    return m.rigidity / rest.length * own * 2.0f * (a + b);
  }
  /// The segments at their lengths, turned about the point alike until their angle is that at rest.
  template <class R>
  HD static Edges<R, 3> project(const Edges<R, 3>& x, const Rest<R>& rest, const Material<R>&) {
    const Shape<R> s = shape(x, rest);
    const Vec3<R> along = s.v - s.u, t = direction(along);
    const Vec3<R> n = choose(s.size - 1e-9f, s.over * s.w, any_perpendicular(t));
    const R half = 0.5f * rest.angle, rest_of_it = square_root(larger_of<R>(1.0f - half * half, splat<R>(0)));
    const R a = length_of(x[0]), b = length_of(x[1]);
    return {{a * (half * n - rest_of_it * t), b * (half * n + rest_of_it * t)}};
  }
};

}  // namespace weft
