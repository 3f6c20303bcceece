// Normals, colours and numbers of a state, computed on its device.
#pragma once
#include "sim/collision/bodies.h"
#include "sim/methods/collision_handler.h"
#include "sim/methods/step_context.h"
#include "sim/run/simulation.h"

namespace weft {

class Diagnostics {
 public:
  Diagnostics(Device& device, const Model& model);
  Span<const vec3> normals(const State& state);
  Span<const float> scalar(Simulation::Scalar which, StepContext& context, CollisionHandler& collision);
  /// Downloads about a dozen floats.
  StepStats stats(StepContext& context, CollisionHandler& collision);

 private:
  void edge_stretch(const State& state);
  Device& device_;
  const Model& model_;
  Buffer<vec3> normal_, gradient_;
  Buffer<float> edge_stretch_, scalar_, energy_, height_, minus_height_, depth_, results_;
};

}  // namespace weft
