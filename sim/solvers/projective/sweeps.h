// Jacobi sweeps on what the subspace leaves of the residual (Lan 2024: aggregated Jacobi).
#pragma once
#include "sim/device/buffer.h"
#include "sim/solvers/projective/projective_kernels.h"
#include "sim/solvers/projective/subspace.h"

namespace weft {

class Sweeps {
 public:
  Sweeps(Device&, int rows);
  /// Within prepare() of the solver. `squares`: two sweeps at once (rank 2), by products of the couplings.
  void prepare(bool squares, const Couplings&);
  void couplings_changed() { square_is_old_ = true; }
  /// So many sweeps from 0; the step is in result() (m).
  void run(const projective::SystemView& system, int sweeps);
  Span<const vec3> result() const { return sweep_[now_]; }

 private:
  /// Products of couplings over two edges (projective::SquareView).
  struct Square {
    Buffer<int> slice_start, neighbor, column_slice, product_start, middle;
    Buffer<int> stale;  // slices whose coefficients are of another D
    Buffer<float> own, direct, product, coefficient;
  };
  void make_square(const Couplings&);
  void in_squares(const projective::SystemView& system, int sweeps);
  Device& device_;
  int rows_;
  bool squares_ = false, square_is_old_ = true;
  Square square_;
  Buffer<float> last_inverse_, last_own_;
  Buffer<int> changed_row_, changed_;
  Buffer<vec3> g_, sweep_[2];
  int now_ = 0;  // which of sweep_ is the result
};

}  // namespace weft
