// The lowest modes of a cloth in device memory, and the matrix of a step in their space.
#pragma once
#include <vector>

#include "sim/methods/step_context.h"
#include "sim/solvers/projective/projective_kernels.h"
#include "sim/solvers/projective/subspace.h"

namespace weft {

/// Rows with which vectors that modes meet are padded.
int mode_stride(int rows);

/// U of `count()` modes r, the first `reused()` of them r_c, and Uᵀ (M / h² + K) U with its inverse. They
/// follow the mesh and what is pinned in a step, whatever came before: a snapshot runs on as the first run
/// did.
class ModeSpace {
 public:
  ModeSpace(Device&, const LevelMesh&, int rows);
  /// Within prepare() of the solver.
  void prepare(const StepContext&, const Couplings&);
  /// Couplings or masses are others now.
  void couplings_changed() { matrices_are_old_ = true; }
  int count() const { return count_; }
  int reused() const { return reused_; }
  int stride() const { return mode_stride(rows_); }
  Span<const float> modes() const { return u_; }
  Span<const float> free_matrix() const { return free_matrix_; }
  Span<const float> free_inverse() const { return free_inverse_; }
  /// Of the first r_c modes, each pair once, and their products where they are stored (else empty).
  Span<const projective::Pair> pairs() const { return pairs_; }
  Span<const float> products() const { return product_; }

 private:
  void allocate(int count, int reused);
  void allocate_products(const StepContext&);
  void store_products();
  Device& device_;
  MeshModes mesh_modes_;
  int rows_;
  std::vector<int> pinned_;  // vertices that the modes hold
  std::vector<std::vector<float>> on_host_;
  ReducedMatrices matrices_;
  bool matrices_are_old_ = true;
  float free_matrix_h_ = 0;  // s, of the step that free_matrix_ is for
  int count_ = -1, reused_ = -1;
  Buffer<float> u_, free_matrix_, free_inverse_, product_;
  Buffer<projective::Pair> pairs_;
};

}  // namespace weft
