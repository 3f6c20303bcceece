// The constant matrix of solids in projective dynamics: sum over cells of w V (grad phi_a . grad phi_b), the
// same for x, y and z, phi_a the linear shape function of point a, w the weight of the projections.
#pragma once
#include "sim/solvers/scene_elements.h"

namespace weft {

/// Whether a vertex is one of a rigid body, which moves by motions of its own.
inline bool in_rigid_body(const Topology& t, int vertex) {
  const size_t part = t.vertex_part.empty() ? 0 : size_t(t.vertex_part[size_t(vertex)]);
  return part < t.parts.size() && t.parts[part].rigid_volume > 0;
}

/// Calls f(a, b, coupling) for each two points of each cell, a != b, with the coupling -K_ab, N/m, which may
/// be negative where a cell is obtuse. Cells of rigid bodies have none. w is the largest eigenvalue of the
/// energy at rest, Pa: a step of the matrix lowers the co-rotated energy (corotated_tetrahedron.h has the
/// limit).
template <class F>
void for_each_cell_coupling(const Topology& t, const Scene& scene, const F& f) {
  for_each_energy([&]<class E>(int) {
    if constexpr (std::is_base_of_v<TetEnergy<E>, E>) {
      if (t.cells.empty() || !chosen<E>(scene.step)) return;
      const ElementList<E> list = element_list<E>(t, scene);
      for (size_t i = 0; i < list.points.size(); ++i) {
        if (in_rigid_body(t, list.points[i][0])) continue;
        const TetRest<float>& rest = list.rest[i];
        const float weight = rest.volume * E::template stiffest<float>(list.material[i]);
        for (int a = 0; a < 4; ++a)
          for (int b = 0; b < 4; ++b)
            if (a != b)
              f(list.points[i][size_t(a)], list.points[i][size_t(b)],
                -weight * dot(tet_gradient(rest, a), tet_gradient(rest, b)));
      }
    }
  });
}

}  // namespace weft
