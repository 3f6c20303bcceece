// Conjugate gradients on a device, without a word from the host.
#pragma once
#include "sim/solvers/newton/balance.h"
#include "sim/solvers/newton/cg_kernels.h"
#include "sim/solvers/newton/multilevel.h"
#include "sim/solvers/newton/newton_ends.h"

namespace weft {

/// Solves H u = residual of a NewtonSystem from u = 0. Inner products are summed over fixed blocks
/// (primitives.h), so that the same bits come out for any number of threads.
class ConjugateGradients {
 public:
  ConjugateGradients(Device& device, int padded_rows);
  /// Room for that many iterations; before the step.
  void prepare(int iterations);
  /// u = 0, or with `balance` what that makes of it, and r . P⁻¹ r, which `measure` then holds. Without a
  /// multilevel preconditioner P is block Jacobi.
  void start(NewtonSystem&, MultilevelPreconditioner* = nullptr, Balance* balance = nullptr);
  /// The same of each row, after start.
  Span<const float> inner() const { return inner_; }
  Span<const float> measure() const { return Span<const float>(rz_.span().data, 1); }
  /// At most `iterations`, after start. Ends where what is left of the worst region (NewtonEnds; without one
  /// r . P⁻¹ r of all rows) has fallen to tolerance² of what it was, or to its end: a flag on the device
  /// skips the rest. `forcing`: the ends' forcing term takes the tolerance's place where it is larger.
  void run(NewtonSystem&, int iterations, float tolerance, NewtonEnds* ends = nullptr, bool forcing = false);
  /// What the solves have found out about the operator, one element. Whoever solves anew resets it.
  Span<newton::Spectrum> spectrum() { return spectrum_; }
  void forget_spectrum() { spectrum_.upload({newton::Spectrum{}}); }
  /// u, m; padded.
  Span<vec3> solution() { return u_; }
  /// What of the residual u leaves.
  Span<vec3> left() { return r_; }
  /// r . P⁻¹ r before each iteration that was taken, and after the last; 0 beyond. Waits for the device.
  std::vector<float> residuals() const { return rz_.download(); }

 private:
  void iterate(NewtonSystem&, const newton::CgView&, NewtonEnds*);
  Device& device_;
  MultilevelPreconditioner* multilevel_ = nullptr;  // of this solve
  Buffer<vec3> u_, r_, z_, p_, q_;
  Buffer<float> inner_, rz_, left_, alpha_, pq_, next_;
  Buffer<newton::CgProgress> progress_;
  Buffer<newton::Spectrum> spectrum_;
};

}  // namespace weft
