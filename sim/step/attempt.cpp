#include "sim/step/attempt.h"

#include <cstring>
#include <limits>

#include "sim/base/error.h"
#include "sim/base/hash.h"
#include "sim/base/inject.h"
#include "sim/step/stepper_kernels.h"

namespace weft {
namespace {
constexpr float kLargestDisplacement = 1e4f;  // m in one step: far beyond what a scene contains

/// While it lives, work on the device may be interrupted: it leaves the state and the host as they are.
struct Interruptible {
  Device& device;
  Interruptible(Device& device, const std::function<bool()>& when) : device(device) {
    device.interrupt_when(when);
  }
  ~Interruptible() { device.interrupt_when({}); }
};

}  // namespace

Attempt::Attempt(StepContext& context, Stepper& stepper)
    : c_(context),
      stepper_(stepper),
      budget_(context.device),
      anchors_(context.device, "anchors before", context.model.vertex_count()),
      broken_(context.device, "broken", 1) {}

StepOutcome Attempt::run(StepMethods methods, float dt, uint64_t revision,
                         const std::function<bool()>& give_up) {
  c_.device.copy(anchors_.span().data, c_.anchor_weight.span().data, size_t(anchors_.size()) * sizeof(Sym3));
  methods.solver.end_by(budget_.end());
  const bool leaves_out = methods.solver.ends() == DynamicsSolver::Ends::leaves_out;
  stepper_.end_by(leaves_out && budget_.limits() ? budget_.end() : Span<SolveEnd>());
  StepOutcome outcome = StepOutcome::smaller_step;
  contact_asked_ = false;
  try {
    outcome = until_lists_fit(methods, dt, revision, give_up);
  } catch (const DeviceLost&) {
    throw;
  } catch (...) {
    restore();
    throw;
  }
  if (outcome != StepOutcome::done) restore();
  return outcome;
}

StepOutcome Attempt::until_lists_fit(StepMethods methods, float dt, uint64_t revision,
                                     const std::function<bool()>& give_up) {
  for (;;) {
    stepper_.prepare(methods, dt);
    stepper_.predict(dt);
    if (inject("nan", c_.state.step)) inject_nan();
    if (!solve(methods, dt, revision, give_up)) return StepOutcome::smaller_step;
    if (c_.lists.fit()) break;
    restore();  // a list that was too short has lost contacts: the step is made again, with more room
  }
  if (broken_vertex_ < 0 && !sound("solver or contact")) return StepOutcome::smaller_step;
  broken_vertex_ = -1;
  if (contact_asked_ = methods.collision.wants_smaller_step(); contact_asked_)
    return StepOutcome::smaller_step;
  stepper_.finish(methods, dt);
  return StepOutcome::done;
}

/// Phases 3 to 5. False if the result is known not to be finite.
bool Attempt::solve(StepMethods methods, float dt, uint64_t revision, const std::function<bool()>& give_up) {
  const Interruptible now(c_.device, give_up);
  if (broken_vertex_ >= 0) return solve_watched(methods);
  c_.device.replay(replay_signature(methods.collision, revision, dt), [&] {
    stepper_.begin(methods);
    budget_.begin();
    stepper_.iterate(methods, [](int) { return true; });
    stepper_.advance(methods);
    mark_broken();
  });
  return true;
}

/// The same with a look at every stage, each of which waits for the device: how an attempt after a broken one
/// finds the stage at fault.
bool Attempt::solve_watched(StepMethods methods) {
  const auto check = [this](const char* stage) {
    mark_broken();
    return sound(stage);
  };
  if (!check("prediction")) return false;
  stepper_.begin(methods);
  budget_.begin();
  bool good = true;
  stepper_.iterate(methods,
                   [&](int k) { return good = check(k == 0 ? "solver, first iteration" : "solver"); });
  if (!good) return false;
  stepper_.advance(methods);
  return check("contact");
}

void Attempt::restore() {
  c_.lists.forget();
  c_.device.copy(c_.anchor_weight.span().data, anchors_.span().data, size_t(anchors_.size()) * sizeof(Sym3));
}

/// As if a kernel had gone wrong at one vertex: in the prediction, or (stage=1) in what the solver is given.
void Attempt::inject_nan() {
  const int v = int(injected_value("nan", "vertex", 0));
  if (v < 0 || v >= c_.model.vertex_count()) return;
  const vec3 nan(std::numeric_limits<float>::quiet_NaN());
  vec3* at = (injected_value("nan", "stage", 0) > 0 ? c_.inertia : c_.displacement).span().data + v;
  c_.device.upload(at, &nan, sizeof nan);
}

uint64_t Attempt::replay_signature(const CollisionHandler& collision, uint64_t revision, float dt) const {
  uint32_t bits;
  std::memcpy(&bits, &dt, sizeof bits);
  const uint64_t of_step = hash_combine(hash_combine(revision, bits), stepper_.revision());
  return hash_combine(hash_combine(of_step, collision.revision()), budget_.limits());
}

void Attempt::mark_broken() {
  broken_.clear();
  launch(c_.device, "check", c_.model.vertex_count(),
         stepping::FindBroken{c_.displacement, kLargestDisplacement, broken_});
}

bool Attempt::sound(const char* stage) {
  const int found = broken_.download()[0];
  if (found == 0) return true;
  broken_vertex_ = c_.model.vertex_count() - found;
  broken_stage_ = stage;
  return false;
}

}  // namespace weft
