// Projective dynamics with a subspace of lowest modes and aggregated Jacobi (Lan 2024). README.md maps
// symbols to code.
#pragma once
#include <optional>
#include <vector>

#include "sim/linear/rigid_motion.h"
#include "sim/methods/dynamics_solver.h"
#include "sim/solvers/element_forces.h"
#include "sim/solvers/projective/acceleration.h"
#include "sim/solvers/projective/body_kernels.h"
#include "sim/solvers/projective/projective_kernels.h"
#include "sim/solvers/projective/projective_params.h"
#include "sim/solvers/projective/subspace_step.h"
#include "sim/solvers/projective/sweeps.h"
#include "sim/solvers/scene_elements.h"

namespace weft {

class ProjectiveSolver final : public DynamicsSolver {
 public:
  explicit ProjectiveSolver(const StepContext&);
  SolverTraits traits() const override { return {.skips = true}; }
  int iterations(const StepContext&) const override;
  Ends ends() const override { return Ends::leaves_out; }
  void prepare(StepContext&) override;
  void begin_step(StepContext&) override;
  void iterate(StepContext&, int k) override;
  void parameters_changed(const StepContext&) override;
  void gradient(StepContext&, Span<vec3> out) override;

 private:
  /// Numbers of each row (projective::SystemView), and the vectors that they are made from.
  struct RowValues {
    Buffer<vec3> position, d, target, force;  // x_n, d and z - x_n, m; of anchors and elements, N
    Buffer<float> coupling, mass, row_sum, half_bound, free_row, anchor_weight, added, own, inverse, residual;
  };
  int rows() const { return rows_.rows(); }
  bool squares(const StepContext&) const;
  void choose_rows(const StepContext&);
  void set_couplings(const StepContext&);
  void evaluate(StepContext&);
  void balance(StepContext&);
  /// Rigid bodies as the forces on them at the context's d ask, or what that would gain alone.
  void move_bodies(StepContext&, bool moves);
  void estimate_residual(StepContext&);
  projective::SystemView view();

  Device& device_;
  Rows rows_;
  std::optional<RowLayout> layout_;  // of the rows
  ElementForces elements_;
  std::optional<PieceBalance> pieces_;
  Couplings couplings_;              // K on the host
  float inv_h2_ = 0, mass_sum_ = 0;  // 1/s²; kg
  RowValues of_row_;
  Buffer<vec3> step_;        // of the lowest modes, m
  Buffer<float> body_gain_;  // J, of each rigid body
  SubspaceStep subspace_;
  Sweeps sweeps_;
  Acceleration acceleration_;
};

}  // namespace weft
