// A collision method: what contact adds to the energy of a step, and how the cloth moves without crossing.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/methods/active_sample.h"
#include "sim/methods/contact_pair.h"
#include "sim/methods/dynamics_solver.h"
#include "sim/methods/schedule.h"
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

/// prepare; begin_step; for each iteration before_iteration, the solver, after_iteration, and at its end
/// end_round; advance; end_step. From begin_step to advance there are only launches and copies on the device.
class CollisionHandler {
 public:
  virtual ~CollisionHandler() = default;
  virtual Guarantee guarantee() const = 0;
  /// What the solver is told of the method, with the parameters of a scene that prepare() may not have seen.
  virtual ContactTraits traits(const Scene&) const { return {}; }
  /// Uploads and allocates what the step needs; see DynamicsSolver::prepare.
  virtual void prepare(StepContext&) {}
  /// After prepare(): how the step's `iterations` of the solver are divided.
  virtual Schedule plan(int /*iterations*/) { return {}; }
  /// After prediction.
  virtual void begin_step(StepContext&) {}
  /// Adds contact terms to the anchors (which the stepper has cleared). Not before free iterations.
  virtual void before_iteration(StepContext&, int /*k*/) {}
  /// Looks at what iteration k, not the last and none of the free ones, has changed. `round_ends`: with it.
  virtual void after_iteration(StepContext&, bool /*round_ends*/) {}
  /// Number `round` of Schedule, the free iterations as one of them. May move d to where contact has it.
  virtual void end_round(StepContext&, int /*round*/) {}
  /// Moves the cloth towards x_n + d: last word over the displacement of the step.
  virtual void advance(StepContext&) {}
  /// Friction memory, contact velocities, carry.
  virtual void end_step(StepContext&) {}
  /// Changes when memory that launches name has moved (part of Attempt's signature of a recording).
  virtual uint64_t revision() const { return 0; }
  /// True if the step that was just tried, whose lists fitted, should be made again in steps of less time.
  virtual bool wants_smaller_step() { return false; }

  // Of the present state, between steps. They may wait for the device.

  /// "contact", the depth of contact (m; 0 where there is none), or one of CollisionEntry::fields; empty if
  /// the method has no such values.
  virtual Span<const float> field(StepContext&, std::string_view /*name*/) { return {}; }
  /// Of the present state and the step that led to it; its counters are those of CollisionEntry::counters.
  virtual CollisionNumbers numbers(StepContext&) { return {}; }
  /// Bodies that lag at the present state.
  virtual std::vector<LaggingBody> lagging_bodies(StepContext&) { return {}; }
  /// Pairs in contact at the present state; where they are more than `most`, a part of them from all over the
  /// cloth.
  virtual std::vector<ContactPair> contact_pairs(StepContext&, int /*most*/) { return {}; }
  /// Points between vertices that kept the distance of vertices at the end of the step that led to the
  /// present state; of more than `most` a part, from all over the cloth.
  virtual std::vector<ActiveSample> active_samples(StepContext&, int /*most*/) { return {}; }
  /// What people should know of the present state, a sentence or two each; the first says what the method
  /// promises.
  virtual std::vector<std::string> remarks(const CollisionNumbers&) const {
    return {guarantee().sentences(false)};
  }
};

}  // namespace weft
