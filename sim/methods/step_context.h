// What one time step passes between the stepper, the solver, the collision method and the handles.
#pragma once
#include "sim/base/math.h"
#include "sim/device/growing_lists.h"
#include "sim/device/launch.h"
#include "sim/linear/stencils.h"
#include "sim/scene/model/model.h"
#include "sim/scene/model/state.h"
#include "sim/scene/scene.h"

namespace weft {

class Bodies;

/// What a collision method is told of the solver. Every solver takes anchors.
struct SolverTraits {
  bool stencils = false;  // it takes Stencils: up to four vertices with weights and a stiffness
  // a step's iterations between the first and the last may be left out, which the device decides: nothing on
  // the host then goes on from one iteration to the next
  bool skips = false;
};

/// What a solver is told of contact.
struct ContactTraits {
  bool among_cloth = false;  // cloth is kept out of itself
  // contact becomes stiffer from iteration to iteration: they are not those of one map
  bool weights_grow = false;
  // length over rest length from which on it holds edges back, so that threads lock before; 0: never
  float stretch_limit = 0;
};

/// Work arrays of a step. The unknown is the displacement d = y - x_n, so that float32 keeps its digits where
/// they are needed (design: Numbers). One entry per vertex.
struct StepContext {
  GrowingLists& lists;  // of all methods and bodies: asked once after a step
  Device& device;
  const Model& model;
  State& state;
  const Scene& scene;
  Bodies& bodies;
  float dt = 0;  // s, of this step; of a part where a step is made in parts
  // of the present pair of methods
  SolverTraits solver = {};
  ContactTraits contact = {};

  Buffer<vec3> displacement;            // d, m
  Buffer<vec3> inertia;                 // s: where inertia and outer forces alone would move, m
  Buffer<int> kinematic;                // 1: pinned or scripted; d is prescribed and no force moves it
  Buffer<vec3> kinematic_displacement;  // m, for this step
  // m/s that contact adds to what the displacement makes of the velocity; 0 unless a method writes it
  Buffer<vec3> velocity_change;
  // Anchors: each adds 1/2 (d - t)' W (d - t); several add up as sums of W and of W t.
  Buffer<Sym3> anchor_weight;  // N/m; at the start of a step those of the end of the last one
  Buffer<vec3> anchor_force;   // sum of W t, N
  // no room, and nothing launched, unless a collision method reserves some
  Stencils stencils;
  // how far the solver left the last step from solved (DynamicsSolver::iterate); turns without the momentum
  // that it should have had, for what was left grew
  Buffer<float> solver_residual;

  StepContext(GrowingLists& lists, const Model& model, State& state, const Scene& scene, Bodies& bodies)
      : lists(lists),
        device(lists.device()),
        model(model),
        state(state),
        scene(scene),
        bodies(bodies),
        displacement(device, "displacement", model.vertex_count()),
        inertia(device, "inertia", model.vertex_count()),
        kinematic(device, "kinematic", model.vertex_count()),
        kinematic_displacement(device, "kinematic displacement", model.vertex_count()),
        velocity_change(device, "velocity change", model.vertex_count()),
        anchor_weight(device, "anchor weight", model.vertex_count()),
        anchor_force(device, "anchor force", model.vertex_count()),
        stencils(device, model.vertex_count()),
        solver_residual(device, "solver residual", 2) {}
};

}  // namespace weft
