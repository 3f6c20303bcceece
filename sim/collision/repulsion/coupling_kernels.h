// Between the solver's cloth y and the crossing-free x (Wu 2020, section 5 and appendix C).
#pragma once
#include "sim/device/launch.h"

namespace weft::repulsion {

/// Distance limit for tangential sticking, as a fraction of D. A vertex in contact sticks only
/// while it is about to move less than this, or resting cloth would jitter. A vertex that moves further is
/// free: x is still moving when y sticks to it, so sticking acts as drag. With the whole sigma a sheet slides
/// down another one at a slope of 35 degrees at no more than 0.3 m/s, and strips in flight with a single
/// contact lose three quarters of their energy.
constexpr float kStill = 0.3f;

/// sigma / 2 |x - y|^2_M as an anchor of y (eq. 20), and the phantom mesh's multiplier as a force on it (eq.
/// 36). Where a contact holds a vertex, sigma grows along the push with the square of the gap between both:
/// otherwise a strong pull would draw y through itself, and stretch x after it until it jams.
struct Couple {
  Span<const float> mass;
  Span<const vec3> u;           // displacements of x
  Span<const vec3> multiplier;  // N; may be empty
  Span<const vec3> push;        // m, by which constraints held x back; empty: sigma everywhere, for any gap
  bool everywhere = false;      // also without constraints on x
  Span<const vec3> y;
  float coupling = 0;    // sigma, 1/s^2
  float soft = 0;        // m: a push of this length couples fully
  float wide = 0;        // m: a gap for which sigma is doubled
  float wide_taken = 0;  // m: the same, for the part of a gap that constraints caused
  float firmest = 1;     // times sigma, at most
  float reach = 0;       // m that y may be ahead of x
  Span<Sym3> weight;
  Span<vec3> force;
  Span<float> anchored;  // set to 1 where y has an anchor already
  HD void operator()(int v) const {
    if (weight[v].xx + weight[v].yy + weight[v].zz > 0) anchored[v] = 1;
    if (!multiplier.empty()) force[v] += multiplier[v];
    const float sigma = coupling * mass[v];
    vec3 along(0);
    float grown = 0;
    const float share = push.empty() ? 1.0f : shares(v, along, grown);
    if (!(share * sigma > 0)) return;
    weight[v].add_identity(share * sigma);
    weight[v].add_outer(grown * sigma, along);
    force[v] += sigma * (share * u[v] + (grown * glm::dot(along, u[v])) * along);
  }

 private:
  /// The fraction of sigma in all directions, and the additional fraction in the direction `along`.
  HD float shares(int v, vec3& along, float& grown) const {
    const vec3 ahead = y[v] - u[v];
    // The part that x cannot follow sticks fully; otherwise y would pass through itself, and x would stretch
    // after it.
    const float lost =
        everywhere ? 1.0f : fminf(fmaxf(sqrtf(glm::dot(ahead, ahead)) / reach - 1, 0.0f), 1.0f);
    // A contact holds a vertex that it pushes, and releases one that leaves.
    const float length = sqrtf(glm::dot(push[v], push[v]));
    if (!(length > 0.01f * soft) || glm::dot(push[v], ahead) > 10 * soft * length) return lost;
    along = push[v] / length;
    const float advance = glm::dot(along, ahead), into = fmaxf(0.0f, -advance),
                blocked = fminf(length / soft, 1.0f);
    const float aside = fmaxf(0.0f, glm::dot(ahead, ahead) - advance * advance);
    const float share = fmaxf(lost, blocked / (1 + aside / (kStill * kStill * wide * wide)));
    // Part of a gap is motion that x has not made yet. The part caused by constraints belongs to contact and
    // sticks earlier.
    grown =
        fmaxf(0.0f, blocked * fmaxf(firmness(into, wide), firmness(fminf(into, length), wide_taken)) - share);
    return share;
  }
  HD float firmness(float gap, float doubled_at) const {
    return fminf(1 + gap * gap / (doubled_at * doubled_at), firmest);
  }
};

/// The same mark where there is no coupling.
struct MarkAnchored {
  Span<const Sym3> weight;
  Span<float> anchored;
  HD void operator()(int v) const {
    if (weight[v].xx + weight[v].yy + weight[v].zz > 0) anchored[v] = 1;
  }
};

/// lambda += k M (x - y), at the end of a time step (appendix C): k is sigma, or 1 / h^2 without coupling.
struct RaiseMultiplier {
  Span<const float> mass;
  Span<const vec3> u, y;
  float factor = 0;  // 1/s^2
  Span<const vec3> multiplier;
  Span<vec3> raised;  // applied when the step counts
  HD void operator()(int v) const { raised[v] = multiplier[v] + factor * mass[v] * (u[v] - y[v]); }
};

/// The update of the time step: x. Non-finite values of y must remain visible.
struct TakeOver {
  Span<const vec3> u;
  Span<vec3> d;
  HD void operator()(int v) const {
    const vec3 y = d[v];
    const bool number = y.x - y.x == 0 && y.y - y.y == 0 && y.z - y.z == 0;
    if (number) d[v] = u[v];
  }
};

/// Contact stops approach without rebound: where constraints block a vertex, its velocity is that of x or y,
/// whichever is smaller.
struct NoRebound {
  Span<const vec3> u, y, push;  // m; push: by which constraints held x back
  float soft = 0, inv_dt = 0;
  Span<vec3> change;  // change of velocity, m/s
  HD void operator()(int v) const {
    const float length = sqrtf(glm::dot(push[v], push[v]));
    const bool blocked = length > 0.01f * soft, slower = glm::dot(y[v], y[v]) < glm::dot(u[v], u[v]);
    change[v] = blocked && slower ? inv_dt * (y[v] - u[v]) : vec3(0);
  }
};

/// End of a time step.
struct EndCoupling {
  NoRebound no_rebound;
  TakeOver take_over;
  HD void operator()(int v) const {
    no_rebound(v);
    take_over(v);
  }
};

}  // namespace weft::repulsion
