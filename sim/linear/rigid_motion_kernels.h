// The rigid motion of connected pieces of cloth, and of islands of pieces that contact joins, that solvers
// with quadratic models are slow to find.
//
// A translation t and a rotation w about the island's centre c change neither its elastic energy nor that of
// its contact with itself. A quadratic model does not know that of rotations: where cloth is stressed, its
// Hessian, made positive semidefinite, resists them, so that Newton's method finds a tenth per step of the
// turn that a rolling hoop lacks. D being what holds vertices where they are (inertia, anchors, contact with
// bodies), r the forces that are left, and z = a x (x - c) for the three axes a, t and w make the energy of D
// least among the island's rigid motions:
//
//   | sum D     sum D z    |  | t |     | sum r     |
//   | sum D z'  sum z . Dz |  | w |  =  | sum z . r |
#pragma once
#include "sim/device/atomics.h"
#include "sim/device/row_of_threads.h"
#include "sim/energies/types.h"
#include "sim/linear/stencil.h"
#include "sim/linear/transfer_kernels.h"

namespace weft::linear {

constexpr int kCentreSums = 5;  // x (3), rows, kinematic rows
constexpr int kTurnSums = 27;   // as in SumForTurn

/// In every thread of a row, the sums of all of them.
template <class L, int N>
HD inline void total_sums(float (&s)[N]) {
  for (int k = 0; k + 2 < N; k += 3) {
    const Vec3<float> t = RowParts<L>::total(Vec3<float>{s[k], s[k + 1], s[k + 2]});
    s[k] = t.x, s[k + 1] = t.y, s[k + 2] = t.z;
  }
  for (int k = N - N % 3; k < N; ++k) s[k] = RowParts<L>::total(Vec3<float>{s[k], 0, 0}).x;
}

/// Pieces in the order of their islands.
struct IslandsView {
  PiecesView pieces;
  Span<const int> island;    // per piece: the piece that names its island
  Span<const uint32_t> key;  // the same, sorted
  Span<const int> piece;     // of each key
  HD int of_row(int i) const { return island[pieces.piece_of_row[i]]; }
  /// Whether the k-th piece by island is the first of its island.
  HD bool first(int k) const { return k == 0 || key[k - 1] != key[k]; }

  /// Of the chunks of all pieces of the island whose first is the i-th by island, in every thread of a row.
  template <class L, int N>
  HD void add(int i, Span<const float> sums, float (&s)[N]) const {
    for (int c = 0; c < N; ++c) s[c] = 0;
    for (int k = i; k < key.size && key[k] == key[i]; ++k) {
      const int end = pieces.piece_start[piece[k] + 1];
      for (int chunk = pieces.piece_start[piece[k]] + RowParts<L>::part(); chunk < end;
           chunk += RowParts<L>::kCount)
        for (int c = 0; c < N; ++c) s[c] += sums[N * chunk + c];
    }
    total_sums<L>(s);
  }
};

/// Share of row i in D beyond the system's own: of stencils that bodies take part in.
HD inline Sym3 body_contact(const StencilsView& s, int i) {
  Sym3 sum;
  if (s.empty()) return sum;
  for (int o = s.start[i]; o < s.start[i + 1]; ++o) {
    const ContactStencil& c = s.stencil[s.entry[o] / 4];
    float whole = 0;
    for (int k = 0; k < 4; ++k)
      if (c.vertex[k] >= 0) whole += c.weight[k];
    // Weights of cloth against cloth sum to 0, but for their rounding.
    if (fabsf(whole) > 1e-5f) sum += (c.weight[s.entry[o] % 4] * whole) * c.stiffness;
  }
  return sum;
}

/// D of row i.
HD inline Sym3 holding(Span<const float> diagonal, const StencilsView& stencils, int i) {
  float own_diagonal[6];
  for (int c = 0; c < 6; ++c) own_diagonal[c] = diagonal[interleaved(i, c, 6)];
  Sym3 own{own_diagonal[0], own_diagonal[1], own_diagonal[2],
           own_diagonal[3], own_diagonal[4], own_diagonal[5]};
  own += body_contact(stencils, i);
  return own;
}

/// Where rows are for the system.
struct PlaceRows {
  Span<const vec3> position, displacement;  // m
  Span<vec3> x;
  HD void operator()(int i) const { x[i] = position[i] + displacement[i]; }
};

/// Sums of each chunk for the centre of its island.
struct SumForCentre {
  PiecesView pieces;
  Span<const vec3> x;  // m
  Span<const float> free_row;
  Span<float> sums;  // kCentreSums per chunk
  static constexpr bool kLongRows = true;
  HD void operator()(int chunk) const { row<OneRow>(chunk); }
  template <class L>
  HD void row(int chunk) const {
    float s[kCentreSums] = {0, 0, 0, 0, 0};
    const int end = pieces.chunk_start[chunk + 1];
    for (int o = pieces.chunk_start[chunk] + RowParts<L>::part(); o < end; o += RowParts<L>::kCount) {
      const int i = pieces.row[o];
      s[0] += x[i].x, s[1] += x[i].y, s[2] += x[i].z;
      s[3] += 1, s[4] += free_row[i] > 0 ? 0.0f : 1.0f;
    }
    total_sums<L>(s);
    for (int k = 0; k < kCentreSums; ++k) L::store(&sums[kCentreSums * chunk + k], s[k]);
  }
};

/// How an island moves as a rigid body; kept at the piece that names it.
struct IslandMotion {
  vec3 centre{0};       // m
  vec3 translation{0};  // m
  vec3 rotation{0};     // radians
  int free = 0;         // 0: a row is kinematic, or the island has no extent
};

/// The centre of each island, and whether any of them may move as a whole.
struct FindCentres {
  IslandsView islands;
  Span<const float> sums;
  Span<IslandMotion> motion;
  Span<int> any;  // one element, 0 before
  HD void operator()(int i) const {
    if (!islands.first(i)) return;
    float s[kCentreSums];
    islands.add<OneRow>(i, sums, s);
    const float inv = 1 / s[3];
    const vec3 centre = inv * vec3(s[0], s[1], s[2]);
    const bool free = !(s[4] > 0) && fabsf(centre.x) + fabsf(centre.y) + fabsf(centre.z) < 1e30f;
    motion[int(islands.key[i])] = {free ? centre : vec3(0), vec3(0), vec3(0), free ? 1 : 0};
    if (free) atomic_or(&any[0], 1);
  }
};

HD inline vec3 axis_of(int k) {
  return vec3(k == 0 ? 1.0f : 0.0f, k == 1 ? 1.0f : 0.0f, k == 2 ? 1.0f : 0.0f);
}

/// Sums of each chunk for the 6x6 system above: r (3), z . r (3), D (6), D z (9, three of each axis), z . D z
/// (6).
struct SumForTurn {
  IslandsView islands;
  Span<const IslandMotion> motion;
  Span<const vec3> x, residual;
  Span<const float> diagonal;  // interleaved 6
  StencilsView stencils;
  Span<float> sums;  // kTurnSums per chunk
  static constexpr bool kLongRows = true;
  HD void operator()(int chunk) const { row<OneRow>(chunk); }
  template <class L>
  HD void row(int chunk) const {
    float s[kTurnSums];
    for (int c = 0; c < kTurnSums; ++c) s[c] = 0;
    const int begin = islands.pieces.chunk_start[chunk], end = islands.pieces.chunk_start[chunk + 1];
    const IslandMotion& m = motion[islands.of_row(islands.pieces.row[begin])];
    for (int o = begin + RowParts<L>::part(); m.free && o < end; o += RowParts<L>::kCount)
      add(s, islands.pieces.row[o], m.centre);
    total_sums<L>(s);
    for (int k = 0; k < kTurnSums; ++k) L::store(&sums[kTurnSums * chunk + k], s[k]);
  }
  HD void add(float (&s)[kTurnSums], int i, const vec3& centre) const {
    const Sym3 own = holding(diagonal, stencils, i);
    const vec3 r = residual[i], torque = glm::cross(x[i] - centre, r);
    const float of_row[12] = {r.x,    r.y,    r.z,    torque.x, torque.y, torque.z,
                              own.xx, own.xy, own.xz, own.yy,   own.yz,   own.zz};
    for (int c = 0; c < 12; ++c) s[c] += of_row[c];
    vec3 z[3], pulled[3];
    for (int k = 0; k < 3; ++k) {
      z[k] = glm::cross(axis_of(k), x[i] - centre), pulled[k] = own * z[k];
      s[12 + 3 * k] += pulled[k].x, s[13 + 3 * k] += pulled[k].y, s[14 + 3 * k] += pulled[k].z;
    }
    for (int k = 0, at = 21; k < 3; ++k)
      for (int l = k; l < 3; ++l, ++at) s[at] += glm::dot(z[k], pulled[l]);
  }
};

/// x with A x = b by Cholesky's method; false, and x as it was, where A is not well positive definite.
HD inline bool solve_rigid(double (&a)[6][6], double (&b)[6]) {
  constexpr double kLeastPivot = 1e-7;  // of 1: what float32 sums still tell from nothing
  double scale[6], x[6];
  for (int k = 0; k < 6; ++k) {
    if (!(a[k][k] > 0)) return false;
    scale[k] = 1 / sqrt(a[k][k]), x[k] = b[k] * scale[k];
  }
  for (int k = 0; k < 6; ++k)
    for (int l = 0; l < 6; ++l) a[k][l] *= scale[k] * scale[l];
  for (int k = 0; k < 6; ++k) {
    for (int l = 0; l < k; ++l) a[k][k] -= a[k][l] * a[k][l], x[k] -= a[k][l] * x[l];
    if (!(a[k][k] > kLeastPivot)) return false;
    a[k][k] = sqrt(a[k][k]), x[k] /= a[k][k];
    for (int m = k + 1; m < 6; ++m) {
      for (int l = 0; l < k; ++l) a[m][k] -= a[m][l] * a[k][l];
      a[m][k] /= a[k][k];
    }
  }
  for (int k = 5; k >= 0; --k) {
    for (int m = k + 1; m < 6; ++m) x[k] -= a[m][k] * x[m];
    x[k] /= a[k][k];
  }
  for (int k = 0; k < 6; ++k) b[k] = x[k] * scale[k];
  return true;
}

/// t and w of each island.
struct SolveTurn {
  IslandsView islands;
  Span<const float> sums;
  Span<IslandMotion> motion;
  HD void operator()(int i) const {
    if (!islands.first(i)) return;
    IslandMotion& m = motion[int(islands.key[i])];
    if (!m.free) return;
    float s[kTurnSums];
    islands.add<OneRow>(i, sums, s);
    double a[6][6], b[6];
    for (int k = 0; k < 6; ++k) b[k] = double(s[k]);
    const int of[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    for (int k = 0; k < 3; ++k)
      for (int l = 0; l < 3; ++l) {
        a[k][l] = double(s[6 + of[k][l]]), a[3 + k][3 + l] = double(s[21 + of[k][l]]);
        a[l][3 + k] = a[3 + k][l] = double(s[12 + 3 * k + l]);
      }
    constexpr double kMostTurn = 0.0025;  // radians, squared: a step that lacks more is far from solved
    m.free = solve_rigid(a, b) && b[3] * b[3] + b[4] * b[4] + b[5] * b[5] < kMostTurn ? 1 : 0;
    if (!m.free) return;
    m.translation = vec3(float(b[0]), float(b[1]), float(b[2]));
    m.rotation = vec3(float(b[3]), float(b[4]), float(b[5]));
  }
};

/// (R - 1) p, R being the turn by `w` (radians), without cancellation.
HD inline vec3 turn_by(const vec3& w, const vec3& p) {
  const float angle = sqrtf(glm::dot(w, w)), half = 0.5f * angle, s = sinf(half);
  if (!(angle > 0)) return vec3(0);
  const vec3 axis = w * (1 / angle), across = glm::cross(axis, p);
  return (2 * s * cosf(half)) * across + (2 * s * s) * glm::cross(axis, across);
}

/// Every row of a free island moves with it; `r` changes by what holds it.
struct TurnIslands {
  IslandsView islands;
  Span<const IslandMotion> motion;
  Span<const vec3> x;
  Span<const float> diagonal;
  StencilsView stencils;
  Span<vec3> u, r;
  HD void operator()(int i) const {
    const IslandMotion& m = motion[islands.of_row(i)];
    if (!m.free) return;
    const vec3 displacement = m.translation + turn_by(m.rotation, x[i] - m.centre);
    u[i] += displacement;
    r[i] -= holding(diagonal, stencils, i) * displacement;
  }
};

}  // namespace weft::linear
