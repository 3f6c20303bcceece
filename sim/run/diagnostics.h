// Normals, colours and numbers of a state, computed on its device.
#pragma once
#include <memory>
#include <vector>

#include "sim/collision/bodies/bodies.h"
#include "sim/energies/triangle.h"
#include "sim/methods/collision_handler.h"
#include "sim/methods/step_context.h"
#include "sim/run/ease.h"
#include "sim/run/simulation.h"

namespace weft {

class Diagnostics {
 public:
  Diagnostics(Device& device, const Model& model);
  Span<const vec3> normals(const State& state);
  /// Simulation::device_field.
  Span<const float> field(const std::string& name, StepContext& context, CollisionHandler& collision);
  /// The field "ease" at bodies that are drawn as in `bodies`; `meshes`: of each obstacle.
  Span<const float> ease(const StepContext& context, const std::vector<TriMesh>& meshes,
                         const std::vector<ObstacleView>& bodies);
  /// Rest shapes of triangles have changed (Simulation::set_rest).
  void rest_changed() { weave_ = {}; }
  /// A step of the present methods led to this state. What contact found belongs to no other.
  void stepped(const State& state) { stepped_ = state.revision; }
  void other_methods() { stepped_ = kNoStep; }
  /// Downloads about a dozen floats.
  StepStats stats(StepContext& context, CollisionHandler& collision);

 private:
  void edge_stretch(const State& state);
  void weave_stretch(const StepContext& context, bool weft);
  void body_pressure(StepContext& context);
  static constexpr uint64_t kNoStep = ~uint64_t(0);
  Device& device_;
  const Model& model_;
  uint64_t stepped_ = kNoStep;  // State::revision
  std::vector<int> layers_;     // of each triangle, as long as they are asked for
  Buffer<vec3> normal_;
  std::unique_ptr<Ease> ease_;  // from when it is first asked for
  /// Of each triangle: its rest shape in the frame of warp and weft, and its stretch; empty until asked for.
  struct Weave {
    Buffer<TriangleRest<float>> rest;
    Buffer<float> stretch;
  } weave_;
  Buffer<float> edge_stretch_, scalar_, energy_, height_, minus_height_, depth_, results_;
  /// Of solids, and 1 for each that is inside out.
  struct Cells {
    Buffer<ivec4> points;
    Buffer<float> turned;
  } cells_;
};

}  // namespace weft
