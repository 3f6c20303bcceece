// Forces of elements that do not fit into row couplings: finite elements, dihedral hinges and neighbourhoods. Gathered per
// vertex, so that sums do not depend on threads.
#pragma once
#include <optional>

#include "sim/methods/step_context.h"
#include "sim/solvers/neighborhood_forces.h"

namespace weft {

/// Evaluates the elements that the scene's model choices ask for.
class ElementForces {
 public:
  ElementForces(Device& device, const Model& model);
  /// Call after model choices or fabric changed.
  void update(const StepContext&);
  /// Forces at x_n + d. Nothing is launched where springs and quadratic bending are chosen.
  void evaluate(StepContext&, Span<const vec3> d);
  /// N per vertex; empty where no such element is active.
  Span<const vec3> force() const { return active() ? Span<const vec3>(total_.span()) : Span<const vec3>(); }
  /// Null unless meshless bending is chosen.
  const NeighborhoodForces* neighborhoods() const { return bending_ == BendingModel::meshless ? &*neighborhoods_ : nullptr; }
  /// Isotropic bound of the elements' Hessian beyond what the rows bound, N/m per vertex, padded to whole slices of 16
  /// rows; empty if not active.
  Span<const float> bound() const { return model_ != ElasticModel::springs ? Span<const float>(bound_.span()) : Span<const float>(); }

 private:
  Device& device_;
  bool active() const { return model_ != ElasticModel::springs || bending_ != BendingModel::quadratic; }
  void update_bound(const StepContext&);
  void gather(const StepContext&);
  ElasticModel model_ = ElasticModel::springs;
  BendingModel bending_ = BendingModel::quadratic;
  Buffer<vec3> triangle_force_;  // 3 per triangle
  Buffer<vec3> hinge_force_;     // 4 per hinge
  std::optional<NeighborhoodForces> neighborhoods_;  // once the meshless model has been chosen
  Buffer<vec3> total_;           // padded to whole slices
  Buffer<float> bound_, stand_in_;  // per vertex; of the springs that stand in for triangles, per edge, N/m
  Buffer<float> stiffening_;     // of St. Venant-Kirchhoff triangles, 1 per triangle
};

}  // namespace weft
