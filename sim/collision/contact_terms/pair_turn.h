// How a pair turns in a time step, so that what friction remembers turns with the surface it sticks to.
//
//   R u = u + a x u + a x (a x u) / (1 + c),   a = e0 x e1, c = e0 . e1
//
// e0, e1: unit directions of an edge of the surface at the start and the end of the step; R: the least
// rotation that takes e0 to e1. What R misses of the surface's rotation is a turn about that edge, which lies
// in the plane of contact: it only tilts what friction remembers out of that plane.
#pragma once
#include "sim/collision/surface/contact_surface.h"

namespace weft::contact {

/// `u` (any unit), turned as direction `from` is to become direction `to` (any lengths). The same bits where
/// they are equal.
HD inline vec3 turned(const vec3& u, const vec3& from, const vec3& to) {
  const float lengths = sqrtf(glm::dot(from, from) * glm::dot(to, to));
  if (from == to || !(lengths > 0)) return u;
  const vec3 a = glm::cross(from, to) * (1 / lengths), once = glm::cross(a, u);
  return u + once + glm::cross(a, once) * (1 / glm::max(1 + glm::dot(from, to) / lengths, 1e-3f));
}

/// Where points are when the step begins and when it ends, as far as that is known when contacts are made:
/// bodies at their targets, cloth at the solver's displacement of then, which is at first its prediction.
struct PairTurn {
  SurfaceNeighbors next;
  Span<const vec3> x, safe, displacement;  // m: of all points where contacts are made, of the cloth's
  Span<const vec3> body_start, body_target;
  int cloth_points = 0;
  int unused = 0;  // explicit padding, since replays are compared byte by byte

  /// `stretch` of the friction spring of a pair (any unit) as it was when the step began, turned with the
  /// pair: with its body, or with the second of two cloths. `normal`: the pair's.
  HD vec3 operator()(const vec3& stretch, const ivec4& points, bool vertex_triangle,
                     const vec3& normal) const {
    const int second = vertex_triangle ? 1 : 2;
    int a = points[second], b = points[second + 1];
    if (a < cloth_points && points[0] >= cloth_points) {  // the first is the body's
      a = points[0];
      b = vertex_triangle ? neighbor(a, normal) : points[1];
    }
    return b < 0 ? stretch : turned(stretch, edge(a, b, false), edge(a, b, true));
  }

 private:
  HD vec3 edge(int a, int b, bool at_end) const {
    if (a >= cloth_points) {
      const Span<const vec3>& at = at_end ? body_target : body_start;
      return at[b - cloth_points] - at[a - cloth_points];
    }
    const vec3 start = x[b] - x[a] - (safe[b] - safe[a]);
    return at_end ? start + (displacement[b] - displacement[a]) : start;
  }
  /// Of the neighbours of a body's point, the one in the direction most across `normal`; -1: none.
  HD int neighbor(int a, const vec3& normal) const {
    int best = -1;
    float least = 2;
    for (int k = next.ring_start[a]; k < next.ring_start[a + 1]; ++k) {
      const vec3 e = edge(a, next.ring[k], false);
      const float along = glm::dot(e, normal), share = along * along / glm::dot(e, e);
      if (share < least) least = share, best = next.ring[k];
    }
    return best;
  }
};

}  // namespace weft::contact
