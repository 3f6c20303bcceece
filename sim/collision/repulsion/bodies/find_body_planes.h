// Finds the half spaces that keep the cloth's vertices out of bodies.
#pragma once
#include "sim/collision/bodies/bodies.h"
#include "sim/collision/bodies/body_trace.h"
#include "sim/collision/repulsion/bodies/body_planes.h"

namespace weft::repulsion {

/// Data that a vertex keeps between searches for bodies within a time step. Zeroed when a step begins.
struct Lookout {
  int found = 0;       // 0: no search in this step yet
  vec3 u{0}, goal{0};  // displacements of the last search
  // Last position outside of all bodies. The path is traced from there, so that the vertex counts for its own
  // side, and no body is thin enough to be jumped over; not from the start of the step, since a vertex that
  // slides around corners is elsewhere by now.
  vec3 from{0};
  int moved = 0;  // 0: `from` is where the step began, relative to bodies as they were then
  // Distance and normal at `from` of one body, the last one examined.
  int body = -1;
  float distance = 0;
  vec3 normal{0};
};

/// Selects the planes of a vertex: of the nearest body, of surfaces on its path, and of the second nearest
/// body or of a second wall of the nearest one that the vertex touches too.
struct FindBodyPlanes {
  Span<const vec3> position;  // x_n
  // m: of the contact layer; from all bodies at the start of the step
  Span<const float> offset, free_distance;
  Span<const int> kinematic;
  BodiesView bodies;
  Span<const vec3> u, target;
  float range = 0;  // m beyond the length of its path: range in which bodies are found
  float reach = 0;  // m that a vertex may go
  Span<Lookout> lookout;
  Span<vec3> normal;  // see BodyPlanes
  Span<float> gap;
  int stride = 0;
  bool planes_only = false;  // other bodies are handled elsewhere

  HD void operator()(int v) const {
    const vec3 displacement = target[v] - u[v];
    const float length = sqrtf(glm::dot(displacement, displacement)),
                share = length > reach ? reach / length : 1.0f;
    const vec3 there = u[v] + share * displacement;
    Lookout l = lookout[v];
    const float enough = 0.1f * offset[v];
    if (l.found && close(l.u, u[v], enough) && close(l.goal, there, enough)) return;  // they still hold
    if (!l.found) l = Lookout{};
    l.found = 1, l.u = u[v], l.goal = there;
    find(v, l, share * length > enough);
    lookout[v] = l;
  }

 private:
  // Planes lie a twentieth of an offset above surfaces.
  static constexpr float kLift = 0.05f;
  static constexpr float kSameSide = body_trace::kSameSide;
  static constexpr int kSamples = 32;  // samples of a path behind a surface

  struct Plane {
    vec3 normal{0};
    float gap = 0;
    HD float height(const vec3& at) const { return glm::dot(normal, at) + gap; }
  };

  HD static bool close(const vec3& a, const vec3& b, float enough) {
    return glm::dot(a - b, a - b) < enough * enough;
  }

  HD void find(int v, Lookout& l, bool moves) const {
    for (int k = 0; k < kBodyPlanes; ++k) put(k, v, {vec3(0), kNoPlane});
    if (kinematic[v]) return;
    const float off = sqrtf(glm::dot(l.u, l.u)), far = sqrtf(glm::dot(l.goal, l.goal)),
                most = off > far ? off : far;
    if (free_distance[v] > 4 * offset[v] + range + 2 * most) return;
    if (planes_only) return find_infinite(v, l);
    float nearest = 1e29f, second = 1e29f, met = 1e29f;
    bool outside = true;
    Lookout next = l;
    next.from = l.u, next.moved = 1, next.body = -1;
    for (int b = 0; b < bodies.count; ++b) {
      Plane p;
      Sight here;
      if (keeps(v, b, l, here, p)) {
        outside = outside && here.distance >= 0;
        const float h = p.height(l.u);
        if (h < nearest) {
          second = nearest;
          put(2, v, at(0, v));
          nearest = h;
          put(0, v, p);
          next.body = b, next.distance = here.distance, next.normal = here.normal;
        } else if (h < second) {
          second = h;
          put(2, v, p);
        }
        // In a corner it touches two walls of one body: the other one is as good as that of a second body.
        const Plane other = plane(v, bodies.pose[b], here.normal, here.distance, l.u);
        const bool corner = here.distance >= 0 && here.distance <= offset[v] &&
                            p.height(l.u) >= -2 * kLift * offset[v] &&
                            glm::dot(other.normal, p.normal) < kSameSide;
        if (corner && other.height(l.u) < second) second = other.height(l.u), put(2, v, other);
      }
      if (!moves || !meets(v, b, l, here, p)) continue;
      const float h = p.height(l.goal);
      if (h < met) met = h, put(1, v, p);
    }
    if (outside && nearest >= -2 * kPlaneSlack) l = next;
  }

  /// The plane that keeps a vertex outside of body b at its position. False if it is too far to matter.
  /// `here`: surface seen there, if known.
  HD bool keeps(int v, int b, Lookout& l, Sight& here, Plane& p) const {
    const BodyPose& pose = bodies.pose[b];
    const vec3 p1 = pose.local_at_end(position[v] + l.u),
               p0 = l.moved ? pose.local_at_end(position[v] + l.from) : bodies.local_at_start(b, position[v]);
    const vec3 displacement = p1 - p0;
    const float length = sqrtf(glm::dot(displacement, displacement)), layer = offset[v],
                touch = 2 * kLift * layer;
    if (!see(b, p1, length + 4 * layer + range, here)) return false;
    if (l.body != b) {
      l.body = b;
      l.distance = bodies.shape[b].distance(p0, l.normal);
    }
    Sight side{l.distance, l.normal};
    float share = 0;  // fraction of the path at which `side` was seen
    const bool met = l.distance <= layer || touches(b, p0, displacement, length, layer, share, side);
    p = plane(v, pose, here.normal, here.distance, l.u);
    if (!met) return true;
    const vec3 rest = (1 - share) * displacement;
    const float above = side.distance + glm::dot(side.normal, rest);
    // If the nearest surface is another side than the one it came to, and the vertex is behind that side:
    // pull it back. In front of it, the vertex has run into another wall.
    if (above < -layer
            ? !one_side(b, p1 - rest, rest, (1 - share) * length, side)
            : glm::dot(side.normal, here.normal) < kSameSide && (above < -touch || here.distance >= 0))
      p = plane(v, pose, side.normal, above, l.u);
    Sight wall;
    if (slides_into(b, p1, rest, layer, side, wall) && wall.distance < -touch &&
        wall.distance < p.height(l.u) + kLift * layer)
      p = plane(v, pose, wall.normal, wall.distance, l.u);
    return true;
  }
  /// The plane of a surface that a vertex meets on the path to its goal, if the vertex is now outside of it
  /// or touches it.
  HD bool meets(int v, int b, const Lookout& l, Sight here, Plane& p) const {
    const BodyPose& pose = bodies.pose[b];
    const vec3 p0 = pose.local_at_end(position[v] + l.u), p1 = pose.local_at_end(position[v] + l.goal),
               displacement = p1 - p0;
    const float length = sqrtf(glm::dot(displacement, displacement)), layer = offset[v],
                touch = 2 * kLift * layer;
    Sight there;
    if (!see(b, p1, length + 4 * layer + range, there)) return false;
    if (here.distance > 1e29f) here.distance = bodies.shape[b].distance(p0, here.normal);
    float share = 0;
    Sight side = here;
    const bool hit = here.distance > layer && touches(b, p0, displacement, length, layer, share, side),
               met = hit || here.distance <= layer;
    const vec3 rest = (1 - share) * displacement;
    const float above = side.distance + glm::dot(side.normal, rest);
    Sight wall;
    const bool slides = met && slides_into(b, p1, rest, layer, side, wall);
    const Plane ahead = slides ? plane(v, pose, wall.normal, wall.distance, l.goal) : Plane{};
    const bool blocked = slides && ahead.height(l.u) >= -touch;
    // As in `keeps`: a wall that it runs into while staying in front of its own surface counts too.
    if (!met || (above < -layer ? one_side(b, p1 - rest, rest, (1 - share) * length, side)
                                : glm::dot(side.normal, there.normal) >= kSameSide ||
                                      (above >= -touch && there.distance < 0))) {
      p = plane(v, pose, there.normal, there.distance, l.goal);
      if (p.height(l.u) >= -touch) {
        if (blocked && ahead.height(l.goal) < p.height(l.goal)) p = ahead;
        return true;
      }
    }
    // Beyond an edge the other side of a body is no limit yet.
    if (hit) p = plane(v, pose, side.normal, above, l.goal);
    const bool limits = hit && p.height(l.u) >= -touch;
    if (blocked && (!limits || ahead.height(l.goal) < p.height(l.goal))) p = ahead;
    return limits || blocked;
  }
  /// True if a point that touches `side` at the start of `rest`, which ends at p1, slides into another wall;
  /// computes p1's position relative to that wall's plane.
  HD bool slides_into(int b, const vec3& p1, const vec3& rest, float layer, const Sight& side,
                      Sight& wall) const {
    vec3 at;
    if (!body_trace::slides_into(bodies.shape[b], p1 - rest, side, rest, layer, wall, at)) return false;
    wall.distance += glm::dot(wall.normal, p1 - at);
    return true;
  }
  /// True if all nearest surfaces along a path from `at` face the side seen there: then nothing was crossed.
  /// Inside a wall the steps double, so that one of them ends in its far half.
  HD bool one_side(int b, const vec3& at, const vec3& displacement, float length, const Sight& side) const {
    float t = 0, step = 0;
    for (int i = 0; i < kSamples && t < 1; ++i) {
      t = i + 1 < kSamples ? fminf(t + step, 1.0f) : 1.0f;
      Sight s;
      s.distance = bodies.shape[b].distance(at + t * displacement, s.normal);
      if (glm::dot(side.normal, s.normal) < kSameSide) return false;
      step = fmaxf(fabsf(s.distance) / (length + 1e-12f), 1.0f / kSamples);
    }
    return true;
  }
  /// The nearest infinite planes, wherever they may be met.
  HD void find_infinite(int v, const Lookout& l) const {
    float height[kBodyPlanes];
    for (float& h : height) h = 1e29f;
    for (int b = 0; b < bodies.count; ++b) {
      if (bodies.shape[b].kind != BodyKind::plane) continue;
      const BodyPose& pose = bodies.pose[b];
      const float enough = 4 * offset[v] + range;
      Sight s;
      if (!see(b, pose.local_at_end(position[v] + l.u), enough + sqrtf(glm::dot(l.u, l.u)), s) &&
          !see(b, pose.local_at_end(position[v] + l.goal), enough + sqrtf(glm::dot(l.goal, l.goal)), s))
        continue;
      const vec3 n = pose.direction_at_end(vec3(0, 1, 0));
      const Plane p{n, glm::dot(n, position[v] - pose.translation1) - kLift * offset[v]};
      const float h = p.height(l.u);
      for (int k = kBodyPlanes - 1; k >= 0 && h < height[k]; --k) {
        if (k + 1 < kBodyPlanes) height[k + 1] = height[k], put(k + 1, v, at(k, v));
        height[k] = h;
        put(k, v, p);
      }
    }
  }

  /// False if the surface is further away than `furthest`.
  HD bool see(int b, const vec3& p, float furthest, Sight& s) const {
    if (bodies.shape[b].lower_bound(p) > furthest) return false;
    s.distance = bodies.shape[b].distance(p, s.normal);
    return s.distance <= furthest;
  }
  /// True if a path that starts outside of the contact layer enters it; then the fraction of the path and the
  /// surface seen there.
  HD bool touches(int b, const vec3& p0, const vec3& displacement, float length, float layer, float& share,
                  Sight& s) const {
    if (!body_trace::first_touch(bodies.shape[b], p0, displacement, length, s.distance, layer, share))
      return false;
    s.distance = bodies.shape[b].distance(p0 + share * displacement, s.normal);
    return true;
  }
  /// The plane with a normal in the body's frame from which the displacement `seen_from` is `distance` away.
  HD Plane plane(int v, const BodyPose& pose, const vec3& local, float distance,
                 const vec3& seen_from) const {
    const vec3 n = pose.direction_at_end(local);
    return {n, distance - glm::dot(n, seen_from) - kLift * offset[v]};
  }
  HD void put(int k, int v, const Plane& p) const {
    normal[k * stride + v] = p.normal;
    gap[k * stride + v] = p.gap;
  }
  HD Plane at(int k, int v) const { return {normal[k * stride + v], gap[k * stride + v]}; }
};

}  // namespace weft::repulsion
