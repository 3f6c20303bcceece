// Where Newton steps and conjugate gradients end.
//
// What is left is judged by regions of some 64 vertices, each within one connected piece of cloth: the mean
// over all cloth hides a corner that creeps, and changes with whatever else is in the scene.
#pragma once
#include "sim/device/atomics.h"
#include "sim/linear/transfer_kernels.h"
#include "sim/solvers/newton/cg_kernels.h"

namespace weft::newton {
using linear::PiecesView;

/// Mass (kg) and twice the kinetic energy (J) of each region.
struct RegionMotion {
  PiecesView pieces;
  Span<const vec3> velocity;
  Span<const float> mass;
  Span<float> region_mass, region_motion;
  HD void operator()(int region) const {
    float sum = 0, motion = 0;
    for (int k = pieces.chunk_start[region]; k < pieces.chunk_start[region + 1]; ++k) {
      const int v = pieces.row[k];
      sum += mass[v];
      motion += mass[v] * glm::dot(velocity[v], velocity[v]);
    }
    region_mass[region] = sum;
    region_motion[region] = motion;
  }
};

/// A region may have this many times the error of its piece in the mean: what is left lies in few places.
constexpr float kUneven = 3;

/// The end of r . P⁻¹ r in each region of a piece (J), which is that of the error in the energy's norm: the
/// mean error of d in the piece (root of its mean square, by mass) is the share `tolerance` of what the piece
/// moves in the step by the velocity that it has (in the mean), but at most of what gravity moves, and at
/// least of a thousandth of that. What swings may lag by a part of its path; what lies still is not to creep
/// by what is left of every step.
struct ChooseEnds {
  PiecesView pieces;
  Span<const float> region_mass, region_motion;
  float dt = 0, tolerance = 0;
  Span<float> region_end;
  HD void operator()(int piece) const {
    constexpr float kLeastMotion = 0.001f, kGravity = 9.81f;
    float mass = 0, motion = 0;
    for (int r = pieces.piece_start[piece]; r < pieces.piece_start[piece + 1]; ++r)
      mass += region_mass[r], motion += region_motion[r];
    const float unit = kGravity * dt, moved = mass > 0 ? sqrtf(motion / mass) / unit : 0.0f;
    const float end = tolerance * unit * (moved < 1 ? (moved > kLeastMotion ? moved : kLeastMotion) : 1.0f);
    for (int r = pieces.piece_start[piece]; r < pieces.piece_start[piece + 1]; ++r)
      region_end[r] = end * end * region_mass[r];
  }
};

/// A sum of r . P⁻¹ r (J) over its end. One that is no number is endlessly far from it.
HD inline float need_of(float sum, float end) {
  return sum <= 0 ? 0.0f : sum <= 1e30f ? sum / glm::max(end, 1e-30f) : INFINITY;
}

/// What is left of each region.
struct RegionNeeds {
  PiecesView pieces;
  Span<const float> inner;  // r . P⁻¹ r of each row, J
  Span<const float> region_end;
  Span<float> sum, need;
  static constexpr bool kLongRows = true;
  HD void operator()(int region) const { row<OneRow>(region); }
  template <class L>
  HD void row(int region) const {
    float all = 0;
    const int end = pieces.chunk_start[region + 1];
    for (int k = pieces.chunk_start[region] + RowParts<L>::part(); k < end; k += RowParts<L>::kCount)
      all += inner[pieces.row[k]];
    all = RowParts<L>::total(all);
    L::store(&sum[region], all);
    L::store(&need[region], need_of(all, kUneven * kUneven * region_end[region]));
  }
};

/// What is left of each piece as a whole.
struct PieceNeeds {
  PiecesView pieces;
  Span<const float> region_end, sum;
  Span<float> need;
  static constexpr bool kLongRows = true;
  HD void operator()(int piece) const { row<OneRow>(piece); }
  template <class L>
  HD void row(int piece) const {
    float all = 0, ends = 0;
    const int end = pieces.piece_start[piece + 1];
    for (int r = pieces.piece_start[piece] + RowParts<L>::part(); r < end; r += RowParts<L>::kCount)
      all += sum[r], ends += region_end[r];
    all = RowParts<L>::total(all), ends = RowParts<L>::total(ends);
    L::store(&need[piece], need_of(all, ends));
  }
};

/// Whether some vertex is held by an anchor: by contact with bodies and planes, or by a hand.
struct FindAnchors {
  PiecesView pieces;
  Span<const Sym3> anchor_weight;
  Span<int> any;  // one element
  HD void operator()(int region) const {
    int found = 0;
    for (int k = pieces.chunk_start[region]; k < pieces.chunk_start[region + 1]; ++k) {
      const Sym3& w = anchor_weight[pieces.row[k]];
      found |= w.xx + w.yy + w.zz > 0;
    }
    if (found) atomic_or(&any[0], 1);
  }
};

/// How well the next linear system is worth solving, as a share of its residual (Eisenstat and Walker 1996,
/// choice 2 with gamma = 0.9 and exponent 2): a Newton step that left the share `left` of the residual met a
/// model that was good to about as much. `before`: the share of the step before, of which the square must not
/// be undercut by far.
HD inline float forcing_term(float left, float before) {
  constexpr float kGamma = 0.9f, kMost = 0.25f, kGuarded = 0.1f;
  float share = kGamma * left * left;
  const float guard = kGamma * before * before;
  if (guard > kGuarded && guard > share) share = guard;
  return share < kMost ? share : kMost;  // also where it is no number
}

/// Square of how far d is from solved in the energy's norm (J), from r . P⁻¹ r as it is now, and from what
/// the spectrum of P⁻¹ H says of what conjugate gradients left: that lies in slow modes, of which P⁻¹ sees
/// the share `lowest` alone. A short solve leaves faster ones too; so the eigenvalue that it has seen itself
/// counts for a quarter. Not all lies in the very slowest: kSlow of the bound. Both shares are measured.
HD inline float error_energy(float rz, const Spectrum& seen) {
  constexpr float kSlow = 0.36f;
  const float slow = kSlow * seen.left / sqrtf(seen.lowest * sqrtf(seen.lowest * seen.seen));
  return slow > rz ? slow : rz;  // rz where one of them is no number
}

/// Spectra of one time step are nearly those of the next, whose solves may be too short to tell; forgotten by
/// this much a step.
constexpr float kForgotten = 1.1f;

/// How far a step is from solved, and where its iterations end; on the device.
struct Ends {
  float need = 0;     // of the worst region, times its end; squared
  float forcing = 0;  // share of the residual that is left of the next linear system
};

/// What is left of a linear system in the worst region is not to cost another Newton step: half of the end,
/// squared.
constexpr float kLinearEnd = 0.25f;

/// Keeps the residual, and whether some region is above its end: a Newton step is worth taking. One that is
/// no number is.
struct Judge {
  Span<const float> rz, need;  // one element each: of all rows; of the worst region
  Span<const int> stencils;    // their number; may be empty
  Span<const int> anchors;     // one element: not 0 where there are any
  float unit = 1;
  int first = 0;  // of a time step, in which one is always taken
  Span<Ends> ends;
  Span<Spectrum> spectrum;  // one element
  Span<float> residual;
  Span<int> active;  // and whether the step ends here, with cloth's whole motion to be balanced once more
  int last = 0;      // no Newton step follows
  Span<SolveEnd> limit;
  HD void operator()(int) const {
    constexpr float kNearlySolved = 0.1f;  // what cloth as a whole lacks is known as well as that
    constexpr float kRoundingBelow = 2, kFalls = 0.7f;
    Ends& e = ends[0];
    const float now = residual_of(rz[0], unit), worst = sqrtf(need[0]);
    // Friction is judged once per Newton step: each has to come as far as it can.
    const bool contact = anchors[0] || (!stencils.empty() && stencils[0] > 0);
    e.forcing = first || contact ? 0.0f : forcing_term(worst / sqrtf(e.need), e.forcing);
    Spectrum& seen = spectrum[0];
    if (first) seen = {seen.lowest * kForgotten < 1 ? seen.lowest * kForgotten : 1.0f, 0, 1};
    residual[0] = residual_of(error_energy(rz[0], seen), unit);
    // Near the end what is left may be rounding, of which no step takes anything.
    const bool solved = worst <= 1 || (worst < kRoundingBelow && worst > kFalls * sqrtf(e.need));
    e.need = need[0];
    // The first is taken even if nothing is left: balance may have solved all that there is, as free grains.
    active[0] = !last && (first || (rz[0] != 0 && !solved && may_go_on(limit)));
    active[1] = !active[0] && now < kNearlySolved;
  }
};

/// The step is not known to be solved.
struct GoOn {
  Span<int> active;
  HD void operator()(int) const { active[0] = 1; }
};

}  // namespace weft::newton
