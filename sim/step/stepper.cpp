#include "sim/step/stepper.h"

#include <cmath>

#include "sim/linear/affine_kernels.h"
#include "sim/step/stepper_kernels.h"

namespace weft {

Stepper::Stepper(StepContext& context, Kinematics& kinematics, Handles& handles)
    : c_(context),
      kinematics_(kinematics),
      handles_(handles),
      creases_(context),
      stitches_(context),
      plugins_(context),
      triangle_force_(context.device, "air forces", context.model.triangle_count()),
      new_velocity_(context.device, "new velocity", context.model.vertex_count()),
      spin_(context.device, "spins", context.model.vertex_count()),
      damped_(context.device, "damped velocity", context.model.vertex_count()),
      goes_on_(context.device, "end of the solve", 1),
      pin_spring_(context.device, "pins of rigid bodies",
                  context.model.rigid.any() ? context.model.vertex_count() : 0) {}

void Stepper::prepare(StepMethods methods, float dt) {
  Profiler& profiler = c_.device.profiler();
  c_.dt = dt;
  {
    StageScope stage(profiler, "bodies");
    c_.bodies.set_step(c_.scene, c_.state.time, dt);
  }
  StageScope stage(profiler, "predict");
  c_.velocity_change.clear();
  c_.solver_residual.clear();
  kinematics_.prescribe(c_, c_.state.time + dt);
  launch(c_.device, "rigid bodies", bodies().count(),
         affine::HoldBodies{.view = bodies().view(),
                            .dt = dt,
                            .position = c_.state.position,
                            .kinematic = c_.kinematic,
                            .displacement = c_.kinematic_displacement,
                            .spring = pin_spring_});
  handles_.prepare(c_, c_.scene.drag);
  creases_.prepare();
  stitches_.prepare();
  methods.collision.prepare(c_);
  methods.solver.prepare(c_);  // last: it makes room for as many stencils as the method has
  schedule_ = methods.collision.plan(methods.solver.iterations(c_));
}

void Stepper::predict(float dt) {
  StageScope stage(c_.device.profiler(), "predict");
  const ForceParams& f = c_.scene.forces;
  const Span<const float> pressure = c_.model.triangle_loads.pressure;
  const bool air = f.lift > 0 || f.drag > 0 || !pressure.empty();
  if (air)
    launch(c_.device, "air", c_.model.triangle_count(),
           stepping::AirForces{.triangles = c_.model.triangles,
                               .position = c_.state.position,
                               .velocity = c_.state.velocity,
                               .triangle_mass = c_.model.triangle_loads.mass,
                               .wind = f.wind,
                               .gusts = f.wind_gusts,
                               .lift = f.lift,
                               .drag = f.drag,
                               .time = float(c_.state.time),
                               .dt = dt,
                               .pressure = pressure,
                               .triangle_force = triangle_force_});
  launch(c_.device, "predict", c_.model.vertex_count(),
         stepping::Predict{c_.state.velocity, c_.model.mass, c_.model.vertex_triangles.start,
                           c_.model.vertex_triangles.entry,
                           air ? Span<const vec3>(triangle_force_) : Span<const vec3>(), c_.kinematic,
                           c_.kinematic_displacement, f.gravity, dt, f.air_damping, c_.inertia,
                           c_.displacement});
  launch(c_.device, "rigid bodies", bodies().count(),
         affine::FlyFreely{.view = bodies().view(),
                           .position = c_.state.position,
                           .velocity = c_.state.velocity,
                           .kinematic = c_.kinematic,
                           .dt = dt,
                           .kept = std::exp(-f.air_damping * dt),
                           .inertia = c_.inertia,
                           .displacement = c_.displacement,
                           .velocity_change = c_.velocity_change});
}

void Stepper::begin(StepMethods methods) {
  StageScope stage(c_.device.profiler(), "contact");
  methods.collision.begin_step(c_);
  fit_bodies();
}

void Stepper::fit_bodies() {
  launch(c_.device, "rigid bodies", bodies().count(),
         affine::FitBodies{.view = bodies().view(),
                           .position = c_.state.position,
                           .kinematic = c_.kinematic,
                           .spring = pin_spring_,
                           .target = c_.kinematic_displacement,
                           .displacement = c_.displacement});
}

void Stepper::iterate(StepMethods methods, const std::function<bool(int)>& goes_on) {
  StageScope stage(c_.device.profiler(), "solve");
  methods.solver.begin_step(c_);
  const int iterations = methods.solver.iterations(c_);
  bool stopped = false;
  int round = 0;
  for (int k = 0; k < iterations && !stopped; ++k) {
    const Span<const int> unsolved = k == 0 ? Span<const int>() : methods.solver.unsolved();
    const auto iteration = [&] {
      if (unsolved.empty()) contact_terms(methods, k);
      else c_.device.when(unsolved, [&] { contact_terms(methods, k); });
      methods.solver.iterate(c_, k);
      stopped = !goes_on(k);
    };
    const auto asked = [&] {
      if (end_.empty()) return iteration();
      launch(c_.device, "end", 1, AskToGoOn{end_, goes_on_});
      c_.device.when(goes_on_, iteration);
    };
    if (k == 0 || k + 1 == iterations) iteration();
    else if (schedule_.iterate.empty()) asked();
    else c_.device.when(schedule_.iterate, asked);
    if (!stopped && end_iteration(methods, k, iterations, round)) ++round;
  }
}

/// Whether round number `round` ends with iteration k.
bool Stepper::end_iteration(StepMethods methods, int k, int iterations, int round) {
  const Schedule& s = schedule_;
  const bool free_end = k + 1 == s.free;
  const size_t next = size_t(round) - (s.free > 0 && round > 0 ? 1 : 0);
  const bool ends = free_end || (k >= s.free && next < s.ends.size() && s.ends[next] == k);
  if (k >= s.free && k + 1 < iterations) methods.collision.after_iteration(c_, ends);
  if (!ends) return false;
  const auto end_round = [&] {
    methods.collision.end_round(c_, round);
    methods.solver.contact_changed();
  };
  if (free_end || s.goes_on.empty()) end_round();
  else c_.device.when(s.goes_on, end_round);
  return true;
}

void Stepper::contact_terms(StepMethods methods, int iteration) {
  StageScope stage(c_.device.profiler(), "contact");
  c_.anchor_weight.clear();
  c_.anchor_force.clear();
  c_.stencils.clear();
  handles_.add_anchors(c_, c_.scene.drag);
  launch(c_.device, "rigid bodies", bodies().count(),
         affine::AnchorBodies{bodies().view(), pin_spring_, c_.kinematic_displacement, c_.anchor_weight,
                              c_.anchor_force});
  plugins_.add_anchors(c_);
  if (iteration >= schedule_.free) methods.collision.before_iteration(c_, iteration);
}

void Stepper::advance(StepMethods methods) {
  plugins_.filter(c_);
  StageScope stage(c_.device.profiler(), "contact");
  fit_bodies();
  methods.collision.advance(c_);
}

void Stepper::finish(StepMethods methods, float dt) {
  StageScope stage(c_.device.profiler(), "finish");
  const int n = c_.model.vertex_count();
  launch(c_.device, "velocity", n,
         stepping::NewVelocity{c_.displacement, c_.velocity_change, 1.0f / dt, new_velocity_});
  const Model& m = c_.model;
  const stepping::DampedEdges edges{m.vertex_edges.start, m.vertex_edges.entry, m.edges, m.mass};
  const Span<const vec3> x = c_.state.position, d = c_.displacement, v = new_velocity_;
  launch(c_.device, "damping", n, stepping::FitSpin{edges, x, d, v, spin_});
  launch(c_.device, "damping", n,
         stepping::DampVelocity{edges, x, d, v, spin_, m.damping, c_.kinematic, dt, damped_});
  methods.collision.end_step(c_);
  launch(c_.device, "positions", n,
         stepping::Finish{c_.displacement, damped_, c_.state.position, c_.state.velocity});
  creases_.finish_step();
  ++c_.state.step;
  ++c_.state.revision;
  c_.state.time += dt;
  handles_.finish_step(c_.state.time, dt, c_.scene.drag);
}

}  // namespace weft
