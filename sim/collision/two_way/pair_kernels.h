// What pairs of near primitives allow and ask for (Wang 2023, sections 4.1 and 5).
#pragma once
#include "sim/collision/proximity/pair_list.h"
#include "sim/collision/two_way/contact.h"
#include "sim/device/atomics.h"

namespace weft::two_way {

/// Distance (m) that rounding may take off a pair whose coordinates are about p: positions round to 2^-24 of themselves, six of them enter a
/// distance and its use, and twice that is left for the arithmetic between.
HD inline float rounding(const vec3& p) {
  const float largest = glm::max(fabsf(p.x), glm::max(fabsf(p.y), fabsf(p.z)));
  return 7.2e-7f * largest + 1e-8f;
}

/// Corners of a pair and their closest points.
struct PairPoints {
  ivec4 points;
  vec3 x[4];
  ClosestPair<float> closest;
  HD PairPoints(const ivec4& p, bool vertex_triangle, Span<const vec3> position) : points(p) {
    for (int k = 0; k < 4; ++k) x[k] = position[p[k]];
    closest = vertex_triangle ? closest_vertex_triangle(x[0], x[1], x[2], x[3]) : closest_edge_edge(x[0], x[1], x[2], x[3]);
  }
};

/// D_i of eq. 15: to the nearest primitive of any pair that point i is in.
struct NearestDistances {
  PairList pairs;
  Span<const vec3> x;
  Span<float> nearest;  // m, per point
  HD void operator()(int i) const {
    const ivec4 p = pairs.points[i];
    const float d = glm::max(pairs.distance[i] - rounding(x[p[0]]), 0.0f);
    for (int k = 0; k < 4; ++k) atomic_min(&nearest[p[k]], d);
  }
};

/// A plane across the shortest way between both primitives. Each side stays on its own while its points go straight, and it is divided between them as
/// they approach it; parting and sliding are free.
///
///        x0    x1        height of a point: along the normal, above the plane
///       --*----*--  |
///    ...........plane, n
///        x2 *---* x3
struct PlaneShares {
  PairList pairs;
  bool vertex_triangle = true;
  Span<const vec3> x, y;
  float damping = 0.9f;   // gamma
  Span<float> share;      // alpha, per point
  HD void operator()(int i) const {
    const PairPoints pair(pairs.points[i], vertex_triangle, x);
    const ClosestPair<float>& c = pair.closest;
    const float margin = rounding(pair.x[0]), distance = sqrtf(c.squared), room = distance - margin;
    float approach[4], height[4], side[2] = {0, 0};
    const vec3 n = distance > 0 ? c.offset * (1 / distance) : vec3(0);
    for (int k = 0; k < 4; ++k) {
      const int first = side_of(k), sign = first ? 1 : -1;
      approach[k] = float(sign) * glm::dot(n, y[pair.points[k]] - pair.x[k]);
      if (!(distance > 0)) approach[k] = 1;  // without a direction nothing may move
      side[first] = glm::max(side[first], approach[k]);
      // Height above the closest point of the own side: not negative but for rounding.
      float above = 0;
      for (int j = 0; j < 4; ++j)
        if (side_of(j) == first) above += fabsf(c.weight[j]) * glm::dot(n, pair.x[k] - pair.x[j]);
      height[k] = -float(sign) * above;
    }
    if (!(side[0] + side[1] > 0)) return;
    float part = side[0] / (side[0] + side[1]);
    part = glm::min(glm::max(part, 0.05f), 0.95f);
    for (int k = 0; k < 4; ++k) {
      if (!(approach[k] > 0)) continue;
      const float own = glm::max(height[k] + (side_of(k) ? 1 - part : part) * room, 0.0f);
      if (damping * own < approach[k]) atomic_min(&share[pair.points[k]], damping * own / approach[k]);
    }
  }
  HD int side_of(int k) const { return vertex_triangle ? k > 0 : k > 1; }
};

/// 1 for each pair that a contact is made from: nearer than the activation distance, and the one that stands for its features.
struct MarkContacts {
  PairList pairs;
  float activation = 0;
  int first = 0;  // of this list's places
  Span<int> flags;
  HD void operator()(int i) const {
    flags[first + i] = i < pairs.count[0] && pairs.distance[i] < activation && (pairs.support[i] & kOwner) ? 1 : 0;
  }
};

struct MakeContacts {
  PairList vertex_triangle, edge_edge;
  Span<const int> index;      // into both lists, one after the other
  Span<const vec3> x;
  Span<const float> friction; // per point of a body, from cloth_points on
  int cloth_points = 0;
  float self_friction = 0, activation = 0;
  bool volume = true;
  Span<Contact> contact;
  HD void operator()(int i) const {
    const int k = index[i], others = k - vertex_triangle.capacity();
    const bool vt = others < 0;
    const PairPoints pair(vt ? vertex_triangle.points[k] : edge_edge.points[others], vt, x);
    Contact c = make_contact(pair.points, pair.x, pair.closest, vt, volume, activation);
    c.friction = self_friction;
    for (int j = 0; j < 4; ++j)
      if (pair.points[j] >= cloth_points) c.friction = friction[pair.points[j] - cloth_points];
    contact[i] = c;
  }
};

}  // namespace weft::two_way
