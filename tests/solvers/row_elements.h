// What the fused rows of a mesh (sim/linear/level_rows.h) are made of, as element sets.
#pragma once
#include "sim/energies/thread_lock.h"
#include "sim/linear/level_rows.h"
#include "sim/mesh/bending/hinge_weights.h"
#include "sim/solvers/element_set.h"
#include "tests/solvers/quadratic_hinge.h"

namespace weft::testing {

/// Young's modulus times thickness in N/m, the same along all edges.
inline ElementList<Spring> springs_of(const Topology& t, float young) {
  ElementList<Spring> list;
  const std::vector<float> unit = unit_spring_stiffness({t.rest, t.triangles, t.edges});
  for (size_t e = 0; e < t.edges.size(); ++e) {
    const ivec2 v = t.edges[e];
    list.points.push_back({v.x, v.y});
    list.rest.push_back({glm::distance(t.rest[size_t(v.x)], t.rest[size_t(v.y)])});
    list.material.push_back({unit[e] * young});
  }
  return list;
}
/// `begin`: stretch at which threads begin to lock.
inline ElementList<ThreadLock> locks_of(const Topology& t, float young, float begin) {
  ElementList<ThreadLock> list;
  const ElementList<Spring> springs = springs_of(t, young);
  list.points = springs.points;
  for (size_t e = 0; e < t.edges.size(); ++e) {
    list.rest.push_back({springs.rest[e].length});
    list.material.push_back({springs.material[e].stiffness, begin});
  }
  return list;
}
inline ElementList<QuadraticHinge> quadratic_hinges_of(const Topology& t, float rigidity) {
  ElementList<QuadraticHinge> list;
  const HingeWeights weights = fit_hinge_weights(t);
  for (size_t h = 0; h < t.hinges.size(); ++h) {
    const Hinge& v = t.hinges[h];
    const vec4& c = weights.stencil[h];
    list.points.push_back({v.x, v.y, v.z, v.w});
    list.rest.push_back({c.x, c.y, c.z, c.w, weights.quadratic[h]});
    list.material.push_back({rigidity});
  }
  return list;
}

}  // namespace weft::testing
