// Implicit Euler by Newton's method with conjugate gradients (Wang 2023, section 6.1; Baraff and Witkin
// 1998).
#pragma once
#include "sim/methods/dynamics_solver.h"
#include "sim/solvers/newton/balance.h"
#include "sim/solvers/newton/conjugate_gradients.h"
#include "sim/solvers/newton/line_search.h"
#include "sim/solvers/newton/newton_ends.h"

namespace weft {

/// One Newton step per iteration. Also the reference for other solvers: with many steps and a small tolerance
/// it finds the minimum of E.
class NewtonSolver final : public DynamicsSolver {
 public:
  explicit NewtonSolver(const StepContext& context);
  SolverTraits traits() const override { return {.stencils = true}; }
  int iterations(const StepContext& c) const override;
  void prepare(StepContext&) override;
  void begin_step(StepContext&) override;
  void iterate(StepContext&, int k) override;
  Span<const int> unsolved() const override { return ends_.active(); }
  void contact_changed() override { ends_.go_on(); }
  Ends ends() const override { return Ends::asks; }
  void end_by(Span<SolveEnd> end) override { ends_.end_by(end); }
  void parameters_changed(const StepContext& c) override;
  void gradient(StepContext&, Span<vec3> out) override;

 private:
  /// Forces and Hessian at d, which is moved to where each island is in balance, and how far that is from
  /// solved.
  void evaluate(StepContext&, bool first, bool last);
  void move(StepContext&, Span<const float> length);
  Device& device_;
  NewtonSystem system_;
  Balance balance_;
  MultilevelPreconditioner multilevel_;
  ConjugateGradients cg_;
  LineSearch line_search_;
  float mass_ = 0;  // kg, of all cloth
  NewtonEnds ends_;
  int step_ = -1;  // of the state, when it was last prepared for; and its revision
  uint64_t revision_ = 0;
};

}  // namespace weft
