// One outer iteration of block descent on one block (Wang 2021, algorithm 1): load W + 4 by W + 4 vertices,
// descend L times on the block's own W by W while all others rest, store.
//
//   x_B <- x_B - alpha P⁻¹ g_B(x_B)                                                                      (eq. 4)
//
//   g   gradient of F, N
//   P   diagonal 3x3 block of F's Hessian of each vertex, taken at the block's start and averaged over directions in the
//       sheet's plane, N/m: one stiffness in the plane, another along the normal, so that it turns with the
//       sheet
//
// Two versions of each kernel: `Uniform` for blocks whose tile is whole and unmodified, so that coefficients
// are constants, and `General` for all.
#pragma once
#include "sim/grid/contact.h"
#include "sim/grid/descent/fabric.h"
#include "sim/grid/launch_blocks.h"

namespace weft::block_descent {

using grid::Contact;
using grid::PlaneView;

constexpr int kMostInner = 16;  // L at most

/// Entries of StepArguments::control, on the device.
enum ControlNumber {
  kAlpha,
  kOmega,
  kSince,
  kEnergy,
  kSaved,
  kBack,
  kReturns,
  kAccelerated,
  kBeta,
  kProduct,
  kLastProduct,
  kNumbers
};

/// Terms of F besides the sheet. Areas are those of the grid at rest.
struct Terms {
  vec3 gravity{0};  // m/s²
  float anchor = 0;  // N/m³: anchor / 2 |x - target|² per area; with a mass per area over dt² this is inertia
  float air = 0;     // Pa, kappa^air (eq. 15): pressure on the side of the normal
  float push = 0;       // Pa, kappa^norm (eq. 16): along the layer's normal
  float fill = 0;       // N/m³, kappa^fill (eq. 17)
  float thickness = 0;  // m, D (eq. 17)
  float repulsion = 0;  // N/m³, kappa^self (eq. 11)
  float radius =
      0;  // m, R^self (eq. 11) where the sheet is not gathered; elsewhere times RestView::reach_scale
};

/// What an outer iteration does with the block's way.
enum class Finish : int {
  momentum,   // x <- omega (y - before) + before, into `next`, which holds `before`
  direction,  // direction <- y - x, product <- g . (x - y)
  gradient,   // direction <- g at the start
};

/// Everything that the kernels of all sheets and widths share.
struct StepArguments {
  grid::GridView grid;
  grid::FixedPositions x;
  grid::FixedPositions target;  // of Terms::anchor, origins of x
  grid::RestView rest;
  PlaneView plane, layer;
  Span<const Contact> contact;
  Span<const int> contact_start;   // per block; empty: no contacts
  Span<const float> way;           // per collision block: longest path of an outer iteration, m; empty: any
  Span<const unsigned char> held;  // per slot, nonzero: does not move; empty: none
  // Of a time step: each adds 1/2 (x - base)ᵀ W (x - base) - f (x - base). Empty: none.
  Span<const Sym3> weight;       // W per slot, N/m
  Span<const vec3> weight_pull;  // f per slot, N
  Span<const int> weighted;      // per block, nonzero: it has any
  grid::FixedPositions base;     // origins of x
  Span<const int> list;          // blocks of this launch
  Span<vec3> next;               // per slot
  Span<vec3> direction;
  Span<float> product;        // per slot, J
  Span<const float> control;  // kNumbers
  Terms terms;
  float inner_omega[kMostInner];  // Chebyshev weights of the inner iterations
  int inner = 8;                  // L
  int lag_outer = 1;              // eq. 9: the outer ring stays where it was at the block's start
  int diagonal = 0;               // P without its entries off the diagonal
  Finish finish = Finish::momentum;
};

/// A tile: arrays of floats over its elements.
template <int W, class Sheet, bool General>
struct StepTile {
  static constexpr int kSize = TileShape<W>::kSize;
  using Row = float[kSize];
  static constexpr int kForces = Sheet::kTriangles ? 12 : 1;
  Row x[2][3];         // position, two copies
  Row p[6];            // P⁻¹; on loading p[0] holds what is isotropic in P
  Row outer[3];        // sum of a_j x_j over the outer ring
  Row outer_sum;       // sum of their a_j
  Row force[kForces];  // of triangles on corners 1 and 2: lower, upper
  Row first[3];        // g at the start
  Row start[3];        // constant force
  Row plane[4], layer[4];
  Row push[3];         // of contacts
  int contact[kSize];  // place in the list, -1: none
  // General only
  Row bend[General ? 6 : 1];    // a_j of the six neighbours
  Row two[General ? 6 : 1];     // of the outer ring: NW, SE, E, N, W, S
  Row half[General ? 3 : 1];    // share of the edges to (1,0), (1,1), (0,1) that exists: 0, 1/2, 1
  Row length[General ? 3 : 1];  // of these edges at rest, over the grid's
  Row exists[General ? 2 : 1];  // lower and upper triangle
  Flags flag[kSize];
  int planes, layers, contacts;  // whether the block has any
  float air;                     // Pa, with the sign of the panel's side

  /// What lanes read of elements that do not move, past the last row too, is finite, and 0 where it is a
  /// force. `all`: planes and layers too.
  void clear(bool all) {
    const auto fill = [](Row& row, float v) {
      for (float& e : row) e = v;
    };
    fill(p[0], -1);
    for (int c = 0; c < 3; ++c) fill(start[c], 0);
    if (all)
      for (int c = 0; c < 4; ++c) fill(plane[c], 0), fill(layer[c], 0);
    if (all)
      for (int c = 0; c < 3; ++c) fill(push[c], 0);
    for (int e = kSize - 2 * kLanes; e < kSize; ++e)
      for (auto& copy : x)
        for (auto& row : copy) row[e] = 0;
    if constexpr (General) {
      for (auto& row : length) fill(row, 1);
      for (auto& row : half) fill(row, 0);
      for (auto& row : exists) fill(row, 0);
    }
  }
};

template <class L, class Row>
HD inline Vec3<typename L::Real> load_vector(const Row* rows, int e) {
  return {L::load(&rows[0][e]), L::load(&rows[1][e]), L::load(&rows[2][e])};
}
template <class L, class Row>
HD inline void store_vector(Row* rows, int e, const Vec3<typename L::Real>& v) {
  L::store(&rows[0][e], v.x), L::store(&rows[1][e], v.y), L::store(&rows[2][e], v.z);
}

/// 1 / sqrt(v) for v > 0, to 2^-22.
HD inline float inverse_root(float v) { return 1.0f / sqrtf(v); }
#ifndef __CUDACC__
WEFT_INLINE Pack inverse_root(const Pack& v) {
#if defined(__AVX512F__)
  const Pack r = Pack(_mm512_maskz_rsqrt14_ps(__mmask16(0xffff), __m512(v)));
  return r * (1.5f - (0.5f * v * r) * r);
#else
  return 1.0f / square_root(v);
#endif
}
#endif
/// `to`, or the point on the way there that is `way` from `from`.
HD inline vec3 no_farther(const vec3& from, const vec3& to, float way) {
  const vec3 d = to - from;
  const float length = sqrtf(glm::dot(d, d));
  return length > way ? from + (way / length) * d : to;
}
/// |d|² in m², not 0.
template <class R>
WEFT_INLINE R squared_length(const Vec3<R>& d) {
  return d.x * d.x + (d.y * d.y + (d.z * d.z + 1e-30f));
}

}  // namespace weft::block_descent
