// Contact with bodies by signed distance, and Coulomb friction with a memory.
#pragma once
#include "sim/collision/bodies/bodies.h"
#include "sim/collision/bodies/body_trace.h"
#include "sim/device/atomics.h"
#include "sim/device/launch.h"
#include "sim/scene/model/friction_table.h"

namespace weft::sdf_contact {

/// Contact of one vertex: the plane g(d) = n . d + g0 (m, negative inside the contact layer) of the body's
/// surface, moved to the end of the step, and the body.
struct Contact {
  vec3 normal{0};
  float gap0 = 0;
  int body = -1;
  int found = 0;     // 0: not searched in this step
  vec3 found_at{0};  // d at which it was found
  // Distance and normal of `start_body` at the start of the step, needed by every search.
  int start_body = -1;
  float start_distance = 0;
  vec3 start_normal{0};
};

/// Friction memory: the touched body, the sticking point in the body's frame, and from the last step whether
/// it slid and the normal force (N).
struct Anchor {
  vec3 local{0};
  int body = -1;
  int slid = 0;
  float pressed = 0;
};

/// `reversed`: friction overcame the motion, so it sticks; `damped`: still, so that a coarse correction sees
/// it stick;
/// `settles`: after that.
enum class FrictionState : int { none, sticks, slides, reversed, damped, settles };

/// Linearisation of contact and friction of a vertex in the last iteration of this step.
struct Friction {
  vec3 direction{0};  // direction of the slip, unit
  FrictionState state = FrictionState::none;
  int begun = 0;    // 0: this step has had no iteration
  float depth = 0;  // relative depth at which the layer's law was linearised; 0: no contact
  float load = 0;   // normal force there, N
};

constexpr float kLinear = 0.8f;  // relative depth from which the law is linear

/// Penalty force per stiffness of a relative depth x = depth / layer: x² / (1 - x), which sets in smoothly,
/// so that cloth at rest does not flicker between touching and not, and never lets the layer be used up;
/// continued linearly beyond 0.8 to keep float32 and the line of descent sane. A projection at the end of the
/// step catches the rest.
HD inline void layer_law(float x, float& force, float& slope) {
  const float y = x < kLinear ? x : kLinear;
  const float inv = 1.0f / (1.0f - y);
  slope = (2.0f * y - y * y) * inv * inv;
  force = y * y * inv + (x - y) * slope;
}

/// Inverse of `layer_law`: the relative depth of a force, which is not negative.
HD inline float depth_of(float force) {
  const float x = 0.5f * (sqrtf(force * force + 4.0f * force) - force);
  if (x <= kLinear) return x;
  float least, slope;
  layer_law(kLinear, least, slope);
  return kLinear + (force - least) / slope;
}

/// Distance of each vertex from all bodies at the start of the step, minus the bodies' motion in it (m): a
/// vertex that moves less than half of it has no contact, and most vertices need only this one test.
struct FreeDistance {
  Span<const vec3> position;
  BodiesView bodies;
  Span<float> free_distance;

  HD void operator()(int v) const {
    float least = 1e30f;
    for (int b = 0; b < bodies.count; ++b) {
      const vec3 at_end = bodies.pose[b].local_at_end(position[v]);
      const vec3 motion = at_end - bodies.local_at_start(b, position[v]);
      const float free = bodies.shape[b].lower_bound(at_end) - sqrtf(glm::dot(motion, motion));
      if (free < least) least = free;
    }
    free_distance[v] = least;
  }
};

/// A vertex pinned inside a body cannot be moved out, nor can cloth next to it: a body ignores vertices whose
/// distance through the cloth (at rest) to a pinned one is less than that one's depth plus two contact
/// layers. `reach`: remaining length at a vertex, m.
struct PinnedDepth {
  Span<const vec3> position, kinematic_displacement;
  Span<const int> kinematic;
  Span<const float> offset;
  BodiesView bodies;
  Span<float> reach;
  Span<int> body, found;

  HD void operator()(int v) const {
    float deepest = 0;
    int in = -1;
    for (int b = 0; kinematic[v] && b < bodies.count; ++b) {
      const vec3 p = bodies.pose[b].local_at_end(position[v] + kinematic_displacement[v]);
      if (bodies.shape[b].open || bodies.shape[b].kind == BodyKind::plane ||
          bodies.shape[b].lower_bound(p) >= 0)
        continue;
      vec3 normal;
      const float depth = -bodies.shape[b].distance(p, normal);
      if (depth > deepest) deepest = depth, in = b;
    }
    reach[v] = in >= 0 ? deepest + 2 * offset[v] : 0.0f;
    body[v] = in;
    if (in >= 0) atomic_write(&found[0], 1);
  }
};

/// One edge further.
struct SpreadDepth {
  Span<const int> edge_start, edge_entry;  // Model::vertex_edges
  Span<const ivec2> edges;
  Span<const float> edge_rest, reach;
  Span<const int> body;
  Span<float> new_reach;
  Span<int> new_body, found;

  HD void operator()(int v) const {
    float most = reach[v];
    int in = body[v];
    for (int i = edge_start[v]; i < edge_start[v + 1]; ++i) {
      const int e = edge_entry[i] >> 1, w = edge_entry[i] & 1 ? edges[e].x : edges[e].y;
      if (body[w] >= 0 && reach[w] - edge_rest[e] > most) most = reach[w] - edge_rest[e], in = body[w];
    }
    if (most > reach[v]) atomic_write(&found[0], 1);
    new_reach[v] = most;
    new_body[v] = in;
  }
};

/// Finds the contact plane of every vertex on its path from x_n to x_n + d, with each body moving from its
/// pose at the start to that at the end of the step. A path that starts outside is traced through the
/// distance field, so that no body is thin enough to be jumped over.
struct FindContacts {
  Span<const vec3> position, d;
  Span<const float> offset, free_distance;
  Span<const int> kinematic;
  BodiesView bodies;
  Span<const int> let_be;  // per vertex the body that lets it be (PinnedDepth), -1: none
  Span<Contact> contact;

  HD void operator()(int v) const {
    const Contact last = contact[v];
    const vec3 moved = d[v] - last.found_at;
    const float enough = 0.1f * offset[v];
    if (last.found && glm::dot(moved, moved) < enough * enough) return;  // the plane still holds
    Contact best;
    if (last.found)
      best.start_body = last.start_body, best.start_distance = last.start_distance,
      best.start_normal = last.start_normal;
    float best_gap = 1e30f;
    // Beyond this, find() would see the body further away than its reach.
    const bool near = free_distance[v] <= 4.0f * offset[v] + 2.0f * sqrtf(glm::dot(d[v], d[v]));
    if (near && !kinematic[v])
      for (int b = 0; b < bodies.count; ++b) {
        if (b == let_be[v]) continue;
        Contact c = best;
        const float gap = find(v, b, d[v], c);
        if (gap < best_gap) best_gap = gap, best = c;
      }
    best.found = 1;
    best.found_at = d[v];
    contact[v] = best;
  }

  /// Gap at displacement `to`, or 1e30 where the body is too far to matter.
  HD float find(int v, int b, const vec3& to, Contact& out) const {
    const BodyPose& pose = bodies.pose[b];
    const BodyShape& shape = bodies.shape[b];
    const vec3 p1 = pose.local_at_end(position[v] + to);
    const vec3 p0 = bodies.local_at_start(b, position[v]);
    const vec3 displacement = p1 - p0;
    const float length = sqrtf(glm::dot(displacement, displacement));
    const float furthest = length + 4.0f * offset[v];
    if (shape.lower_bound(p1) > furthest) return 1e30f;
    Sight there;
    there.distance = shape.distance(p1, there.normal);
    if (there.distance > furthest) return 1e30f;
    if (out.start_body != b) {
      out.start_body = b;
      out.start_distance = shape.distance(p0, out.start_normal);
    }
    vec3 normal;
    const float gap = plane(shape, p0, p1, {out.start_distance, out.start_normal}, there, offset[v], normal);
    const vec3 n = pose.direction_at_end(normal);
    out.normal = n;
    out.gap0 = gap - glm::dot(n, to);
    out.body = b;
    return gap;
  }

 private:
  /// Of the surfaces that the segment p0 -> p1 meets, the one that p1 is furthest behind: the gap to its
  /// layer, and its normal. `start`, `there`: surfaces seen at both ends.
  HD static float plane(const BodyShape& shape, const vec3& p0, const vec3& p1, const Sight& start,
                        const Sight& there, float layer, vec3& normal) {
    const vec3 displacement = p1 - p0;
    Sight side = start;  // the first surface that it touches, as seen from q
    vec3 q = p0;
    normal = there.normal;
    // A value that may be only a bound, far from the lists of the field, makes no contact.
    float gap =
        there.distance < shape.exact_within() ? there.distance - layer : fmaxf(there.distance, layer) - layer;
    if (start.distance > layer) {
      float hit;
      if (!body_trace::first_touch(shape, p0, displacement, sqrtf(glm::dot(displacement, displacement)),
                                   start.distance, layer, hit))
        return gap;
      q = p0 + hit * displacement;
      side.distance = shape.distance(q, side.normal);
      // On a curved body the plane at p1 is the right one, as long as p1 may have slid there.
      if (!body_trace::goes_on(side, q, there, p1, 0.5f * layer)) {
        normal = side.normal;
        gap = glm::dot(normal, p1 - q) + side.distance - layer;
      }
    } else if (glm::dot(normal, start.normal) < body_trace::kSameSide) {
      // It started in contact and the nearest surface is now another side: where it is behind the one that it
      // touched, it was pushed through; come back.
      const float behind = start.distance + glm::dot(start.normal, displacement) - layer;
      if (behind < 0) normal = start.normal, gap = behind;
    }
    // From there it slides on, perhaps into another wall of the body, whose far side may now be nearest.
    Sight wall;
    vec3 at;
    if (!body_trace::slides_into(shape, q, side, p1 - q, layer, wall, at)) return gap;
    const float behind = glm::dot(wall.normal, p1 - at) + wall.distance - layer;
    if (behind < gap) normal = wall.normal, gap = behind;
    return gap;
  }
};

/// The anchors of a step: where they are at its end. On bodies that deform they are world points, which the
/// surface takes along.
struct CarryAnchors {
  Span<const Anchor> remembered;
  BodiesView bodies;
  Span<Anchor> anchor;

  HD void operator()(int v) const {
    Anchor a = remembered[v];
    if (a.body >= 0 && a.body < bodies.count && bodies.pose[a.body].deforming >= 0)
      a.local = bodies.local_at_start(a.body, a.local);
    anchor[v] = a;
  }
};

/// The prediction of a vertex that touches a body that moves: along the surface it goes with the body, as far
/// as friction takes it along. h v leaves a body that turns by the square of the step (see
/// contact_terms/stick_kernels.h), and solvers end before they have taken back all of it.
struct MoveWithBodies {
  Span<const vec3> position, inertia;
  Span<const Anchor> anchor;
  BodiesView bodies;
  PointFriction point_friction;
  Span<const int> kinematic, let_be;
  Span<const float> mass, offset;
  float h2 = 0;  // dt², s²
  Span<vec3> d;

  HD void operator()(int v) const {
    for (int b = 0; b < bodies.count && !kinematic[v]; ++b) {
      const BodyPose& pose = bodies.pose[b];
      const bool rests =
          pose.deforming < 0 && pose.rotation0 == pose.rotation1 && pose.translation0 == pose.translation1;
      if (!rests && b != let_be[v]) d[v] -= friction_slip(v, b);
    }
  }
  /// What friction takes of the slip that is predicted, m.
  HD vec3 friction_slip(int v, int b) const {
    const BodyPose& pose = bodies.pose[b];
    const vec3 local = bodies.local_at_start(b, position[v]), motion = pose.world_at_end(local) - position[v],
               displacement = inertia[v] - motion;
    const float reach = sqrtf(glm::dot(displacement, displacement)) + offset[v];
    if (motion == vec3(0) || bodies.shape[b].lower_bound(local) > reach) return vec3(0);
    vec3 normal;
    const float gap = bodies.shape[b].distance(local, normal) - offset[v];
    normal = pose.direction_at_end(normal);
    const float into = -glm::dot(normal, displacement) - fmaxf(gap, 0.0f),
                last = anchor[v].body == b ? anchor[v].pressed * h2 / mass[v] : 0.0f,
                most = point_friction.on_body(v, b) * fmaxf(last, into);
    vec3 slip = d[v] - motion;
    slip -= glm::dot(normal, slip) * normal;
    const float length = sqrtf(glm::dot(slip, slip));
    return most > 0 ? (length > most ? most / length : 1.0f) * slip : vec3(0);
  }
};

/// Adds contact and friction at d to the anchors.
///
/// Cloth that slides over a curved body, or is moved by a solver that is not exact, leaves the layer for an
/// iteration by more than it is deep in it. If such a vertex had no contact until it is found inside again,
/// it would fall through the layer, and the force with which it comes back would throw it off, and friction
/// under that force would stop the cloth. So the law is linearised where the vertex is expected to press
/// (`expected_depth`), if that is deeper than it is: the force is then zero or negative at d, and right where
/// the linearisation ends.
struct AddContacts {
  // A vertex that no longer presses by the last iteration is expected at this share of its last depth: one
  // bad iteration does not let it go, some in a row do.
  static constexpr float kLess = 0.5f;
  static constexpr float kGone = 2;         // layers; a vertex further out is let go at once
  static constexpr float kNothing = 1e-3f;  // relative depth; below this a vertex is let go
  // layers; slip in a step from which the friction of a vertex is bounded
  static constexpr float kFar = 10;
  static constexpr float kWeights = 4;      // of the vertex, by which its load then grows in a step
  static constexpr float kGravity = 9.81f;  // m/s²

  Span<const vec3> position, d, inertia;
  Span<const Contact> contact;
  Span<const float> area, offset, mass;
  BodiesView bodies;
  PointFriction point_friction;
  float stiffness = 0;  // N/m^3
  float h2 = 0;         // dt², s²
  Span<Friction> friction;
  Span<Anchor> anchor;
  Span<Sym3> weight;
  Span<vec3> force;

  /// The relative depth that belongs to the normal force of the last iteration's linearisation, taken at d
  /// and with the plane of that iteration; in the first iteration, to the normal force at the end of the last
  /// step.
  /// 0: the vertex is not expected to press.
  HD float expected_depth(int v) const {
    const Friction last = friction[v];
    const float layer = offset[v], k = stiffness * area[v];
    if (!last.begun) return k > 0 && anchor[v].pressed > 0 ? depth_of(anchor[v].pressed / (k * layer)) : 0.0f;
    if (!(last.depth > 0)) return 0;
    const Contact c = contact[v];
    const float now = -(glm::dot(c.normal, d[v]) + c.gap0) / layer;
    float f, slope;
    layer_law(last.depth, f, slope);
    f += slope * (now - last.depth);
    if (f > 0) return depth_of(f);
    return now > -kGone && last.depth > kNothing ? kLess * last.depth : 0.0f;
  }

  HD void operator()(int v, float expected) const {
    const Contact c = contact[v];
    const float layer = offset[v];
    const float now = c.body < 0 ? -1.0f : -(glm::dot(c.normal, d[v]) + c.gap0) / layer;
    const float depth = c.body >= 0 && expected > now ? expected : now;
    const Friction last = friction[v];
    if (!(depth > 0)) {
      friction[v] = Friction{};
      friction[v].begun = 1;
      return;
    }
    const BodyPose& pose = bodies.pose[c.body];
    Anchor a = anchor[v];
    if (a.body != c.body) {
      // First touch: it sticks to where it touches the surface.
      a = Anchor{bodies.local_at_start(c.body, position[v]), c.body, 0, 0};
      anchor[v] = a;
    }
    const float k = stiffness * area[v];
    float f, slope;
    layer_law(depth, f, slope);
    const float normal_force = k * layer * f, tangent = k * slope;
    Sym3 w;
    w.add_outer(tangent, c.normal);
    vec3 b = (normal_force + tangent * (layer * (now - depth) + glm::dot(c.normal, d[v]))) * c.normal;
    // Friction takes the smaller normal force of two iterations, within `most_load`. Iterations overshoot:
    // friction under a normal force that is not right yet would stop all the cloth.
    const vec3 slip = tangential(position[v] - pose.world_at_end(a.local) + d[v], c.normal);
    const float load = fminf(fminf(normal_force, last.begun ? last.load : a.pressed), most_load(v, a, slip));
    add_friction(v, a, c.normal, slip, k, point_friction.on_body(v, c.body) * load,
                 normal_force < 2 * a.pressed, w, b);
    friction[v].begun = 1, friction[v].depth = depth, friction[v].load = normal_force;
    weight[v] += w;
    force[v] += b;
  }

  /// The largest normal force (N) that friction takes at its word in this step. A vertex that did not press
  /// before is held by no more than ends its own approach in the step: an iteration that starts deep inside,
  /// or ends there, gives up to hundreds of times that, and a sheet that pins let go would stop dead. Where
  /// one slides far in a step, the force also grows by no more than its last value or `kWeights`.
  HD float most_load(int v, const Anchor& a, const vec3& slip) const {
    const Contact c = contact[v];
    const float ends = fmaxf(-(glm::dot(c.normal, inertia[v]) + c.gap0), 0.0f) * mass[v] / h2;
    if (!(a.pressed > 0)) return ends;
    if (!a.slid || !(glm::dot(slip, slip) > kFar * kFar * offset[v] * offset[v])) return 1e30f;
    return a.pressed + fmaxf(a.pressed, kWeights * kGravity * mass[v]);
  }

  /// Coulomb friction: a spring of stiffness k to the anchor whose force is limited to `limit`. Sliding is
  /// linearised by its tangent, a constant force, because a secant would keep resting cloth from starting to
  /// slide: near slip 0 its stiffness is nearly k, which allows a slip near 0. The tangent in turn would make
  /// cloth that comes to rest oscillate. So a vertex whose slip reverses within a step is taken to stick; if
  /// it does not, the secant is used, which descends safely. The secant is also used just after impact, when
  /// the normal force may be far from its final value.
  HD void add_friction(int v, const Anchor& a, const vec3& normal, const vec3& slip, float k, float limit,
                       bool settled, Sym3& w, vec3& b) const {
    const float length = sqrtf(glm::dot(slip, slip)) + 1e-20f;
    const Friction last = friction[v];
    Friction now;
    now.direction = (1.0f / length) * slip;
    const bool beyond = k * length > limit;
    if (!(limit > 0)) {  // no friction, not even at the first touch
      now.state = FrictionState::slides;
      friction[v] = now;
      return;
    }
    if (last.state >= FrictionState::damped) now.state = FrictionState::settles;
    else if (last.state == FrictionState::reversed) now.state = FrictionState::damped;
    else if (last.state == FrictionState::slides && glm::dot(last.direction, now.direction) < 0)
      now.state = FrictionState::reversed;
    else
      now.state = beyond && (a.slid || last.state != FrictionState::none) ? FrictionState::slides
                                                                          : FrictionState::sticks;
    friction[v] = now;
    const vec3 along = tangential(d[v], normal);
    if (now.state == FrictionState::slides && settled) {
      // Less than limit / length while it sets off, in directions that have not settled yet.
      const float across = limit / (a.slid ? length : length + limit * h2 / mass[v]);
      w.add_identity(across);
      w.add_outer(-across, normal);
      w.add_outer(-across, now.direction);
      b += across * (along - glm::dot(along, now.direction) * now.direction) - limit * now.direction;
    } else {
      const bool sticks = now.state == FrictionState::sticks || now.state == FrictionState::reversed ||
                          now.state == FrictionState::damped;
      const float hold = beyond && !sticks ? limit / length : k;
      w.add_identity(hold);
      w.add_outer(-hold, normal);
      b += hold * (along - slip);
    }
  }

  HD static vec3 tangential(const vec3& u, const vec3& n) { return u - glm::dot(n, u) * n; }
};

/// Finds contacts and adds their terms.
struct FindAndAdd {
  FindContacts find;
  AddContacts add;
  HD void operator()(int v) const {
    const float expected = add.expected_depth(v);
    find(v);
    add(v, expected);
  }
};

/// After the last iteration: keeps in Friction::depth where vertices press by it, and finds contacts again.
struct ExpectAndFind {
  FindContacts find;
  AddContacts add;
  HD void operator()(int v) const {
    add.friction[v].depth = add.expected_depth(v);
    find(v);
  }
};

/// Final correction of positions: a vertex still below a surface is projected onto it, on the side it came
/// from.
struct ProjectOut {
  FindContacts find;
  Span<vec3> d;

  HD void operator()(int v) const {
    if (find.kinematic[v]) return;
    const Contact c = find.contact[v];
    vec3 dv = d[v];
    const float margin = 0.05f * find.offset[v];
    if (c.body < 0 && find.free_distance[v] > margin + sqrtf(glm::dot(dv, dv))) return;
    if (c.body >= 0) {
      const float below = glm::dot(c.normal, dv) + c.gap0 + find.offset[v] - margin;
      if (below < 0) dv -= below * c.normal;
    }
    for (int sweep = 0; sweep < 2; ++sweep)
      for (int b = 0; b < find.bodies.count; ++b) {
        if (b == find.let_be[v]) continue;
        // What met this body may be behind a second surface of it, and beyond that one by now: then it is
        // outside.
        const bool met = c.body == b;
        const BodyPose& pose = find.bodies.pose[b];
        const vec3 p = pose.local_at_end(find.position[v] + dv);
        if (!met && find.bodies.shape[b].lower_bound(p) > margin) continue;
        vec3 normal;
        const float phi = find.bodies.shape[b].distance(p, normal);
        if (!met && phi >= margin) continue;
        // The nearest surface may be the far side of a wall that it ran into.
        Contact side = c;
        const float below = find.find(v, b, dv, side) + find.offset[v] - margin;
        if (below < 0) dv -= below * side.normal;
        else if (phi < margin) dv += (margin - phi) * pose.direction_at_end(normal);
      }
    d[v] = dv;
  }
};

/// After the step: friction remembers. Where the spring to the anchor is beyond Coulomb's cone, the anchor is
/// dragged to the cone's edge; where contact has ended, it is dropped. `depth` for view and statistics.
struct RememberContacts {
  AddContacts add;  // of the finished step: add.position is x_n
  Span<Anchor> remembered;
  Span<float> depth;

  HD void operator()(int v) const {
    const Contact c = add.contact[v];
    const vec3 d = add.d[v];
    const float gap = c.body < 0 ? 1.0f : glm::dot(c.normal, d) + c.gap0, layer = add.offset[v];
    depth[v] = gap < 0 ? -gap : 0.0f;
    Anchor a = add.anchor[v];
    // A tenth of the layer of slack, so that rounding of a light contact does not forget where it stuck.
    const float expected = add.friction[v].depth;
    if ((gap > 0.1f * layer && !(expected > 0)) || a.body != c.body) {
      remembered[v] = Anchor{};
      return;
    }
    const BodyPose& pose = add.bodies.pose[c.body];
    const float k = add.stiffness * add.area[v], pressed = fmaxf(-gap / layer, expected);
    float f = 0, slope;
    if (pressed > 0) layer_law(pressed, f, slope);
    const vec3 slip = AddContacts::tangential(add.position[v] - pose.world_at_end(a.local) + d, c.normal);
    const float load = fminf(k * layer * f, add.most_load(v, a, slip));
    const float reach = k > 0 ? add.point_friction.on_body(v, c.body) * load / k : 0.0f;
    const float length = sqrtf(glm::dot(slip, slip));
    a.slid = length > reach;
    a.pressed = load;
    if (a.slid)
      a.local = pose.local_at_end(add.position[v] + d - (length > 0 ? reach / length : 0.0f) * slip);
    remembered[v] = a;
  }
};

}  // namespace weft::sdf_contact
