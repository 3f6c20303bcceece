// When rounds end (Lan 2024, algorithm 1): changes of the solver's displacement.
#pragma once
#include "sim/collision/ndb/contact_kernels.h"

namespace weft::ndb {

/// How far each vertex has moved, m; and where it is for the next time.
struct Change {
  Span<const vec3> displacement;
  Span<vec3> before;
  Span<float> change;
  HD void operator()(int v) const {
    const vec3 d = displacement[v] - before[v];
    change[v] = sqrtf(glm::dot(d, d));
    before[v] = displacement[v];
  }
};

/// Of an iteration: weights settle, and the round's other iterations have nothing to do. Of a round: no
/// other one follows.
struct JudgeChange {
  Span<const float> largest;  // m
  float least = 0;            // m: a smaller change is none
  bool round = false;
  int least_rounds = 0;  // searches for contacts that are made whatever moves
  Span<Progress> progress;
  HD void operator()(int) const {
    Progress& p = progress[0];
    (round ? p.round_change : p.change) = largest[0];
    if (round) p.goes_on = p.goes_on && (largest[0] > least || p.rounds < least_rounds);
    else p.settled = p.settled || largest[0] < least;
    p.iterate = round ? p.goes_on : p.iterate && !p.settled;
  }
};

}  // namespace weft::ndb
