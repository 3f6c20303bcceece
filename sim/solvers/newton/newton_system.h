// The linear system of a Newton step: structure built once, values and contact per step.
#pragma once
#include <optional>

#include "sim/solvers/element_forces.h"
#include "sim/solvers/newton/element_kernels.h"

namespace weft {

/// Forces and projected Hessian of E(d) = |d - s|²_M / 2h² + elastic + bending + anchors + stencils (assemble_kernels.h).
class NewtonSystem {
 public:
  explicit NewtonSystem(const StepContext& context);
  /// Call after model choices or fabric changed.
  void parameters_changed(const StepContext&);
  /// Allocates what stencils need; before the step.
  void prepare(StepContext&);
  void begin_step(StepContext&);
  /// Forces, Hessian and preconditioner at c.displacement, with the anchors and stencils as they are.
  void assemble(StepContext&);
  /// q = H p, and p . H p per row. Padded; p is 0 in kinematic rows.
  void multiply(Span<const vec3> p, Span<vec3> q, Span<float> inner);

  /// Couplings of the full mesh, and how often they were laid out anew.
  const Rows& couplings() const { return rows_; }
  int layouts() const { return layouts_; }
  Span<const float> stencil_diagonal() const { return stencils_.empty() ? Span<const float>() : Span<const float>(stencil_diagonal_.span()); }
  int rows() const { return rows_.rows(); }
  int padded() const { return rows_.padded(); }
  bool blocks() const { return !block_.empty(); }
  newton::SystemView view();
  /// -dE/dd, N; 0 in kinematic rows. Padded.
  Span<const vec3> residual() const { return residual_.span(); }
  Span<const float> preconditioner() const { return preconditioner_.span(); }
  const ElementForces& elements() const { return elements_; }
  // As of the last assemble, for the line search. Padded.
  Span<const vec3> position() const { return position_.span(); }
  Span<const vec3> displacement() const { return d_.span(); }
  Span<const float> mass() const { return mass_.span(); }
  Span<const float> anchor_weight() const { return anchor_weight_.span(); }
  StencilsView stencils() const { return stencils_; }
  float inv_h2() const { return inv_h2_; }
  bool spring_forces() const { return elastic_ == ElasticModel::springs; }
  bool bending_forces() const { return bending_ == BendingModel::quadratic; }
  ElasticModel elastic() const { return elastic_; }
  BendingModel bending() const { return bending_; }

 private:
  struct Sources {
    Buffer<int> start, source;
    newton::SourcesView view() const { return {start.span(), source.span()}; }
  };
  void choose_structure(const StepContext&);
  void find_sources(const Topology&);
  void find_hinge_sources(const Topology&);
  Sources sources(const std::vector<std::pair<int, int>>& entry_and_source) const;
  void assemble_elements(StepContext&);
  void add_stencils(StepContext&);

  Device& device_;
  Rows rows_;
  int layouts_ = 0;
  std::optional<BendingModel> structure_;  // that rows_ were built for
  std::vector<float> poisson_;             // and Poisson's ratio of each cloth, where that matters
  ElementForces elements_;
  ElasticModel elastic_ = ElasticModel::springs;
  BendingModel bending_ = BendingModel::quadratic;
  float inv_h2_ = 0;
  Buffer<vec3> position_, d_, target_, force_, residual_;
  Buffer<float> mass_, free_row_, anchor_weight_, diagonal_, preconditioner_;
  // Block form only.
  Sources triangle_sources_, hinge_sources_;
  Buffer<mat3> triangle_block_;  // 3 per triangle
  Buffer<vec3> hinge_slope_;     // 4 per hinge
  Buffer<float> block_;
  // Stencils only.
  StencilsView stencils_;
  Buffer<vec3> stencil_pull_;
  Buffer<float> stencil_diagonal_;
};

}  // namespace weft
