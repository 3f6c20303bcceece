// The direction along which smooth surfaces press on each other.
#pragma once
#include "sim/collision/surface/contact_surface.h"
#include "sim/collision/surface/pair_geometry.h"

namespace weft::contact {

// cosine of the half-angle of normals up to which a surface is smooth at a point
constexpr float kSmooth = 0.95f;
// cosine down to which a pair's shortest segment counts as the surfaces' normal
constexpr float kSameSide = 0.9f;

/// Unit normal of the surface at each point, weighted by area; 0 where it is not smooth (edges of boxes,
/// tips, folds), and at the border of a sheet, where others may also be beside it.
struct SmoothNormals {
  Span<const ivec3> triangles;
  Span<const int> start, entry;  // corners of each point inside a surface: 3 triangle + place
  Span<const vec3> x;
  Span<vec3> normal;
  HD void operator()(int p) const {
    vec3 sum(0);
    float areas = 0;
    for (int k = start[p]; k < start[p + 1]; ++k) {
      const ivec3 t = triangles[entry[k] / 3];
      const vec3 area = glm::cross(x[t.y] - x[t.x], x[t.z] - x[t.x]);
      sum += area;
      areas += sqrtf(glm::dot(area, area));
    }
    const float length = sqrtf(glm::dot(sum, sum));
    normal[p] = length > 0 && length >= kSmooth * areas ? sum * (1 / length) : vec3(0);
  }
};

/// The direction of a pair, from the second primitive to the first, along which contact acts for a whole time
/// step. The shortest segment between two primitives is tilted by as much as the cloth is uneven there; over
/// the distance that cloth slides in a step, a tilt of a hundredth would lift it or block it. On smooth
/// surfaces the direction is therefore their normal: the body's, or the mean of both cloths'. At edges, tips
/// and borders it is the shortest segment. A pair whose shortest segment is far from the normal of a smooth
/// side makes no contact: the nearest place of that side is another one, with a pair of its own (an edge
/// beside, not above, an edge inside a flat face).
///
///      n . N >= 0.9         n . N < 0.9: no contact
///       a _____                   ____ a
///          |                    /
///      ____|____ b         ____/_______ b
struct PairDirections {
  Span<const vec3> normal;  // per point, see SmoothNormals
  SurfaceNeighbors next;
  Span<const ivec3> triangles;
  Span<const vec3> x;
  int cloth_points = 0;
  bool segments = false;  // always the shortest segment

  /// Normal at the corners first to last - 1, weighted by their share in the closest point; towards `n`. 0 if
  /// one of them has none.
  HD vec3 of_corners(const PairPoints& pair, int first, int last, const vec3& n) const {
    vec3 sum(0);
    for (int k = first; k < last; ++k) {
      const float w = fabsf(pair.closest.weight[k]);
      if (w == 0) continue;
      const vec3 own = normal[pair.points[k]];
      if (own == vec3(0)) return vec3(0);
      // The two ends of an edge may be wound differently where sheets meet.
      sum += (glm::dot(own, n) < 0 ? -w : w) * own;
    }
    return unit(sum);
  }

  /// Normal of the faces a b c and a b d at the edge a b, towards `n`; 0 if there is one face only (c or d <
  /// 0) or they meet at an angle.
  HD vec3 of_edge(int a, int b, int c, int d, const vec3& n) const {
    if (c < 0 || d < 0) return vec3(0);
    const vec3 e = x[b] - x[a];
    vec3 first = unit(glm::cross(e, x[c] - x[a])), second = unit(glm::cross(e, x[d] - x[a]));
    // Faces on opposite sides of their edge have opposite normals here.
    if (!(glm::dot(first, second) < 0)) return vec3(0);
    second = -second;
    const vec3 sum = first + second;
    if (!(glm::dot(sum, sum) >= 4 * kSmooth * kSmooth)) return vec3(0);
    return unit(glm::dot(sum, n) < 0 ? -sum : sum);
  }

  /// Normal of the primitive that starts at corner `first` of the pair (a vertex, an edge or a triangle):
  /// inside an edge or a face the corners need not be smooth.
  HD vec3 of_side(const PairPoints& pair, const ivec2& primitives, bool vertex_triangle, int first,
                  const vec3& n) const {
    const int last = first == 0 ? (vertex_triangle ? 1 : 2) : 4;
    const vec3 smooth = of_corners(pair, first, last, n);
    if (!(smooth == vec3(0)) || last - first == 1) return smooth;
    int inside = 0;
    for (int k = first; k < last; ++k) inside += pair.closest.weight[k] != 0;
    if (inside == 1) return vec3(0);
    const int primitive = first == 0 ? primitives.x : primitives.y;
    if (last - first == 2) {
      const ivec2 opposite = next.edge_opposite[primitive];
      return of_edge(pair.points[first], pair.points[first + 1], opposite.x, opposite.y, n);
    }
    const ivec3 t = triangles[primitive];
    if (inside == 3) {
      const vec3 face = unit(glm::cross(x[t.y] - x[t.x], x[t.z] - x[t.x]));
      return glm::dot(face, n) < 0 ? -face : face;
    }
    for (int k = 0; k < 3; ++k)  // the edge opposite to the corner without weight
      if (pair.closest.weight[first + (k + 2) % 3] == 0)
        return of_edge(t[k], t[(k + 1) % 3], t[(k + 2) % 3], next.across[primitive][k], n);
    return vec3(0);
  }

  HD static vec3 unit(const vec3& v) {
    const float squared = glm::dot(v, v);
    return squared > 0 ? v * (1 / sqrtf(squared)) : vec3(0);
  }

  /// `n`: unit vector of the shortest segment. 0: no contact.
  HD vec3 operator()(const PairPoints& pair, const ivec2& primitives, bool vertex_triangle,
                     const vec3& n) const {
    if (segments) return n;
    vec3 first = of_side(pair, primitives, vertex_triangle, 0, n);
    const vec3 second = of_side(pair, primitives, vertex_triangle, vertex_triangle ? 1 : 2, n);
    // By area the corner of a flat box may have the normal of its large faces: what protrudes is not smooth.
    if (!(first == vec3(0)) && glm::dot(first, n) < kSameSide && vertex_triangle &&
        StandsOut{next, x}.corner(-pair.closest.offset, pair.points[0]))
      first = vec3(0);
    if (!(first == vec3(0)) && glm::dot(first, n) < kSameSide) return vec3(0);
    if (!(second == vec3(0)) && glm::dot(second, n) < kSameSide) return vec3(0);
    if (pair.points[0] >= cloth_points) return first == vec3(0) ? n : first;
    if (pair.points[3] >= cloth_points) return second == vec3(0) ? n : second;
    const vec3 both = unit(first + second);
    return both == vec3(0) ? n : both;
  }
};

/// Averages the normals of a point and its neighbours along edges. A sheet whose vertices alternate slightly
/// up and down has no slope.
struct MeanNormals {
  Span<const int> start, ring;
  Span<const vec3> normal;
  Span<vec3> mean;
  HD void operator()(int p) const {
    const vec3 own = normal[p];
    vec3 sum = own;
    if (!(own == vec3(0)))
      for (int k = start[p]; k < start[p + 1]; ++k) {
        const vec3 other = normal[ring[k]];
        sum += glm::dot(other, own) < 0 ? -other : other;
      }
    mean[p] = PairDirections::unit(sum);
  }
};

}  // namespace weft::contact
