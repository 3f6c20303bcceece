// Half spaces that keep the cloth's vertices out of bodies. A vertex inside its half spaces stays inside.
#pragma once
#include "sim/device/atomics.h"
#include "sim/device/lanes.h"
#include "sim/device/launch.h"

namespace weft::repulsion {

constexpr int kBodyPlanes = 3;     // planes of each vertex
constexpr float kBodyPenalty = 8;  // penalty of a body relative to the pull to x_init, per vertex
constexpr float kNoPlane = 1e9f;   // m
// m: tolerance below a plane that still counts as outside; planes lie further above surfaces
constexpr float kPlaneSlack = 5e-6f;
constexpr float kPlaneRounding = 2e-7f;  // m: of heights in float32

/// Half spaces normal . u + gap >= 0. Plane k of vertex i is at k * stride + i; its gap is kNoPlane where
/// there is none.
struct BodyPlanes {
  Span<const vec3> normal;
  Span<const float> gap;
  int stride = 0;  // padded

  /// Height above plane k (m).
  template <class L>
  HD typename L::Real height(int k, int i, const Vec3<typename L::Real>& u) const {
    return dot(L::rows(&normal[k * stride + i]), u) + L::load(&gap[k * stride + i]);
  }
  template <class L>
  HD typename L::Real least_height(int i, const Vec3<typename L::Real>& u) const {
    typename L::Real least = height<L>(0, i, u);
    for (int k = 1; k < kBodyPlanes; ++k) least = L::smaller(least, height<L>(k, i, u));
    return least;
  }
  /// Lowest height of a vertex now at height h: the slack, or h if that is lower.
  template <class L>
  HD static typename L::Real least_after(const typename L::Real& h) {
    return L::smaller(h, L::splat(-kPlaneSlack));
  }
  /// Positive if the step u0 -> u1 leads too low (m). Half spaces are convex, so if the end is allowed, the
  /// whole segment is.
  template <class L>
  HD typename L::Real excess(int i, const Vec3<typename L::Real>& u0,
                             const Vec3<typename L::Real>& u1) const {
    typename L::Real most = L::splat(-1e30f);
    for (int k = 0; k < kBodyPlanes; ++k)
      most = L::larger(most, least_after<L>(height<L>(k, i, u0)) - height<L>(k, i, u1) - kPlaneRounding);
    return most;
  }
  /// u moved out of the planes, one after the other; where planes meet at an angle, nearly.
  template <class L>
  HD Vec3<typename L::Real> outside(int i, Vec3<typename L::Real> u, const typename L::Real& mobile) const {
    for (int sweep = 0; sweep < 2; ++sweep)
      for (int k = 0; k < kBodyPlanes; ++k)
        u = u + (mobile * L::larger(L::splat(0) - height<L>(k, i, u), L::splat(0))) *
                    L::rows(&normal[k * stride + i]);
    return u;
  }
  /// The allowed part of the segment from -> to.
  template <class L>
  HD Vec3<typename L::Real> cut(int i, const Vec3<typename L::Real>& from,
                                const Vec3<typename L::Real>& to) const {
    using R = typename L::Real;
    R share = L::splat(1);
    for (int k = 0; k < kBodyPlanes; ++k) {
      const R h0 = height<L>(k, i, from), h1 = height<L>(k, i, to), least = least_after<L>(h0);
      const R left = (h0 - least) / (L::larger(h0 - h1, L::splat(0)) + 1e-20f);
      share = L::smaller(share, 1.0f - L::where(least - h1, 1.0f - left));
    }
    return from + share * (to - from);
  }
  /// End of a move from -> to that follows planes instead of entering them. Not further than `to`.
  HD vec3 slide(int i, const vec3& from, const vec3& to) const {
    vec3 at = to;
    // Most vertices are too far from all planes to reach one.
    const vec3 displacement = to - from;
    float least = 1e30f;
    for (int k = 0; k < kBodyPlanes; ++k)
      least = glm::min(least, glm::dot(normal[k * stride + i], from) + gap[k * stride + i]);
    if (least > 0 && least * least > 1.01f * glm::dot(displacement, displacement)) return to;
    for (int sweep = 0; sweep < 2; ++sweep)
      for (int k = 0; k < kBodyPlanes; ++k) {
        const vec3 n = normal[k * stride + i];
        const float g = gap[k * stride + i], h0 = glm::dot(n, from) + g,
                    below = (h0 < 0 ? h0 + kPlaneRounding : 0.0f) - (glm::dot(n, at) + g);
        if (below > 0) at += below * n;
      }
    const Vec3<float> end = cut<OneRow>(i, {from.x, from.y, from.z}, {at.x, at.y, at.z});
    return {end.x, end.y, end.z};
  }
};

/// Largest fraction of the move of all u -> init that takes no vertex deeper into a body than `recovered`
/// (m), from which it can be brought out.
struct ShareOutside {
  BodyPlanes planes;
  Span<const vec3> u, init;
  float recovered = 0;
  Span<float> share;  // one element, lowered
  HD void operator()(int i) const {
    const Vec3<float> from{u[i].x, u[i].y, u[i].z}, to{init[i].x, init[i].y, init[i].z};
    for (int k = 0; k < kBodyPlanes; ++k) {
      const float h0 = planes.height<OneRow>(k, i, from), h1 = planes.height<OneRow>(k, i, to),
                  least = (h0 < 0 ? h0 : 0.0f) - recovered;
      if (h1 < least) atomic_min(&share[0], (h0 - least) / (h0 - h1));
    }
  }
};

/// True if a movable vertex is deeper in a body than `deepest` (m).
struct FindDeep {
  BodyPlanes planes;
  Span<const vec3> u;
  Span<const float> mobile;
  float deepest = 0;
  Span<int> deep;  // one element
  HD void operator()(int i) const {
    if (mobile[i] > 0 && planes.least_height<OneRow>(i, {u[i].x, u[i].y, u[i].z}) < -deepest)
      atomic_or(&deep[0], 1);
  }
};

/// Scales the move by that fraction.
struct TakeShare {
  Span<const vec3> u;
  Span<const float> share;  // one element
  Span<vec3> init;
  HD void operator()(int i) const { init[i] = u[i] + share[0] * (init[i] - u[i]); }
};

}  // namespace weft::repulsion
