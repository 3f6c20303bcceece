// Contact with bodies by signed distance, and Coulomb friction with a memory.
#pragma once
#include "sim/collision/bodies.h"
#include "sim/device/launch.h"

namespace weft::sdf_contact {

/// Contact of one vertex: the plane g(d) = n . d + g0 (m, negative inside the contact layer) of the body's surface,
/// moved to the end of the step, and the body.
struct Contact {
  vec3 normal{0};
  float gap0 = 0;
  int body = -1;
};

/// What friction remembers: the body that a vertex touches and where it stuck, in the body's own frame.
struct Anchor {
  vec3 local{0};
  int body = -1;
};

/// Penalty force per stiffness of a relative depth x = depth / layer: x / (1 - x), so that the layer is never used up,
/// continued linearly beyond 0.8 to keep float32 and the line of descent sane; a projection at the end of the step
/// catches the rest.
HD inline void layer_law(float x, float& force, float& slope) {
  constexpr float kLinear = 0.8f;
  const float y = x < kLinear ? x : kLinear;
  const float inv = 1.0f / (1.0f - y);
  slope = inv * inv;
  force = y * inv + (x - y) * slope;
}

/// Finds the contact plane of every vertex along its way from x_n to x_n + d, each body moving from its pose at the
/// start to that at the end of the step. A way that starts outside is traced through the distance field, so that no
/// body is thin enough to be jumped.
struct FindContacts {
  Span<const vec3> position, d;
  Span<const float> offset;
  Span<const int> kinematic;
  BodiesView bodies;
  Span<Contact> contact;

  HD void operator()(int v) const {
    Contact best;
    float best_gap = 1e30f;
    if (!kinematic[v])
      for (int b = 0; b < bodies.count; ++b) {
        Contact c;
        const float gap = find(v, b, c);
        if (gap < best_gap) best_gap = gap, best = c;
      }
    contact[v] = best;
  }

  /// Gap at d, or 1e30 where the body is too far to matter.
  HD float find(int v, int b, Contact& out) const {
    const BodyPose& pose = bodies.pose[b];
    const BodyShape& shape = bodies.shape[b];
    const vec3 world = position[v] + d[v];
    const vec3 p1 = pose.local_at_end(world), p0 = pose.local_at_start(position[v]);
    const vec3 way = p1 - p0;
    const float length = sqrtf(glm::dot(way, way));
    const float reach = length + 4.0f * offset[v];
    if (shape.lower_bound(p1) > reach) return 1e30f;
    vec3 normal;
    const float phi = shape.distance(p1, normal);
    if (phi > reach) return 1e30f;
    float gap = phi - offset[v];
    vec3 start_normal;
    const float phi0 = shape.distance(p0, start_normal);
    if (phi0 > offset[v]) {
      float hit;
      if (trace(shape, p0, way, length, phi0, offset[v], hit)) {
        const vec3 q = p0 + hit * way;
        const float at_hit = shape.distance(q, normal);
        gap = glm::dot(normal, p1 - q) + at_hit - offset[v];
      }
    } else if (glm::dot(normal, start_normal) < 0.3f) {
      // It started in contact and the nearest surface is now another side: it was pushed through; come back.
      normal = start_normal;
      gap = phi0 + glm::dot(start_normal, way) - offset[v];
    }
    const vec3 n = pose.direction_at_end(normal);
    out.normal = n;
    out.gap0 = gap - glm::dot(n, d[v]);
    out.body = b;
    return gap;
  }

  /// First share of the way at which the distance falls to the offset; false if there is none.
  HD bool trace(const BodyShape& shape, const vec3& p0, const vec3& way, float length, float phi0, float layer, float& hit) const {
    float t = 0, phi = phi0;
    for (int i = 0; i < 32; ++i) {
      t += (phi - 0.9f * layer) / (length + 1e-12f);
      if (t >= 1) return false;
      vec3 unused;
      phi = shape.distance(p0 + t * way, unused);
      if (phi <= layer) {
        hit = t;
        return true;
      }
    }
    hit = t;  // grazing: 32 steps without leaving or arriving
    return phi < 2 * layer;
  }
};

/// Adds contact and friction at d to the anchors, linearised there.
struct AddContacts {
  Span<const vec3> position, d;
  Span<const Contact> contact;
  Span<const float> area, offset;
  BodiesView bodies;
  float stiffness = 0;  // N/m^3
  Span<Anchor> anchor;
  Span<Sym3> weight;
  Span<vec3> force;

  HD void operator()(int v) const {
    const Contact c = contact[v];
    if (c.body < 0) return;
    const float gap = glm::dot(c.normal, d[v]) + c.gap0;
    if (gap >= 0) return;
    const BodyPose& pose = bodies.pose[c.body];
    Anchor a = anchor[v];
    if (a.body != c.body) {
      // First touch: it sticks to where it touches the surface.
      a.body = c.body;
      a.local = pose.local_at_start(position[v]);
      anchor[v] = a;
    }
    const float k = stiffness * area[v], layer = offset[v];
    float f, slope;
    layer_law(-gap / layer, f, slope);
    const float normal_force = k * layer * f, tangent = k * slope;
    Sym3 w;
    w.add_outer(tangent, c.normal);
    vec3 b = (normal_force + tangent * glm::dot(c.normal, d[v])) * c.normal;

    // Coulomb: a spring to the anchor whose force is capped at mu N, as a weight that falls with the distance.
    const vec3 slip = tangential(position[v] - pose.world_at_end(a.local) + d[v], c.normal);
    const float length = sqrtf(glm::dot(slip, slip)) + 1e-20f;
    const float limit = pose.friction * normal_force;
    const float hold = k * length > limit ? limit / length : k;
    w.add_identity(hold);
    w.add_outer(-hold, c.normal);
    b += hold * (tangential(d[v], c.normal) - slip);
    weight[v] += w;
    force[v] += b;
  }

  HD static vec3 tangential(const vec3& u, const vec3& n) { return u - glm::dot(n, u) * n; }
};

/// The last word on positions: whatever is still below a surface is put onto it.
struct ProjectOut {
  Span<const vec3> position;
  Span<vec3> d;
  Span<const Contact> contact;
  Span<const float> offset;
  Span<const int> kinematic;
  BodiesView bodies;

  HD void operator()(int v) const {
    if (kinematic[v]) return;
    const Contact c = contact[v];
    vec3 dv = d[v];
    const float margin = 0.05f * offset[v];
    if (c.body >= 0) {
      const float below = glm::dot(c.normal, dv) + c.gap0 + offset[v] - margin;
      if (below < 0) dv -= below * c.normal;
    }
    for (int sweep = 0; sweep < 2; ++sweep)
      for (int b = 0; b < bodies.count; ++b) {
        const BodyPose& pose = bodies.pose[b];
        const vec3 p = pose.local_at_end(position[v] + dv);
        if (bodies.shape[b].lower_bound(p) > margin) continue;
        vec3 normal;
        const float phi = bodies.shape[b].distance(p, normal);
        if (phi < margin) dv += (margin - phi) * pose.direction_at_end(normal);
      }
    d[v] = dv;
  }
};

/// After the step: friction remembers. Where the spring to the anchor is beyond Coulomb's cone, the anchor is dragged
/// to the cone's edge; where contact has ended, it is dropped. `depth` for view and statistics.
struct RememberContacts {
  Span<const vec3> position, d;  // of the finished step: position is x_n
  Span<const Contact> contact;
  Span<const float> area, offset;
  BodiesView bodies;
  float stiffness = 0;
  Span<Anchor> anchor;
  Span<float> depth;

  HD void operator()(int v) const {
    const Contact c = contact[v];
    const float gap = c.body < 0 ? 1.0f : glm::dot(c.normal, d[v]) + c.gap0;
    depth[v] = gap < 0 ? -gap : 0.0f;
    Anchor a = anchor[v];
    // A tenth of the layer of slack, so that rounding of a light contact does not forget where it stuck.
    if (gap > 0.1f * offset[v] || a.body != c.body) {
      anchor[v] = Anchor{};
      return;
    }
    const BodyPose& pose = bodies.pose[c.body];
    const float k = stiffness * area[v], layer = offset[v];
    float f = 0, slope;
    if (gap < 0) layer_law(-gap / layer, f, slope);
    const float reach = k > 0 ? pose.friction * layer * f : 0.0f;  // mu N / k
    const vec3 world = position[v] + d[v];
    const vec3 slip = AddContacts::tangential(position[v] - pose.world_at_end(a.local) + d[v], c.normal);
    const float length = sqrtf(glm::dot(slip, slip));
    if (length > reach) a.local = pose.local_at_end(world - (length > 0 ? reach / length : 0.0f) * slip);
    anchor[v] = a;
  }
};

}  // namespace weft::sdf_contact
