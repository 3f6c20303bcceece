// A multilevel preconditioner for conjugate gradients: z = M r by one V-cycle over coarser meshes.
#pragma once
#include <array>
#include <vector>

#include "sim/solvers/newton/coarse_kernels.h"
#include "sim/solvers/newton/coarse_sources.h"
#include "sim/solvers/newton/newton_system.h"

namespace weft {

/// Block Jacobi carries a force by one edge per iteration. Coarser meshes (coarsen.h) carry it across the
/// cloth: their operators are Pᵀ A P of the full mesh's, with P the linear interpolation, so that M is
/// symmetric and positive definite whatever the cloth's shape.
class MultilevelPreconditioner {
 public:
  explicit MultilevelPreconditioner(Device& device) : device_(device) {}
  /// Lays the levels out for the system's couplings. Between steps; does nothing where they are the same as
  /// before.
  void prepare(const StepContext&, const NewtonSystem&);
  /// Gives the memory back.
  void clear();
  /// Whether the mesh is too small to have coarser ones.
  bool empty() const { return levels_.empty(); }
  /// Coarse operators, after NewtonSystem::assemble.
  void assemble(NewtonSystem&);
  // Level 0 is the first coarse mesh; interpolation is to the next finer one. For tests.
  int levels() const { return int(levels_.size()); }
  newton::SystemView level(int l) { return levels_[l].view(); }
  int level_rows(int l) const { return levels_[l].rows.rows(); }
  int coarsest_iterations() const { return omega_.size(); }
  linear::TransferView interpolation(int l) const { return levels_[l].rows_of_finer.view(); }
  /// z = M r, and r . z per row. Padded; r is 0 in kinematic rows, and so is z.
  void apply(NewtonSystem&, Span<const vec3> r, Span<vec3> z, Span<float> inner);

 private:
  struct Sources {
    Buffer<int> start, from;
    Buffer<float> weight;
    newton::CoarseSourcesView view() const { return {start, from, weight}; }
  };
  struct Transfer {
    Buffer<int> start, column;
    Buffer<float> weight;
    linear::TransferView view() const { return {start, column, weight}; }
  };
  struct Level {
    Rows rows;
    Buffer<float> block, diagonal, preconditioner, free_row;
    Sources couplings, diagonals;
    std::vector<Sources> elements;         // of each plug-in, on the first level
    Transfer rows_of_finer, rows_of_this;  // interpolation to the next finer level, and its transpose
    Buffer<vec3> r, left;
    std::array<Buffer<vec3>, 2> x;
    newton::SystemView view();
  };
  Level make_level(const Rows& finer, const Coarsening&, const std::vector<RowJoins>& joins) const;
  Sources sources(const std::vector<std::vector<CoarseStructure::Share>>&, const Rows& coarse) const;
  /// A V-cycle from level l down, on levels_[l].r.
  Span<const vec3> solve(size_t l);
  void restrict_to(size_t i, Span<const vec3> finer);  // the finer level's residual to level i
  Span<const vec3> solve_coarsest();

  Device& device_;
  int layout_ = 0;  // of the system that the levels were made for
  Buffer<float> diagonal_;
  Buffer<vec3> x_, left_;
  Buffer<float> omega_;  // of the coarsest level's iterations
  std::vector<Level> levels_;
};

}  // namespace weft
