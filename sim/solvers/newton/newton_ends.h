// How far a step is from solved, region by region, and where Newton steps and conjugate gradients end.
#pragma once
#include "sim/linear/pieces.h"
#include "sim/solvers/newton/end_kernels.h"
#include "sim/solvers/newton/newton_system.h"

namespace weft {

class NewtonEnds {
 public:
  explicit NewtonEnds(Device&);
  /// Lays out regions. Between steps; does nothing where the system's layout is the same as before.
  void prepare(const NewtonSystem&);
  /// Chooses the ends of a time step, for cloth that moves as it does at its start.
  void begin_step(const StepContext&, float tolerance);
  /// What is left of the worst region, from r . P⁻¹ r of each row (J).
  void measure(Span<const float> inner);
  /// One element, of the last measure: the square of how many times its end is left.
  Span<const float> worst() const { return worst_; }
  /// What a look at a step sees.
  struct Seen {
    Span<const float> rz, inner;       // r . P⁻¹ r (J, one element), and the same of each row
    Span<newton::Spectrum> spectrum;   // one element
    float unit = 1;                    // residual_unit
    bool first = false, last = false;  // of the step; no Newton step follows
  };
  /// Judges what is left.
  void judge(StepContext&, const NewtonSystem&, const Seen&);
  /// One element: not 0 where a Newton step is worth taking.
  Span<const int> active() const { return {active_.span().data, 1}; }
  /// Whatever was judged, another look is worth taking.
  void go_on();
  /// One element: not 0 where the step has ended, and cloth as a whole is to be balanced once more.
  Span<const int> ended() const { return {active_.span().data + 1, 1}; }
  /// Newton steps and conjugate gradients also end by this (DynamicsSolver::end_by).
  void end_by(Span<SolveEnd> limit) { limit_ = limit; }
  Span<SolveEnd> limit() const { return limit_; }
  /// One element: see newton::Ends.
  Span<const float> forcing() const { return {&ends_.span().data->forcing, 1}; }

 private:
  Device& device_;
  int layout_ = 0;
  Pieces pieces_;
  Buffer<float> mass_, motion_, end_, sum_;  // per region
  Buffer<float> need_;                       // per region, then per piece
  Buffer<float> worst_;
  Buffer<newton::Ends> ends_;
  Buffer<int> active_, anchors_;
  Span<SolveEnd> limit_;
};

}  // namespace weft
