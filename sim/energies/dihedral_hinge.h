// Dihedral bending of a hinge (Grinspun, Hirani, Desbrun and Schröder 2003; derivatives after Tamstorf and
// Grinspun 2013; stencil of hinge.h).
//
//   E = k/2 (theta - theta0)²,   theta = atan2(ê . (nA x nB), nA . nB) in (-pi, pi]
//   dtheta/dx2 = -|e| nA / |nA|²,   dtheta/dx3 = -|e| nB / |nB|²,
//   dtheta/dx1 = -tA dtheta/dx2 - tB dtheta/dx3,   dtheta/dx0 = -(1 - tA) dtheta/dx2 - (1 - tB) dtheta/dx3
//
// theta is positive where x2 and x3 bend towards the side that nA and nB point away from (a ridge seen from
// the front). acos would lose half of float32's digits on flat cloth; atan2 does not. The projected Hessian
// is that of Gauss and Newton, k grad(theta) grad(theta)ᵀ: positive semidefinite, and the exact Hessian at
// rest.
//
// Where a triangle's height falls below a thousandth of the edge, |nA|² is bounded from below, so that the
// gradient stays bounded; an edge without length has no angle (theta = 0, derivatives 0).
#pragma once
#include "sim/energies/hinge.h"

namespace weft {

/// Angle and first derivatives of a hinge.
template <class R>
struct HingeAngle {
  R theta;              // rad
  Vec3<R> gradient[4];  // 1/m
};
template <class R>
WEFT_INLINE HingeAngle<R> hinge_angle(const Edges<R, 4>& x) {
  const Vec3<R>&e = x[0], &a = x[1], &b = x[2], none = zero_vector<R>();
  const R ee = dot(e, e), has_edge = ee - 1e-20f, zero = splat<R>(0);
  const R length = square_root(ee), inv_ee = 1.0f / ee;
  const Vec3<R> na = cross(e, a), nb = cross(b, e);
  const R theta = arc_tangent(dot(e, cross(na, nb)) / length, dot(na, nb));
  const R least = 1e-3f * ee;  // |nA| of a triangle whose height is a thousandth of the edge
  const R inv_a = 1.0f / larger_of<R>(length_of(na), least),
          inv_b = 1.0f / larger_of<R>(length_of(nb), least);
  const Vec3<R> ga = (-length * inv_a * inv_a) * na, gb = (-length * inv_b * inv_b) * nb;
  const R share_a = dot(a, e) * inv_ee, share_b = dot(b, e) * inv_ee;
  HingeAngle<R> h;
  h.theta = choose(has_edge, theta, zero);
  h.gradient[2] = choose(has_edge, ga, none);
  h.gradient[3] = choose(has_edge, gb, none);
  h.gradient[1] = choose(has_edge, -(share_a * ga + share_b * gb), none);
  h.gradient[0] = -(h.gradient[1] + h.gradient[2] + h.gradient[3]);
  return h;
}

/// theta - theta0, the short way round.
template <class R>
WEFT_INLINE R angle_change(const R& theta, const R& rest) {
  const R turn = splat<R>(6.283185307179586), d = theta - rest;
  return choose(d - 0.5f * turn, d - turn, choose(-0.5f * turn - d, d + turn, d));
}

struct DihedralHinge {
  static constexpr int kPoints = 4, kTangent = 4;
  static constexpr bool kBoundMoves = true;
  template <class R>
  struct Rest {
    R angle;   // theta0, rad
    R weight;  // k for B = 1 N m (sim/mesh/bending/hinge_weights.h)
  };
  template <class R>
  struct Material {
    R rigidity;  // B, N m
  };
  template <class R>
  HD static R energy(const Edges<R, 4>& x, const Rest<R>& r, const Material<R>& m) {
    const R d = angle_change<R>(hinge_angle(x).theta, r.angle);
    return 0.5f * m.rigidity * r.weight * d * d;
  }
  template <class R>
  HD static Edges<R, 4> gradient(const Edges<R, 4>& x, const Rest<R>& r, const Material<R>& m) {
    const HingeAngle<R> h = hinge_angle(x);
    const R moment = m.rigidity * r.weight * angle_change<R>(h.theta, r.angle);
    return {{moment * h.gradient[1], moment * h.gradient[2], moment * h.gradient[3]}};
  }
  template <class R>
  HD static Tangent<DihedralHinge, R> tangent(const Edges<R, 4>& x, const Rest<R>& r, const Material<R>& m) {
    const HingeAngle<R> h = hinge_angle(x);
    const R root = square_root(m.rigidity * r.weight);
    return {{root * h.gradient[0], root * h.gradient[1], root * h.gradient[2], root * h.gradient[3]}};
  }
  template <class R, class Read>
  HD static Mat3<R> block(const Read& read, int a, int b) {
    return outer<R>(read(a), read(b));
  }
  /// The points at the rest angle that are nearest, by the sum of their squared distances, among those around
  /// them: far from rest, shapes with a triangle turned over may be nearer. Each of a fixed number of
  /// iterations projects onto the plane that touches theta = theta0 near where the last one ended.
  template <class R>
  HD static Edges<R, 4> project(const Edges<R, 4>& x, const Rest<R>& r, const Material<R>&) {
    constexpr int kIterations = 20;
    Edges<R, 4> y = x;
    HingeAngle<R> h = hinge_angle(y);
    for (int k = 0; k < kIterations; ++k) {
      R size = splat<R>(0), moved = splat<R>(0);
      for (int i = 0; i < 4; ++i) size = size + dot(h.gradient[i], h.gradient[i]);
      // Gradients add up to 0: how far x0 has moved need not be known.
      for (int i = 0; i < 3; ++i) moved = moved + dot(h.gradient[i + 1], y[i] - x[i]);
      const R share = (moved - angle_change<R>(h.theta, r.angle)) / larger_of<R>(size, splat<R>(1e-30));
      for (int i = 0; i < 3; ++i) y[i] = x[i] + share * (h.gradient[i + 1] - h.gradient[0]);
      h = hinge_angle(y);
    }
    return y;
  }
  template <class R>
  HD static R bound(const Edges<R, 4>& x, const Rest<R>& r, const Material<R>& m, int point) {
    const HingeAngle<R> h = hinge_angle(x);
    const R size[4] = {length_of(h.gradient[0]), length_of(h.gradient[1]), length_of(h.gradient[2]),
                       length_of(h.gradient[3])};
    return m.rigidity * r.weight * rank_one_bound<R>(size, point);
  }
};

}  // namespace weft
