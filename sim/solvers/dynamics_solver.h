// A dynamics solver lowers the energy of one time step.
#pragma once
#include "sim/step_context.h"

namespace weft {

/// What a solver can consume and a collision method emits. A pair works if the solver consumes all that the method
/// emits.
enum Capability : unsigned {
  kAnchors = 1u << 0,      // per-vertex weight and target
  kStencils = 1u << 1,     // up to four vertices with weights and a stiffness; a method may hand them to solvers that take them, and anchors to others
  kRegularGrid = 1u << 2,  // needs cloth on a regular grid
};

/// Lowers E(d) = 1/(2 h^2) |d - s|^2_M + elastic + anchors over the vertices that are not kinematic.
class DynamicsSolver {
 public:
  virtual ~DynamicsSolver() = default;
  virtual unsigned consumes() const = 0;
  /// Iterations of one step, each of which the collision method may precede and follow.
  virtual int iterations(const StepContext&) const = 0;
  /// Uploads and allocates what the step needs. From begin_step on there are only launches and copies on the device, the same
  /// from step to step as long as Stepper::try_step's `revision` is, since a GPU replays them (Device::replay).
  virtual void prepare(StepContext&) {}
  virtual void begin_step(StepContext&) = 0;
  virtual void iterate(StepContext&, int k) = 0;
  /// d or the terms jumped: momentum is dropped.
  virtual void target_moved() {}
  /// Coefficients that depend on fabric, forces or model choices changed.
  virtual void parameters_changed(const StepContext&) {}
  /// Gradient of E at the current d (N), for tests and the residual on screen.
  virtual void gradient(StepContext&, Span<vec3> out) = 0;
};

}  // namespace weft
