// One time step, stage by stage.
#pragma once
#include <functional>
#include <memory>

#include "sim/collision/bodies.h"
#include "sim/methods/collision_handler.h"
#include "sim/step/handles.h"
#include "sim/step/pins.h"
#include "sim/methods/dynamics_solver.h"

namespace weft {

/// Composes a solver and a collision method. Does not own the pieces.
class Stepper {
 public:
  Stepper(StepContext& context, Kinematics& kinematics, Handles& handles);
  /// Tries one step of `dt`. True: the state has moved on. False: the result was no number; the state is as before, and
  /// `broken_vertex` and `broken_stage` say where it showed first.
  /// `revision` changes with anything that a person sets: methods, parameters, pins (Device::replay).
  /// On a CPU `give_up` is asked many times; where it says yes the step ends with Interrupted. After an exception the state is as before, too.
  bool try_step(DynamicsSolver& solver, CollisionHandler& collision, float dt, uint64_t revision, const std::function<bool()>& give_up = {});
  int broken_vertex() const { return broken_vertex_; }
  const std::string& broken_stage() const { return broken_stage_; }

 private:
  bool try_it(DynamicsSolver& solver, CollisionHandler& collision, float dt, uint64_t revision, const std::function<bool()>& give_up);
  void go_back();
  bool solve_now(DynamicsSolver& solver, CollisionHandler& collision, float dt, uint64_t revision, const std::function<bool()>& give_up);
  void prepare(DynamicsSolver& solver, CollisionHandler& collision, float dt);
  void predict(float dt);
  void inject_nan();
  void finish(CollisionHandler& collision, float dt);
  template <class Look>
  bool solve(DynamicsSolver& solver, CollisionHandler& collision, const Look& look);
  bool solve_carefully(DynamicsSolver& solver, CollisionHandler& collision);
  uint64_t replay_signature(const CollisionHandler& collision, uint64_t revision, float dt) const;
  void mark_broken();
  bool sound(const char* stage);

  StepContext& c_;
  Kinematics& kinematics_;
  Handles& handles_;
  Buffer<vec3> triangle_force_, new_velocity_, spin_, damped_;
  Buffer<Sym3> anchors_;  // at the start of the step: the only part of the state that changes before its end
  Buffer<int> broken_;
  int broken_vertex_ = -1;
  std::string broken_stage_;
};

}  // namespace weft
