// Quadratic bending of a hinge (Bergou, Wardetzky, Harmon, Zorin and Grinspun 2006; stencil of hinge.h).
//
//   E = k/2 |v|²,   v = sum c_i x_i = c1 e + c2 a + c3 b      (sum c_i = 0)
//   dE/dx_i = k c_i v,   d²E/dx_i dx_j = k c_i c_j I          constant, positive semidefinite
//
// v is the mean curvature vector integrated over the hinge. Exact for isometric deformation of a flat rest
// shape.
#pragma once
#include "sim/energies/hinge.h"

namespace weft {

struct QuadraticHinge {
  static constexpr int kPoints = 4, kTangent = 4;
  static constexpr bool kBoundMoves = false;
  template <class R>
  struct Rest {
    R c0, c1, c2, c3;  // the stencil
    R weight;          // k for B = 1 N m (sim/mesh/bending/hinge_weights.h), 1/m²
  };
  template <class R>
  struct Material {
    R rigidity;  // B, N m
  };
  template <class R>
  WEFT_INLINE static Vec3<R> vector(const Edges<R, 4>& x, const Rest<R>& r) {
    return r.c1 * x[0] + r.c2 * x[1] + r.c3 * x[2];
  }
  template <class R>
  HD static R energy(const Edges<R, 4>& x, const Rest<R>& r, const Material<R>& m) {
    const Vec3<R> v = vector(x, r);
    return 0.5f * m.rigidity * r.weight * dot(v, v);
  }
  template <class R>
  HD static Edges<R, 4> gradient(const Edges<R, 4>& x, const Rest<R>& r, const Material<R>& m) {
    const Vec3<R> v = (m.rigidity * r.weight) * vector(x, r);
    return {{r.c1 * v, r.c2 * v, r.c3 * v}};
  }
  template <class R>
  HD static Tangent<QuadraticHinge, R> tangent(const Edges<R, 4>&, const Rest<R>& r, const Material<R>& m) {
    const R root = square_root(m.rigidity * r.weight), zero = splat<R>(0);
    return {{{root * r.c0, zero, zero},
             {root * r.c1, zero, zero},
             {root * r.c2, zero, zero},
             {root * r.c3, zero, zero}}};
  }
  template <class R, class Read>
  HD static Mat3<R> block(const Read& read, int a, int b) {
    return scaled_identity<R>(read(a).x * read(b).x);
  }
  /// The points with v = 0 that are nearest by the sum of their squared distances: x_i - c_i v / |c|².
  template <class R>
  HD static Edges<R, 4> project(const Edges<R, 4>& x, const Rest<R>& r, const Material<R>&) {
    const R size = r.c0 * r.c0 + r.c1 * r.c1 + r.c2 * r.c2 + r.c3 * r.c3;
    const Vec3<R> v = (1.0f / larger_of<R>(size, splat<R>(1e-30))) * vector(x, r);
    return {{x[0] - (r.c1 - r.c0) * v, x[1] - (r.c2 - r.c0) * v, x[2] - (r.c3 - r.c0) * v}};
  }
  template <class R>
  HD static R bound(const Edges<R, 4>&, const Rest<R>& r, const Material<R>& m, int point) {
    const R size[4] = {absolute<R>(r.c0), absolute<R>(r.c1), absolute<R>(r.c2), absolute<R>(r.c3)};
    return m.rigidity * r.weight * rank_one_bound<R>(size, point);
  }
};

}  // namespace weft
