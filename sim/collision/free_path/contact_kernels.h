// Contacts of a backward step from pairs of close primitives (Wang 2023, section 4.1).
#pragma once
#include "sim/collision/contact_terms/surface_normals.h"
#include "sim/collision/free_path/contact.h"
#include "sim/collision/proximity/pair_list.h"

namespace weft::two_way {
using namespace contact;

/// A point that moves less than this fraction of the path that it has, or could have, in a step is blocked.
constexpr float kBlocked = 0.3f;

/// Distance (m) at which contact of a pair begins.
template <class Parts>
struct Onset {
  float usual = 0;
  Closer closer;
  Radii radii;
  Parts parts;
  HD float operator()(const ivec4& points, bool vertex_triangle) const {
    return usual - closer(points) + wider(parts, points, vertex_triangle, radii(points, vertex_triangle));
  }
};

/// 1 for each pair that makes a contact: the owner of its features, if closer than the activation distance or
/// about to be. (In the paper only closer pairs: then resting cloth just outside is pulled through and back
/// in each step.)
template <class Parts>
struct MarkContacts {
  PairList pairs;
  bool vertex_triangle = true;
  StandsOut stands_out;
  PairDirections directions;
  Span<const vec3> x, y;
  Span<const float> inverse_mass;
  Onset<Parts> onset;       // of the solver's contact, which is earlier
  int first = 0;            // first entry of this list
  float wedge = 0;          // m
  float free = 0;           // m: how far a point moves in a step where it meets nothing
  float least = 0;          // m: a point with less to go has arrived
  Span<const int> hard;     // one entry; not 0: points have been held up for many steps
  Span<const float> moved;  // m, per point, in the last step
  Span<int> flags;          // 0 no contact, 1 contact, 2 wedged
  HD void operator()(int i) const {
    const bool asked = i < pairs.count[0] && !held_shut(pairs.points[i], pairs.primitives[i], vertex_triangle,
                                                        inverse_mass, directions.cloth_points, stands_out);
    const bool own = asked && (pairs.support[i] & kOwner);
    flags[first + i] = own && touches(i) ? 1 : asked && hard[0] && wedged(i) ? 2 : 0;
  }
  /// Corners and edges that do not stand out, and pairs across the surface, make no contact: where they hold
  /// points up for many steps, a target behind the other side has to come back all the same.
  HD bool wedged(int i) const {
    const PairPoints pair(pairs.points[i], vertex_triangle, x);
    bool blocked = false;
    for (int k = 0; k < 4; ++k) {
      const vec3 displacement = y[pair.points[k]] - pair.x[k];
      const float length = sqrtf(glm::dot(displacement, displacement));
      blocked |= inverse_mass[pair.points[k]] > 0 && length > least &&
                 moved[pair.points[k]] < kBlocked * glm::min(length, free);
    }
    if (!blocked) return false;
    const vec3 n = best_normal(pair, vertex_triangle);
    float after = glm::dot(n, pair.closest.offset);
    for (int k = 0; k < 4; ++k) after += pair.closest.weight[k] * glm::dot(n, y[pair.points[k]] - pair.x[k]);
    return after < wedge + onset.radii(pairs.points[i], vertex_triangle);
  }
  HD bool touches(int i) const {
    const PairPoints pair(pairs.points[i], vertex_triangle, x);
    if (!directions.segments && !stands_out(pair, pairs.primitives[i], vertex_triangle)) return false;
    const float distance = sqrtf(pair.closest.squared);
    const vec3 n = distance > 0 ? directions(pair, pairs.primitives[i], vertex_triangle,
                                             pair.closest.offset * (1 / distance))
                                : vec3(0);
    if (n == vec3(0)) return false;
    const float gap = glm::dot(n, pair.closest.offset), most = onset(pairs.points[i], vertex_triangle);
    if (gap < most) return true;
    vec3 moved(0);
    for (int k = 0; k < 4; ++k) moved += pair.closest.weight[k] * (y[pair.points[k]] - pair.x[k]);
    return gap + glm::dot(n, moved) < most;
  }
};

/// What contacts keep: distance, that of wedged pairs, and slack, m; firmness as Contact has it.
struct Kept {
  float activation = 0, wedge = 0, slack = 0, firmness = 0;
  Closer closer;
};

template <class Parts>
struct MakeContacts {
  PairList vertex_triangle, edge_edge;
  Span<const int> index;  // into both lists, one after the other
  Span<const int> flags;
  Span<const vec3> x;
  PointFriction friction;
  int cloth_points = 0;
  float self_friction = 0;
  Kept kept;
  bool volume = true;
  FrictionMode mode = FrictionMode::visit,
               body_mode = FrictionMode::visit;  // of cloth on cloth, of cloth on bodies
  PairDirections directions;
  WideRadii<Parts> radii;
  Span<Contact> contact;
  HD void operator()(int i) const {
    const int k = index[i], others = k - vertex_triangle.capacity();
    const bool vt = others < 0;
    const PairPoints pair(vt ? vertex_triangle.points[k] : edge_edge.points[others], vt, x);
    const float radius = radii.core(pair.points, vt), wedge = kept.wedge + radius,
                activation =
                    kept.activation - kept.closer(pair.points) + wider(radii.parts, pair.points, vt, radius);
    Contact c = make_contact(pair.points, pair.x, pair.closest, vt, volume, activation);
    if (flags[k] == 2) {
      c.normal = best_normal(pair, vt);
      c.value = glm::dot(c.normal, pair.closest.offset) - wedge;
      gap_gradients(c);
    } else if (const vec3 n = directions(
                   pair, vt ? vertex_triangle.primitives[k] : edge_edge.primitives[others], vt, c.normal);
               !(n == c.normal)) {
      c.normal = n;
      c.value = glm::dot(n, pair.closest.offset) - activation;
      gap_gradients(c);
    }
    c.friction = friction.between(pair.points[0], pair.points[3], self_friction);
    c.slack = kept.slack;
    c.firmness = kept.firmness;
    c.mode = mode;
    for (int j = 0; j < 4; ++j)
      if (pair.points[j] >= cloth_points) c.mode = body_mode;
    contact[i] = c;
  }
};

}  // namespace weft::two_way
