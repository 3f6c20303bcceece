// Between the solver's cloth y and the crossing-free x (Wu 2020, section 5 and appendix C).
#pragma once
#include "sim/device/launch.h"

namespace weft::repulsion {

/// Of D: across what pushes it, a vertex is held only where it is to go less far than about this, or cloth at rest would be restless. What goes further is free there: x is still
/// underway when y is held to it, so what holds across is drag. With sigma and more a sheet slides down another one that is as steep as 35 degrees at no more than 0.3 m/s, and
/// strips in flight with a single contact lose three quarters of their energy.
constexpr float kStill = 0.3f;

/// sigma / 2 |x - y|^2_M as an anchor of y (eq. 20), and the phantom mesh's multiplier as a force on it (eq. 36). Where a contact holds a vertex, sigma
/// grows along what pushes it with the square of the gap between both: what pulls hard would else draw y through itself, and stretch x after it until it jams.
struct Couple {
  Span<const float> mass;
  Span<const vec3> u;           // of x
  Span<const vec3> multiplier;  // N; may be empty
  Span<const vec3> push;        // m, by which constraints held x back; empty: sigma everywhere, however wide the gap
  bool everywhere = false;      // also where nothing holds x back
  Span<const vec3> y;
  float coupling = 0;           // sigma, 1/s^2
  float soft = 0;               // m: a push of this length couples fully
  float wide = 0;               // m: a gap for which sigma is doubled
  float wide_taken = 0;         // m: the same, of the part of a gap that constraints have taken from x's way
  float firmest = 1;            // times sigma, at most
  float reach = 0;              // m that y may be ahead of x
  Span<Sym3> weight;
  Span<vec3> force;
  HD void operator()(int v) const {
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
  /// The share of sigma in all directions; how much more of it in the direction `along`.
  HD float shares(int v, vec3& along, float& grown) const {
    const vec3 ahead = y[v] - u[v];
    // What x cannot follow is held in full: y would go its own way, through itself, and x stretch after it.
    const float lost = everywhere ? 1.0f : fminf(fmaxf(sqrtf(glm::dot(ahead, ahead)) / reach - 1, 0.0f), 1.0f);
    // A contact holds what it holds back, and lets go of what leaves it.
    const float length = sqrtf(glm::dot(push[v], push[v]));
    if (!(length > 0.01f * soft) || glm::dot(push[v], ahead) > 10 * soft * length) return lost;
    along = push[v] / length;
    const float way = glm::dot(along, ahead), into = fmaxf(0.0f, -way), held = fminf(length / soft, 1.0f);
    const float aside = fmaxf(0.0f, glm::dot(ahead, ahead) - way * way);
    const float share = fmaxf(lost, held / (1 + aside / (kStill * kStill * wide * wide)));
    // Part of a gap is what x has not gone yet. What constraints have taken from its way is the contact's, and held sooner.
    grown = fmaxf(0.0f, held * fmaxf(firmness(into, wide), firmness(fminf(into, length), wide_taken)) - share);
    return share;
  }
  HD float firmness(float gap, float doubled_at) const { return fminf(1 + gap * gap / (doubled_at * doubled_at), firmest); }
};

/// lambda += k M (x - y), at the end of a time step (appendix C): k is sigma, or 1 / h^2 without coupling.
struct RaiseMultiplier {
  Span<const float> mass;
  Span<const vec3> u, y;
  float factor = 0;  // 1/s^2
  Span<const vec3> multiplier;
  Span<vec3> raised;  // taken over when the step counts
  HD void operator()(int v) const { raised[v] = multiplier[v] + factor * mass[v] * (u[v] - y[v]); }
};

/// The update of the time step: x. What is no number in y must show, or nobody would learn of it.
struct TakeOver {
  Span<const vec3> u;
  Span<vec3> d;
  HD void operator()(int v) const {
    const vec3 y = d[v];
    const bool number = y.x - y.x == 0 && y.y - y.y == 0 && y.z - y.z == 0;
    if (number) d[v] = u[v];
  }
};

/// Contact stops what approaches and throws nothing back: where constraints held a vertex, its velocity is that of x or that of y, whichever
/// is smaller.
struct NoRebound {
  Span<const vec3> u, y, push;  // m; push: what held x back
  float soft = 0, inv_dt = 0;
  Span<vec3> change;            // of velocity, m/s
  HD void operator()(int v) const {
    const float length = sqrtf(glm::dot(push[v], push[v]));
    const bool held = length > 0.01f * soft, slower = glm::dot(y[v], y[v]) < glm::dot(u[v], u[v]);
    change[v] = held && slower ? inv_dt * (y[v] - u[v]) : vec3(0);
  }
};

/// What ends a time step.
struct EndCoupling {
  NoRebound no_rebound;
  TakeOver take_over;
  HD void operator()(int v) const {
    no_rebound(v);
    take_over(v);
  }
};

}  // namespace weft::repulsion
