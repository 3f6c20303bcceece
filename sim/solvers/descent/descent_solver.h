// Implicit Euler by gradient descent with block Jacobi preconditioning and Chebyshev acceleration (Wang and
// Yang 2016) over three mesh levels (Wu 2020, section 5.1).
#pragma once
#include <array>
#include <optional>
#include <vector>

#include "sim/linear/coarsen.h"
#include "sim/linear/rigid_motion.h"
#include "sim/methods/dynamics_solver.h"
#include "sim/solvers/descent/descent_kernels.h"
#include "sim/solvers/descent/schedule.h"
#include "sim/solvers/descent/transfer_kernels.h"
#include "sim/solvers/element_forces.h"
#include "sim/solvers/scene_elements.h"

namespace weft {

class DescentSolver final : public DynamicsSolver {
 public:
  DescentSolver(const StepContext& context);
  int iterations(const StepContext&) const override;
  Ends ends() const override { return Ends::leaves_out; }
  void prepare(StepContext& c) override;
  void begin_step(StepContext&) override;
  void iterate(StepContext&, int k) override;
  void parameters_changed(const StepContext&) override;
  void gradient(StepContext&, Span<vec3> out) override;

 private:
  struct Transfer {
    Buffer<int> start, column;
    Buffer<float> weight;
    descent::TransferView view() { return {start, column, weight}; }
  };
  /// Weights of Chebyshev acceleration, one per iteration of a turn.
  struct Omegas {
    Buffer<float> weight;
    float rho = -1;
    int count = 0;
  };
  struct Level {
    Rows rows;
    std::vector<int> fine_vertex;  // vertex of the full mesh behind each row
    Buffer<vec3> position, entry, drift, source, force, direction, direction_before;
    Buffer<float> constant, diagonal, preconditioner, mass, anchor_weight, free_row, hold, gain, cost;
    std::array<Buffer<vec3>, 2> u;  // current and previous
    int now = 0;
    Omegas omegas;
    // To the next finer level; empty on the fine level.
    Transfer rows_of_finer, rows_of_this;
    Buffer<int> finer_row;
    std::optional<PieceBalance> pieces;  // of the full mesh only
    descent::LevelView view();
  };
  Level make_level(const LevelMesh& mesh, const std::vector<int>& fine_vertex);
  void choose_rows(const StepContext&);
  void set_masses(const StepContext&);
  DescentSchedule schedule(const StepContext&) const;
  void load(StepContext&, const DescentTurn&);
  void linearize(StepContext&, int level);
  void relax(int level, const Omegas& omegas, int first, int iterations);
  void set_omegas(Omegas& omegas, const DescentWeights&) const;
  void relax_fine(StepContext&, const DescentTurn&);
  void correct_from(StepContext&, const DescentTurn&);
  void restrict_to(int level, bool go_on);
  void add_correction(int level);
  void balance_pieces(Level&);
  void turn_pieces(StepContext&, Level&);
  void sum_pieces(Level&);
  void translate_pieces(Level&);
  void estimate_residual(StepContext&);

  Device& device_;
  std::vector<Level> levels_;
  ElementForces elements_;
  std::optional<RowLayout> layout_;  // of the full mesh's rows
  std::vector<float> masses_;        // kg, of the full mesh, as the levels have them
  Buffer<float> sums_;
  // displacements before the last turn on the full mesh, or as the last turn from a coarser one wrote them
  Buffer<vec3> before_;
  Buffer<vec3> entry_;       // displacements at which a correction began
  Buffer<float> turn_size_;  // of the last turns on the full mesh (WatchMomentum)
  Buffer<int> momentum_;
  float dt_ = 0;
  float mass_ = 0;  // kg, of all cloth
  DescentSchedule schedule_;
  // of a turn on the full mesh before a coarse correction; of a smoothing
  Omegas turn_omegas_, smooth_omegas_;
};

}  // namespace weft
