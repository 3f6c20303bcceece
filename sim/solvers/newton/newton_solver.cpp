#include "sim/solvers/newton/newton_solver.h"

#include "sim/solvers/newton/line_search_kernels.h"

namespace weft {

NewtonSolver::NewtonSolver(const StepContext& c)
    : device_(c.device), system_(c), multilevel_(c.device), cg_(c.device, system_.padded()), line_search_(c.device), at_start_(c.device, "Newton residual", 1),
      active_(c.device, "Newton active", 1) {}

int NewtonSolver::iterations(const StepContext& c) const { return c.scene.newton.steps; }

void NewtonSolver::prepare(StepContext& c) {
  system_.prepare(c);
  cg_.prepare(c.scene.newton.cg_iterations);
  line_search_.prepare(c, system_);
  if (c.scene.newton.preconditioner == int(CgPreconditioner::multilevel)) multilevel_.prepare(c, system_);
  else multilevel_.clear();
}

void NewtonSolver::begin_step(StepContext& c) { system_.begin_step(c); }

void NewtonSolver::iterate(StepContext& c, int k) {
  const NewtonParams& params = c.scene.newton;
  const bool multilevel = params.preconditioner == int(CgPreconditioner::multilevel) && !multilevel_.empty();
  system_.assemble(c);
  if (multilevel && k == 0) multilevel_.assemble(system_);
  cg_.start(system_, multilevel ? &multilevel_ : nullptr);
  if (k == 0) device_.copy(at_start_.span().data, cg_.measure().data, sizeof(float));
  launch(device_, "judge", 1, newton::Judge{cg_.measure(), at_start_.span(), k == 0 ? 0.0f : params.tolerance, active_.span()});
  device_.when(active_.span(), [&] {
    cg_.run(system_, params.cg_iterations, params.cg_tolerance);
    if (params.line_search) line_search_.run(c, system_, cg_.solution());
    launch(device_, "move", system_.rows(),
           newton::Move{params.line_search ? line_search_.length() : Span<const float>(), system_.residual(), cg_.solution(), c.displacement.span()});
  });
}

void NewtonSolver::gradient(StepContext& c, Span<vec3> out) {
  system_.prepare(c);
  system_.begin_step(c);
  system_.assemble(c);
  launch(device_, "gradient", out.size, newton::Negate{system_.residual(), out});
}

}  // namespace weft
