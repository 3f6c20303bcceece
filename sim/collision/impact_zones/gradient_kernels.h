// Gradient descent on positions (Tang 2018, algorithms 2 and 3), all zones in one flat launch.
//
//   f(d) = sum_i m_i |d_i - y_i|² / sum_i m_i + mu/2 sum_j c~_j²     c~ = max(c + lambda / mu, 0), c = -c*      (eq. 6)
//   lambda <- mu c~                            Multiplier::at is lambda / mu, m
//   f(d + s D) < f(d) + alpha s g . D          g: gradient, D = -g / (diagonal of the Hessian)          (eq. 7)
//
// Changes of f are summed from changes of its terms: in float32 two energies differ by less than they round.
#pragma once
#include "sim/collision/impact_zones/zone_solver_kernels.h"

namespace weft::impact_zones {

/// A point in its zone.
struct ZoneRow {
  vec3 before{0};     // m: the iterate before the last
  vec3 direction{0};  // m
  float share = 0;    // its mass over that of its zone
};

/// Violations of an impact, m: at the iterate before the last, the last, and the one that is tried.
struct Violation {
  float before = 0, now = 0, tried = 0;
};

HD inline float penalty(float violation, float multiplier) { return fmaxf(violation + multiplier, 0.0f); }

/// Per row its mass.
struct ZoneMasses {
  ZonesView zones;
  Span<const float> inverse_mass;
  Span<vec3> sum;
  HD void operator()(int row) const { sum[row] = vec3(1 / inverse_mass[zones.point[row]], 0, 0); }
};

struct StartRows {
  ZonesView zones;
  Span<const float> inverse_mass;
  Span<const vec3> sum, d;  // sum: masses of zones
  Span<ZoneRow> row;
  HD void operator()(int r) const {
    ZoneRow start;
    start.share = 1 / (inverse_mass[zones.point[r]] * sum[zones.zone[r]].x);
    start.before = d[zones.point[r]];
    row[r] = start;
  }
};

struct StartGradient {
  ImpactList list;
  Span<const vec3> d;
  Span<Multiplier> multiplier;
  Span<Violation> violation;
  HD void operator()(int i) const {
    multiplier[i].at = 0;
    const float c = impact_zones::violation(list.impact[i], d, false);
    violation[i] = {c, c, c};
  }
};

struct Violations {
  ImpactList list;
  ZonesView zones;
  Span<const Zone> zone;
  Span<const vec3> d;
  Span<Violation> violation;
  HD void operator()(int i) const {
    const int z = zones.impact_zone[i];
    if (z < 0 || !zone[z].running) return;
    violation[i].before = violation[i].now;
    violation[i].now = impact_zones::violation(list.impact[i], d, false);
  }
};

/// What the kernels of an iteration read.
struct GradientView {
  ZonesView zones;
  Span<const Impact> impact;
  Span<const Zone> zone;
  Span<const Multiplier> multiplier;
  Span<const Violation> violation;
  Span<const float> inverse_mass;
  Span<const vec3> y;
  float mu = 1000;
};

/// Jacobi-preconditioned descent direction. The diagonal holds the sums of the Hessian's rows, so that all
/// points of an impact may move at once. Per row g . D, and the change of f by the last iteration.
struct Directions {
  GradientView view;
  Span<const vec3> d;
  Span<ZoneRow> row;
  Span<vec3> sum;
  HD void operator()(int r) const {
    if (!view.zone[view.zones.zone[r]].running) return;
    ZoneRow own = row[r];
    const int p = view.zones.point[r];
    vec3 gradient = (2 * own.share) * (d[p] - view.y[p]);
    float diagonal = 2 * own.share;
    float rise = own.share * glm::dot(d[p] - own.before, (d[p] - view.y[p]) + (own.before - view.y[p]));
    for (int e = view.zones.entries[r].x; e < view.zones.entries[r].y; ++e) {
      const int i = view.zones.place[e] / 4, k = view.zones.place[e] % 4;
      const Impact& j = view.impact[i];
      const float now = penalty(view.violation[i].now, view.multiplier[i].at),
                  before = penalty(view.violation[i].before, view.multiplier[i].at);
      gradient -= (view.mu * now * j.weight[k]) * j.normal;
      if (now > 0) diagonal += view.mu * fabsf(j.weight[k]) * moving_weight(j, view.inverse_mass);
      if (j.owner == k) rise += 0.5f * view.mu * (now - before) * (now + before);
    }
    own.direction = (-1 / diagonal) * gradient;
    row[r] = own;
    sum[r] = vec3(glm::dot(gradient, own.direction), rise, 0);
  }
};

/// Momentum restarts where f has risen.
struct BeginSearch {
  Span<const vec3> sum;
  Span<Zone> zone;
  Span<int> trying;  // zones whose step is too long
  HD void operator()(int z) const {
    Zone& now = zone[z];
    if (!now.running) return;
    if (now.since > 0 && sum[z].y > 0) now.since = 0;
    now.rate = sum[z].x;  // g . D
    now.step = 1;
    now.trying = 1;
    atomic_add(&trying[0], 1);
  }
};

/// Violations after the step that is tried; linear in d.
struct TryStep {
  ImpactList list;
  ZonesView zones;
  Span<const Zone> zone;
  Span<const float> inverse_mass;
  Span<const ZoneRow> row;
  Span<Violation> violation;
  HD void operator()(int i) const {
    const int z = zones.impact_zone[i];
    if (z < 0 || !zone[z].trying) return;
    const Impact& j = list.impact[i];
    vec3 moved(0);
    for (int k = 0; k < 4; ++k)
      if (j.points[k] >= 0 && inverse_mass[j.points[k]] > 0)
        moved += j.weight[k] * row[zones.row_of_point[j.points[k]]].direction;
    violation[i].tried = violation[i].now - zone[z].step * glm::dot(j.normal, moved);
  }
};

/// Per row the change of f by the step that is tried.
struct EnergyChange {
  GradientView view;
  Span<const vec3> d;
  Span<const ZoneRow> row;
  Span<vec3> sum;
  HD void operator()(int r) const {
    const Zone& zone = view.zone[view.zones.zone[r]];
    if (!zone.trying) return;
    const int p = view.zones.point[r];
    const vec3 step = zone.step * row[r].direction;
    float change = row[r].share * glm::dot(step, 2.0f * (d[p] - view.y[p]) + step);
    for (int e = view.zones.entries[r].x; e < view.zones.entries[r].y; ++e) {
      const int i = view.zones.place[e] / 4, k = view.zones.place[e] % 4;
      if (view.impact[i].owner != k) continue;
      const float tried = penalty(view.violation[i].tried, view.multiplier[i].at),
                  now = penalty(view.violation[i].now, view.multiplier[i].at);
      change += 0.5f * view.mu * (tried - now) * (tried + now);
    }
    sum[r] = vec3(change, 0, 0);
  }
};

/// Wolfe's condition (eq. 7, with the slope of the preconditioned direction), else half the step.
struct AcceptSteps {
  Span<const vec3> sum;
  float alpha = 1e-4f;
  Span<Zone> zone;
  Span<int> trying;
  HD void operator()(int z) const {
    constexpr float kShortest = 1e-6f;
    Zone& now = zone[z];
    if (!now.trying) return;
    if (sum[z].x <= alpha * now.step * now.rate || now.step < kShortest) {
      now.trying = 0;
      atomic_add(&trying[0], -1);
    } else {
      now.step *= 0.5f;
    }
  }
};

/// d <- omega (d + s D - d') + d', where d' is the iterate before the last (eq. 8). Per row the squared
/// motion.
struct TakeSteps {
  GradientView view;
  ZoneLimits limits;
  Span<vec3> d;
  Span<ZoneRow> row;
  Span<vec3> sum;
  HD void operator()(int r) const {
    const Zone& zone = view.zone[view.zones.zone[r]];
    if (!zone.running) return;
    const int p = view.zones.point[r];
    const float omega = next_omega(zone.omega, zone.since, limits.delay, limits.rho);
    const vec3 before = row[r].before, now = d[p];
    const vec3 next = omega * (now + zone.step * row[r].direction - before) + before,
               displacement = next - now;
    row[r].before = now;
    d[p] = next;
    sum[r] = vec3(glm::dot(displacement, displacement), 0, 0);
  }
};

/// lambda <- mu c~, each time that momentum may begin: before that the motion is far from the minimum, and
/// multipliers from there throw points too far.
struct RaiseMultipliers {
  ImpactList list;
  ZonesView zones;
  Span<const Zone> zone;
  Span<const vec3> d;
  int every = 10;
  Span<Multiplier> multiplier;
  HD void operator()(int i) const {
    const int z = zones.impact_zone[i];
    if (z < 0 || !zone[z].running || (zone[z].iterations + 1) % every) return;
    multiplier[i].at = penalty(impact_zones::violation(list.impact[i], d, false), multiplier[i].at);
  }
};

struct EndIteration {
  Span<const vec3> sum;
  ZoneLimits limits;
  Span<Zone> zone;
  Span<int> left;
  HD void operator()(int z) const {
    Zone& now = zone[z];
    if (!now.running) return;
    now.omega = next_omega(now.omega, now.since, limits.delay, limits.rho);
    ++now.since, ++now.iterations;
    now.solved = !(sum[z].x > limits.threshold);
    if (!now.solved && now.iterations < limits.iterations) return;
    now.running = 0;
    atomic_add(&left[0], -1);
  }
};

}  // namespace weft::impact_zones
