// Meshless bending of a vertex against its neighbours (Wu et al. 2020, appendix B).
//
//        x_j                 r_j - r_i = (rho_j, h_j)   reference, in the principal frame of the neighbours: rho_j in the
//         \    |n                                       plane that fits best, height h_j over it (0 where flat)
//     x_k--x_i----x_l        e_j = x_j - x_i            deformed
//         /                  A                          3x2: the affine map of the plane that fits e_j ~ A rho_j best
//        x_m                 n                          unit normal of A's columns
//
//   A = (sum e_j rho_jᵀ)(sum rho_j rho_jᵀ)⁻¹                                                       (eq. 30)
//   E = k/2 sum |[A n]⁻¹ e_j - (rho_j, h_j)|²                                                      (eq. 31)
//
// The frame is principal: sum rho_j rho_jᵀ is diagonal and sum h_j rho_j = 0, so that at rest A is the frame
// itself, E = 0.
// With the residual in space, g_j = e_j - A rho_j - h_j n, and G = AᵀA, t_j = Aᵀg_j, V = G⁻¹ the sum is
//
//   E = k/2 sum ( |g_j|² - t_jᵀ V t_j + |V t_j|² ):   out of plane as in space, in the plane as in the reference.
//
// In cloth that does not stretch G = I, and E = k/2 sum |g_j|² is quadratic in x for a flat reference.
//
// The inverse is V = (AᵀA + c²I)⁻¹, and n = sqrt(1 + c²) a1 x a2 / sqrt(|a1 x a2|² + c²), with c = kCollapse:
// where a neighbourhood folds up entirely (a crease through x_i), A loses rank, and without c forces would
// have no bound. At rest E stays 0.
//
// Derivatives, with p = V t, s = V p, y = g + A (s - p) and q_j = (sum rho rhoᵀ)⁻¹ rho_j:
//
//   dE/de_j = k (y_j + D q_j),   D = sum ( (g - A p)(s - p)ᵀ - (A s) pᵀ - y rhoᵀ ) - d(n . sum h y)/dA,   dE/dx_i = -sum dE/de_j
#pragma once
#include "sim/energies/types.h"

namespace weft::meshless {

/// Stretch (singular value of A) below which its inverse no longer grows.
constexpr float kCollapse = 0.2f;

/// The fit A of a neighbourhood and what follows from it.
template <class R>
struct Fit {
  Vec3<R> a1, a2;         // columns of A
  Vec3<R> normal;         // n
  Vec3<R> area;           // a1 x a2
  R v11, v12, v22;        // V
  R per_area, inv_area2;  // |n| / |a1 x a2| and 1 / (|a1 x a2|² + c²)
};

/// From A's columns.
template <class R>
HD inline Fit<R> fit(const Vec3<R>& a1, const Vec3<R>& a2) {
  const R c2 = splat<R>(kCollapse * kCollapse);
  const R g11 = dot(a1, a1) + c2, g12 = dot(a1, a2), g22 = dot(a2, a2) + c2;
  const R inv = 1.0f / (g11 * g22 - g12 * g12);  // at least c⁴ below the line
  Fit<R> f{a1, a2, {}, cross(a1, a2), g22 * inv, -g12 * inv, g11 * inv, c2, c2};
  f.inv_area2 = 1.0f / (dot(f.area, f.area) + c2);
  f.per_area = square_root((1.0f + c2) * f.inv_area2);
  f.normal = f.per_area * f.area;
  return f;
}

/// One neighbour's share: g, p, s, y of the table above. All in m.
template <class R>
struct Residual {
  Vec3<R> g, y;
  R t1, t2, p1, p2, s1, s2;
};

/// `e` = x_j - x_i; `reference` = (rho_j, h_j). Both in m.
template <class R>
HD inline Residual<R> residual(const Fit<R>& f, const Vec3<R>& e, const Vec3<R>& reference) {
  Residual<R> r;
  r.g = e - reference.x * f.a1 - reference.y * f.a2 - reference.z * f.normal;
  r.t1 = dot(f.a1, r.g), r.t2 = dot(f.a2, r.g);
  r.p1 = f.v11 * r.t1 + f.v12 * r.t2, r.p2 = f.v12 * r.t1 + f.v22 * r.t2;
  r.s1 = f.v11 * r.p1 + f.v12 * r.p2, r.s2 = f.v12 * r.p1 + f.v22 * r.p2;
  r.y = r.g + (r.s1 - r.p1) * f.a1 + (r.s2 - r.p2) * f.a2;
  return r;
}

/// One neighbour's energy in J for k in N/m.
template <class R>
HD inline R energy(const Residual<R>& r, const R& k) {
  return 0.5f * k * (dot(r.g, r.g) - r.t1 * r.p1 - r.t2 * r.p2 + r.p1 * r.p1 + r.p2 * r.p2);
}

/// Sums over the neighbours from which dE/dA follows.
template <class R>
struct FitGradient {
  Vec3<R> d1, d2;   // columns of D
  Vec3<R> heights;  // sum h_j y_j

  HD void add(const Fit<R>& f, const Residual<R>& r, const Vec3<R>& reference) {
    const Vec3<R> across = r.g - r.p1 * f.a1 - r.p2 * f.a2, as = r.s1 * f.a1 + r.s2 * f.a2;
    d1 = d1 + (r.s1 - r.p1) * across - r.p1 * as - reference.x * r.y;
    d2 = d2 + (r.s2 - r.p2) * across - r.p2 * as - reference.y * r.y;
    heights = heights + reference.z * r.y;
  }
  /// Call once after the last neighbour.
  HD void turn_normal(const Fit<R>& f) {
    const R along = f.inv_area2 * dot(f.area, heights);
    const Vec3<R> turn = f.per_area * (heights - along * f.area);
    d1 = d1 - cross(f.a2, turn);
    d2 = d2 - cross(turn, f.a1);
  }
};

/// dE/de_j over k, m. `inverse1`, `inverse2`: 1 / sum rho² along the two axes, 1/m².
template <class R>
HD inline Vec3<R> gradient(const FitGradient<R>& d, const Vec3<R>& y, const Vec3<R>& reference,
                           const R& inverse1, const R& inverse2) {
  return y + (reference.x * inverse1) * d.d1 + (reference.y * inverse2) * d.d2;
}

}  // namespace weft::meshless
