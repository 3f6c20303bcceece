// Half planes that stand for bodies around the vertices of a grid (Wang 2021, section 5.1, eq. 10).
//
//   n . x >= n . x^,   x^ the nearest point of the body's surface, n the outward gradient of its distance field
//
// The paper takes n along x - x^, which has no direction on the surface and points inwards from inside.
#pragma once
#include "sim/collision/bodies/bodies.h"
#include "sim/device/launch.h"
#include "sim/grid/contact.h"
#include "sim/grid/grid.h"
#include "sim/grid/packed.h"

namespace weft::grid_repulsion {

/// Distance to the nearest body at the end of its step, m, and the outward direction there; `reach` and no
/// direction if none is nearer.
HD inline float nearest_body(const BodiesView& bodies, const vec3& at, float reach, vec3& outwards) {
  outwards = vec3(0);
  for (int b = 0; b < bodies.count; ++b) {
    const BodyPose& pose = bodies.pose[b];
    const bool moves = pose.deforming < 0;
    vec3 direction;
    const float d = bodies.shape[b].distance(moves ? pose.local_at_end(at) : at, direction);
    if (!(d < reach)) continue;
    reach = d;
    outwards = moves ? pose.direction_at_end(direction) : direction;
  }
  return reach;
}

struct FindPlanes {
  grid::GridView grid;
  grid::FixedPositions x;
  BodiesView bodies;
  float gap = 0;    // m: distance kept from the surface
  float reach = 0;  // m: vertices further away than this meet no body
  Span<uint32_t> normal;
  Span<float> offset;

  HD void operator()(int v) const {
    normal[v] = 0, offset[v] = 0;
    if (!grid.inside(v)) return;
    vec3 n;
    const float nearest = nearest_body(bodies, x.world(v), reach, n);
    const uint32_t packed = grid::pack_unit(n);
    if (packed == 0) return;
    // The plane goes through x - d n with n as it was packed, relative to the origin of the block.
    const vec3 rounded = grid::unpack_unit(packed);
    normal[v] = packed;
    offset[v] = glm::dot(rounded, x.local[v]) - nearest * glm::dot(rounded, n) + gap;
  }
};

/// Points of no grid behind the half planes of the places that they come from.
struct KeepOutside {
  BodiesView bodies;
  float gap = 0, reach = 0;  // as FindPlanes
  Span<const vec3> from;     // m
  Span<vec3> at;

  HD void operator()(int i) const {
    vec3 n;
    const float nearest = nearest_body(bodies, from[i], reach, n);
    const float lacks = gap - nearest - glm::dot(n, at[i] - from[i]);
    if (lacks > 0) at[i] += lacks * n;
  }
};

/// The same for vertices of a grid at their own places: what is left after their half planes, which are of
/// earlier places.
struct LeaveBodies {
  grid::GridView grid;
  BodiesView bodies;
  float gap = 0;
  Span<const unsigned char> pinned;  // per slot, nonzero: does not move; empty: none
  grid::PositionsView x;
  static constexpr int kPasses = 3;

  HD void operator()(int v) const {
    if (!grid.inside(v) || grid.ghost(v) || (!pinned.empty() && pinned[v])) return;
    for (int pass = 0; pass < kPasses; ++pass) {  // out of one body may be into the next
      vec3 n;
      const float nearest = nearest_body(bodies, x.world(v), gap, n);
      if (!(nearest < gap)) return;
      x.local[v] += (gap - nearest) * n;
    }
  }
};

/// Half planes of all vertices of a grid.
class HalfPlanes {
 public:
  HalfPlanes(Device& device, const grid::Grid& grid)
      : grid_(&grid),
        normal_(device, "half planes", grid.slot_count()),
        offset_(device, "half planes", grid.slot_count()) {}
  /// Bodies at the end of their step. `gap`: distance that vertices keep from surfaces, m; `reach`: beyond it
  /// there is no plane.
  void find(Device& device, const grid::FixedPositions& x, const BodiesView& bodies, float gap, float reach);
  grid::PlaneView view() const { return {normal_, offset_}; }

 private:
  const grid::Grid* grid_;
  Buffer<uint32_t> normal_;
  Buffer<float> offset_;
};

}  // namespace weft::grid_repulsion
