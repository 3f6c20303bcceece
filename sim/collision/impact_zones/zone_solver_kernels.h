// Kernels of the zone solver. All zones run in one flat launch; what belongs to a zone is summed by segment.
//
//   min sum_i m_i |d_i - y_i|² / sum_i m_i   with   c*_j(d) = n_j . sum_k w_jk (x_jk + d_jk) - h_j >= 0   (eq. 1 to 4)
//
// y: the solver's displacement, m. The constraints are linear, since normals and weights are those of the
// impact.
#pragma once
#include "sim/collision/impact_zones/zone_list_kernels.h"

namespace weft::impact_zones {

/// State of a zone within a round.
struct Zone {
  int running = 0;  // 1 until it is solved
  int iterations = 0;
  int solved = 0;   // 1: its last motion was below the threshold
  int since = 0;    // k of eq. 8: iterations since momentum restarted
  float omega = 1;  // eq. 8
  float rate = 0;   // kg: multipliers grow by this times the violation
  float step = 1;   // s of eq. 7 (gradient solver)
  int trying = 0;   // 1 while s is too long
};

/// omega of the next iteration (eq. 8).
HD inline float next_omega(float omega, int k, int delay, float rho) {
  return k < delay ? 1.0f : k == delay ? 2 / (2 - rho * rho) : 4 / (4 - rho * rho * omega);
}

/// Length of both sides' weights that may move.
HD inline float moving_weight(const Impact& j, Span<const float> inverse_mass) {
  float sum = 0;
  for (int k = 0; k < 4; ++k)
    if (j.points[k] >= 0 && inverse_mass[j.points[k]] > 0) sum += fabsf(j.weight[k]);
  return sum;
}

struct RestZones {
  Span<Zone> zone;
  Span<float> bound;
  HD void operator()(int z) const { zone[z] = {}, bound[z] = 0; }
};

/// Zones with an impact from `first` on run; the others rest.
struct WakeZones {
  Span<const int> first;  // one element
  Span<const int> impact_zone;
  Span<Zone> zone;
  HD void operator()(int i) const {
    if (i >= first[0] && impact_zone[i] >= 0) atomic_or(&zone[impact_zone[i]].running, 1);
  }
};

/// A bound of the largest eigenvalue of J M⁻¹ Jᵀ in each zone, J the constraints' gradients: that of M⁻¹ Jᵀ
/// J, by sums of rows, as the floats' bits.
struct BoundZones {
  ZonesView zones;
  Span<const Impact> impact;
  Span<const float> inverse_mass;
  Span<const Zone> zone;
  Span<float> bound;  // 1/kg
  Span<int> moved;    // per point of the surface
  HD void operator()(int row) const {
    const int z = zones.zone[row], p = zones.point[row];
    if (!zone[z].running) return;
    moved[p] = 1;
    float sum = 0;
    for (int e = zones.entries[row].x; e < zones.entries[row].y; ++e) {
      const Impact& j = impact[zones.place[e] / 4];
      sum += fabsf(j.weight[zones.place[e] % 4]) * moving_weight(j, inverse_mass);
    }
    static_assert(sizeof(int) ==
                  sizeof(float));  // floats that are not negative are ordered as their bits are
    atomic_max(reinterpret_cast<int*>(&bound[z]), float_bits(sum * inverse_mass[p]));
  }
  HD static int float_bits(float f) {
    union {
      float value;
      int bits;
    } u{f};
    return u.bits;
  }
};

struct StartZones {
  Span<const float> bound;
  Span<Zone> zone;
  Span<int> left;  // zones that run
  HD void operator()(int z) const {
    zone[z].rate = bound[z] > 0 ? 1 / bound[z] : 0.0f;
    if (!(bound[z] > 0)) zone[z].running = 0;
    if (zone[z].running) atomic_add(&left[0], 1);
  }
};

/// Multipliers of an impact, kg m: `at` those of the last iteration, `ahead` with momentum. Displacements are
/// y + M⁻¹ Jᵀ p, the minimum of eq. 5 for multipliers p.
struct Multiplier {
  float at = 0, ahead = 0;
  float turn = 0;  // scalar product of momentum and progress
};

struct StartMultipliers {
  ImpactList list;
  Span<const int> first;
  Span<Multiplier> multiplier;
  HD void operator()(int i) const {
    if (i >= first[0]) multiplier[i].at = 0;
    multiplier[i].ahead = multiplier[i].at;
  }
};

/// The paper's rule lambda <- max(lambda + mu c, 0), at the displacements that belong to `ahead`, with mu as
/// large as the iteration converges, and Chebyshev's weights (eq. 8), where X' is the iterate before.
struct MoveMultipliers {
  ImpactList list;
  ZonesView zones;
  Span<const Zone> zone;
  Span<const vec3> d;
  bool inelastic = false;
  Span<Multiplier> multiplier;
  HD void operator()(int i) const {
    const int z = zones.impact_zone[i];
    if (z < 0 || !zone[z].running) return;
    Multiplier m = multiplier[i];
    const float wanted = m.ahead + zone[z].rate * violation(list.impact[i], d, inelastic);
    const float next = inelastic ? wanted : fmaxf(wanted, 0.0f), progress = next - m.at;
    m.turn = (m.ahead - next) * progress;
    const float ahead = next + (zone[z].omega - 1) * progress;
    m.ahead = inelastic ? ahead : fmaxf(ahead, 0.0f);
    m.at = next;
    multiplier[i] = m;
  }
};

/// d = y + M⁻¹ Jᵀ p. Per row the squared motion, m², and its impacts' turns, each at one of its points.
struct MovePoints {
  ZonesView zones;
  Span<const Impact> impact;
  Span<const float> inverse_mass;
  Span<const Zone> zone;
  Span<const Multiplier> multiplier;
  Span<const vec3> y;
  bool last = false;  // without momentum
  Span<vec3> d, sum;
  HD void operator()(int row) const {
    const int z = zones.zone[row], p = zones.point[row];
    if (!last && !zone[z].running) return;
    if (last && zone[z].iterations == 0) return;
    vec3 push(0);
    float turn = 0;
    for (int e = zones.entries[row].x; e < zones.entries[row].y; ++e) {
      const int i = zones.place[e] / 4, k = zones.place[e] % 4;
      const Impact& j = impact[i];
      push += (j.weight[k] * (last ? multiplier[i].at : multiplier[i].ahead)) * j.normal;
      if (j.owner == k) turn += multiplier[i].turn;
    }
    const vec3 now = y[p] + inverse_mass[p] * push, displacement = now - d[p];
    sum[row] = vec3(glm::dot(displacement, displacement), turn, 0);
    d[p] = now;
  }
};

/// What ends a zone's iterations, and eq. 8.
struct ZoneLimits {
  int iterations = 100, delay = 10;
  float threshold = 1e-12f, rho = 0.9992f;
};

/// Momentum restarts where it has turned against progress.
struct DecideZones {
  Span<const vec3> sum;  // per zone
  ZoneLimits limits;
  Span<Zone> zone;
  Span<int> left;
  HD void operator()(int z) const {
    Zone now = zone[z];
    if (!now.running) return;
    ++now.iterations;
    now.since = sum[z].y > 0 ? 0 : now.since + 1;
    now.omega = next_omega(now.omega, now.since, limits.delay, limits.rho);
    now.solved = !(sum[z].x > limits.threshold);
    if (now.solved || now.iterations >= limits.iterations) {
      now.running = 0;
      atomic_add(&left[0], -1);
    }
    zone[z] = now;
  }
};

/// What a round's zones needed, for view and statistics.
struct ZoneSolves {
  int most = 0;                          // iterations of a zone
  int zones = 0;                         // that were solved for
  int in_10 = 0, in_34 = 0, in_100 = 0;  // those of them that were solved within so many iterations
};

struct CountZones {
  Span<const Zone> zone;
  Span<ZoneSolves> solves;  // one element
  HD void operator()(int z) const {
    const Zone& now = zone[z];
    if (now.iterations == 0) return;
    ZoneSolves& s = solves[0];
    atomic_max(&s.most, now.iterations);
    atomic_add(&s.zones, 1);
    if (!now.solved) return;
    if (now.iterations <= 10) atomic_add(&s.in_10, 1);
    if (now.iterations <= 34) atomic_add(&s.in_34, 1);
    if (now.iterations <= 100) atomic_add(&s.in_100, 1);
  }
};

}  // namespace weft::impact_zones
