// The pieces of a Simulation, shared by its two source files.
#pragma once
#include <set>

#include "sim/collision/bodies/bodies.h"
#include "sim/methods/method_table.h"
#include "sim/run/body_notices.h"
#include "sim/run/diagnostics.h"
#include "sim/run/moved_bodies.h"
#include "sim/run/simulation.h"
#include "sim/step/attempt.h"
#include "sim/step/handles.h"
#include "sim/step/pins.h"

namespace weft {

struct Simulation::Impl {
  Impl(Scene scene, Device& device);
  void build_methods();
  /// Notices about meshes with unlikely units or up axis, or unsuitable for the chosen methods.
  void report_meshes();
  void make_collision(int method);
  void tell_left_out_radii();
  void set_start();
  /// Puts cloths that have layers over each other (layered_start.h). `at`: bodies at time 0.
  void order_layers(const std::vector<ObstacleView>& at, std::vector<std::string>& notices);
  void parameter_changed(const std::string& key);
  /// Undoes a parameter change that failed, for example without memory.
  void take_back(const Scene& before);
  /// Updates coefficients and solver from the scene after a failed change. Throws Error as long as that
  /// fails.
  void mend_solver();
  /// `tested`: s of the step that were spent on its verdict.
  void take_budget(int step, double time, double tested);
  /// Number of parts of the coming step; reports a body that requires more than one.
  int step_parts();
  bool cloth_within(const Bounds& reach) const;
  /// The time step of the scene, in more parts where the result is not finite. False if no number of parts
  /// helps.
  bool whole_step(const std::function<bool()>& give_up);
  /// The same in `parts` of equal length. False, or an exception other than DeviceLost: the state is as
  /// before.
  bool in_parts(int parts, const std::function<bool()>& give_up);

  Device& device;
  Scene scene;
  std::vector<vec3> start;
  Model model;
  State state;
  GrowingLists lists;
  Bodies bodies;
  MovedBodies moved_bodies;
  StepContext context;
  Kinematics kinematics;
  Handles handles;
  Stepper stepper;
  Attempt attempt;
  Diagnostics measure;
  std::unique_ptr<CollisionHandler> collision;
  std::unique_ptr<DynamicsSolver> solver;
  struct {
    int solver = -1, collision = -1;
  } built;
  bool half_changed = false;  // no step before mend_solver
  struct {
    std::set<std::string> parts;  // obstacles
    JumpWatch jumps;
  } told;
  uint64_t state_id = 0;
  uint64_t revision = new_revision();  // revision of all user settings, without the motion of handles
  static uint64_t new_revision();      // never the same twice, in any simulation of this process
  struct {
    std::vector<TimedCommand> commands;
    bool kept = true;
  } recorded;
  std::function<void(Simulation&)> test;  // of each state
};

}  // namespace weft
