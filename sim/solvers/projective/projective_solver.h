// Projective dynamics with a subspace of lowest modes and aggregated Jacobi (Lan 2024). README.md maps
// symbols to code.
#pragma once
#include <optional>
#include <vector>

#include "sim/linear/rigid_motion.h"
#include "sim/methods/dynamics_solver.h"
#include "sim/solvers/element_forces.h"
#include "sim/solvers/projective/anderson.h"
#include "sim/solvers/projective/projective_kernels.h"
#include "sim/solvers/projective/projective_params.h"
#include "sim/solvers/projective/subspace.h"
#include "sim/solvers/scene_elements.h"

namespace weft {

class ProjectiveSolver final : public DynamicsSolver {
 public:
  explicit ProjectiveSolver(const StepContext&);
  SolverTraits traits() const override { return {.skips = true}; }
  int iterations(const StepContext&) const override;
  void prepare(StepContext&) override;
  void begin_step(StepContext&) override;
  void iterate(StepContext&, int k) override;
  void parameters_changed(const StepContext&) override;
  void gradient(StepContext&, Span<vec3> out) override;

 private:
  /// Products of couplings over two edges (projective::SquareView).
  struct Square {
    Buffer<int> slice_start, neighbor, column_slice, product_start, middle;
    Buffer<int> stale;  // slices whose coefficients are of another D
    Buffer<float> own, direct, product, coefficient;
  };
  int rows() const { return rows_.rows(); }
  bool squares(const StepContext&) const;
  void choose_rows(const StepContext&);
  void set_couplings();
  void make_square();
  void update_modes(StepContext&);
  void allocate_reduced(int modes, int reused);
  void allocate_choices(const StepContext&);
  void store_products();
  void evaluate(StepContext&);
  void balance(StepContext&);
  Span<const int> find_held(StepContext&, int k);
  void measure_size();
  void move(StepContext&, int k);
  void correct_in_subspace();
  void project(int count);
  void solve_reduced();
  void sweep(StepContext&);
  void square_sweeps(int sweeps);
  void estimate_residual(StepContext&);
  projective::SystemView view();
  projective::ReducedView reduced_view();

  Device& device_;
  Rows rows_;
  std::optional<RowLayout> layout_;  // of the rows
  ElementForces elements_;
  MeshModes mesh_modes_;
  std::optional<PieceBalance> pieces_;
  Couplings couplings_;              // K on the host
  float inv_h2_ = 0, mass_sum_ = 0;  // 1/s²; kg

  Buffer<vec3> position_, d_, target_, force_;
  Buffer<float> coupling_, mass_, row_sum_, half_bound_, free_row_, anchor_weight_, added_, own_, inverse_,
      residual_;

  // Subspace.
  std::vector<int> held_;  // vertices that the modes hold
  std::vector<std::vector<float>> modes_on_host_;
  ReducedMatrices reduced_matrices_;
  bool matrices_are_old_ = true;
  float free_matrix_h_ = 0;       // s, of the step that free_matrix_ is for
  int modes_ = -1, reused_ = -1;  // r, r_c
  Buffer<float> u_, free_matrix_, free_inverse_, added_partial_, reduced_matrix_, reduced_diagonal_, other_,
      product_, scale_;
  Buffer<vec3> partial_, projected_, q_;
  Buffer<projective::Pair> pairs_;
  Buffer<int> added_slice_, reduced_;

  // Sweeps and acceleration.
  Square square_;
  bool square_is_old_ = true;
  Buffer<float> last_inverse_, last_own_;
  Buffer<int> changed_row_, changed_;
  Buffer<vec3> step_, g_, sweep_[2], before_;
  int now_ = 0;  // which of sweep_ is the result
  Buffer<float> gain_, sums_, momentum_;
  Anderson anderson_;
  Buffer<int> held_now_;       // whether anything has held cloth in this step
  bool weights_grow_ = false;  // of contact, from iteration to iteration
  ProjectiveAcceleration acceleration_ = ProjectiveAcceleration::off;  // of this step
};

}  // namespace weft
