// Contacts of the solver's iterations: made when a round finds them, tested before every iteration.
#pragma once
#include "sim/collision/contact_terms/surface_normals.h"
#include "sim/collision/ndb/barrier.h"
#include "sim/collision/proximity/pair_list.h"
#include "sim/collision/surface/contact_surface.h"
#include "sim/device/atomics.h"
#include "sim/geometry/partial_impact.h"
#include "sim/linear/stencil.h"

namespace weft::ndb {

/// Course of a time step, on the device.
struct Progress {
  int goes_on = 1;     // not 0: another round follows
  int settled = 0;     // not 0: weights of this round no longer grow
  int iterate = 1;     // 0: nothing is left to do before the next round, or the end of the step
  int rounds = 0;      // searches for contacts
  int iterations = 0;  // with contact
  int active = 0;      // contacts of the last iteration that are within the gap
  int oldest = 0;      // a of the oldest
  int coarse = 0;      // near pairs that the chosen samples may miss (eq. 15), in the last iteration
  float change = 0,
        round_change = 0;  // m: largest motion of a vertex in the last iteration, since the last round
};

/// A contact of two primitives. Its direction and the weights of its points stay as they were found, and
/// distances follow linearly, so that targets are made anew in every iteration along a fixed direction.
struct Barrier {
  vec3 normal{0};                  // from the second primitive to the first
  float distance = 0;              // m, along the normal where it was found, less `wider`
  float wider = 0;                 // m: by how much further than the gap the pair meets, by radii of parts
  float weight[4] = {0, 0, 0, 0};  // of the points; those of the second primitive are negative
  float unit = 0;                  // N/m: w0; 0: no contact
  float cap = 0;                   // N/m
  float friction = 0;
  int age = 0;          // a
  float stiffness = 0;  // N/m: w of this iteration
  float depth = 0;      // m: gap less distance at the solver's displacement
  float push = 0;       // N: normal force now
  float stick = 0;      // N/m: friction over slip
  vec3 slip{0};         // m, across the normal since the step began
  /// Stiffness (N/m) of a spring from the gap on with the force of now.
  HD float secant() const { return push / depth; }
  HD bool acts() const { return push > 0; }
  /// No contact is known from step to step: it may have pressed.
  HD bool pressed_before() const { return unit > 0; }
  /// As contact_terms/pair_kernels.h has it: normal force and friction, alike for every solver.
  HD void add(bool /*anchor*/, float w, float factor, Sym3& sum, vec3& pull) const {
    // Part of friction's stiffness along the slip that is left out: sliding friction has none there, and with
    // all of it
    // iterations come to slide slowly. With more than half of it left out they would overshoot sticking.
    constexpr float kLoose = 0.4f;
    sum.add_outer(factor * (secant() - stick), normal);
    sum.add_identity(factor * stick);
    if (const float squared = glm::dot(slip, slip); squared > 1e-20f)
      sum.add_outer(-factor * kLoose * stick / squared, slip);
    pull += (w * push) * normal - (w * stick) * slip;
  }
};

/// What weights are made of.
struct WeightRule {
  float per_mass = 0;                 // 1/s²: w0 over mass
  float base = 2;                     // K
  float cap_share = 0;                // over the stiffness at a vertex
  Span<const float> elastic;          // N/m, per vertex of the cloth
  float inv_h2 = 0;                   // 1/s²
  float gap = 0, band = 0, most = 0;  // m: depths from which on weights grow, and forces do not
  bool by_distance = false;
  int samples = 0;  // SampleRule

  /// Beyond this multiple of w0 weights may grow where cloth is so soft that its stiffness is no measure.
  static constexpr float kLeastGrowth = 64;
  HD float cap(float mass, float stiffness) const {
    const float soft = cap_share * (stiffness + inv_h2 * mass), least = kLeastGrowth * per_mass * mass;
    return soft > least ? soft : least;
  }
  HD float weight(float unit, float cap_now, int age, float distance) const {
    return by_distance ? distance_weight(unit, distance, gap, cap_now)
                       : non_distance_weight(unit, base, age, cap_now);
  }
};

/// Finds the direction and the distance of each pair. Only the owner of a pair of features that protrude
/// makes a contact (see contact::StandsOut).
template <class Parts>
struct MakeBarriers {
  PairList pairs;
  bool vertex_triangle = true;
  contact::StandsOut stands_out;
  contact::PairDirections directions;
  Span<const vec3> x;
  Span<const float> inverse_mass;
  PointFriction friction;
  int cloth_points = 0;
  float self_friction = 0;
  WeightRule rule;
  Span<const int> vertex_age;  // a with which contacts of each vertex begin
  Span<const int> rigid;       // of each vertex its rigid body, or -1; may be empty
  Parts parts;
  Span<Barrier> barrier;

  HD void operator()(int i) const {
    Barrier b;
    const contact::PairPoints pair(pairs.points[i], vertex_triangle, x);
    const bool owner = pairs.support[i] & kOwner;
    if (owner && pair.closest.squared > 0 &&
        !contact::held_shut(pair.points, pairs.primitives[i], vertex_triangle, inverse_mass, cloth_points,
                            stands_out) &&
        stands_out(pair, pairs.primitives[i], vertex_triangle))
      begin(pair, pairs.primitives[i], b);
    barrier[i] = b;
  }

  /// w0 of rigid bodies over that of cloth, m / h², with which they would sink by half of gravity's g h².
  static constexpr float kRigid = 16;
  HD void begin(const contact::PairPoints& pair, const ivec2& primitives, Barrier& b) const {
    float compliance = 0, soft = 0;
    int age = INT32_MAX;
    b.friction = friction.between(pair.points[0], pair.points[3], self_friction);
    for (int k = 0; k < 4; ++k) {
      const int p = pair.points[k];
      const float w = b.weight[k] = pair.closest.weight[k], inverse = inverse_mass[p];
      if (!(inverse > 0) || w == 0) continue;
      compliance += w * w * inverse;
      soft += w * w / rule.cap(1 / inverse, rule.elastic[p]);
      age = glm::min(age, vertex_age[p]);
    }
    const float distance = sqrtf(pair.closest.squared);
    b.normal = directions(pair, primitives, vertex_triangle, pair.closest.offset * (1 / distance));
    if (!(compliance > 0) || b.normal == vec3(0)) return;
    b.distance = glm::dot(b.normal, pair.closest.offset);
    if constexpr (sizeof(Parts) > sizeof(NoPartRadii)) {
      b.wider = contact::beyond_onset(parts, pair.points, vertex_triangle, 0);
      b.distance -= b.wider;
    }
    b.unit = rule.per_mass / compliance;
    if (!rigid.empty()) suit_bodies(pair.points, b);
    b.cap = 1 / soft;
    b.age = age;
    b.stiffness = rule.weight(b.unit, b.cap, b.age, b.distance);
  }

  /// w0 by what a contact has to stop: both sides, or a rigid body alone where the other side is light.
  /// Weights that suit the cloth would let a body of a thousand times its vertices' mass fall on with it.
  HD void suit_bodies(const ivec4& points, Barrier& b) const {
    float side[2] = {0, 0};  // 1/kg
    bool stiff[2] = {false, false};
    for (int k = 0; k < 4; ++k) {
      const float w = b.weight[k], inverse = inverse_mass[points[k]];
      if (!(inverse > 0) || w == 0) continue;
      const int second = k >= (vertex_triangle ? 1 : 2);
      side[second] += w * w * inverse;
      stiff[second] = stiff[second] || rigid[points[k]] >= 0;
    }
    if (!stiff[0] && !stiff[1]) return;
    const float alone = side[!stiff[0]];
    b.unit = kRigid * rule.per_mass / (stiff[0] != stiff[1] && alone > 0 ? alone : side[0] + side[1]);
  }
};

/// Depth, load and weight at the solver's displacement. Bodies are taken to reach their targets.
struct LookAtBarriers {
  PairList pairs;
  bool vertex_triangle = true;
  Span<const vec3> safe, displacement, body_target, body_start;
  Span<const vec3> x;  // where contacts were found
  int cloth_points = 0;
  WeightRule rule;
  float reach = 0;   // m: h epsilon_v
  float filter = 0;  // eta
  bool grow = true;
  Span<Progress> progress;
  Span<Barrier> barrier;

  HD void operator()(int i) const {
    Barrier& b = barrier[i];
    if (!(b.unit > 0)) return;
    vec3 moved(0), slip(0), start[4], end[4];
    for (int k = 0; k < 4; ++k) {
      const int p = pairs.points[i][k];
      const bool cloth = p < cloth_points;
      const vec3 gone = cloth ? displacement[p] - safe[p] : body_target[p - cloth_points] - x[p];
      moved += b.weight[k] * gone;
      slip += b.weight[k] *
              (cloth ? displacement[p] : body_target[p - cloth_points] - body_start[p - cloth_points]);
      start[k] = x[p], end[k] = x[p] + gone;
    }
    const float distance = b.distance + glm::dot(b.normal, moved);
    b.depth = rule.gap - distance;
    const float load = b.stiffness * glm::clamp(b.depth, 0.0f, rule.most);  // with the weight that led here
    const bool near = b.depth > -rule.gap && !(b.depth > rule.band);
    const Life life = life_of(b.depth, rule.band, near && may_meet(b, start, end));
    if (life == Life::apart || (grow && !progress[0].settled)) b.age = aged(b.age, life);
    b.stiffness = rule.weight(b.unit, b.cap, b.age, distance);
    b.push = b.depth > 0 ? b.stiffness * glm::min(b.depth, rule.most) : 0.0f;
    b.slip = slip - glm::dot(slip, b.normal) * b.normal;
    b.stick = b.push > 0 && b.friction > 0
                  ? friction_stiffness(b.friction, load, sqrtf(glm::dot(b.slip, b.slip)), reach)
                  : 0.0f;
    if (!(b.depth > 0)) return;
    atomic_add(&progress[0].active, 1);
    atomic_max(&progress[0].oldest, b.age);
  }

  /// Whether both sides may have met on their straight paths, by the chosen partial test.
  HD bool may_meet(const Barrier& b, const vec3 (&start)[4], const vec3 (&end)[4]) const {
    const SampleRule by = SampleRule(rule.samples);
    if (by == SampleRule::plane) {
      vec3 across(0);  // between the closest points at the start
      for (int k = 0; k < 4; ++k) across += b.weight[k] * (start[k] - start[0]);
      const time_of_impact::Differences<float> d =
          vertex_triangle ? partial_impact::vertex_triangle_differences(start, end)
                          : partial_impact::edge_edge_differences(start, end);
      return !time_of_impact::separates(across, d, 0.0f, 1.0f, 0.0f);
    }
    if (by == SampleRule::bernstein)
      return !((vertex_triangle ? vertex_triangle_product_bound(start, end)
                                : edge_edge_product_bound(start, end)) > 0);
    const int count = by == SampleRule::one ? 1 : by == SampleRule::three ? 3 : 6;
    if (too_coarse(b, start, end, count)) atomic_add(&progress[0].coarse, 1);
    ClosestPair<float> closest;  // the place of the closest points at the start
    for (int k = 0; k < 4; ++k) closest.weight[k] = b.weight[k];
    return !((vertex_triangle ? vertex_triangle_sampled_product(start, end, count, &closest)
                              : edge_edge_sampled_product(start, end, count, &closest)) > 0);
  }

  /// Whether the sample interval exceeds that of eq. 15.
  HD bool too_coarse(const Barrier& b, const vec3 (&start)[4], const vec3 (&end)[4], int count) const {
    float edge = 0, farthest = 0;  // longest edge and largest difference, squared
    const int second = vertex_triangle ? 1 : 2;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < i; ++j) {
        const vec3 d0 = start[i] - start[j], d1 = end[i] - end[j];
        float& most = (i < second) == (j < second) ? edge : farthest;
        most = glm::max(most, glm::max(glm::dot(d0, d0), glm::dot(d1, d1)));
      }
    const float interval =
        vertex_triangle ? vertex_triangle_sample_interval(count) : edge_edge_sample_interval(count);
    return interval > largest_sample_interval(b.distance + b.wider, sqrtf(farthest), sqrtf(edge), filter);
  }
};

/// A vertex above a plane.
struct PlaneBarrier {
  int age = 0;
  float stiffness = 0;  // N/m
  float depth = 0;      // m
};

struct BeginPlaneBarriers {
  Span<const int> vertex_age;
  Span<const float> inverse_mass;
  WeightRule rule;
  Span<PlaneBarrier> barrier;  // per plane and vertex
  HD void operator()(int i) const {
    const int v = i % vertex_age.size;
    PlaneBarrier b;
    b.age = vertex_age[v];
    if (const float inverse = inverse_mass[v]; inverse > 0)
      b.stiffness =
          rule.weight(rule.per_mass / inverse, rule.cap(1 / inverse, rule.elastic[v]), b.age, rule.gap);
    barrier[i] = b;
  }
};

/// The same against the ground and planes, whose distance is exact everywhere.
struct AddPlaneBarriers {
  RubbingPlanes planes;
  Span<const vec3> base, displacement;
  Span<const float> inverse_mass;
  WeightRule rule;
  float reach = 0;
  bool grow = true;
  Span<Progress> progress;
  Span<PlaneBarrier> barrier;
  Span<Sym3> weight;
  Span<vec3> force;
  HD void operator()(int v) const {
    const float inverse = inverse_mass[v];
    if (!(inverse > 0)) return;
    const vec3 d = displacement[v];
    for (int k = 0; k < planes.size; ++k) {
      const ContactPlane plane = planes(k, v, base[v]);
      PlaneBarrier& b = barrier[k * displacement.size + v];
      const float distance = glm::dot(plane.normal, base[v]) - plane.offset + glm::dot(plane.normal, d);
      b.depth = rule.gap - distance;
      const float load = b.stiffness * glm::clamp(b.depth, 0.0f, rule.most);
      const Life life = life_of(b.depth, rule.band, false);
      if (life == Life::apart || (grow && !progress[0].settled)) b.age = aged(b.age, life);
      b.stiffness =
          rule.weight(rule.per_mass / inverse, rule.cap(1 / inverse, rule.elastic[v]), b.age, distance);
      if (!(b.depth > 0)) continue;
      atomic_add(&progress[0].active, 1);
      atomic_max(&progress[0].oldest, b.age);
      Barrier pressed;
      pressed.normal = plane.normal;
      pressed.depth = b.depth;
      pressed.push = b.stiffness * glm::min(b.depth, rule.most);
      pressed.slip = plane.slip(base[v], d, vec3(0));
      pressed.stick =
          friction_stiffness(plane.friction, load, sqrtf(glm::dot(pressed.slip, pressed.slip)), reach);
      Sym3 block;
      vec3 pull(0);
      pressed.add(true, 1, 1, block, pull);
      weight[v] += block;
      force[v] += block * d + pull;
    }
  }
};

/// Of each vertex: a of its oldest contact, and the depth of the deepest.
struct NoteVertices {
  PointPairs of_points[2];
  Span<const Barrier> barrier[2];
  Span<const PlaneBarrier> plane;
  Span<int> age;
  Span<float> depth;  // m
  Span<float> shown;  // the age as a number to draw
  HD void operator()(int v) const {
    int oldest = 0;
    float deepest = 0;
    for (int list = 0; list < 2; ++list)
      for (int e = of_points[list].start[v]; e < of_points[list].start[v + 1]; ++e) {
        const Barrier& b = barrier[list][of_points[list].entry[e] / 4];
        if (!(b.unit > 0) || b.weight[of_points[list].entry[e] % 4] == 0) continue;
        oldest = glm::max(oldest, b.age), deepest = glm::max(deepest, b.depth);
      }
    for (int i = v; i < plane.size; i += age.size)
      oldest = glm::max(oldest, plane[i].age), deepest = glm::max(deepest, plane[i].depth);
    age[v] = oldest;
    shown[v] = float(oldest);
    depth[v] = deepest;
  }
};

/// a with which the contacts of a step begin: a little younger than the last step left them, or weights would
/// never fall.
struct BeginAges {
  Span<const int> kept;
  bool keep = true;
  Span<int> age;
  Span<float> shown;  // of a step in which no contact is found
  HD void operator()(int v) const { age[v] = keep ? glm::max(kept[v] - 1, 0) : 0, shown[v] = 0; }
};

struct BeginProgress {
  Span<Progress> progress;
  HD void operator()(int) const { progress[0] = Progress(); }
};

struct BeginRound {
  Span<Progress> progress;
  bool first = false;
  HD void operator()(int) const {
    Progress& p = progress[0];
    ++p.rounds, p.settled = 0;
    p.iterate = first || p.goes_on;
  }
};

/// Begins an iteration with contact.
struct BeginIteration {
  Span<Progress> progress;
  HD void operator()(int) const {
    Progress& p = progress[0];
    ++p.iterations;
    p.active = p.oldest = p.coarse = 0;
  }
};

}  // namespace weft::ndb
