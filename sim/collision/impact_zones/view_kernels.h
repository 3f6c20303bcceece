// What impact zones show of themselves: how deep each vertex is in contact at the end of the step.
#pragma once
#include "sim/collision/impact_zones/impact.h"
#include "sim/collision/proximity/pair_list.h"
#include "sim/collision/surface/pair_geometry.h"
#include "sim/device/atomics.h"

namespace weft::impact_zones {

/// Depth of each vertex of the cloth, m: by how much the nearest thing is closer than the onset of contact.
struct Depths {
  int cloth_points = 0;
  float onset = 0;  // m, without radii of parts
  PartRadii parts;  // beyond the onset
  Span<float> depth;
  /// Notes a distance (m) of point p, less what its pair meets beyond the onset.
  HD void note(int p, float distance) const {
    const float value = onset - distance;
    if (p < 0 || p >= cloth_points || !(value > 0)) return;
    union {
      float value;
      int bits;
    } u{value};
    // floats that are not negative are ordered as their bits are
    static_assert(sizeof(int) == sizeof(float));
    atomic_max(reinterpret_cast<int*>(&depth[p]), u.bits);
  }
};

/// Of pairs that were close when the step began.
struct PairDepths {
  PairList pairs;
  bool vertex_triangle = true;
  Span<const vec3> x;
  Depths depths;
  HD void operator()(int i) const {
    const ivec4 p = pairs.points[i];
    const ClosestPair<float> c = vertex_triangle ? closest_vertex_triangle(x[p.x], x[p.y], x[p.z], x[p.w])
                                                 : closest_edge_edge(x[p.x], x[p.y], x[p.z], x[p.w]);
    const float more = contact::beyond_onset(depths.parts, p, vertex_triangle, 0);
    for (int k = 0; k < 4; ++k)
      if (c.weight[k] != 0) depths.note(p[k], sqrtf(c.squared) - more);
  }
};

/// Of impacts, along their normals; those of planes among them. Sides that have slid past each other since
/// may seem to cross.
struct ImpactDepths {
  Span<const Impact> impact;
  Span<const vec3> d;  // m, of the step
  Depths depths;
  HD void operator()(int i) const {
    const Impact& j = impact[i];
    const float distance = fmaxf(j.start + approach(j, d), 0.0f) - depths.parts.beyond(j.points, j.weight);
    for (int k = 0; k < 4; ++k)
      if (j.points[k] >= 0 && j.weight[k] != 0) depths.note(j.points[k], distance);
  }
};

/// Of vertices above the ground and planes.
struct PlaneDepths {
  Span<const ContactPlane> planes;
  Span<const vec3> x;
  Depths depths;  // whose parts know where the step began
  HD void operator()(int v) const {
    for (int k = 0; k < planes.size; ++k) {
      const float height = glm::dot(planes[k].normal, x[v]) - planes[k].offset;
      if (!depths.parts.any()) depths.note(v, height);
      else {
        const float start = glm::dot(planes[k].normal, depths.parts.start(v)) - planes[k].offset;
        depths.note(v, height - depths.parts.above_plane(v, start));
      }
    }
  }
};

}  // namespace weft::impact_zones
