#include "sim/step/stepper.h"

#include <cstring>
#include <limits>

#include "sim/base/error.h"
#include "sim/base/inject.h"
#include "sim/step/stepper_kernels.h"

namespace weft {
namespace {
constexpr float kLargestDisplacement = 1e4f;  // m in one step: nothing that a scene means

/// While it lives: work on the device, which leaves nothing half done on the host, and nothing in the state.
struct Interruptible {
  Device& device;
  Interruptible(Device& device, const std::function<bool()>& when) : device(device) { device.interrupt_when(when); }
  ~Interruptible() { device.interrupt_when({}); }
};

uint64_t hash_combine(uint64_t seed, uint64_t value) { return (seed ^ value) * 1099511628211ull + 0x9e3779b97f4a7c15ull; }

}

Stepper::Stepper(StepContext& context, Kinematics& kinematics, Handles& handles)
    : c_(context), kinematics_(kinematics), handles_(handles),
      triangle_force_(context.device, "air forces", context.model.triangle_count()),
      new_velocity_(context.device, "new velocity", context.model.vertex_count()),
      spin_(context.device, "spins", context.model.vertex_count()), damped_(context.device, "damped velocity", context.model.vertex_count()),
      anchors_(context.device, "anchors before", context.model.vertex_count()), broken_(context.device, "broken", 1) {}

bool Stepper::try_step(DynamicsSolver& solver, CollisionHandler& collision, float dt, uint64_t revision, const std::function<bool()>& give_up) {
  c_.device.copy(anchors_.span().data, c_.anchor_weight.span().data, size_t(anchors_.size()) * sizeof(Sym3));
  try {
    if (try_it(solver, collision, dt, revision, give_up)) return true;
  } catch (const DeviceLost&) {
    throw;
  } catch (...) {
    go_back();
    throw;
  }
  go_back();
  return false;
}

void Stepper::go_back() { c_.device.copy(c_.anchor_weight.span().data, anchors_.span().data, size_t(anchors_.size()) * sizeof(Sym3)); }

bool Stepper::try_it(DynamicsSolver& solver, CollisionHandler& collision, float dt, uint64_t revision, const std::function<bool()>& give_up) {
  c_.dt = dt;
  for (;;) {
    prepare(solver, collision, dt);
    if (!solve_now(solver, collision, dt, revision, give_up)) return false;
    // A list that was too short has lost contacts: once more, with more room.
    const bool bodies_fit = c_.bodies.fits(), collision_fits = collision.fits();
    if (bodies_fit && collision_fits) break;
    go_back();
  }
  if (broken_vertex_ < 0 && !sound("solver or contact")) return false;
  broken_vertex_ = -1;
  StageScope stage(c_.device.profiler(), "finish");
  finish(collision, dt);
  return true;
}

/// False if what came of it is no number, as far as that is known already.
bool Stepper::solve_now(DynamicsSolver& solver, CollisionHandler& collision, float dt, uint64_t revision, const std::function<bool()>& give_up) {
  const Interruptible now(c_.device, give_up);
  if (broken_vertex_ >= 0) return solve_carefully(solver, collision);
  c_.device.replay(replay_signature(collision, revision, dt), [&] {
    solve(solver, collision, [](const char*) { return true; });
    mark_broken();
  });
  return true;
}

void Stepper::prepare(DynamicsSolver& solver, CollisionHandler& collision, float dt) {
  Profiler& profiler = c_.device.profiler();
  {
    StageScope stage(profiler, "bodies");
    c_.bodies.set_step(c_.scene, c_.state.time, dt);
  }
  StageScope stage(profiler, "predict");
  c_.velocity_change.clear();
  c_.solver_residual.clear();
  kinematics_.prescribe(c_, c_.state.time + dt);
  handles_.prepare(c_, c_.scene.drag);
  c_.consumed = solver.consumes();
  collision.prepare(c_);
  solver.prepare(c_);  // last: it makes room for as many stencils as the method has
  collision.plan(solver.iterations(c_));
  predict(dt);
  if (inject("nan", c_.state.step)) inject_nan();
}

/// As if a kernel had gone wrong at one vertex: in the prediction, or (stage=1) in what the solver is given.
void Stepper::inject_nan() {
  const int v = int(injected_value("nan", "vertex", 0));
  if (v < 0 || v >= c_.model.vertex_count()) return;
  const vec3 nan(std::numeric_limits<float>::quiet_NaN());
  vec3* at = (injected_value("nan", "stage", 0) > 0 ? c_.inertia : c_.displacement).span().data + v;
  c_.device.upload(at, &nan, sizeof nan);
}

uint64_t Stepper::replay_signature(const CollisionHandler& collision, uint64_t revision, float dt) const {
  uint32_t bits;
  std::memcpy(&bits, &dt, sizeof bits);
  return hash_combine(hash_combine(hash_combine(revision, bits), handles_.revision()), collision.revision());
}

/// A step that failed is taken again with a look at every stage: each look waits for the device.
bool Stepper::solve_carefully(DynamicsSolver& solver, CollisionHandler& collision) {
  const auto look = [this](const char* stage) {
    mark_broken();
    return sound(stage);
  };
  return look("prediction") && solve(solver, collision, look) && look("contact");
}

template <class Look>
bool Stepper::solve(DynamicsSolver& solver, CollisionHandler& collision, const Look& look) {
  Profiler& profiler = c_.device.profiler();
  {
    StageScope stage(profiler, "contact");
    collision.begin_step(c_);
  }
  {
    StageScope stage(profiler, "solve");
    solver.begin_step(c_);
    const int iterations = solver.iterations(c_);
    for (int k = 0; k < iterations; ++k) {
      {
        StageScope terms(profiler, "contact");
        c_.anchor_weight.clear();
        c_.anchor_force.clear();
        c_.stencils.clear();
        handles_.add_anchors(c_, c_.scene.drag);
        collision.before_iteration(c_, k);
      }
      solver.iterate(c_, k);
      if (!look(k == 0 ? "solver, first iteration" : "solver")) return false;
      const Verdict verdict = collision.after_iteration(c_, k);
      if (verdict == Verdict::done) break;
      if (verdict == Verdict::pairs_changed) solver.target_moved();
    }
  }
  StageScope stage(profiler, "contact");
  collision.advance(c_);
  return true;
}

void Stepper::predict(float dt) {
  const ForceParams& f = c_.scene.forces;
  const bool air = f.lift > 0 || f.drag > 0;
  if (air)
    launch(c_.device, "air", c_.model.triangle_count(),
           stepping::AirForces{c_.model.triangles.span(), c_.state.position.span(), c_.state.velocity.span(), c_.model.triangle_mass.span(),
                               f.wind, f.wind_gusts, f.lift, f.drag, float(c_.state.time), dt, triangle_force_.span()});
  launch(c_.device, "predict", c_.model.vertex_count(),
         stepping::Predict{c_.state.velocity.span(), c_.model.mass.span(),
                           c_.model.vertex_triangles.start.span(), c_.model.vertex_triangles.entry.span(),
                           air ? Span<const vec3>(triangle_force_.span()) : Span<const vec3>(), c_.kinematic.span(),
                           c_.kinematic_displacement.span(), f.gravity, dt, f.air_damping, c_.inertia.span(),
                           c_.displacement.span()});
}

void Stepper::mark_broken() {
  broken_.clear();
  launch(c_.device, "check", c_.model.vertex_count(),
         stepping::FindBroken{c_.displacement.span(), kLargestDisplacement, broken_.span()});
}

bool Stepper::sound(const char* stage) {
  const int found = broken_.download()[0];
  if (found == 0) return true;
  broken_vertex_ = c_.model.vertex_count() - found;
  broken_stage_ = stage;
  return false;
}

void Stepper::finish(CollisionHandler& collision, float dt) {
  const int n = c_.model.vertex_count();
  launch(c_.device, "velocity", n, stepping::NewVelocity{c_.displacement.span(), c_.velocity_change.span(), 1.0f / dt, new_velocity_.span()});
  const Model& m = c_.model;
  const stepping::DampedEdges edges{m.vertex_edges.start.span(), m.vertex_edges.entry.span(), m.edges.span(), m.mass.span()};
  const Span<const vec3> x = c_.state.position.span(), d = c_.displacement.span(), v = new_velocity_.span();
  launch(c_.device, "damping", n, stepping::FitSpin{edges, x, d, v, spin_.span()});
  launch(c_.device, "damping", n,
         stepping::DampVelocity{edges, x, d, v, spin_.span(), m.damping.span(), c_.kinematic.span(), dt, damped_.span()});
  collision.end_step(c_);
  launch(c_.device, "positions", n,
         stepping::Finish{c_.displacement.span(), damped_.span(), c_.state.position.span(), c_.state.velocity.span()});
  ++c_.state.step;
  c_.state.time += dt;
  handles_.finish_step(c_.state.time, dt, c_.scene.drag);
}

}  // namespace weft
