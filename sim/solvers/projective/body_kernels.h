// Rigid bodies in projective dynamics: motions of six unknowns, a shift t and a turn w, outside of the
// constant matrix, which does not know how a body turns.
//
//   x_i <- p + t + R(w) (x_i - p),     (sum_i G_i' H_i G_i) (t, w) = sum_i G_i' r_i,     G_i = [1, -[x_i - p]x]
//
// H_i = m / h² + W: inertia and anchors of point i; r: the negative gradient of their energy; p: the centre
// of mass.
#pragma once
#include "sim/linear/affine_kernels.h"

namespace weft::projective {

constexpr int kMotion = 6, kMotionEntries = kMotion * (kMotion + 1) / 2;

/// Rows of bodies are none of the matrix'.
struct HoldBodyRows {
  AffineView bodies;
  Span<float> free_row;
  static constexpr bool kLongRows = true;
  HD void operator()(int b) const { row<OneRow>(b); }
  template <class L>
  HD void row(int b) const {
    affine::each_point<L>(bodies.body[b], [&](int i) { free_row[i] = 0; });
  }
};

/// Moves bodies as above; writes what that gains, r . (t, w), J.
struct MoveBodies {
  AffineView bodies;
  Span<const int> kinematic;
  Span<const vec3> position, target;  // x_n; z - x_n; m
  Span<const Sym3> anchor_weight;     // W, N/m
  Span<const vec3> anchor_force;      // N
  float inv_h2 = 0;
  bool moves = true;  // or only what it would gain
  Span<vec3> d;
  Span<float> gain;  // per body
  static constexpr bool kLongRows = true;
  HD void operator()(int b) const { row<OneRow>(b); }

  template <class L>
  HD void row(int b) const {
    const AffineBody body = bodies.body[b];
    if (kinematic[body.first]) {
      if (RowParts<L>::part() == 0) gain[b] = 0;
      return;
    }
    const vec3 centre = centre_of<L>(body);
    float s[kMotion + kMotionEntries];
    for (float& one : s) one = 0;
    affine::each_point<L>(body, [&](int i) { add(s, i, (position[i] - centre) + d[i]); });
    affine::total_sums<L>(s);
    float q[kMotion];
    const float gained = solve(s, q);
    if (RowParts<L>::part() == 0) gain[b] = gained;
    if (!moves) return;
    const vec3 shift(q[0], q[1], q[2]), turn(q[3], q[4], q[5]);
    affine::each_point<L>(
        body, [&](int i) { d[i] += shift + linear::turn_by(turn, (position[i] - centre) + d[i]); });
  }
  /// The centre of mass at d, m.
  template <class L>
  HD vec3 centre_of(const AffineBody& body) const {
    const vec3 origin = position[body.first];
    float s[3] = {0, 0, 0};
    affine::each_point<L>(body, [&](int i) {
      const vec3 m = bodies.mass[i] * ((position[i] - origin) + d[i]);
      for (int c = 0; c < 3; ++c) s[c] += m[c];
    });
    affine::total_sums<L>(s);
    return origin + (1 / body.mass) * vec3(s[0], s[1], s[2]);
  }
  /// What point i brings, `arm` (m) from the centre: right-hand side, then the lower triangle of the matrix.
  HD void add(float (&s)[kMotion + kMotionEntries], int i, const vec3& arm) const {
    const float inertia = inv_h2 * bodies.mass[i];
    Sym3 h = anchor_weight[i];
    const vec3 force = anchor_force[i] + inertia * (target[i] - d[i]) - h * d[i];
    h.add_identity(inertia);
    const vec3 moment = glm::cross(arm, force);
    for (int c = 0; c < 3; ++c) s[c] += force[c], s[3 + c] += moment[c];
    const mat3 full = affine::full(h);
    vec3 pulled[kMotion];  // H G, by column; that of turning about axis a is H (e_a x arm)
    for (int c = 0; c < 3; ++c) {
      vec3 axis(0);
      axis[c] = 1;
      pulled[c] = full[c], pulled[3 + c] = full * glm::cross(axis, arm);
    }
    int at = kMotion;
    for (int r = 0; r < kMotion; ++r)
      for (int c = 0; c <= r; ++c) s[at++] += r < 3 ? pulled[c][r] : glm::cross(arm, pulled[c])[r - 3];
  }
  /// The motion, by a Cholesky factor of the matrix after it is scaled by its diagonal.
  HD static float solve(const float (&s)[kMotion + kMotionEntries], float (&q)[kMotion]) {
    constexpr double kLeastPivot = 1e-7;  // of 1: what float32 sums still tell from nothing
    const auto entry = [](int r, int c) { return r * (r + 1) / 2 + c; };
    double l[kMotionEntries], unit[kMotion], x[kMotion];
    for (int r = 0; r < kMotion; ++r) {
      const double v = double(s[kMotion + entry(r, r)]);
      unit[r] = v > 0 ? 1 / sqrt(v) : 0;
    }
    for (int r = 0; r < kMotion; ++r) {
      for (int c = 0; c <= r; ++c) {
        double v = double(s[kMotion + entry(r, c)]) * unit[r] * unit[c];
        for (int k = 0; k < c; ++k) v -= l[entry(r, k)] * l[entry(c, k)];
        l[entry(r, c)] = c < r ? v / l[entry(c, c)] : sqrt(v > kLeastPivot ? v : kLeastPivot);
      }
      x[r] = double(s[r]) * unit[r];
      for (int k = 0; k < r; ++k) x[r] -= l[entry(r, k)] * x[k];
      x[r] /= l[entry(r, r)];
    }
    double gained = 0;
    for (int r = kMotion - 1; r >= 0; --r) {
      gained += x[r] * x[r];
      for (int k = r + 1; k < kMotion; ++k) x[r] -= l[entry(k, r)] * x[k];
      x[r] /= l[entry(r, r)];
      q[r] = float(x[r] * unit[r]);
    }
    return float(gained);
  }
};

}  // namespace weft::projective
