// What is kept of a collision step in which constraints failed: vertices that took part in a failure stay where they were.
#pragma once
#include "sim/collision/repulsion/constraint_rows.h"
#include "sim/device/atomics.h"

namespace weft::repulsion {

/// Calls look(j, p0, is_edge) for every constraint of row i, with p0 = x_j - x_i at `u`.
template <class Look>
HD inline void for_constraints(const ConstraintRows& rows, Span<const vec3> u, int i, const Look& look) {
  for (int s = 0; s < rows.edges.count[i]; ++s) {
    const int j = rows.edges.neighbor[rows.edges.at(i, s)];
    if (j != i) look(j, (rows.base[j] - rows.base[i]) + (u[j] - u[i]), true);
  }
  for (int s = 0; s < rows.pairs.count[i]; ++s) {
    const int j = rows.pairs.neighbor[rows.pairs.at(i, s)];
    look(j, (rows.base[j] - rows.base[i]) + (u[j] - u[i]), false);
  }
}

HD inline float excess_of(const ConstraintRows& rows, int i, const vec3& p0, const vec3& move, bool edge) {
  const vec3 b = rows.base[i];
  const float margin = rounding<OneRow>({b.x, b.y, b.z});
  const Vec3<float> p{p0.x, p0.y, p0.z}, m{move.x, move.y, move.z};
  return edge ? edge_excess<OneRow>(rows.c, p, m, margin) : pair_excess<OneRow>(rows.c, p, m, margin);
}

/// Marks the vertices of every constraint that the step before -> candidate breaks.
struct MarkFailing {
  ConstraintRows rows;
  Span<const vec3> before, candidate;
  Span<int> stays;
  Span<int> failed;  // one element

  struct Look {
    const MarkFailing* k;
    int i;
    bool* fails;
    HD void operator()(int j, const vec3& p0, bool edge) const {
      const vec3 move = (k->candidate[j] - k->candidate[i]) - (k->before[j] - k->before[i]);
      if (!(excess_of(k->rows, i, p0, move, edge) <= 0)) *fails = true;
    }
  };
  HD void operator()(int i) const {
    bool fails = false;
    for_constraints(rows, before, i, Look{this, i, &fails});
    stays[i] = fails;
    if (fails) atomic_or(&failed[0], 1);
  }
};

/// A vertex that moves must not meet one that stays: then it stays too.
struct SpreadStay {
  ConstraintRows rows;
  Span<const vec3> before, candidate;
  Span<const int> stays;
  Span<int> stays_next;
  Span<int> changed;  // one element

  struct Look {
    const SpreadStay* k;
    int i;
    bool* fails;
    HD void operator()(int j, const vec3& p0, bool edge) const {
      if (k->stays[j] && !(excess_of(k->rows, i, p0, k->before[i] - k->candidate[i], edge) <= 0)) *fails = true;
    }
  };
  HD void operator()(int i) const {
    bool fails = stays[i] != 0;
    if (!fails) for_constraints(rows, before, i, Look{this, i, &fails});
    stays_next[i] = fails;
    if (fails && !stays[i]) atomic_or(&changed[0], 1);
  }
};

/// Takes the step where it is safe. Where staying still spread after the last sweep, nobody moves.
struct Settle {
  Span<const vec3> before;
  Span<const int> changed;  // of the last sweep
  Span<vec3> candidate;     // on return: the update
  Span<int> stays;
  Span<float> path;         // m moved since neighbours were searched
  Span<float> phase;        // what each vertex needed in this time step: 1 soft, 2 hard
  HD void operator()(int i) const {
    if (changed[0] != 0) stays[i] = 1;
    if (stays[i]) candidate[i] = before[i], phase[i] = 2;
    const vec3 moved = candidate[i] - before[i];
    path[i] += sqrtf(glm::dot(moved, moved)) * (1 + 1e-6f);
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
