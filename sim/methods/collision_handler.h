// A collision method: what contact adds to the energy of a step, and how the cloth moves without crossing.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/methods/active_sample.h"
#include "sim/methods/contact_pair.h"
#include "sim/methods/dynamics_solver.h"
#include "sim/scene/model/collision_numbers.h"

namespace weft {

enum class Protection { none, bounded_penetration, intersection_free };

/// What a method promises of every published state.
struct Guarantee {
  Protection self = Protection::none;
  Protection bodies = Protection::none;
  float body_bound = 0;  // m, for bounded_penetration
  std::string words() const;
  /// The same as a sentence or two, for people. `self_collision`: the method acts between cloth and cloth.
  std::string sentences(bool self_collision) const;
};

/// A body that is not where its script wants it, for cloth is in its way.
struct LaggingBody {
  int obstacle = 0;                                    // into Scene::obstacles
  std::shared_ptr<const std::vector<vec3>> positions;  // m, of its mesh's vertices: where it is
};

/// Bodies that lag by less are not reported (m); they are drawn and written where they are.
constexpr float kShownLag = 1e-4f;

class CollisionHandler {
 public:
  virtual ~CollisionHandler() = default;
  virtual Guarantee guarantee() const = 0;
  virtual unsigned emits() const = 0;
  /// Whether cloth meets cloth.
  virtual bool self_collision() const { return false; }
  /// Length over rest length from which on it holds edges back; 0: never. The solver makes threads lock
  /// before.
  virtual float stretch_limit() const { return 0; }
  /// The same with the parameters of a scene, which prepare() has not seen yet.
  virtual float stretch_limit_of(const Scene&) const { return stretch_limit(); }
  /// Uploads and allocates what the step needs; see DynamicsSolver::prepare.
  virtual void prepare(StepContext&) {}
  /// Iterations that the solver will take in this step.
  virtual void plan(int /*iterations*/) {}
  /// After prediction.
  virtual void begin_step(StepContext&) {}
  /// One element, 0 where iterations have nothing left to do: those between the first and the last are then
  /// left out.
  /// Empty: none is left out. Asked only where StepContext::may_skip says so.
  virtual Span<const int> iteration_flag() const { return {}; }
  /// Adds contact terms to the anchors (which the stepper has cleared).
  virtual void before_iteration(StepContext&, int) {}
  /// May move d to where contact has it.
  virtual void after_iteration(StepContext&, int) {}
  /// Moves the cloth towards x_n + d: last word over the displacement of the step.
  virtual void advance(StepContext&) {}
  /// Friction memory, contact velocities, carry.
  virtual void end_step(StepContext&) {}
  /// Changes when memory that launches name has moved (part of Attempt's signature of a recording).
  virtual uint64_t revision() const { return 0; }
  /// Vertices in contact and contact depth per vertex (m), for view and statistics; empty if the method has
  /// none.
  virtual Span<const float> contact_depth() const { return {}; }
  /// What each vertex needed in the last step: 0 nothing, 1 the soft, 2 the hard phase; empty if the method
  /// has no phases.
  virtual Span<const float> phase() const { return {}; }
  /// Of the present state and the step that led to it. Between steps; waits for the device.
  virtual CollisionNumbers numbers(StepContext&) { return {}; }
  /// How far each vertex may go in one step of the method towards what is nearest to it, m; empty if the
  /// method has no such bound, or no step led to the present state. Between steps.
  virtual Span<const float> bound(StepContext&) { return {}; }
  /// Bodies that lag at the present state. Between steps; waits for the device.
  virtual std::vector<LaggingBody> lagging_bodies(StepContext&) { return {}; }
  /// Pairs in contact at the present state; where they are more than `most`, a part of them from all over the
  /// cloth.
  virtual std::vector<ContactPair> contact_pairs(StepContext&, int /*most*/) { return {}; }
  /// Points between vertices that kept the distance of vertices at the end of the step that led to the
  /// present state; of more than `most` a part, from all over the cloth. Between steps; waits for the device.
  virtual std::vector<ActiveSample> active_samples(StepContext&, int /*most*/) { return {}; }
  /// What people should know of the present state, a sentence or two each; the first says what the method
  /// promises.
  virtual std::vector<std::string> remarks(const CollisionNumbers&) const {
    return {guarantee().sentences(self_collision())};
  }
  /// What the method counts, by name, for the last time step; waits for the device. Empty if it counts
  /// nothing.
  virtual std::vector<std::pair<std::string, int>> counts() { return {}; }
  /// True if the step that was just tried, whose lists fitted, should be made again in steps of less time.
  virtual bool wants_smaller_step() { return false; }
  /// Iterations of the solver that the oldest contact of each vertex had lasted when the last step ended;
  /// empty if the method counts none.
  virtual Span<const float> age() const { return {}; }
};

}  // namespace weft
