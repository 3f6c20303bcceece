// The stencil of hinges: two triangles and their common edge.
//
//            x2                    e = x1 - x0,  a = x2 - x0,  b = x3 - x0: the edges of element.h
//           /  \      A = (x0 x1 x2)
//          /  A \                  nA = e x a,  nB = b x e   (not unit; of one direction in a flat sheet)
//        x0 --e-- x1
//          \  B /                  tA, tB: where the heights of x2 and x3 meet the edge, shares from x0
//           \  /      B = (x1 x0 x3)
//            x3
//
// Both energies of hinges have a Hessian of rank one per coordinate or in all, so that vectors s_i of the
// points are all that is stored: H_ab = s_a s_bᵀ, or (s_a . s_b) I.
#pragma once
#include "sim/energies/element.h"

namespace weft {

/// k |s_a| sum |s_b|: no less than k (sum s_b . u_b)² asks for, by Cauchy and Schwarz.
template <class R>
WEFT_INLINE R rank_one_bound(const R (&size)[4], int point) {
  return size[point] * (size[0] + size[1] + size[2] + size[3]);
}

}  // namespace weft
