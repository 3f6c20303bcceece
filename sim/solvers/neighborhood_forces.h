// Meshless bending on a device: neighbourhoods in slices of 16 vertices, and their forces.
#pragma once
#include <vector>

#include "sim/scene/model/model.h"
#include "sim/solvers/neighborhood_kernels.h"

namespace weft {

/// Bending of Wu et al. 2020, appendix B. Holds about 300 bytes per vertex.
class NeighborhoodForces {
 public:
  NeighborhoodForces(Device& device, const Topology& topology);
  /// Call after fabric changed.
  void set_fabric(const Scene& scene);
  /// total = others + forces at position + d, N per vertex; both padded to whole slices. `others` may be
  /// empty, or be `total`.
  void add(Span<const vec3> position, Span<const vec3> d, Span<const vec3> others, Span<vec3> total);

  neighborhoods::NeighborhoodsView view() const;

 private:
  Device& device_;
  std::vector<int> vertex_part_;
  std::vector<float> unit_stiffness_;  // for B = 1 N m
  Buffer<int> slice_start_, self_, neighbor_, reverse_;
  Buffer<float> reference_, inverse_moment_, stiffness_;
  Buffer<vec3> force_, own_;
};

}  // namespace weft
