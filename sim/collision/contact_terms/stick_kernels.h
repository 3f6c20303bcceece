// The prediction of cloth that sticks to a body that moves: where h v leaves the body, it goes with the body.
//
//               h v
//         o----------> x      a: turns with the body, and sticks. h v is off by the square of the step: by
//         | `                 h² w² r on a turntable of speed w, 0.9 mm at 34 turns a minute, r = 25 cm and
//       r |   ` a             1/60 s. Friction's spring gives way by some micrometres only, and a solver that
//         |                   ends within a hundredth of 0.9 mm would let it slide, outwards in every step.
//        body
//
// Cloth that touches what stands still keeps its prediction.
#pragma once
#include "sim/collision/contact_terms/pair_turn.h"
#include "sim/collision/proximity/pair_list.h"

namespace weft::contact {

/// What friction takes of a slip on its body in one step: at most mu p. p, by which the normal force moves a
/// vertex in the step (N h² / m), is the depth times `share`, or the way that the vertex would go on into
/// contact if that is longer.
struct Holds {
  float onset = 0;           // m: distance at which contact begins
  float share = 0;           // 0: the way alone
  Span<const vec3> inertia;  // m, per vertex, see StepContext; empty: the depth alone
  HD vec3 operator()(int v, const vec3& slip, const vec3& normal, const vec3& motion, float distance,
                     float friction) const {
    const float depth = onset - distance, length = sqrtf(glm::dot(slip, slip));
    float press = share * depth;
    if (!inertia.empty())
      press = glm::max(press, glm::min(depth, 0.0f) - glm::dot(normal, inertia[v] - motion));
    const float most = friction * press;
    return most > 0 ? (length > most ? most / length : 1.0f) * slip : vec3(0);
  }
};

/// Vertices that pressed on moving bodies when the last step ended: along the surface they go as the body
/// does where they are, as far as friction takes them along, in the mean over their pairs. A contact has
/// `normal`, `distance`, `weight` and `friction` as Term has, and says by pressed_before() whether it may
/// stick.
template <class Contact>
struct MoveWithBodies {
  PairList pairs[2];  // vertex-triangle, edge-edge
  PointPairs of_points[2];
  Span<const Contact> contact[2];
  Span<const float> inverse_mass;
  Span<const vec3> taken;  // m, see Recall; may be empty
  Holds holds;
  PairTurn turn;
  Span<vec3> displacement;
  HD void operator()(int v) const {
    if (!(inverse_mass[v] > 0)) return;
    vec3 sum(0);
    float weights = 0;
    for (int list = 0; list < 2; ++list)
      for (int e = of_points[list].start[v]; e < of_points[list].start[v + 1]; ++e) {
        const int pair = of_points[list].entry[e] / 4;
        const Contact& c = contact[list][pair];
        const float w = fabsf(c.weight[of_points[list].entry[e] % 4]);
        vec3 motion;
        if (w == 0 || !c.pressed_before() || !body_motion(pairs[list].points[pair], list == 0, c, v, motion))
          continue;
        vec3 slip = displacement[v] - motion;
        if (!taken.empty()) slip -= taken[v];
        slip -= glm::dot(slip, c.normal) * c.normal;
        const vec3 outwards = c.weight[of_points[list].entry[e] % 4] < 0 ? -c.normal : c.normal;
        sum += w * holds(v, slip, outwards, motion, c.distance, c.friction);
        weights += w;
      }
    if (weights > 0) displacement[v] -= sum * (1 / weights);
  }
  /// Of the pair's body at v, m; false where the pair has none, or it stands still.
  HD bool body_motion(const ivec4& points, bool vertex_triangle, const Contact& c, int v,
                      vec3& motion) const {
    vec3 at(0), to(0);
    float weights = 0;
    for (int k = 0; k < 4; ++k) {
      const int p = points[k] - turn.cloth_points;
      if (p < 0) continue;
      at += fabsf(c.weight[k]) * turn.body_start[p];
      to += fabsf(c.weight[k]) * turn.body_target[p];
      weights += fabsf(c.weight[k]);
    }
    if (!(weights > 0)) return false;
    const vec3 offset = turn.x[v] - turn.safe[v] - at;
    motion = to - at + (turn(offset, points, vertex_triangle, c.normal) - offset);
    return motion != vec3(0);
  }
};

/// The same against planes.
struct MoveWithPlanes {
  RubbingPlanes planes;
  Span<const vec3> base;
  Span<const float> inverse_mass;
  Span<const vec3> kept, taken;  // see Recall; may be empty
  Holds holds;
  Span<vec3> displacement;
  HD void operator()(int v) const {
    for (int k = 0; k < planes.size && inverse_mass[v] > 0; ++k) {
      const ContactPlane plane = planes(k, v, base[v]);
      if (!plane.moves() || (!kept.empty() && kept[k * displacement.size + v] == vec3(0))) continue;
      const vec3 d = taken.empty() ? displacement[v] : displacement[v] - taken[v],
                 slip = plane.slip(base[v], d, vec3(0));
      displacement[v] -= holds(v, slip, plane.normal, plane.turn * base[v] + plane.shift,
                               glm::dot(plane.normal, base[v]) - plane.offset, plane.friction);
    }
  }
};

}  // namespace weft::contact
