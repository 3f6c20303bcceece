// The fabric of a grid: planar elements and bending of the interleaved tessellation (Wang 2021, section 4.1).
//
//   springs     along +x, +y and the diagonal, k = Y sum A / L² over the triangles beside the edge
//   triangles   two per cell, co-rotated or St. Venant-Kirchhoff (sim/energies)
//   bending     B/2 theta² at every hinge of the interleaved tessellation. With theta = (second difference) / cell this is, per
//               odd vertex and cell (c = B / cell²),
//
//                 c/2 (n_x |x_E + x_W - 2 x|² + n_y |x_N + x_S - 2 x|²)   +   c |x_10 + x_01 - x_00 - x_11|²
//
//               n: hinges that exist, 0 to 2. Per area B/2 (K_x² + K_y² + 2 K_xy²) = B/2 |Hessian|²: the same
//               in all directions. (Bergou's weights on the same hinges are 3 times too stiff along the
//               threads, 4.5 on the bias.)
//
// Of its gradient at a vertex, terms of neighbours beyond the six of the planar elements belong to the outer
// ring (eq. 9).
#pragma once
#include "sim/energies/corotated_triangle.h"
#include "sim/energies/spring.h"
#include "sim/energies/stvk_triangle.h"
#include "sim/grid/rest_lists.h"

namespace weft::block_descent {

using grid::EdgeScale;
using grid::Flags;

/// Stiffness of whole edges along +x, the diagonal and +y, N/m.
struct EdgeStiffness {
  float x = 0, diagonal = 0, y = 0;
};

/// What all planar elements share. Rest shapes from the lengths of a cell's edges; a triangle's first side
/// lies along x.
struct SheetConstants {
  float cell = 1;      // m
  float rigidity = 0;  // B, N m
  float density = 0;   // kg/m²
  float in_plane = 0;  // N/m: mean of the planar elements' own Hessian block of a vertex in the sheet's plane
  EdgeStiffness edges;  // of springs, or of those whose tension stands for that of the elements
  HD float bending() const { return rigidity / (cell * cell); }  // c, N/m
};

/// Rest shape of the lower triangle (00 10 11), from the lengths (m) of its sides 00-10, 10-11 and 00-11.
template <class R>
WEFT_INLINE TriangleRest<R> lower_rest(const R& a, const R& b, const R& diagonal) {
  // second corner p = (a, 0), third p + q with |q| = b: along = q . p / a
  const R along = 0.5f * (diagonal * diagonal - a * a - b * b) / a;
  const R up = square_root(larger_of<R>(b * b - along * along, 1e-6f * b * b));
  const R x = a + along;  // third corner (x, up)
  return {1.0f / a, splat<R>(0), -x / (a * up), 1.0f / up, 0.5f * a * up};
}
/// Of the upper one (00 11 01), from its sides 01-11, 00-01 and 00-11.
template <class R>
WEFT_INLINE TriangleRest<R> upper_rest(const R& a, const R& b, const R& diagonal) {
  const R along = 0.5f * (diagonal * diagonal - a * a - b * b) / a;
  const R up = square_root(larger_of<R>(b * b - along * along, 1e-6f * b * b));
  const R x = a + along;  // second corner (x, up), third (along, up): Dm = [x along; up up], det = a up
  return {1.0f / a, -1.0f / a, -along / (a * up), x / (a * up), 0.5f * a * up};
}

struct SpringSheet : SheetConstants {
  static constexpr bool kTriangles = false;
};

template <class E>
struct TriangleSheet : SheetConstants {
  static constexpr bool kTriangles = true;
  using Energy = E;
  typename E::template Material<float> material;
  template <class R>
  HD typename E::template Material<R> lanes() const;
};
template <>
template <class R>
HD CorotatedTriangle::Material<R> TriangleSheet<CorotatedTriangle>::lanes() const {
  return {splat<R>(double(material.mu)), splat<R>(double(material.lambda))};
}
template <>
template <class R>
HD StvkTriangle::Material<R> TriangleSheet<StvkTriangle>::lanes() const {
  const auto wide = [](float v) { return splat<R>(double(v)); };
  StvkTriangle::Material<R> m{wide(material.c11), wide(material.c22), wide(material.c12),
                              wide(material.shear)};
  m.warp_more = wide(material.warp_more), m.weft_more = wide(material.weft_more);
  m.shear_more = wide(material.shear_more), m.knee = wide(material.knee);
  return m;
}

/// Couplings of bending at a vertex: the gradient is sum_j a_j x_j - (sum_j a_j) x, N/m.
struct BendingRow {
  float axis[4];      // E, N, W, S
  float diagonal[4];  // NE, NW, SW, SE
  float two[4];       // two cells E, N, W, S
  HD float sum() const {
    float s = 0;
    for (int k = 0; k < 4; ++k) s += axis[k] + diagonal[k] + two[k];
    return s;
  }
  /// Of those beyond the six neighbours.
  HD float outer() const { return diagonal[1] + diagonal[3] + two[0] + two[1] + two[2] + two[3]; }
};

/// What the reference's modification makes of a hinge's energy, from its lengths over those of the grid:
/// along the second difference `a`, across it `b`. Energy per area B/2 (D / (a h)²)² over an area 2 a b h².
HD inline float hinge_scale(float a, float b) { return b / (a * a * a); }
HD inline float mixed_scale(float a, float b) { return 1.0f / (a * b); }

/// Hinges of one vertex: weight of |x_E + x_W - 2 x|², of |x_N + x_S - 2 x|² and of its cell's mixed
/// difference, in units of c/2, c/2 and c.
struct HingeWeight {
  float x, y, cell;
};
HD inline HingeWeight operator*(float factor, const HingeWeight& w) {
  return {factor * w.x, factor * w.y, factor * w.cell};
}
/// `own`, `west` and `south`: scales of the vertex, of its neighbours to the west and south, and of the
/// cell's other edges.
HD inline HingeWeight hinge_weight(Flags f, const EdgeScale& own, const EdgeScale& west,
                                   const EdgeScale& south, const EdgeScale& east, const EdgeScale& north) {
  const float a = 0.5f * (own.x + west.x), b = 0.5f * (own.y + south.y);
  return {float(grid::hinges_along_x(f)) * hinge_scale(a, b),
          float(grid::hinges_along_y(f)) * hinge_scale(b, a),
          f & grid::kCell ? mixed_scale(0.5f * (own.x + north.x), 0.5f * (own.y + east.y)) : 0.0f};
}

/// Hinges around a vertex: those at the vertex, its neighbours E, N, W and S, and of the cells NE (its own),
/// NW, SW, SE.
HD inline BendingRow bending_row(float c, const HingeWeight& own, float east_x, float north_y, float west_x,
                                 float south_y, float ne, float nw, float sw, float se) {
  BendingRow r;
  r.axis[0] = -2 * c * (own.x + east_x + ne + se);
  r.axis[1] = -2 * c * (own.y + north_y + ne + nw);
  r.axis[2] = -2 * c * (own.x + west_x + nw + sw);
  r.axis[3] = -2 * c * (own.y + south_y + sw + se);
  r.diagonal[0] = 2 * c * ne, r.diagonal[1] = 2 * c * nw, r.diagonal[2] = 2 * c * sw,
  r.diagonal[3] = 2 * c * se;
  r.two[0] = c * east_x, r.two[1] = c * north_y, r.two[2] = c * west_x, r.two[3] = c * south_y;
  return r;
}

}  // namespace weft::block_descent
