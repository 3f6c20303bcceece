// The weight of a contact and its friction (Lan 2024, section 4, with the quadratic constraint of Lan 2022):
// pure functions.
//
//   E = 1/2 w (g - c)² for c < g,      w(a) = w0 K^a (eq. 7)
//
// c: distance of two primitives along a direction that stays as it was when they were found, m; g: gap that
// is kept, m; w: weight, N/m, which does not depend on c but on a, the number of iterations in a row in which
// the pair was active.
#pragma once
#include "sim/base/math.h"

namespace weft::ndb {

/// Partial continuous test that says whether a pair may have met (section 4.1).
enum class SampleRule { plane, bernstein, one, three, six };

/// w(a), at most `cap`. N/m.
HD inline float non_distance_weight(float unit, float base, int age, float cap) {
  return glm::min(unit * powf(base, float(age)), cap);
}

/// The log barrier of the distance as a weight, for comparison (Lan 2022): w0 (1 + kappa b), b = -(1 - c/g)²
/// ln(c/g), which is 0 from the gap on and grows without bound as c approaches 0; at most `cap`. N/m.
HD inline float distance_weight(float unit, float distance, float gap, float cap) {
  constexpr float kKappa = 1e4f;
  const float share = glm::max(distance / gap, 1e-6f);
  if (!(share < 1)) return glm::min(unit, cap);
  return glm::min(unit * (1 - kKappa * (1 - share) * (1 - share) * logf(share)), cap);
}

/// What an iteration found of a pair.
enum class Life { apart, holds, grows };

/// A pair is active while it is within the gap, not only while it crosses: or contact would only ever cut
/// ways short. Its weight grows while it is deeper than `band` or may have crossed, and stays where it is
/// nearly resolved. `depth`: gap less distance, m.
HD inline Life life_of(float depth, float band, bool may_cross) {
  return depth > band || may_cross ? Life::grows : depth > -band ? Life::holds : Life::apart;
}

/// a, counted on.
HD inline int aged(int age, Life life) {
  return life == Life::apart ? 0 : life == Life::grows ? age + 1 : age;
}

/// Coulomb's force (N) with the normal load of the last iteration, smoothed (Li 2020, eq. 14, 16): most
/// f1(|u| / r) against the slip u, with f1(y) = y (2 - y) below y = 1 and 1 beyond. most = mu load, r = h
/// epsilon_v.
HD inline float friction_force(float most, float slip, float reach) {
  const float y = slip / reach;
  return y < 1 ? most * y * (2 - y) : most;
}

/// The slip, m, at which Coulomb's force equals `pull` - `inertia` slip: a body that is pulled by a force
/// (N) less what its inertia (N/m: mass over dt squared) takes of it.
HD inline float slip_of(float most, float pull, float inertia, float reach) {
  if (pull >= most + inertia * reach) return (pull - most) / inertia;
  const float half = most + 0.5f * inertia * reach;
  return glm::max(pull * reach / (half + sqrtf(glm::max(half * half - most * pull, 0.0f))), 0.0f);
}

/// Friction as the solver takes it, at a slip u along its direction: stiffness (kLoose at + (1 - kLoose)
/// u), N, which is Coulomb's force at the slip `at`.
struct FrictionSpring {
  /// Part of the spring's stiffness along the slip that is left out: sliding friction has none there, and
  /// with all of it iterations come to slide slowly. With more than half of it left out they would
  /// overshoot sticking.
  static constexpr float kLoose = 0.4f;
  float stiffness = 0;  // N/m
  float at = 0;         // m
  float most = 0;       // N: the limit, mu load
  HD float force(float slip) const { return stiffness * (kLoose * at + (1 - kLoose) * slip); }
};

/// The spring of the next iteration. With `at` the present slip its energy bounds friction's from above,
/// for f1(y) / y falls: iterations cannot diverge, but the slip of a contact that sticks near its limit
/// falls only by the share that its limit exceeds its load by. Where an iteration solves its linear system
/// (`solved`) the force of the spring `before` at the slip that followed is the load that the contact
/// carries, and `at` is where Coulomb's force and `inertia` (N/m) carry it.
HD inline FrictionSpring next_spring(const FrictionSpring& before, float most, float slip, float inertia,
                                     float reach, bool solved) {
  constexpr float kSettled = 0.1f;  // relative change of the limit up to which the load tells what follows
  FrictionSpring next;
  if (!(most > 0)) return next;
  next.at = slip, next.most = most;
  if (solved && inertia > 0 && fabsf(most - before.most) < kSettled * most)
    next.at = glm::min(slip, slip_of(most, before.force(slip) + inertia * slip, inertia, reach));
  next.stiffness =
      next.at < 1e-6f * reach ? 2 * most / reach : friction_force(most, next.at, reach) / next.at;
  return next;
}

}  // namespace weft::ndb
