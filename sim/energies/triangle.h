// What triangles of a membrane have in common.
//
//        v (weft)              F    deformation gradient, 3x2; columns f1 (warp), f2 (weft)
//        ^   x2                Dm   2x2, rest edges x1 - x0 and x2 - x0 in the plane of the material
//        |  /\                 b_i  gradient of corner i's shape function: row i of Dm⁻¹; b_0 = -b_1 - b_2
//        | /  \                A    rest area, m²
//        |/____\ ---> u (warp)
//        x0     x1             F = [x1 - x0, x2 - x0] Dm⁻¹,   dE/dx_i = A P b_i,   P = d(energy per area)/dF
//
// The nearest rotation R of the rest triangle (3x2, orthonormal columns r1, r2), F = R S with S symmetric,
// without eigenvectors: with n the unit normal of (f1, f2),
//
//   R = (F + [f2 x n, n x f1]) / tr S,    tr S = sqrt(|f1|² + |f2|² + 2 |f1 x f2|),
//
// because S + det(S) S⁻¹ = tr(S) I (Cayley-Hamilton) and det(S) R S⁻¹ is the cofactor [f2 x n, n x f1]. It
// needs no division but by tr S. Where f1 and f2 are parallel any n at a right angle to them serves, and R is
// one of the nearest rotations; where F = 0, R is the x-y plane.
//
// The Hessian is stored as the blocks of the pairs (0, 1), (1, 2) and (2, 0), column by column.
#pragma once
#include "sim/energies/element.h"

namespace weft {

/// Dm⁻¹ by rows b_1 = (u1, v1) and b_2 = (u2, v2) in 1/m, and A in m².
template <class R>
struct TriangleRest {
  R u1, u2, v1, v2, area;
};

template <class R>
struct ShapeGradient {
  R u, v;
};
template <class R>
WEFT_INLINE ShapeGradient<R> shape_gradient(const TriangleRest<R>& rest, int corner) {
  if (corner == 1) return {rest.u1, rest.v1};
  if (corner == 2) return {rest.u2, rest.v2};
  return {-(rest.u1 + rest.u2), -(rest.v1 + rest.v2)};
}

template <class R>
struct DeformationGradient {
  Vec3<R> f1, f2;
};
template <class R>
WEFT_INLINE DeformationGradient<R> deformation_gradient(const Edges<R, 3>& x, const TriangleRest<R>& rest) {
  return {rest.u1 * x[0] + rest.u2 * x[1], rest.v1 * x[0] + rest.v2 * x[1]};
}

/// Of P's columns times A.
template <class R>
WEFT_INLINE Edges<R, 3> corner_gradients(const TriangleRest<R>& rest, const Vec3<R>& p1, const Vec3<R>& p2) {
  return {{rest.u1 * p1 + rest.v1 * p2, rest.u2 * p1 + rest.v2 * p2}};
}

/// F = R S of a triangle.
template <class R>
struct TrianglePolar {
  Vec3<R> f1, f2;  // columns of F
  Vec3<R> r1, r2;  // columns of R
  Vec3<R> normal;  // unit, r1 x r2
  R trace;         // tr S, sum of the singular values
  R det;           // det S >= 0
};

template <class R>
WEFT_INLINE TrianglePolar<R> triangle_polar(const DeformationGradient<R>& f) {
  const R zero = splat<R>(0), one = splat<R>(1);
  const Vec3<R> c = cross(f.f1, f.f2), ex{one, zero, zero}, ey{zero, one, zero}, ez{zero, zero, one};
  const R s1 = dot(f.f1, f.f1), s2 = dot(f.f2, f.f2), size = s1 + s2;
  TrianglePolar<R> p{f.f1, f.f2, ex, ey, ez, zero, length_of(c)};
  p.trace = square_root(size + 2.0f * p.det);
  const R open = p.det - 1e-7f * size, any = size - 1e-16f;
  // Collapsed to a line: any plane through the line is as near as any other.
  const Vec3<R> line = choose(s1 - s2, f.f1, f.f2);
  p.normal = choose(any, any_perpendicular((1.0f / length_of(line)) * line), ez);
  p.normal = choose(open, (1.0f / p.det) * c, p.normal);
  const R inv = 1.0f / p.trace, known = larger_of<R>(open, any);
  p.r1 = choose(known, inv * (f.f1 + cross(f.f2, p.normal)), ex);
  p.r2 = choose(known, inv * (f.f2 + cross(p.normal, f.f1)), ey);
  return p;
}

/// Eigenvalues of a symmetric 2x2 matrix clamped at zero.
template <class R>
WEFT_INLINE void drop_negative(R& xx, R& xy, R& yy) {
  const R zero = splat<R>(0), mean = 0.5f * (xx + yy), half = 0.5f * (xx - yy);
  const R radius = square_root(half * half + xy * xy);
  // With one positive eigenvalue: (mean + radius) w wᵀ, w wᵀ = (I + [half xy; xy -half] / radius) / 2.
  const R scale = 0.5f * larger_of<R>(mean + radius, zero) / larger_of<R>(radius, splat<R>(1e-30));
  const R least = mean - radius;
  xx = choose(least, xx, scale * (radius + half));
  yy = choose(least, yy, scale * (radius - half));
  xy = choose(least, xy, scale * xy);
}

/// The parts that the energies of triangles have in common. E::curvature(...) is what E::pair_block needs.
template <class E>
struct TriangleEnergy {
  static constexpr int kPoints = 3, kTangent = 9;
  template <class R>
  using Rest = TriangleRest<R>;

  template <class R, class Material>
  HD static Tangent<E, R> tangent(const Edges<R, 3>& x, const TriangleRest<R>& rest, const Material& m) {
    const auto curvature = E::curvature(x, rest, m);
    Tangent<E, R> t;
    for (int a = 0; a < 3; ++a) {
      const ShapeGradient<R> from = shape_gradient(rest, a), to = shape_gradient(rest, (a + 1) % 3);
      const Mat3<R> h = rest.area * E::pair_block(curvature, m, from, to);
      t.v[3 * a] = h.x, t.v[3 * a + 1] = h.y, t.v[3 * a + 2] = h.z;
    }
    return t;
  }
  template <class R, class Read>
  HD static Mat3<R> block(const Read& read, int a, int b) {
    const bool forward = b == (a + 1) % 3;
    const int first = 3 * (forward ? a : b);
    const Mat3<R> h{read(first), read(first + 1), read(first + 2)};
    return forward ? h : transposed(h);
  }
  /// The rest triangle in the rotation R, which is the nearest by |F - R|.
  template <class R, class Material>
  HD static Edges<R, 3> project(const Edges<R, 3>& x, const TriangleRest<R>& rest, const Material&) {
    const TrianglePolar<R> p = triangle_polar(deformation_gradient(x, rest));
    const R inv = 1.0f / (rest.u1 * rest.v2 - rest.v1 * rest.u2);  // Dm = inv [v2 -v1; -u2 u1]
    return {
        {(inv * rest.v2) * p.r1 - (inv * rest.u2) * p.r2, (inv * rest.u1) * p.r2 - (inv * rest.v1) * p.r1}};
  }
  /// A times the stiffest modulus times |b_a|² is the corner's own block, and the triangle couples it to two
  /// more.
  template <class R>
  WEFT_INLINE static R corner_bound(const TriangleRest<R>& rest, const R& stiffest, int corner) {
    const ShapeGradient<R> b = shape_gradient(rest, corner);
    return 2.5f * rest.area * stiffest * (b.u * b.u + b.v * b.v);
  }
};

}  // namespace weft
