// A dynamics solver lowers the energy of one time step.
#pragma once
#include <algorithm>
#include <cmath>

#include "sim/methods/solve_end.h"
#include "sim/methods/step_context.h"

namespace weft {

/// What 1 is in StepContext::solver_residual: h g sqrt(M), the root of an energy, of cloth of `mass` (kg) in
/// a step of `dt` (s). An error of d whose energy is 1/2 r . A⁻¹ r, with the forces r that are left and the
/// step's Hessian A >= M / h², is in the mean (root of the mean square, by mass) at most sqrt(r . A⁻¹ r) h /
/// sqrt(M); this is that over g h², what gravity moves in a step, for g = 9.81 m/s² whatever the scene's.
inline float residual_unit(float mass, float dt) { return 9.81f * dt * std::sqrt(std::max(mass, 1e-20f)); }

/// Lowers E(d) = 1/(2 h^2) |d - s|^2_M + elastic + anchors over the vertices that are not kinematic.
class DynamicsSolver {
 public:
  virtual ~DynamicsSolver() = default;
  /// What the collision method is told of the solver.
  virtual SolverTraits traits() const { return {}; }
  /// Iterations of one step, each of which the collision method may precede and follow.
  virtual int iterations(const StepContext&) const = 0;
  /// One element on the device that is 0 once the step is solved: further iterations then change nothing, and
  /// what they would be given need not be made. Empty: not known.
  virtual Span<const int> unsolved() const { return {}; }
  /// Contact is another from here on: a step that was solved is so no longer. Launches on the device only.
  virtual void contact_changed() {}
  /// How iterations end before the step is solved: by the solver, which asks (end_by); by leaving out whole
  /// ones between the first and the last; not at all.
  enum class Ends { asks, leaves_out, never };
  virtual Ends ends() const { return Ends::never; }
  /// One element on the device by which iterations end before the step is solved (solve_end.h), from the next
  /// step on.
  virtual void end_by(Span<SolveEnd>) {}
  /// Uploads and allocates what the step needs. From begin_step on there are only launches and copies on the
  /// device, the same from step to step as long as Attempt::run's `revision` is, since a GPU replays them
  /// (Device::replay).
  virtual void prepare(StepContext&) {}
  virtual void begin_step(StepContext&) = 0;
  /// The last iteration leaves in `solver_residual` how far the step is from solved (residual_unit),
  /// estimated by the solver's own coarse meshes.
  virtual void iterate(StepContext&, int k) = 0;
  /// Coefficients that depend on fabric, forces or model choices changed.
  virtual void parameters_changed(const StepContext&) {}
  /// Gradient of E at the current d (N), for tests and the residual on screen.
  virtual void gradient(StepContext&, Span<vec3> out) = 0;
};

}  // namespace weft
