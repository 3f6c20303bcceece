// What tetrahedra of a solid have in common.
//
//            x3            F    deformation gradient, 3x3; columns f1, f2, f3
//           /|\            Dm   rest edges x_i - x0 as columns
//          / | \           b_i  gradient of point i's shape function, row i of Dm⁻¹; b_0 = -b_1 - b_2 - b_3
//         /  |  \          V    rest volume, m³
//       x0--- --x2
//         \  |  /          F = [x1 - x0, x2 - x0, x3 - x0] Dm⁻¹,   dE/dx_i = V P b_i,   P = d(energy per volume)/dF
//          \ | /
//            x1            F = U diag(s) Vᵀ with rotations U, V; s3 < 0 where the cell is inside out
//
// The Hessian is stored as the blocks of the pairs (0,1), (0,2), (0,3), (1,2), (1,3) and (2,3), column by
// column.
#pragma once
#include "sim/energies/element.h"

namespace weft {

/// Constants of an isotropic material, Pa.
template <class R>
struct LameMaterial {
  R mu, lambda;
};
/// Lamé's, of Young's modulus (Pa) and Poisson's ratio, below 1/2:
///
///   mu = E / (2 (1 + nu)),   lambda = E nu / ((1 + nu) (1 - 2 nu))
inline LameMaterial<float> lame_constants(float young, float poisson) {
  return {young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))};
}
/// Largest eigenvalue of linear elasticity's Hessian: of growing evenly, or of shear.
template <class R>
WEFT_INLINE R lame_stiffest(const LameMaterial<R>& m) {
  return larger_of<R>(3.0f * m.lambda + 2.0f * m.mu, 2.0f * m.mu);
}

/// Dm⁻¹ by rows, 1/m, and V, m³.
template <class R>
struct TetRest {
  Vec3<R> b1, b2, b3;
  R volume;
};

template <class R>
WEFT_INLINE Vec3<R> tet_gradient(const TetRest<R>& rest, int point) {
  if (point == 1) return rest.b1;
  if (point == 2) return rest.b2;
  if (point == 3) return rest.b3;
  return -(rest.b1 + rest.b2 + rest.b3);
}

/// Columns.
template <class R>
WEFT_INLINE Mat3<R> tet_deformation(const Edges<R, 4>& x, const TetRest<R>& rest) {
  return {rest.b1.x * x[0] + rest.b2.x * x[1] + rest.b3.x * x[2],
          rest.b1.y * x[0] + rest.b2.y * x[1] + rest.b3.y * x[2],
          rest.b1.z * x[0] + rest.b2.z * x[1] + rest.b3.z * x[2]};
}
template <class R>
WEFT_INLINE Vec3<R> times(const Mat3<R>& m, const Vec3<R>& v) {
  return v.x * m.x + v.y * m.y + v.z * m.z;
}
/// Derivative of the determinant.
template <class R>
WEFT_INLINE Mat3<R> cofactor(const Mat3<R>& f) {
  return {cross(f.y, f.z), cross(f.z, f.x), cross(f.x, f.y)};
}

/// A symmetric 3x3 matrix.
template <class R>
struct Symmetric3 {
  R xx, yy, zz, yz, xz, xy;
};

/// Eigenvalues, and unit eigenvectors of a rotation as columns.
template <class R>
struct Eigen3 {
  Vec3<R> value;
  Mat3<R> vector;
};

/// One Jacobi rotation, which makes a_pq zero; r is the third row.
template <class R>
WEFT_INLINE void jacobi_rotation(R& pp, R& qq, R& pq, R& pr, R& qr, Vec3<R>& vp, Vec3<R>& vq) {
  const R d = qq - pp, two = pq + pq, root = square_root(d * d + two * two);
  const R one = splat<R>(1), sign = choose(d, one, choose(-d, -one, one));
  const R t = sign * two / larger_of<R>(absolute<R>(d) + root, splat<R>(1e-36));
  const R c = 1.0f / square_root(1.0f + t * t), s = t * c;
  pp = pp - t * pq, qq = qq + t * pq, pq = splat<R>(0);
  const R r = pr;
  pr = c * r - s * qr, qr = s * r + c * qr;
  const Vec3<R> v = vp;
  vp = c * v - s * vq, vq = s * v + c * vq;
}

/// By five sweeps of Jacobi rotations, which is below the rounding of floats.
template <class R>
WEFT_INLINE Eigen3<R> eigen_symmetric(Symmetric3<R> a) {
  Mat3<R> v = scaled_identity<R>(splat<R>(1));
  for (int sweep = 0; sweep < 5; ++sweep) {
    jacobi_rotation<R>(a.xx, a.yy, a.xy, a.xz, a.yz, v.x, v.y);
    jacobi_rotation<R>(a.xx, a.zz, a.xz, a.xy, a.yz, v.x, v.z);
    jacobi_rotation<R>(a.yy, a.zz, a.yz, a.xy, a.xz, v.y, v.z);
  }
  return {{a.xx, a.yy, a.zz}, v};
}

/// The matrix without its negative eigenvalues.
template <class R>
WEFT_INLINE Symmetric3<R> without_negative(const Symmetric3<R>& a) {
  const Eigen3<R> e = eigen_symmetric(a);
  const R o = splat<R>(0);
  const Vec3<R> p = larger_of<R>(e.value.x, o) * e.vector.x, q = larger_of<R>(e.value.y, o) * e.vector.y,
                r = larger_of<R>(e.value.z, o) * e.vector.z;
  const Vec3<R>&x = e.vector.x, &y = e.vector.y, &z = e.vector.z;
  return {p.x * x.x + q.x * y.x + r.x * z.x, p.y * x.y + q.y * y.y + r.y * z.y,
          p.z * x.z + q.z * y.z + r.z * z.z, p.y * x.z + q.y * y.z + r.y * z.z,
          p.x * x.z + q.x * y.z + r.x * z.z, p.x * x.y + q.x * y.y + r.x * z.y};
}

/// F = U diag(s) Vᵀ; columns of U and V.
template <class R>
struct TetStretches {
  Mat3<R> u, v;
  Vec3<R> s;
};

template <class R>
WEFT_INLINE void order(R& a, R& b, Vec3<R>& va, Vec3<R>& vb) {
  const R larger = b - a, low = smaller_of<R>(a, b);
  a = larger_of<R>(a, b), b = low;
  const Vec3<R> v = va;
  va = choose(larger, vb, v), vb = choose(larger, v, vb);
}

template <class R>
WEFT_INLINE TetStretches<R> tet_stretches(const Mat3<R>& f) {
  Eigen3<R> e = eigen_symmetric<R>(
      {dot(f.x, f.x), dot(f.y, f.y), dot(f.z, f.z), dot(f.y, f.z), dot(f.x, f.z), dot(f.x, f.y)});
  order(e.value.x, e.value.y, e.vector.x, e.vector.y);
  order(e.value.x, e.value.z, e.vector.x, e.vector.z);
  order(e.value.y, e.value.z, e.vector.y, e.vector.z);
  TetStretches<R> out;
  out.v = {e.vector.x, e.vector.y, cross(e.vector.x, e.vector.y)};
  const R one = splat<R>(1), zero = splat<R>(0);
  const Vec3<R> first = times(f, out.v.x);
  out.s.x = length_of(first);
  // A cell that is a point, or a line, has any rotation that fits.
  out.u.x = choose(out.s.x - 1e-18f, (1.0f / out.s.x) * first, Vec3<R>{one, zero, zero});
  Vec3<R> second = times(f, out.v.y);
  second = second - dot(second, out.u.x) * out.u.x;
  out.s.y = length_of(second);
  out.u.y = choose(out.s.y - 1e-6f * out.s.x, (1.0f / out.s.y) * second, any_perpendicular(out.u.x));
  out.u.z = cross(out.u.x, out.u.y);
  out.s.z = dot(out.u.z, times(f, out.v.z));
  return out;
}

/// aᵀ H b of two points' gradients, H the second derivative by F in the frame of U and V: k on the diagonal;
/// `same` and `swapped` of F_ij with itself and with F_ji, by the third index.
template <class R>
WEFT_INLINE Mat3<R> frame_block(const TetStretches<R>& frame, const Symmetric3<R>& k, const Vec3<R>& same,
                                const Vec3<R>& swapped, const Vec3<R>& a, const Vec3<R>& b) {
  const Mat3<R>&u = frame.u, &v = frame.v;
  const Vec3<R> p{dot(v.x, a), dot(v.y, a), dot(v.z, a)}, q{dot(v.x, b), dot(v.y, b), dot(v.z, b)};
  const R xx = k.xx * p.x * q.x + same.z * p.y * q.y + same.y * p.z * q.z;
  const R yy = k.yy * p.y * q.y + same.z * p.x * q.x + same.x * p.z * q.z;
  const R zz = k.zz * p.z * q.z + same.y * p.x * q.x + same.x * p.y * q.y;
  const R xy = k.xy * p.x * q.y + swapped.z * p.y * q.x, yx = k.xy * p.y * q.x + swapped.z * p.x * q.y;
  const R xz = k.xz * p.x * q.z + swapped.y * p.z * q.x, zx = k.xz * p.z * q.x + swapped.y * p.x * q.z;
  const R yz = k.yz * p.y * q.z + swapped.x * p.z * q.y, zy = k.yz * p.z * q.y + swapped.x * p.y * q.z;
  return outer(xx * u.x + yx * u.y + zx * u.z, u.x) + outer(xy * u.x + yy * u.y + zy * u.z, u.y) +
         outer(xz * u.x + yz * u.y + zz * u.z, u.z);
}

/// The parts that the energies of tetrahedra have in common. E::curvature(F, material) is what E::pair_block
/// needs; E::stiffest(material) the largest eigenvalue of the Hessian per volume at rest, Pa.
template <class E>
struct TetEnergy {
  static constexpr int kPoints = 4, kTangent = 18;
  static constexpr bool kBoundMoves = false;
  template <class R>
  using Rest = TetRest<R>;
  /// Of the edges x_i - x_0 at rest, m.
  static TetRest<float> rest_of(const dvec3& x1, const dvec3& x2, const dvec3& x3) {
    const double det = glm::dot(glm::cross(x1, x2), x3);
    const auto row = [&](const dvec3& a, const dvec3& b) {
      const dvec3 g = glm::cross(a, b) / det;
      return Vec3<float>{float(g.x), float(g.y), float(g.z)};
    };
    return {row(x2, x3), row(x3, x1), row(x1, x2), float(det / 6)};
  }

  template <class R, class Material>
  HD static Edges<R, 4> gradient(const Edges<R, 4>& x, const TetRest<R>& rest, const Material& m) {
    const Mat3<R> p = rest.volume * E::stress(tet_deformation(x, rest), m);
    return {{times(p, rest.b1), times(p, rest.b2), times(p, rest.b3)}};
  }
  template <class R, class Material>
  HD static R energy(const Edges<R, 4>& x, const TetRest<R>& rest, const Material& m) {
    return rest.volume * E::density(tet_deformation(x, rest), m);
  }
  template <class R, class Material>
  HD static Tangent<E, R> tangent(const Edges<R, 4>& x, const TetRest<R>& rest, const Material& m) {
    const auto curvature = E::curvature(tet_deformation(x, rest), m);
    Tangent<E, R> t;
    int pair = 0;
    for (int a = 0; a < 4; ++a)
      for (int b = a + 1; b < 4; ++b, ++pair) {
        const Mat3<R> h =
            rest.volume * E::pair_block(curvature, m, tet_gradient(rest, a), tet_gradient(rest, b));
        t.v[3 * pair] = h.x, t.v[3 * pair + 1] = h.y, t.v[3 * pair + 2] = h.z;
      }
    return t;
  }
  template <class R, class Read>
  HD static Mat3<R> block(const Read& read, int a, int b) {
    const int low = a < b ? a : b, high = a < b ? b : a;
    const int pair = low == 0 ? high - 1 : low + high;  // (1,2): 3, (1,3): 4, (2,3): 5
    const Mat3<R> h{read(3 * pair), read(3 * pair + 1), read(3 * pair + 2)};
    return a < b ? h : transposed(h);
  }
  /// The rest shape in the rotation U Vᵀ, which is the nearest by |F - R|.
  template <class R, class Material>
  HD static Edges<R, 4> project(const Edges<R, 4>& x, const TetRest<R>& rest, const Material&) {
    const TetStretches<R> t = tet_stretches(tet_deformation(x, rest));
    const R inv = 1.0f / dot(cross(rest.b1, rest.b2), rest.b3);
    const auto turned = [&](const Vec3<R>& y) {
      return inv * times(t.u, Vec3<R>{dot(t.v.x, y), dot(t.v.y, y), dot(t.v.z, y)});
    };
    return {
        {turned(cross(rest.b2, rest.b3)), turned(cross(rest.b3, rest.b1)), turned(cross(rest.b1, rest.b2))}};
  }
  /// At rest: V times the stiffest modulus times |b_a| sum |b_c| over all points c.
  template <class R, class Material>
  HD static R bound(const Edges<R, 4>&, const TetRest<R>& rest, const Material& m, int point) {
    R sum = splat<R>(0);
    for (int c = 0; c < 4; ++c) sum = sum + length_of(tet_gradient(rest, c));
    return rest.volume * E::template stiffest<R>(m) * length_of(tet_gradient(rest, point)) * sum;
  }
};

}  // namespace weft
