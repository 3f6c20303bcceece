// The exit of a step (Lan 2024, algorithm 1, last lines): full continuous tests, and what is left over for
// the next step.
#pragma once
#include "sim/collision/free_path/path_impacts.h"

namespace weft::ndb {

/// A path in pieces that are tried whole, on the device.
struct ExitProgress {
  int goes_on = 0;   // not 0: another try
  int accepted = 0;  // not 0: nothing meets on the piece that was tried last
  int moved = 1;     // not 0: pairs must be found anew
  int pieces = 0, tries = 0;
  float share = 1;  // of what is left of the way, that is tried
  float left = 1;   // of the whole way
};

struct BeginExit {
  Span<const vec3> base, displacement, target, body, body_target;
  int cloth_points = 0;
  Span<vec3> x, y;
  HD void operator()(int i) const {
    const bool cloth = i < cloth_points;
    x[i] = cloth ? base[i] + displacement[i] : body[i - cloth_points];
    y[i] = cloth ? base[i] + target[i] : body_target[i - cloth_points];
  }
};

struct BeginPieces {
  Span<ExitProgress> progress;
  HD void operator()(int) const {
    const int tries = progress[0].tries, pieces = progress[0].pieces;
    progress[0] = ExitProgress();
    progress[0].goes_on = 1;
    progress[0].tries = tries, progress[0].pieces = pieces;
  }
};

/// A first try goes as far as pairs are known: those further apart than `radius` cannot meet while no point
/// moves by half of it.
struct ChooseShare {
  Span<const float> farthest;  // m
  float radius = 0;
  Span<ExitProgress> progress;
  HD void operator()(int) const {
    ExitProgress& p = progress[0];
    p.accepted = 0;
    if (!p.moved) return;
    const float most = 0.49f * radius;
    p.share = farthest[0] > most ? most / farthest[0] : 1.0f;
  }
};

/// Takes the piece, or tries a shorter one: up to `filter` of the time of impact. After an impact the path
/// ends.
struct DecidePiece {
  Span<const float> impact, farthest;
  float filter = 0.9f, least = 0;  // m: a piece on which nothing moves further is none
  int most_pieces = 0;
  Span<ExitProgress> progress;
  HD void operator()(int) const {
    ExitProgress& p = progress[0];
    ++p.tries;
    const bool shortened = !p.moved;
    if (impact[0] >= float(kNoImpact)) {
      p.accepted = p.moved = 1;
      ++p.pieces;
      p.left *= 1 - p.share;
      p.goes_on = !shortened && p.share < 1 && p.pieces < most_pieces;
      return;
    }
    p.moved = 0;
    p.share *= filter * impact[0];
    p.goes_on = p.share * farthest[0] > least;
  }
};

struct TakePiece {
  Span<const vec3> end;
  Span<vec3> x;
  HD void operator()(int i) const { x[i] = end[i]; }
};

/// f_rf / M = 2 delta / h² (eq. 24), with what the exit took from the solver's result as delta = x* - x. Only
/// where the exit let cloth take less than `below` of its way. 2 delta is at most `least`, or as long as the
/// solver's displacement.
struct KeepResidual {
  Span<const ExitProgress> progress;
  float below = 0, least = 0, inv_h2 = 0;
  Span<const vec3> target, displacement;  // m
  Span<const int> kinematic;
  Span<vec3> forward;  // m/s²
  HD void operator()(int v) const {
    forward[v] = vec3(0);
    if (kinematic[v] || !(1 - progress[0].left < below)) return;
    const vec3 twice = 2.0f * (target[v] - displacement[v]);
    const float length = sqrtf(glm::dot(twice, twice)), whole = sqrtf(glm::dot(target[v], target[v]));
    const float most = whole > least ? whole : least;
    forward[v] = (length > most ? most / length : 1.0f) * inv_h2 * twice;
  }
};

/// Eq. 20: z with f_rf.
struct AddResidual {
  Span<const vec3> forward;
  Span<const int> kinematic;
  float h2 = 0;
  Span<vec3> inertia;
  HD void operator()(int v) const {
    if (!kinematic[v]) inertia[v] += h2 * forward[v];
  }
};

}  // namespace weft::ndb
