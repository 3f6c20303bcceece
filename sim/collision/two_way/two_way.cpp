#include "sim/collision/two_way/two_way.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/collision/free_path/path_quantities.h"

namespace weft {

TwoWay::TwoWay(StepContext& c)
    : points_(c),
      steps_(c.lists, points_.surface(), points_.positions(c)),
      terms_(c, points_, steps_.search()),
      params_(c.scene.of<TwoWayParams>()),
      safe_(c.device, "safe displacement", c.model.vertex_count()),
      depth_(c.device, "contact depth", c.model.vertex_count()),
      bound_(c.device, "bounds", c.model.vertex_count()) {
  steps_.prepare(params_);
  // now, not before the first step, so that the guarantee of the state is known
  points_.examine(c, steps_.search(), start_lengths(), false);
}

void TwoWay::prepare(StepContext& c) {
  params_ = c.scene.of<TwoWayParams>();
  points_.prepare(c);
  points_.examine(c, steps_.search(), start_lengths(), true);
  TwoWayParams params = params_;
  if (points_.squeezed()) steps_.search_anew(params);
  steps_.prepare(params, true, points_.closer());
  terms_.prepare(c,
                 {steps_.activation(), steps_.radius(), steps_.margin(), params_.repulsion, params_.firmness,
                  params_.self_friction, params_.friction_by != int(FrictionBy::velocity_filter),
                  params_.normals == int(ContactNormals::segments), steps_.part_radii({})});
}

/// Handlings are shared evenly among the solver's iterations; the last is left to advance. Rigid bodies
/// have two at least, where the solver has two iterations: what they meet on the way of a step is pushed
/// apart by the first, and exchanges momentum in the solver by the second. Pushes alone would feed their
/// spin.
Schedule TwoWay::plan(int iterations) {
  Schedule schedule;
  const int handlings =
      points_.surface().rigid().empty() ? params_.handlings : std::max(params_.handlings, 2);
  const auto handled = [&](int k) { return int(int64_t(handlings) * (k + 1) / iterations); };
  for (int k = 0; k + 1 < iterations; ++k)
    if (handled(k) > (k > 0 ? handled(k - 1) : 0)) schedule.ends.push_back(k);
  return schedule;
}

void TwoWay::begin_step(StepContext& c) {
  terms_.begin_step(c, steps_.inverse_mass());
  watch_path(c.device);
  steps_.begin(c.model.pushed_mass(), c.kinematic, terms_.inertia() * c.dt * c.dt, c.model.rigid.view());
  safe_.clear();
  points_.begin_step(c.device);
  make_terms(c);
  terms_.move_with_bodies(c, safe_);
}

void TwoWay::watch_path(Device& device) {
  Path* path = path_to_keep(device);
  if (!path) return steps_.watch_path({});
  steps_.watch_path([path](const std::vector<vec3>& x) { add_corner(*path, x); });
}

void TwoWay::make_terms(StepContext& c) {
  if (!terms_.any()) return;
  StageScope stage(c.device.profiler(), "repulsion");
  terms_.make(c, safe_);
}

void TwoWay::before_iteration(StepContext& c, int) {
  terms_.add(c, safe_);
  points_.add_anchors(c);
}

void TwoWay::handle(StepContext& c) {
  StageScope stage(c.device.profiler(), "two-way");
  steps_.handle(c.bodies.view(), c.state.position, safe_, c.displacement, points_.body_now(),
                points_.body_start());
  c.device.copy(c.displacement.span().data, safe_.span().data, size_t(safe_.size()) * sizeof(vec3));
}

void TwoWay::end_round(StepContext& c, int) {
  handle(c);
  make_terms(c);
}

void TwoWay::advance(StepContext& c) {
  terms_.keep_friction(c, safe_);
  terms_.advance_begins(c);
  handle(c);
  terms_.advance_ends(c);
  steps_.depths(depth_);
}

void TwoWay::end_step(StepContext& c) {
  terms_.end_step(c);
  points_.end_step(c, steps_.search());
}

CollisionNumbers TwoWay::numbers(StepContext& c) {
  CollisionNumbers n;
  if (!points_.led_here(c)) return n;  // after a reset or a restored snapshot no step led to this state
  const two_way::Progress p = steps_.progress();
  n.self_pairs = p.contacts;
  n.collision_steps = p.total_steps;
  n.residual = p.residual;
  count_close(steps_, n.counters);
  n.counters.push_back({"colours", double(p.color)});
  n.pin_lag = points_.lag(c, steps_.x(), steps_.aim(), false);
  n.body_lag = points_.lag(c, steps_.x(), steps_.aim(), true);
  n.body_lag_place = points_.body_lag_place(c);
  points_.add_passage(c, n);
  return n;
}

std::vector<ContactPair> TwoWay::contact_pairs(StepContext& c, int most) {
  return points_.led_here(c) ? steps_.contact_pairs(most) : std::vector<ContactPair>();
}

Span<const float> TwoWay::field(StepContext& c, std::string_view name) {
  if (name == "contact") return depth_;
  if (name == "let_through") return points_.passed_cloth();
  if (name != "bound" || !points_.led_here(c)) return {};
  steps_.bounds(bound_);
  return bound_;
}

std::vector<LaggingBody> TwoWay::lagging_bodies(StepContext& c) {
  return points_.lagging_bodies(c, steps_.x(), steps_.aim());
}

std::vector<std::string> TwoWay::remarks(const CollisionNumbers& n) const {
  std::vector<std::string> all{guarantee().sentences(true)};
  all.push_back(layers_in_words(steps_));
  if (n.collision_steps > 0)
    all.push_back(fmt::format(
        "{} forward step{}, residual {}{}", n.collision_steps, n.collision_steps == 1 ? "" : "s",
        n.residual >= 0.01f ? fmt::format("{:.2f}", double(n.residual))
        : n.residual > 0    ? fmt::format("{:.1e}", double(n.residual))
                            : "0",
        n.residual < params_.threshold ? "."
        : n.collision_steps >= params_.step_limit
            ? ": some vertices did not reach their targets. More steps may help."
            : ": some vertices cannot reach their targets. The cloth is pinched there, or crosses."));
  if (n.collision_steps > 0)
    all.push_back(fmt::format("{} vertex-triangle and {} edge-edge pairs are close, {} are in contact.",
                              n.counter("vertex_triangle_pairs"), n.counter("edge_edge_pairs"),
                              n.self_pairs));
  for (std::string& words : points_.remarks(n)) all.push_back(std::move(words));
  return all;
}

}  // namespace weft
