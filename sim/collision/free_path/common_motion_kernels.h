// The motion that cloth shares with its surroundings, bodies that change their shape among them, applied at
// once for any distance.
#pragma once
#include "sim/collision/bodies/bodies.h"
#include "sim/collision/free_path/step_kernels.h"
#include "sim/collision/smooth_field/smooth_field_kernels.h"

namespace weft::two_way {

using smooth_field::kNodes;
using smooth_field::node_at;
using smooth_field::node_index;
using smooth_field::Place;

// spacings from a point to the furthest node that acts on it: 1.5 sqrt(3)
constexpr float kSplineReach = 2.6f;
constexpr float kKeptOfBodies = 0.5f;  // fraction of its distance from a body that a point may use up
// fraction of the largest value: 27 terms, each rounded several times to 6e-8, on both sides of a pair
constexpr float kSplineRounding = 1e-5f;
constexpr float kLostOfReach = 0.8f;  // fraction of the search radius that pairs further apart may lose
constexpr float kRoundedAway = 0.1f;  // largest fraction of the search radius lost by rounding of the rest

/// Bits of a non-negative float, for atomic_max; NaN counts as infinite.
HD inline int order_bits(float f) {
  union {
    float f;
    int i;
  } bits{f >= 0 ? f : 1e30f};
  return bits.i;
}
HD inline float from_order_bits(int i) {
  union {
    int i;
    float f;
  } bits{i};
  return bits.f;
}

/// Maxima over the grid, as order_bits: first differences along x, y, z; second xx, yy, zz, xy, yz, zx; the
/// longest edges of cloth and of bodies that take part, the furthest that another body has to go, the largest
/// value, the most that rounding takes off a distance.
enum FieldMaximum : int {
  kFirst = 0,
  kSecond = 3,
  kMixed = 6,
  kLongestEdge = 9,
  kLongestBodyEdge = 10,
  kBodyPath = 11,
  kLargest = 12,
  kRounding = 13,
  kFieldMaxima = 14
};

struct LongestEdge {
  Span<const ivec2> edges;
  Span<const vec3> x;
  int slot = kLongestEdge;  // or kLongestBodyEdge
  Span<int> maxima;
  HD void operator()(int chunk) const {
    float longest = 0;
    const int end = (chunk + 1) * 256 < edges.size ? (chunk + 1) * 256 : edges.size;
    for (int e = chunk * 256; e < end; ++e) {
      const vec3 d = x[edges[e].y] - x[edges[e].x];
      longest = glm::max(longest, glm::dot(d, d));
    }
    atomic_max(&maxima[slot], order_bits(sqrtf(longest)));
  }
};

/// Of bodies that do not take part.
struct BodyPaths {
  Span<const vec3> x, y;
  int cloth_points = 0;
  Span<const int> takes_part;  // per point of a body
  Span<int> maxima;
  HD void operator()(int i) const {
    if (takes_part[i]) return;
    const vec3 d = y[cloth_points + i] - x[cloth_points + i];
    const int bits = order_bits(sqrtf(glm::dot(d, d)));
    if (bits > atomic_read(&maxima[kBodyPath])) atomic_max(&maxima[kBodyPath], bits);
  }
};

/// Scales down nodes near bodies, so that no point of the cloth uses up more than a fraction of its distance
/// from them: nodes that act on a point are within kSplineReach spacings of it, and a point of a triangle is
/// within an edge of its corners. Bodies that take part count for nothing here. Fields are those of the
/// bodies at the end of the step, and bodies are never further from there than their remaining motion.
struct StopNearBodies {
  BodiesView bodies;
  Span<const Place> place;
  Span<const int> maxima;
  bool flexible_take_part = false;
  Span<vec4> node;
  HD void operator()(int n) const {
    const vec4 value = node[n];
    const float length = sqrtf(value.x * value.x + value.y * value.y + value.z * value.z);
    if (!(length > 0)) return;
    const ivec3 at = node_at(n);
    const vec3 p = place[0].origin + place[0].spacing * vec3(float(at.x), float(at.y), float(at.z));
    float distance = 1e9f;
    for (int b = 0; b < bodies.count; ++b) {
      if (const int d = bodies.pose[b].deforming; d >= 0) {  // bodies that deform need no field for this
        for (const SurfaceBox& box : bodies.deforming[d].boxes)
          if (!flexible_take_part) distance = glm::min(distance, box.distance(p));
        continue;
      }
      vec3 normal;
      distance = glm::min(distance, bodies.shape[b].distance(bodies.pose[b].local_at_end(p), normal));
    }
    const float near = kSplineReach * place[0].spacing + from_order_bits(maxima[kLongestEdge]) +
                       from_order_bits(maxima[kBodyPath]);
    const float free = kKeptOfBodies * glm::max(distance - near, 0.0f);
    if (length > free) node[n] = (free / length) * value;
  }
};

HD inline vec3 vector_of(const vec4& v) { return {v.x, v.y, v.z}; }

/// The 27 nodes that act on a point, and their weights along each axis: a quadratic B-spline.
struct SplineSpot {
  ivec3 middle;
  float weight[3][3];
  HD SplineSpot(const Place& place, const vec3& p) {
    const vec3 q = (p - place.origin) * (1 / place.spacing);
    for (int a = 0; a < 3; ++a) {
      const float f = floorf(q[a] + 0.5f);
      middle[a] = f > 1 ? f < kNodes - 2 ? int(f) : kNodes - 2 : 1;
      const float t = q[a] - float(middle[a]);
      weight[a][0] = 0.5f * (0.5f - t) * (0.5f - t);
      weight[a][1] = 0.75f - t * t;
      weight[a][2] = 0.5f * (0.5f + t) * (0.5f + t);
    }
  }
  HD int node(int c) const { return node_index(middle + ivec3(c % 3, c / 3 % 3, c / 9) - ivec3(1)); }
  HD float of_node(int c) const { return weight[0][c % 3] * weight[1][c / 3 % 3] * weight[2][c / 9]; }
};

// m: motion of pinned vertices is summed in whole units, so that the order does not matter
constexpr float kPinnedUnit = 1e-7f;

/// Pinned and scripted vertices have prescribed motion: nodes that act on them take it over.
struct SumPinned {
  Span<const Place> place;
  Span<const float> inverse_mass;
  Span<const vec3> x, displacement;
  Span<int64_t> sums;  // x, y, z, number: per node
  HD void operator()(int i) const {
    if (inverse_mass[i] > 0) return;
    const SplineSpot spot(place[0], x[i]);
    for (int c = 0; c < 27; ++c) {
      const int n = spot.node(c);
      for (int a = 0; a < 3; ++a)
        atomic_add(&sums[4 * n + a], whole_units(displacement[i][a], 0.5f, 1 / kPinnedUnit));
      atomic_add(&sums[4 * n + 3], int64_t(1));
    }
  }
};

struct TakePinned {
  Span<const int64_t> sums;
  Span<vec4> node;
  HD void operator()(int n) const {
    const int64_t count = sums[4 * n + 3];
    if (count > 0)
      node[n] = vec4(vec3(float(sums[4 * n]), float(sums[4 * n + 1]), float(sums[4 * n + 2])) *
                         (kPinnedUnit / float(count)),
                     1);
  }
};

/// Largest first and second differences of neighbouring nodes: they bound the derivatives of the spline.
struct FieldDifferences {
  Span<const vec4> node;
  Span<int> maxima;
  HD void operator()(int n) const {
    const ivec3 at = node_at(n);
    const vec3 here = vector_of(node[n]);
    put(kLargest, here);
    for (int a = 0; a < 3; ++a) {
      if (at[a] + 1 >= kNodes) continue;
      ivec3 step(0);
      step[a] = 1;
      const vec3 next = vector_of(node[node_index(at + step)]);
      put(kFirst + a, next - here);
      if (at[a] > 0) put(kSecond + a, next + vector_of(node[node_index(at - step)]) - 2.0f * here);
      const int b = (a + 1) % 3;
      if (at[b] + 1 >= kNodes) continue;
      ivec3 other(0);
      other[b] = 1;
      put(kMixed + a, vector_of(node[node_index(at + step + other)]) - next -
                          vector_of(node[node_index(at + other)]) + here);
    }
  }
  HD void put(int slot, const vec3& d) const {
    const float squared = glm::dot(d, d);
    if (!(squared > 0) && squared == squared) return;
    const int bits = order_bits(sqrtf(squared));
    if (bits > atomic_read(&maxima[slot])) atomic_max(&maxima[slot], bits);
  }
};

/// The most that rounding takes off the distance of a point: far from the origin that is too much, and
/// nothing moves this way.
struct Roundings {
  Span<const vec3> x;
  Span<int> maxima;
  HD void operator()(int chunk) const {
    float most = 0;
    const int end = (chunk + 1) * 256 < x.size ? (chunk + 1) * 256 : x.size;
    for (int i = chunk * 256; i < end; ++i) most = glm::max(most, rounding(x[i]));
    atomic_max(&maxima[kRounding], order_bits(most));
  }
};

/// Usable share of the field, with which pairs further apart than the search radius stay apart. A field s
/// with
/// |s(p) - s(q)| <= K |p - q| and second derivatives below M moves the points of triangles, which follow
/// their corners, by s and at most M l^2 / 6 more (l: longest edge). So a distance d becomes at least
/// d - (K d + M (l_1^2 + l_2^2) / 6), whose share of d is the largest for the least d.
struct ChooseShare {
  Span<const Place> place;
  Span<const int> maxima;
  float radius = 0;   // m
  Span<float> share;  // one element
  HD void operator()(int) const {
    const float h = place[0].spacing;
    float first = 0, second = 0;
    for (int a = 0; a < 3; ++a) {
      const float f = from_order_bits(maxima[kFirst + a]) / h,
                  s = from_order_bits(maxima[kSecond + a]) / (h * h),
                  m = from_order_bits(maxima[kMixed + a]) / (h * h);
      first += f * f;
      second += s * s + 2 * m * m;
    }
    const float edge = from_order_bits(maxima[kLongestEdge]),
                other = glm::max(edge, from_order_bits(maxima[kLongestBodyEdge]));
    const float loss = sqrtf(first) * radius + sqrtf(second) * (edge * edge + other * other) / 6 +
                       kSplineRounding * from_order_bits(maxima[kLargest]);
    const float most = kLostOfReach * radius;
    share[0] = from_order_bits(maxima[kRounding]) < kRoundedAway * radius ? (loss > most ? most / loss : 1.0f)
                                                                          : 0.0f;
  }
};

constexpr float kFarthestBack = 1e6f;  // ratio of the path back to the original path

/// Where the field, a quadratic spline over the nodes, takes points that take part.
struct FieldEnds {
  Span<const Place> place;
  Span<const vec4> node;
  Span<const vec3> x;
  int cloth_points = 0;
  Span<const int> takes_part;  // per point of a body
  Span<vec3> end;
  HD void operator()(int i) const {
    end[i] = x[i];
    if (i >= cloth_points && !takes_part[i - cloth_points]) return;
    const SplineSpot spot(place[0], x[i]);
    vec3 sum(0);
    for (int c = 0; c < 27; ++c) sum += spot.of_node(c) * vector_of(node[spot.node(c)]);
    end[i] = x[i] + sum;
  }
};

/// Takes the common motion, if there is one.
struct TakeCommonMotion {
  Span<const path::Piece> piece;
  Span<const vec3> end, y;
  Span<vec3> x;
  Span<float> remaining;
  HD void operator()(int i) const {
    if (!piece[0].accepted) return;
    // A point moved beyond its target, or sideways, has to return: it has not arrived.
    const vec3 displacement = y[i] - x[i], left = y[i] - end[i];
    const float squared = glm::dot(displacement, displacement), back = glm::dot(left, left);
    x[i] = end[i];
    if (back > 0) remaining[i] *= glm::min(sqrtf(back / glm::max(squared, 1e-30f)), kFarthestBack);
    else remaining[i] = 0;
  }
};

/// True if a common motion is worthwhile: some point has further to move than a few forward steps take it.
struct FarFromTarget {
  Span<const int> point;  // those that take part
  Span<const vec3> x, y;
  float worth = 0;  // m
  Span<int> far;
  HD void operator()(int k) const {
    const vec3 d = y[point[k]] - x[point[k]];
    if (glm::dot(d, d) > worth * worth && atomic_read(&far[0]) == 0) atomic_or(&far[0], 1);
  }
};

/// Positions and displacements y - x of the points that take part.
struct PointMotion {
  Span<const int> point;
  Span<const vec3> x, y;
  Span<vec3> position, displacement;
  HD void operator()(int k) const {
    position[k] = x[point[k]];
    displacement[k] = y[point[k]] - x[point[k]];
  }
};

}  // namespace weft::two_way
