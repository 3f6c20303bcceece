// The common form of an energy over elements of a few points. One energy, one file; one struct with
//
//   kPoints                     points of an element, 2 to 4
//   Rest<R>                     what an element keeps of its rest shape; members of type R only
//   Material<R>                 what its fabric gives it; members of type R only
//   energy(x, rest, material)   J
//   gradient(...)               dE/dx_i in N of points 1 to kPoints - 1; that of point 0 is minus their sum
//   kTangent, tangent(...)      the projected Hessian (positive semidefinite), in kTangent vectors
//   block(read, a, b)           d²E/dx_a dx_b in N/m, a != b, of these vectors; read(k) is vector k. Rows of
//                               an element's Hessian sum to 0: energies do not change with translation
//   bound(x, rest, material, a) isotropic bound of the part of point a in the projected Hessian, N/m: of its
//                               own block, with what couples it to the element's other points
//   kBoundMoves                 whether the bound depends on x
//   project(x, rest, material)  edges of the closest shape without energy, m; each says what is measured
//
// x are the edges x_i - x_0. Kernels for every such struct: sim/solvers/element_kernels.h.
#pragma once
#include "sim/energies/types.h"

namespace weft {

/// Edges x_i - x_0 of an element's points 1 to N - 1, m; or the gradients of these points, N.
template <class R, int N>
struct Edges {
  Vec3<R> v[N - 1];
  HD const Vec3<R>& operator[](int i) const { return v[i]; }
  HD Vec3<R>& operator[](int i) { return v[i]; }
};

template <class E, class R>
using EdgesOf = Edges<R, E::kPoints>;

/// The vectors of a projected Hessian.
template <class E, class R>
struct Tangent {
  Vec3<R> v[E::kTangent];
};

/// The whole block matrix of a projected Hessian: diagonal blocks are minus the sums of their rows.
template <class E, class R, class Read>
HD inline Mat3<R> hessian_block(const Read& read, int a, int b) {
  if (a != b) return E::template block<R>(read, a, b);
  Mat3<R> sum = scaled_identity<R>(splat<R>(0));
  for (int c = 0; c < E::kPoints; ++c)
    if (c != a) sum = sum + splat<R>(-1) * E::template block<R>(read, a, c);
  return sum;
}

}  // namespace weft
