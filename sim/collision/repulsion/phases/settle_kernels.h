// Keeps the safe part of a collision step in which constraints failed.
#pragma once
#include "sim/collision/repulsion/bodies/body_planes.h"
#include "sim/collision/repulsion/constraints/constraint_rows.h"
#include "sim/collision/repulsion/fold_guard/fold_kernels.h"
#include "sim/device/atomics.h"

namespace weft::repulsion {

struct Difference {
  Span<const vec3> from, to;
  Span<vec3> difference;
  HD void operator()(int i) const { difference[i] = to[i] - from[i]; }
};

/// Shortens the steps of some vertices to a safe length: of the margin between two of them (to the maximum
/// edge or the minimum distance) each may use half, whatever the other does; next to a vertex with a fixed
/// step, the rest. Motion along and apart stays free.
struct Truncate {
  ConstraintRows rows;
  Span<const vec3> before;
  Span<const vec3> step;    // to the candidate
  Span<const int> chosen;   // from Choose: rows where steps are shortened
  Span<const int> touched;  // from Choose: elsewhere `cut` is unchanged
  int round = 1;
  Span<const float> allowed;  // m, of each vertex
  float longest_move = 0;     // m, of any vertex
  BodyPlanes planes;          // steps start and end outside of them
  Span<vec3> cut;             // on return: the steps' ends

  HD void operator()(int i) const { row<OneRow>(i); }
  void sixteen(int first) const { row<SixteenRows>(first); }

 private:
  template <class L>
  struct Look {
    using R = typename L::Real;
    const Truncate* k;
    Vec3<R>* move;
    R* share;  // nullptr: removes the excess part of the move; else finds its safe fraction
    template <Constraint kKind>
    HD void operator()(Kind<kKind>, const int* j, const Vec3<R>& p, const R& distance) const {
      constexpr bool kEdge = kKind == Constraint::edge;
      const R zero = L::splat(0), length = L::root(dot(p, p)), one_over = 1.0f / (length + 1e-30f);
      const Vec3<R> n = (kEdge ? zero - one_over : one_over) * p;  // towards the limit
      const R room = L::larger(kEdge ? distance - length : length - distance, zero);
      // An edge also grows by the motion of its ends across it, at most 2 longest_move: by half of the square
      // of that over its length.
      const R across = kEdge ? k->longest_move * k->longest_move * one_over : zero;
      // Next to a vertex with a fixed step: if that leaves nothing, the other is shortened in the next round.
      const R standing = L::larger(0.998f * room - across + dot(L::gather(k->step.data, j), n), zero);
      const R cut = L::flags(k->chosen.data, j), left = standing + cut * (0.499f * room - across - standing);
      const R along = dot(*move, n);
      // A place without a neighbour has no length.
      if (!share) *move = *move - L::where(length, L::larger(along - left, zero)) * n;
      else
        *share = *share - L::where(length, L::where(along * *share - left,
                                                    *share - L::larger(left, zero) / (along + 1e-30f)));
    }
  };
  /// Next to a sample each corner may use half of the margin, whatever the others do; the samples then do as
  /// well.
  HD void keep_samples(int i, vec3& move, float* share) const {
    const SampleRows& r = rows.samples;
    if (!r.active()) return;
    r.for_pairs(rows.edges, i, [&](int own, int other, float) {
      if (!r.must_keep(own, other)) return;
      const vec3 p = r.between(rows.base.data, own, other) + r.between(before.data, own, other);
      const float length = sqrtf(glm::dot(p, p)), room = length - rows.c.distance,
                  left = room > 0 ? 0.499f * room : 0.0f;
      const float along = glm::dot(move, p) / (length + 1e-20f);
      if (along <= left) return;
      if (!share) move -= ((along - left) / (length + 1e-20f)) * p;
      else if (along * *share > left) *share = left > 0 ? left / along : 0.0f;
    });
  }
  template <class L>
  HD void row(int i) const {
    using R = typename L::Real;
    if (touched[i / kLanes] != round) return;
    Vec3<R> move = L::rows(&step[i]);
    for (int pass = 0; pass < 3; ++pass) {
      for_constraints<L>(rows, before.data, i, Look<L>{this, &move, nullptr});
      if (rows.samples.active())
        change_rows<L>(move, [&](int l, vec3& m) {
          if (chosen[i + l]) keep_samples(i + l, m, nullptr);
        });
    }
    const R length = L::root(dot(move, move)),
            most = L::smaller(L::load(&allowed[i]), L::splat(longest_move));
    move = (1.0f - L::where(length - most, 1.0f - most / (length + 1e-30f))) * move;
    change_rows<L>(move, [&](int l, vec3& m) {
      if (chosen[i + l]) m = planes.slide(i + l, before[i + l], before[i + l] + m) - before[i + l];
    });
    R shares = L::splat(1);
    for_constraints<L>(rows, before.data, i, Look<L>{this, &move, &shares});
    change_rows<L>(move, [&](int l, vec3& m) {
      float share = lane<L>(shares, l);
      if (chosen[i + l]) keep_samples(i + l, m, &share);
      m = chosen[i + l] ? before[i + l] + ldexpf(share, 1 - chosen[i + l]) * m : cut[i + l];
    });
    L::store_rows(&cut[i], move);
  }
};

/// Adds failing steps to the shortened ones. Steps that fail for other reasons, neighbouring triangles and
/// samples, are halved in each round.
struct Choose {
  ConstraintRows rows;
  Span<const int> failing;
  Span<int> chosen;   // 1 where steps are cut, more by one for each time that they are halved
  Span<int> touched;  // per slice of 16 rows: the last round in which something changed for one of them
  int round = 1;
  HD void operator()(int i) const {
    if (failing[i] == 0) return;
    const bool joins = chosen[i] == 0;
    if (joins) chosen[i] = 1;
    if (failing[i] & kCutShort) ++chosen[i];
    else if (!joins) return;
    touch(i);
    if (!joins) return;
    for (const NeighborLists& list : {rows.edges, rows.pairs, rows.near})
      for (int s = 0; s < list.count[i]; ++s) touch(list.neighbor[list.at(i, s)]);
  }
  HD void touch(int v) const { atomic_max(&touched[v / kLanes], round); }
};

/// Number of rows: all if the flag is set, else none.
struct WorkSize {
  int rows = 0, folds = 0, samples = 0;
};
struct SetSize {
  Span<const int> flag;  // one element; none: set
  int rows = 0;
  Span<const int> folds, samples;  // one element: how many there are; or none
  Span<WorkSize> size;
  HD void operator()(int) const {
    size[0] = {};
    if (flag.size > 0 && flag[0] == 0) return;
    size[0] = {rows, folds.size > 0 ? folds[0] : 0, samples.size > 0 ? samples[0] : 0};
  }
};

/// Marks the vertices of every constraint that the step before -> candidate breaks.
struct MarkFailing {
  ConstraintRows rows;
  Span<const vec3> before, candidate;
  Span<int> stays;   // padded
  Span<int> failed;  // one element

  HD void operator()(int i) const { row<OneRow>(i); }
  void sixteen(int first) const { row<SixteenRows>(first); }

 private:
  template <class L>
  HD void row(int i) const {
    const typename L::Real excess = row_excess<L>(rows, before.data, candidate.data, i);
    if constexpr (sizeof(excess) == sizeof(float)) {
      mark(i, excess);
    } else {
      for (int l = 0; l < kLanes; ++l) mark(i + l, excess[l]);
    }
  }
  HD void mark(int i, float excess) const {
    stays[i] = !(excess <= 0);
    if (stays[i]) atomic_or(&failed[0], 1);
  }
};

constexpr int kSweeps = 8, kSweepRounds = 8;  // in which staying still may spread

/// Progress of spreading, on the device.
struct SpreadProgress {
  int spreading = 0;  // another round is to come
  int rounds = 0;     // finished rounds
  int unsettled = 0;  // the last sweep of the last round changed something
};
struct BeginSpread {
  Span<SpreadProgress> progress;
  HD void operator()(int) const { progress[0] = {1, 0, 0}; }
};
struct EndSpread {
  Span<const int> changed;  // changes of each sweep
  Span<SpreadProgress> progress;
  HD void operator()(int) const {
    const int unsettled = changed[kSweeps - 1] != 0, rounds = progress[0].rounds + 1;
    progress[0] = {unsettled && rounds < kSweepRounds, rounds, unsettled};
  }
};

/// A vertex that moves must not meet one that does not: then it does not move either.
struct SpreadStay {
  ConstraintRows rows;
  Span<const vec3> before, candidate;
  Span<const int> stays;
  Span<int> stays_next;
  Span<int> changed;  // one element

  HD void operator()(int i) const { row<OneRow>(i); }
  void sixteen(int first) const { row<SixteenRows>(first); }

 private:
  template <class L>
  struct Look {
    using R = typename L::Real;
    const SpreadStay* k;
    Vec3<R> back;
    R margin;
    R* most;
    template <Constraint kKind>
    HD void operator()(Kind<kKind> kind, const int* j, const Vec3<R>& p0, const R& distance) const {
      const R excess = excess_of<L>(k->rows, kind, p0, back, distance, margin);
      // Non-finite values fail too.
      *most =
          L::larger(*most, L::where(L::flags(k->stays.data, j), excess == excess ? excess : L::splat(1e30f)));
    }
  };
  template <class L>
  HD void row(int i) const {
    typename L::Real most = L::splat(0);
    bool all = true;
    for (int l = 0; l < kRowsOf<L>; ++l) all &= stays[i + l] != 0;
    if (!all) {
      const auto back = L::rows(&before[i]) - L::rows(&candidate[i]);
      for_constraints<L>(rows, before.data, i,
                         Look<L>{this, back, rounding<L>(L::rows(&rows.base[i])), &most});
    }
    bool spread = false;
    for (int l = 0; l < kRowsOf<L>; ++l) {
      const bool fails = lane<L>(most, l) > 0;
      spread |= fails && !stays[i + l];
      stays_next[i + l] = fails || stays[i + l];
    }
    if (spread) atomic_or(&changed[0], 1);
  }
};

/// Takes the step where it is safe. If stopping still spread in the last sweep, no vertex moves.
struct Settle {
  Span<const vec3> before;
  Span<const SpreadProgress> spread;
  Span<vec3> candidate;  // on return: the update
  Span<const int> stays;
  Span<int> cut;  // on return: 1 also for vertices that do not move
  HD void operator()(int i) const {
    if (!spread[0].unsettled && !stays[i]) return;
    candidate[i] = before[i];
    cut[i] = 1;
  }
};

/// Adds the path length of a guarded step.
struct CountPath {
  Span<const vec3> before, candidate;
  Span<const int> stays;
  Span<float> path;     // m moved since neighbours were searched
  Span<float> allowed;  // m that are left of it
  Span<float> phase;    // phase of each vertex in this time step: 1 soft, 2 hard
  HD void operator()(int i) const {
    const vec3 moved = candidate[i] - before[i];
    const float distance = sqrtf(glm::dot(moved, moved)) * (1 + 1e-6f), left = allowed[i] - distance;
    path[i] += distance;
    allowed[i] = left > 0 ? left : 0.0f;
    if (stays[i]) phase[i] = 2;
  }
};

/// Steps of a group that are taken one after the other by the same launches.
struct CareProgress {
  int left = 0;    // steps
  int search = 0;  // 1: the next step searches for pairs first
};
struct BeginCare {
  int steps = 0;
  Span<CareProgress> progress;
  HD void operator()(int) const { progress[0] = {steps, 1}; }
};
struct EndCare {
  int steps = 0, steps_per_search = 1;
  Span<CareProgress> progress;
  HD void operator()(int) const {
    const int left = progress[0].left - 1;
    progress[0] = {left, (steps - left) % steps_per_search == 0};
  }
};

/// Adds one to a count where a flag is set.
struct Tally {
  Span<const int> flag;
  Span<int> count;  // one element
  HD void operator()(int) const {
    if (flag[0] != 0) ++count[0];
  }
};

}  // namespace weft::repulsion
