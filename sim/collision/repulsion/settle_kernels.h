// What is kept of a collision step in which constraints failed.
#pragma once
#include "sim/collision/repulsion/body_planes.h"
#include "sim/collision/repulsion/constraint_rows.h"
#include "sim/collision/repulsion/fold_kernels.h"
#include "sim/device/atomics.h"

namespace weft::repulsion {

enum class Constraint { pair, edge, near };

/// Calls look(j, p0, kind, distance) for every constraint of row i, with p0 = x_j - x_i at `u`; the distance is that of `near`
/// or the longest that the edge may become.
template <class Look>
HD inline void for_constraints(const ConstraintRows& rows, Span<const vec3> u, int i, const Look& look) {
  for (int s = 0; s < rows.edges.count[i]; ++s) {
    const int at = rows.edges.at(i, s), j = rows.edges.neighbor[at];
    look(j, (rows.base[j] - rows.base[i]) + (u[j] - u[i]), Constraint::edge, rows.longest[at]);
  }
  for (int s = 0; s < rows.pairs.count[i]; ++s) {
    const int j = rows.pairs.neighbor[rows.pairs.at(i, s)];
    look(j, (rows.base[j] - rows.base[i]) + (u[j] - u[i]), Constraint::pair, 0.0f);
  }
  for (int s = 0; s < rows.near.count[i]; ++s) {
    const int at = rows.near.at(i, s), j = rows.near.neighbor[at];
    look(j, (rows.base[j] - rows.base[i]) + (u[j] - u[i]), Constraint::near, rows.near_distance[at]);
  }
}

HD inline float excess_of(const ConstraintRows& rows, int i, const vec3& p0, const vec3& move, Constraint kind, float distance) {
  const vec3 b = rows.base[i];
  const float margin = rounding<OneRow>({b.x, b.y, b.z});
  const Vec3<float> p{p0.x, p0.y, p0.z}, m{move.x, move.y, move.z};
  if (kind == Constraint::near) return near_excess<OneRow>(distance, p, m);
  return kind == Constraint::edge ? edge_excess<OneRow>(distance, p, m, margin) : pair_excess<OneRow>(rows.c, p, m, margin);
}

/// Cuts the steps of some vertices back to what is safe: of the room between two of them (to the longest edge or the least distance) each may
/// use up half, whatever the other does; next to a vertex whose step stands, what that one leaves. Moves along and apart stay free.
struct Truncate {
  ConstraintRows rows;
  Span<const vec3> before;
  Span<const vec3> candidate;
  Span<const int> chosen;     // of Choose: where steps are cut
  Span<const float> allowed;  // m, of each vertex
  float longest_move = 0;     // m, of any vertex
  BodyPlanes planes;          // steps end outside of them, as they begin there
  Span<vec3> cut;             // on return: the steps' ends

  struct Look {
    const Truncate* k;
    vec3* move;
    float* share;             // nullptr: takes the part of the move that is too much off; else finds the share of it that is safe
    HD void operator()(int j, const vec3& p, Constraint kind, float distance) const {
      const float length = sqrtf(glm::dot(p, p));
      if (!(length > 0)) return;
      const RepulsionConstants& c = k->rows.c;
      const vec3 n = (kind == Constraint::edge ? -1.0f : 1.0f) / length * p;  // towards where the room ends
      const float room = kind == Constraint::edge ? distance - length : length - (kind == Constraint::near ? distance : c.distance);
      // An edge also grows by what its ends move across it, 2 longest_move at most: by half of the square of that over its length.
      const float across = kind == Constraint::edge ? k->longest_move * k->longest_move / length : 0.0f;
      float left = 0.499f * (room > 0 ? room : 0.0f) - across;
      if (!k->chosen[j]) {
        left = 0.998f * (room > 0 ? room : 0.0f) - across + glm::dot(k->candidate[j] - k->before[j], n);
        if (left < 0) left = 0;  // not enough: then the other is cut in the next round
      }
      const float along = glm::dot(*move, n);
      if (along <= left) return;
      if (!share) *move -= (along - left) * n;
      else if (along * *share > left) *share = left > 0 ? left / along : 0.0f;
    }
  };
  /// Next to a sample each corner may use up half of the room, whatever the others do: the samples do then as well.
  HD void keep_samples(int i, vec3& move, float* share) const {
    const SampleRows& r = rows.samples;
    if (!r.active()) return;
    r.for_pairs(rows.edges, i, [&](int own, int other, float) {
      if (!r.must_keep(own, other)) return;
      const vec3 p = r.between(rows.base.data, own, other) + r.between(before.data, own, other);
      const float length = sqrtf(glm::dot(p, p)), room = length - rows.c.distance, left = room > 0 ? 0.499f * room : 0.0f;
      const float along = glm::dot(move, p) / (length + 1e-20f);
      if (along <= left) return;
      if (!share) move -= ((along - left) / (length + 1e-20f)) * p;
      else if (along * *share > left) *share = left > 0 ? left / along : 0.0f;
    });
  }
  HD void operator()(int i) const {
    if (!chosen[i]) {
      cut[i] = candidate[i];
      return;
    }
    vec3 move = candidate[i] - before[i];
    for (int pass = 0; pass < 3; ++pass) {
      for_constraints(rows, before, i, Look{this, &move, nullptr});
      keep_samples(i, move, nullptr);
    }
    float length = sqrtf(glm::dot(move, move));
    const float most = allowed[i] < longest_move ? allowed[i] : longest_move;
    if (length > most) move *= most / length;
    move = planes.slide(i, before[i], before[i] + move) - before[i];
    float share = 1;
    for_constraints(rows, before, i, Look{this, &move, &share});
    keep_samples(i, move, &share);
    move *= ldexpf(share, 1 - chosen[i]);
    cut[i] = before[i] + move;
  }
};

/// Steps that fail join those that are cut. What Truncate does not know of, triangles next to each other and samples, halves them in each round.
struct Choose {
  Span<const int> failing;
  Span<int> chosen;  // 1 where steps are cut, more by one for each time that they are halved
  HD void operator()(int i) const {
    if (failing[i] && !chosen[i]) chosen[i] = 1;
    if (failing[i] & kCutShort) ++chosen[i];
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
    HD void operator()(int j, const vec3& p0, Constraint kind, float distance) const {
      if (k->stays[j] && !(excess_of(k->rows, i, p0, k->before[i] - k->candidate[i], kind, distance) <= 0)) *fails = true;
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
  Span<const int> stays;
  Span<int> cut;            // on return: 1 also where vertices stay
  HD void operator()(int i) const {
    if (changed[0] == 0 && !stays[i]) return;
    candidate[i] = before[i];
    cut[i] = 1;
  }
};

/// The way of a step that was taken with care.
struct CountWay {
  Span<const vec3> before, candidate;
  Span<const int> stays;
  Span<float> path;     // m moved since neighbours were searched
  Span<float> allowed;  // m that are left of it
  Span<float> phase;    // what each vertex needed in this time step: 1 soft, 2 hard
  HD void operator()(int i) const {
    const vec3 moved = candidate[i] - before[i];
    const float way = sqrtf(glm::dot(moved, moved)) * (1 + 1e-6f), left = allowed[i] - way;
    path[i] += way;
    allowed[i] = left > 0 ? left : 0.0f;
    if (stays[i]) phase[i] = 2;
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
