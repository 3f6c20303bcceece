// Rigid bodies in Newton's system: of each body the 12 unknowns q, of which its rows are linear, u_i = J_i q.
//
//   J_i = [1 X Y Z] (x) I,     (J' H J) q = J' r
//
// Conjugate gradients stay among motions of bodies because the preconditioner does: z = J (J' P J)⁻¹ J' r,
// with P the couplings within the body and what contact brings to it. What of r no motion of the body
// feels is taken out of it, M J (J' M J)⁻¹ J' r being left: in inner products with z it is 0, but for
// rounding, which would grow.
#pragma once
#include "sim/linear/affine_kernels.h"
#include "sim/solvers/newton/assemble_kernels.h"

namespace weft::newton {

constexpr int kUnknowns = 12, kTriangle = kUnknowns * (kUnknowns + 1) / 2;

/// Place of (row, column <= row) in a packed lower triangle.
HD inline int packed(int row, int column) { return row * (row + 1) / 2 + column; }

/// [1 X Y Z] of a point, X over the body's radius.
HD inline vec4 shape_of(const AffineBody& body, const vec3& offset) {
  return {1, body.inv_radius * offset.x, body.inv_radius * offset.y, body.inv_radius * offset.z};
}

/// Cholesky factors of J' P J, after scaling by their diagonals; of a body that stays all scales are 0.
struct FactorBodies {
  AffineView view;
  SystemView system;
  StencilsView stencils;
  Span<float> factor;  // kTriangle per body
  Span<float> scale;   // kUnknowns per body
  static constexpr bool kLongRows = true;
  HD void operator()(int b) const { row<OneRow>(b); }

  template <class L>
  HD void row(int b) const {
    const AffineBody body = view.body[b];
    float s[kTriangle];
    for (float& one : s) one = 0;
    if (system.free_row[body.first] > 0) affine::each_point<L>(body, [&](int i) { add_row(s, body, i); });
    linear::total_sums<L>(s);
    if (RowParts<L>::part() == 0) store(b, s);
  }
  HD void add_row(float (&s)[kTriangle], const AffineBody& body, int i) const {
    const vec4 shape = shape_of(body, view.offset[i]);
    float own[6];
    for (int c = 0; c < 6; ++c) own[c] = system.diagonal[interleaved(i, c, 6)];
    add(s, shape, shape, affine::full({own[0], own[1], own[2], own[3], own[4], own[5]}));
    if (!stencils.empty())
      for (int o = stencils.start[i]; o < stencils.start[i + 1]; ++o) add_stencil(s, body, shape, o);
    const RowsView& a = system.a;
    const int slice = i / kLanes;
    for (int o = a.slice_start[slice] + i % kLanes; o < a.spring_end[slice]; o += kLanes) {
      const float* k = &system.block[entry_place(o, 9)];
      mat3 block;
      float any = 0;
      for (int c = 0; c < 9; ++c) block[c / 3][c % 3] = k[c * kLanes], any += fabsf(k[c * kLanes]);
      if (any > 0) add(s, shape, shape - shape_of(body, view.offset[a.neighbor[o]]), block);
    }
  }
  /// The share of a row in a stencil that the body takes part in by some of its corners.
  HD void add_stencil(float (&s)[kTriangle], const AffineBody& body, const vec4& shape, int entry) const {
    const ContactStencil& c = stencils.stencil[stencils.entry[entry] / 4];
    vec4 all(0);
    for (int k = 0; k < 4; ++k)
      if (c.vertex[k] >= body.first && c.vertex[k] < body.first + body.count)
        all += c.weight[k] * shape_of(body, view.offset[c.vertex[k]]);
    add(s, c.weight[stencils.entry[entry] % 4] * shape, all, affine::full(c.stiffness));
  }
  /// The symmetric part of [left] (x) [right]' (x) block.
  HD static void add(float (&s)[kTriangle], const vec4& left, const vec4& right, const mat3& block) {
    for (int r = 0; r < kUnknowns; ++r)
      for (int c = 0; c <= r; ++c)
        s[packed(r, c)] += 0.5f * (left[r / 3] * right[c / 3] * block[c % 3][r % 3] +
                                   left[c / 3] * right[r / 3] * block[r % 3][c % 3]);
  }
  HD void store(int b, const float (&s)[kTriangle]) const {
    constexpr double kLeastPivot = 1e-7;  // of 1: what float32 sums still tell from nothing
    double l[kTriangle], unit[kUnknowns];
    for (int r = 0; r < kUnknowns; ++r) {
      const double d = double(s[packed(r, r)]);
      unit[r] = d > 0 ? 1 / sqrt(d) : 0;
    }
    for (int r = 0; r < kUnknowns; ++r)
      for (int c = 0; c <= r; ++c) {
        double v = double(s[packed(r, c)]) * unit[r] * unit[c];
        for (int k = 0; k < c; ++k) v -= l[packed(r, k)] * l[packed(c, k)];
        l[packed(r, c)] = c < r ? v / l[packed(c, c)] : sqrt(v > kLeastPivot ? v : kLeastPivot);
      }
    for (int k = 0; k < kTriangle; ++k) factor[kTriangle * b + k] = float(l[k]);
    for (int k = 0; k < kUnknowns; ++k) scale[kUnknowns * b + k] = float(unit[k]);
  }
};

/// z of the rows of bodies, r as above, and r . z of each: their sums over a body are those of its unknowns.
struct PreconditionBodies {
  AffineView view;
  Span<const float> factor, scale;  // of FactorBodies
  Span<vec3> r, z;
  Span<float> inner;
  static constexpr bool kLongRows = true;
  HD void operator()(int b) const { row<OneRow>(b); }

  template <class L>
  HD void row(int b) const {
    const AffineBody body = view.body[b];
    float q[kUnknowns];
    for (float& one : q) one = 0;
    affine::each_point<L>(body, [&](int i) {
      const vec4 shape = shape_of(body, view.offset[i]);
      for (int k = 0; k < kUnknowns; ++k) q[k] += shape[k / 3] * r[i][k % 3];
    });
    linear::total_sums<L>(q);
    const vec3 force(q[0], q[1], q[2]);
    const mat3 moment = (1 / body.inv_radius) * mat3{q[3], q[4], q[5], q[6], q[7], q[8], q[9], q[10], q[11]};
    solve(b, q);
    affine::each_point<L>(body, [&](int i) {
      const vec4 shape = shape_of(body, view.offset[i]);
      vec3 to(0);
      for (int k = 0; k < kUnknowns; ++k) to[k % 3] += shape[k / 3] * q[k];
      z[i] = to;
      r[i] = (view.mass[i] / body.mass) * (force + moment * (body.inverse_second * view.offset[i]));
      inner[i] = glm::dot(r[i], to);
    });
  }
  HD void solve(int b, float (&q)[kUnknowns]) const {
    const float *l = &factor[kTriangle * b], *unit = &scale[kUnknowns * b];
    double x[kUnknowns];
    for (int k = 0; k < kUnknowns; ++k) {
      x[k] = double(q[k]) * double(unit[k]);
      for (int c = 0; c < k; ++c) x[k] -= double(l[packed(k, c)]) * x[c];
      x[k] /= double(l[packed(k, k)]);
    }
    for (int k = kUnknowns - 1; k >= 0; --k) {
      for (int r2 = k + 1; r2 < kUnknowns; ++r2) x[k] -= double(l[packed(r2, k)]) * x[r2];
      x[k] /= double(l[packed(k, k)]);
    }
    for (int k = 0; k < kUnknowns; ++k) q[k] = float(x[k]) * unit[k];
  }
};

}  // namespace weft::newton
