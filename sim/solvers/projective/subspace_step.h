// The step of the lowest modes (Lan 2024, section 5): a warm start without anchors, subspace reuse with them.
#pragma once
#include "sim/solvers/projective/mode_space.h"

namespace weft {

class SubspaceStep {
 public:
  /// Of a mesh with so many rows.
  SubspaceStep(Device&, const LevelMesh&, int rows);
  /// Within prepare() of the solver.
  void prepare(const StepContext&, const Couplings&);
  void couplings_changed() { space_.couplings_changed(); }
  /// Writes the step (m); what is left of the residual takes its place in `system`.
  void correct(const projective::SystemView& system, int rows, Span<vec3> step);
  /// Uᵀ r of the residual and the amplitudes that would remove it without anchors; empty without modes.
  void solve_free(Span<const float> residual);
  Span<const vec3> projected() const { return projected_; }
  Span<const vec3> amplitudes() const { return q_; }

 private:
  void project(Span<const float> residual, int count);
  void solve_reduced(const projective::SystemView& system, int rows, Span<vec3> step);
  projective::ReducedView reduced_view();
  Device& device_;
  ModeSpace space_;
  Buffer<vec3> partial_, projected_, q_;
  Buffer<float> added_partial_, reduced_matrix_, reduced_diagonal_, other_, scale_;
  Buffer<int> added_slice_, reduced_;
  int count_ = -1, reused_ = -1;  // of modes, for which there is memory
};

}  // namespace weft
