// Geometry of pairs of close primitives: closest points, rounding, the direction that separates them best.
#pragma once
#include "sim/collision/surface/contact_surface.h"
#include "sim/geometry/primitive_distance.h"

namespace weft::contact {

/// Rounding error (m) of the distance of a pair whose coordinates are about p: positions round to 2^-24 of
/// themselves, six of them enter a distance and its use, and twice that covers the arithmetic in between.
HD inline float rounding(const vec3& p) {
  const float largest = glm::max(fabsf(p.x), glm::max(fabsf(p.y), fabsf(p.z)));
  return 7.2e-7f * largest + 1e-8f;
}

/// Rounding error of a pair with corners x, some of which may be far away on a body. Corners of moving bodies
/// round by 2^-24 of their own coordinates, and heights of corners along a direction are off by up to 2^-24
/// of the corners' distance (measured, tests/collision/two_way_contact_test.cpp): twice of both.
HD inline float rounding(const vec3 (&x)[4]) {
  float largest = 0, lever = 0;
  for (int k = 0; k < 4; ++k)
    for (int a = 0; a < 3; ++a) {
      largest = glm::max(largest, fabsf(x[k][a]));
      lever = glm::max(lever, fabsf(x[k][a] - x[0][a]));
    }
  return glm::max(rounding(x[0]), 1.2e-7f * (largest + lever) + 1e-8f);
}

/// Corners of a pair and their closest points.
struct PairPoints {
  ivec4 points;
  vec3 x[4];
  ClosestPair<float> closest;
  HD PairPoints(const ivec4& p, bool vertex_triangle, Span<const vec3> position) : points(p) {
    for (int k = 0; k < 4; ++k) x[k] = position[p[k]];
    closest = vertex_triangle ? closest_vertex_triangle(x[0], x[1], x[2], x[3])
                              : closest_edge_edge(x[0], x[1], x[2], x[3]);
  }
};

/// By how much further than the onset of contact a pair meets (m), by the radii of its parts; at most by what
/// it was apart when the step began, without `core`, its part that nothing enters (of grains, m).
HD inline float beyond_onset(const PartRadii& parts, const ivec4& points, bool vertex_triangle, float core) {
  const float most = parts.beyond(points, vertex_triangle);
  if (!(most > 0)) return 0;
  vec3 x[4];
  for (int k = 0; k < 4; ++k) x[k] = parts.start(points[k]);
  const ClosestPair<float> then = vertex_triangle ? closest_vertex_triangle(x[0], x[1], x[2], x[3])
                                                  : closest_edge_edge(x[0], x[1], x[2], x[3]);
  return glm::clamp(sqrtf(then.squared) - core, 0.0f, most);
}

/// `core` and what a pair meets beyond that, m.
HD inline float wider(const PartRadii& parts, const ivec4& points, bool vertex_triangle, float core) {
  return core + beyond_onset(parts, points, vertex_triangle, core);
}
HD inline float wider(NoPartRadii, const ivec4&, bool, float core) { return core; }

/// How far the surfaces of a pair are in front of its points, edges and triangles (m): their cores, which
/// nothing enters, and all that contact keeps. `Parts`: PartRadii, or NoPartRadii.
template <class Parts>
struct WideRadii {
  Radii core;
  Parts parts;
  HD float operator()(const ivec4& points, bool vertex_triangle) const {
    return wider(parts, points, vertex_triangle, core(points, vertex_triangle));
  }
};

/// Unit vector from the second primitive to the first along the shortest segment, 0 where they meet. The
/// difference of two close points has few significant digits; a face, two crossing edges and an edge give the
/// same direction more accurately.
HD inline vec3 separating_normal(const PairPoints& pair, bool vertex_triangle) {
  const vec3 offset = pair.closest.offset, *x = pair.x;
  const int support = pair.closest.support;
  vec3 n = offset;
  if (support == 15) {
    n = vertex_triangle ? glm::cross(x[2] - x[1], x[3] - x[1]) : glm::cross(x[1] - x[0], x[3] - x[2]);
    if (glm::dot(n, offset) < 0) n = -n;
  } else if (support_size(support) == 3) {
    // The edge is the side with two of the points.
    const int first = vertex_triangle || !(support & 1) || !(support & 2) ? (vertex_triangle ? 1 : 2) : 0;
    int a = -1, b = -1;
    for (int k = first; k < (first == 0 ? 2 : 4); ++k)
      if (support >> k & 1) (a < 0 ? a : b) = k;
    const vec3 e = x[b] - x[a];
    const float ee = glm::dot(e, e);
    if (ee > 0) n -= glm::dot(n, e) / ee * e;
  }
  const float squared = glm::dot(n, n);
  if (squared > 0 && glm::dot(n, offset) > 0) return n * (1 / sqrtf(squared));
  return pair.closest.squared > 0 ? offset * (1 / sqrtf(pair.closest.squared)) : vec3(0);
}

/// Corners of a pair along a direction: how far the lowest of the first primitive is above the highest of the
/// second (m). Positive: that is a proof that they are apart.
HD inline float separation(const PairPoints& pair, bool vertex_triangle, const vec3& n) {
  const int first = vertex_triangle ? 1 : 2;
  float low = 1e30f, high = -1e30f;
  for (int k = 0; k < 4; ++k) {
    const float height = glm::dot(n, pair.x[k] - pair.x[first]);
    if (k < first) low = glm::min(low, height);
    else high = glm::max(high, height);
  }
  return low - high;
}

/// The more reliable of two directions: the shortest segment, and the normal of the face or of both edges.
/// For a tiny gap rounding decides whether an edge or the face beside it counts as nearest, and turns the
/// shortest segment by any angle; the other direction is not affected.
HD inline vec3 best_normal(const PairPoints& pair, bool vertex_triangle) {
  const vec3 *x = pair.x, near = separating_normal(pair, vertex_triangle);
  if (pair.closest.support == 15) return near;
  vec3 n = vertex_triangle ? glm::cross(x[2] - x[1], x[3] - x[1]) : glm::cross(x[1] - x[0], x[3] - x[2]);
  const float squared = glm::dot(n, n);
  if (!(squared > 0)) return near;
  n *= 1 / sqrtf(squared);
  if (glm::dot(n, x[0] - x[vertex_triangle ? 1 : 2]) < 0) n = -n;
  return separation(pair, vertex_triangle, n) > separation(pair, vertex_triangle, near) ? n : near;
}

/// True if an edge or corner of a surface is nearest to a point because it protrudes, and not because the
/// pair lacks the adjacent triangle: then the point is closer to that triangle's face, with which it has a
/// separate pair. Contacts with edges of flat surfaces would push sliding points along slanted directions.
struct StandsOut {
  SurfaceNeighbors next;
  Span<const vec3> x;
  /// `towards`: from the feature's point `from` to the other primitive.
  HD bool beyond(const vec3& towards, const vec3& from, int q) const {
    if (q < 0) return false;
    const vec3 d = x[q] - from;
    const float along = glm::dot(towards, d);
    return along > 0 && along * along > 0.0025f * glm::dot(towards, towards) * glm::dot(d, d);
  }
  HD bool corner(const vec3& towards, int p) const {
    for (int k = next.ring_start[p]; k < next.ring_start[p + 1]; ++k)
      if (beyond(towards, x[p], next.ring[k])) return false;
    return true;
  }
  HD bool operator()(const PairPoints& pair, const ivec2& primitives, bool vertex_triangle) const {
    const int support = pair.closest.support, size = support_size(support);
    const vec3 offset = pair.closest.offset;
    if (size == 4)
      return vertex_triangle ||
             (edge_stands_out(pair, primitives, 0) && edge_stands_out(pair, primitives, 2));
    if (size == 2) {
      int first = -1, second = -1;
      for (int k = 0; k < 4; ++k)
        if (support >> k & 1) (first < 0 ? first : second) = k;
      return corner(-offset, pair.points[first]) && corner(offset, pair.points[second]);
    }
    if (vertex_triangle) {
      const vec3 from = pair.x[0] - offset;
      // without corner 0, 1, 2: edges 1 2, 2 0, 0 1
      const int edge = !(support & 2) ? 1 : !(support & 4) ? 2 : 0;
      return !beyond(offset, from, next.across[primitives.y][edge]) && corner(-offset, pair.points[0]);
    }
    const bool second = (support & 12) == 12;  // side of the edge, the other one has the vertex
    const int vertex = second ? (support & 1 ? 0 : 1) : (support & 4 ? 2 : 3);
    return edge_stands_out(pair, primitives, second ? 2 : 0) &&
           corner(second ? -offset : offset, pair.points[vertex]);
  }
  /// True if, of two closest edges, the one that starts at corner `first` of the pair protrudes.
  HD bool edge_stands_out(const PairPoints& pair, const ivec2& primitives, int first) const {
    const vec3 from = fabsf(pair.closest.weight[first]) * pair.x[first] +
                      fabsf(pair.closest.weight[first + 1]) * pair.x[first + 1];
    const ivec2 opposite = next.edge_opposite[first ? primitives.y : primitives.x];
    const vec3 towards = first ? pair.closest.offset : -pair.closest.offset;
    return !beyond(towards, from, opposite.x) && !beyond(towards, from, opposite.y);
  }
};

// share of a line's nearest point from which on its free end can open a pair: it swings out by five times the
// opening
constexpr float kSwings = 0.2f;

/// Whether a pair of cloth and cloth is held shut: both sides have prescribed corners (inverse mass 0).
/// Nothing can open it: what is free of an edge or a triangle would have to swing out by many times the
/// opening, and stretch without end. Lines swing about their pinned ends, but for what is near these.
HD inline bool held_shut(const ivec4& points, const ivec2& primitives, bool vertex_triangle,
                         Span<const float> inverse_mass, int cloth_points, const StandsOut& surface) {
  const int second = vertex_triangle ? 1 : 2;  // first corner of the second side
  bool held[2] = {false, false};
  for (int k = 0; k < 4; ++k) {
    if (points[k] >= cloth_points) return false;
    if (!(inverse_mass[points[k]] > 0)) held[k >= second] = true;
  }
  if (!held[0] || !held[1]) return false;
  const Span<const ivec2> faces = surface.next.edge_opposite;
  if (vertex_triangle || faces[primitives.x].x >= 0 || faces[primitives.y].x >= 0) return true;
  const PairPoints pair(points, false, surface.x);
  float free = 0;
  for (int k = 0; k < 4; ++k)
    if (inverse_mass[points[k]] > 0) free = glm::max(free, fabsf(pair.closest.weight[k]));
  return free < kSwings;
}

}  // namespace weft::contact
