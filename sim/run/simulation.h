// One running scene on one device, without threads: the object under the window, the command line, tests,
// benchmarks.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/device/device.h"
#include "sim/mannequin/body_part.h"
#include "sim/methods/active_sample.h"
#include "sim/methods/contact_pair.h"
#include "sim/scene/command.h"
#include "sim/scene/model/model.h"
#include "sim/scene/model/state.h"
#include "sim/scene/model/step_stats.h"
#include "sim/scene/scene.h"
#include "sim/step/handle_view.h"

namespace weft {

struct Guarantee;

struct ObstacleView {
  int index = 0;  // into Scene::obstacles
  mat4 transform{1};
  /// World positions of its mesh's vertices where it deforms, or is blocked by cloth (the transform is then
  /// the identity), else nullptr.
  std::shared_ptr<const std::vector<vec3>> deformed;
  /// Where somebody has moved it, on top of its script.
  HandMove hand;
};

/// Runs a scene. Not thread-safe; the Runner owns one on the simulator's thread.
class Simulation {
 public:
  /// Builds the model. `notices` come before its own. Throws Error for anything wrong in the scene, and for a
  /// garment that is worn from the start and was not dressed (open_simulation in sim/dressing/dress.h does
  /// both).
  Simulation(Scene scene, Device& device, std::vector<std::string> notices = {});
  ~Simulation();

  /// Applies a command now (between steps). Throws Error for an invalid one; nothing changes then.
  void apply(const Command& command);
  /// One time step. A result that is not finite is discarded and the step made in 2, 4, then 8 parts; after
  /// that throws Error naming stage and vertex (the state is then the last good one). On a CPU, `give_up` is
  /// asked often during the step; if it returns true the step ends with Interrupted, and the state is
  /// unchanged.
  void step(const std::function<bool()>& give_up = {});
  /// What a step may take while a handle is dragged, s, in place of StepParams::budget; 0: all steps are
  /// solved; empty: as the scene says. `always`: also without a handle. A step that was ended so is recorded
  /// as EndSolve.
  void set_budget(std::optional<float> seconds, bool always = false);
  /// Looks at each state as soon as it is made; what that takes is the step's stage "verdict". Empty, as at
  /// first: nothing does.
  void set_test(std::function<void(Simulation&)> test);
  /// Back to the start; parameters and pins stay (ResetState).
  void reset();

  /// Sends a body of arrays to other places of its vertices, or a rigid one to where a matrix takes it, at a
  /// time (s): PoseBody, PlaceBody. Throw Error where that cannot be (MovedBodies); nothing changes then.
  void pose_body(const std::string& obstacle, std::vector<vec3> positions, double at);
  void place_body(const std::string& obstacle, const glm::dmat4& matrix, double at);

  /// Gives the triangles of a cloth whose rest shape belongs to corners other rest scales
  /// (CornerTextures::rest_scale) and factors (CornerTextures::factor); empty lists stand for none. Builds
  /// the solver again. Not recorded. Throws
  /// Error for a cloth of another kind and for lists of other lengths.
  void set_rest(int cloth, std::vector<vec3> rest_scale, std::vector<vec3> factor);

  const Scene& scene() const;   // as tuned so far
  Scene scene_to_save() const;  // with the user's pins, and bodies at the places to which they were moved
  Model& model();
  State& state();
  Device& device();
  StepStats stats();  // downloads a few numbers; cheap
  uint64_t hash() const;
  Snapshot snapshot() const;
  void restore(const Snapshot& snapshot);

  /// Current positions, vertex normals (area weighted, unit), and one of vertex_fields() by its name: stretch
  /// (max over incident edges), speed, contact depth, stretch along warp and along weft (mean over the
  /// triangles at the vertex, by area), the pressure of contact with bodies in the last step (Pa), or what
  /// the collision method reports (empty if it does not; sim/methods/quantities.h). "none" is empty.
  std::vector<vec3> positions() const;
  Span<const vec3> device_positions() const;
  Span<const vec3> device_normals();
  Span<const float> device_field(const std::string& name);

  /// Pairs in contact; where they are more than `most`, a part of them from all over the cloth.
  std::vector<ContactPair> contact_pairs(int most);
  /// Points between vertices that the last step kept apart as it does vertices; of more than `most` a part,
  /// from all over the cloth.
  std::vector<ActiveSample> active_samples(int most);
  /// Notices about the state with these statistics; the first states the guarantee.
  std::vector<std::string> collision_remarks(const StepStats& stats) const;

  std::vector<HandleView> handles() const;
  // at the current time, where they really are; waits for the device
  std::vector<ObstacleView> obstacles() const;
  std::vector<int> pinned_vertices() const;  // by the scene or the user
  std::vector<HandPin> hand_pins() const;
  /// Triangle meshes of the obstacles at rest (placement not applied): for drawing and export. Planes give a
  /// quad of
  /// 4 m; spheres, boxes and capsules a tessellation.
  const std::vector<TriMesh>& obstacle_meshes() const;
  /// The part of a body that a vertex of its mesh belongs to (Bodies::part_of).
  BodyPart body_part(int obstacle, int vertex) const;
  /// Signed distance to the nearest body at the current time, m.
  float signed_distance(const vec3& point) const;
  /// For tests: shrinks every growable list, so that the next step must grow them and be repeated.
  void shrink_lists_for_test();
  /// Description of the collision method's guarantee.
  std::string guarantee() const;
  Guarantee promises() const;

  /// Every command that was applied, with the step before which it acted.
  const std::vector<TimedCommand>& recorded() const;
  /// Whether commands are recorded, as they are at first; what was recorded is dropped where they are not.
  void set_recorded(bool kept);
  /// Unmet end conditions in words; empty if all hold.
  std::vector<std::string> failed_end_conditions();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft
