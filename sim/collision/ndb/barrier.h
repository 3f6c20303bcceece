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

/// Friction over slip, N/m, of Coulomb's law with the normal load of the last iteration (Li 2020, eq. 14,
/// 16): force = mu load f1(|u| / r) against the slip u, with f1(y) = y (2 - y) below y = 1 and 1 beyond. r =
/// h epsilon_v. As a spring of this stiffness it bounds friction's energy from above, for f1(y) / y falls:
/// iterations cannot diverge.
HD inline float friction_stiffness(float coefficient, float load, float slip, float reach) {
  const float y = slip / reach;
  return coefficient * load * (y < 1 ? (2 - y) / reach : 1 / slip);
}

}  // namespace weft::ndb
