// The pieces of a Simulation, shared by its two source files.
#pragma once
#include "sim/collision/bodies.h"
#include "sim/handles.h"
#include "sim/kinematics.h"
#include "sim/measure.h"
#include "sim/registry.h"
#include "sim/simulation.h"
#include "sim/stepper.h"

namespace weft {

struct Simulation::Impl {
  Impl(Scene scene, Device& device);
  void build_methods();
  void set_start();
  void parameter_changed(const std::string& key);

  Device& device;
  Scene scene;
  std::vector<vec3> start;
  Model model;
  State state;
  Bodies bodies;
  StepContext context;
  Kinematics kinematics;
  Handles handles;
  Stepper stepper;
  Measure measure;
  std::unique_ptr<CollisionHandler> collision;
  std::unique_ptr<DynamicsSolver> solver;
  int built_solver = -1, built_collision = -1;
  uint64_t state_id = 0;
  uint64_t revision = new_revision();  // of everything that a person sets, moving hands aside
  static uint64_t new_revision();      // never the same twice, in any simulation of this process
  std::vector<TimedCommand> recorded;
};

}  // namespace weft
