// One time step in phases. Composes a solver and a collision method:
//
//   1 prepare   uploads, growable lists
//   2 predict   s = x + dt v + dt² g and air, d = the guess
//   3 begin     contact sees the prediction
//   4 iterate   rounds of iterations (schedule.h): contact terms, solver iteration; contact's word on a round
//   5 advance   contact moves x towards x + d and has the last word
//   6 finish    velocities, friction memory, carry
//
// Phases 3 to 5 are launches only, which a GPU records and replays; Attempt (attempt.h) calls the phases.
#pragma once
#include <functional>

#include "sim/collision/bodies/bodies.h"
#include "sim/methods/collision_handler.h"
#include "sim/methods/dynamics_solver.h"
#include "sim/step/creases.h"
#include "sim/step/handles.h"
#include "sim/step/pins.h"
#include "sim/step/plugins.h"
#include "sim/step/stitch_release.h"

namespace weft {

/// The pair of methods that makes a step.
struct StepMethods {
  DynamicsSolver& solver;
  CollisionHandler& collision;
};

class Stepper {
 public:
  /// Does not own the pieces.
  Stepper(StepContext& context, Kinematics& kinematics, Handles& handles);

  /// Of the step of length `dt` (s) from the time of the state on.
  void prepare(StepMethods, float dt);
  void predict(float dt);
  void begin(StepMethods);
  /// `goes_on` is asked after each iteration, by its number; false ends the phase.
  void iterate(StepMethods, const std::function<bool(int)>& goes_on);
  /// By which iterations of a solver that leaves them out end, from now on; empty: none ends.
  void end_by(Span<SolveEnd> end) { end_ = end; }
  void advance(StepMethods);
  void finish(StepMethods, float dt);

  /// Changes with what the launches of phases 3 to 5 depend on beside methods and parameters.
  uint64_t revision() const { return 2 * handles_.revision() + creases_.revision(); }
  /// Of the parts of the state that it owns.
  void back_to_start() { creases_.back_to_start(), stitches_.back_to_start(); }

 private:
  const AffineBodies& bodies() const { return c_.model.rigid; }
  /// Displacements of rigid bodies as those of rigid motions.
  void fit_bodies();
  void contact_terms(StepMethods, int iteration);
  bool end_iteration(StepMethods, int k, int iterations, int round);
  StepContext& c_;
  Kinematics& kinematics_;
  Handles& handles_;
  Creases creases_;
  StitchRelease stitches_;
  StepPlugins plugins_;
  Schedule schedule_;  // of the step that was prepared
  Buffer<vec3> triangle_force_, new_velocity_, spin_, damped_;
  Span<SolveEnd> end_;
  Buffer<int> goes_on_;       // one element: what end_ said
  Buffer<float> pin_spring_;  // N/m, of pinned points about which rigid bodies turn; empty: there is no body
};

}  // namespace weft
