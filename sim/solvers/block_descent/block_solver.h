// Block descent as a solver of time steps (Wang 2021, section 7.6): every cloth is a grid of squares.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "sim/grid/descent/grid_problem.h"
#include "sim/methods/dynamics_solver.h"
#include "sim/solvers/block_descent/block_descent_params.h"

namespace weft {

/// Empty if every cloth of a scene is a grid of squares with models that block descent has; else the reason,
/// in words. Does not read files.
std::string why_no_grid(const Scene& scene);

class BlockSolver final : public DynamicsSolver {
 public:
  /// Throws Error for cloth that is no grid of squares.
  explicit BlockSolver(const StepContext& context);
  int iterations(const StepContext&) const override;
  void prepare(StepContext&) override;
  void begin_step(StepContext&) override;
  void iterate(StepContext&, int k) override;
  void parameters_changed(const StepContext&) override;
  void gradient(StepContext&, Span<vec3> out) override;

 private:
  /// One cloth.
  struct Part {
    Part(Device& device, const grid::MaterialMesh& mesh, float cell, int width);
    grid::Grid grid;
    block_descent::GridProblem problem;
    grid::GridPositions base;  // x_n
    Buffer<int> vertex;        // of the model per slot, -1: none
    Buffer<vec3> start;        // x_n + s
    Buffer<Sym3> weight;
    Buffer<vec3> force;
    Buffer<int> weighted;  // per block
    Buffer<float> gain;    // per block, J
    /// Where densities or stiffnesses are painted; else empty, and 1.
    struct {
      float lightest = 1;       // least factor on the density, which Terms::anchor has
      Buffer<float> more_mass;  // kg, per slot, beyond that
      Buffer<vec3> factor;      // per slot, SheetRest::factor
    } painted;
  };
  void load_painted(const StepContext&);
  float anchor_of(const StepContext&, size_t part) const;
  void load(StepContext&, Part&);
  void load_anchors(StepContext&, Part&);
  void estimate_residual(StepContext&);

  Device& device_;
  std::vector<std::unique_ptr<Part>> parts_;
  Buffer<float> gains_;  // two per part, J
  int per_round_ = 0;    // outer iterations
  float mass_ = 0;       // kg
};

}  // namespace weft
