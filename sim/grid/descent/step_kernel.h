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
// Two kernels: `UniformStep` for blocks whose tile is whole and unmodified, with constant coefficients,
// and `GeneralStep` for all. `BlockStep` is what both share.
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
  float pressure = 0;   // Pa, kappa^norm (eq. 16): along the layer's normal
  float fill = 0;       // N/m³, kappa^fill (eq. 17)
  float thickness = 0;  // m, D (eq. 17)
  float repulsion = 0;  // N/m³, kappa^self (eq. 11)
  float radius =
      0;  // m, R^self (eq. 11) where the sheet is not gathered; elsewhere times RestView::reach_scale
};

/// What an outer iteration does with the block's displacements.
enum class Finish : int {
  momentum,   // x <- omega (y - before) + before, into `next`, which holds `before`
  direction,  // direction <- y - x, product <- g . (x - y)
  gradient,   // direction <- g at the start
};

/// What is at rest: lengths, and factors on the sheet's stiffness.
struct SheetRest : grid::RestView {
  // per slot: of its lower and its upper triangle in the plane, and on the rigidity of its hinges; empty: 1
  Span<const vec3> factor;
  HD vec3 factor_at(int slot) const { return factor.empty() ? vec3(1) : factor[slot]; }
};

/// Contacts of vertices, sorted by block and vertex; `start` per block. Empty: none.
struct ContactLists {
  Span<const Contact> contact;
  Span<const int> start;
};

/// Of a time step: each vertex adds 1/2 (x - base)ᵀ W (x - base) - f (x - base). Empty: none.
struct Anchors {
  Span<const Sym3> weight;    // W per slot, N/m
  Span<const vec3> force;     // f per slot, N
  Span<const int> weighted;   // per block, nonzero: it has any
  grid::FixedPositions base;  // origins of x
};

/// How far vertices may move.
struct MovementLimits {
  Span<const float> path;            // per collision block: longest path of an outer iteration, m; empty: any
  Span<const unsigned char> pinned;  // per slot, nonzero: does not move; empty: none
};

/// Results of an outer iteration, per slot.
struct StepResults {
  Span<vec3> next, direction;
  Span<float> product;  // J
};

struct InnerIterations {
  float omega[kMostInner];  // Chebyshev weights
  int count = 8;            // L
  int lag_outer = 1;        // eq. 9: the outer ring stays where it was at the block's start
  int diagonal = 0;         // P without its entries off the diagonal
};

/// Everything that the kernels of all sheets and widths share.
struct StepArguments {
  grid::GridView grid;
  grid::FixedPositions x;
  grid::FixedPositions target;  // of Terms::anchor, origins of x
  SheetRest rest;
  PlaneView plane, layer;
  ContactLists contacts;
  MovementLimits limits;
  Anchors anchors;
  Span<const int> list;  // blocks of this launch
  StepResults results;
  Span<const float> control;  // kNumbers
  Terms terms;
  InnerIterations inner;
  Finish finish = Finish::momentum;

  HD bool pinned(int v) const { return !limits.pinned.empty() && limits.pinned[v]; }
};

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
/// `to`, or the point on the line there that is `path` from `from`.
HD inline vec3 no_farther(const vec3& from, const vec3& to, float path) {
  const vec3 d = to - from;
  const float length = sqrtf(glm::dot(d, d));
  return length > path ? from + (path / length) * d : to;
}
/// |d|² in m², not 0.
template <class R>
WEFT_INLINE R squared_length(const Vec3<R>& d) {
  return d.x * d.x + (d.y * d.y + (d.z * d.z + 1e-30f));
}

/// Launches the step of a sheet for blocks `list`, whichever their width. Throws Error for another width.
template <class Sheet>
void launch_step(Device& device, const char* name, bool general, const StepArguments& arguments,
                 const Sheet& sheet);

}  // namespace weft::block_descent
