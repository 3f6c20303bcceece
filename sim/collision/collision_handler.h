// A collision method: what contact adds to the energy of a step, and how the cloth moves without crossing.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "sim/solvers/dynamics_solver.h"

namespace weft {

enum class Protection { none, bounded_penetration, intersection_free };

/// What a method promises of every published state.
struct Guarantee {
  Protection self = Protection::none;
  Protection bodies = Protection::none;
  float body_bound = 0;  // m, for bounded_penetration
  std::string words() const;
};

enum class Verdict { go_on, pairs_changed, done, reject };

class CollisionHandler {
 public:
  virtual ~CollisionHandler() = default;
  virtual Guarantee guarantee() const = 0;
  virtual unsigned emits() const = 0;
  /// Whether cloth meets cloth.
  virtual bool self_collision() const { return false; }
  /// Uploads and allocates what the step needs; see DynamicsSolver::prepare.
  virtual void prepare(StepContext&) {}
  /// Iterations that the solver will take in this step.
  virtual void plan(int /*iterations*/) {}
  /// After prediction.
  virtual void begin_step(StepContext&) {}
  /// Adds contact terms to the anchors (which the stepper has cleared).
  virtual void before_iteration(StepContext&, int) {}
  virtual Verdict after_iteration(StepContext&, int) { return Verdict::go_on; }
  /// Moves the cloth towards x_n + d: last word over the displacement of the step.
  virtual void advance(StepContext&) {}
  /// Friction memory, contact velocities, carry.
  virtual void end_step(StepContext&) {}
  /// False if a list of the step that was just tried was too short: there is more room now, and the step must be taken anew.
  virtual bool fits() { return true; }
  /// Changes when memory that launches name has moved (Stepper::try_step's `revision`).
  virtual uint64_t revision() const { return 0; }
  /// Vertices in contact and contact depth per vertex (m), for view and statistics; empty if the method has none.
  virtual Span<const float> contact_depth() const { return {}; }
  /// What the method counts, by name, for the last time step; waits for the device. Empty if it counts nothing.
  virtual std::vector<std::pair<std::string, int>> counts() { return {}; }
};

}  // namespace weft
