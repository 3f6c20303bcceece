#include "sim/collision/two_way/two_way.h"
#include "sim/collision/two_way/two_way_params.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/collision/path.h"
#include "sim/collision/two_way/force_kernels.h"
#include "sim/device/primitives.h"

namespace weft {
namespace {

constexpr float kMostLift = 2;       // mean edges
// activation distances: limit for a start that touches a body, or is within a millimetre of its surface
constexpr float kMostStartLift = 4;
// activation distances: a closer start could hardly move under the bounds of forward steps
constexpr float kTouching = 0.02f;
constexpr float kParted = 0.25f;     // activation distances from which on pairs that started in touch are pairs like all others

void add_marks(std::vector<int>& marks, const std::vector<int>& more) {
  if (std::all_of(more.begin(), more.end(), [](int mark) { return mark == 0; })) return;
  marks.resize(more.size(), 0);
  for (size_t i = 0; i < more.size(); ++i) marks[i] |= more[i];
}

std::vector<vec3> all_positions(const StepContext& c, const ContactSurface& surface) {
  std::vector<vec3> all = c.state.position.download();
  const std::vector<vec3> body = surface.body_positions(c.scene, c.bodies, c.state.time);
  all.insert(all.end(), body.begin(), body.end());
  return all;
}

}  // namespace

TwoWay::TwoWay(StepContext& c)
    : state_(c.state),
      stencils_(c.stencils),
      surface_(c.device, c.model, c.scene, c.bodies),
      body_(c.device, "contact bodies", surface_.body_positions(c.scene, c.bodies, c.state.time)),
      body_now_(c.device, "contact bodies", surface_.body_points()),
      steps_(c.device, surface_, all_positions(c, surface_)),
      memory_(c.device, c.state, c.model.vertex_count(), surface_.points(), surface_.planes().size),
      params_(c.scene.of<TwoWayParams>()),
      elastic_(c.device, "contact firmness", c.model.vertex_count()),
      safe_(c.device, "safe displacement", c.model.vertex_count()),
      taken_(c.device, "taken back", c.model.vertex_count()),
      taken_now_(c.device, "taken back", c.model.vertex_count()),
      depth_(c.device, "contact depth", c.model.vertex_count()),
      bound_(c.device, "bounds", c.model.vertex_count()),
      lag_(c.device, "lag", surface_.points()),
      worst_lag_(c.device, "lag", 1) {
  steps_.prepare(params_);
  set_elastic(c);
  taken_.clear();
  state_.carry("contact bodies", body_);
  state_.carry("taken back by contact", taken_);
  look_at_state(c);  // now, not before the first step, so that the guarantee of the state is known
}

TwoWay::~TwoWay() {
  state_.forget("contact bodies");
  state_.forget("taken back by contact");
  stencils_.release();
}

void TwoWay::prepare(StepContext& c) {
  params_ = c.scene.of<TwoWayParams>();
  if (crosses_ || c.state.revision != made_) look_at_state(c);
  surface_.set_step(c.scene, c.bodies, c.state.time + double(c.dt));
  steps_.prepare(params_);
  coupled_ = params_.repulsion > 0 && (c.consumed & kStencils);
  steps_.prepare_stencils(c.stencils, coupled_);
  c.stencils.set_merit(coupled_ ? this : nullptr);
  set_elastic(c);
  memory_.prepare(surface_.planes().size);
}

/// Lifts cloth that another method left slightly inside bodies, and a start that touches one. Pairs that
/// still touch or cross are ignored until they have separated: otherwise they would block everything around
/// them, and steps would not end.
void TwoWay::look_at_state(StepContext& c) {
  std::vector<vec3> x = c.state.position.download();
  const int cloth = int(x.size());
  const std::vector<vec3> body = body_.download();
  x.insert(x.end(), body.begin(), body.end());
  const SurfaceCounts counts{cloth, c.model.triangle_count()};
  const bool new_state = c.state.revision != made_;
  if (new_state) {
    const float most = c.state.step > 0 ? kMostLift * steps_.mean_edge() : kMostStartLift * steps_.activation();
    const LiftOut lifted = lift_out_of_bodies(x, surface_.host_triangles(), counts, steps_.activation(), most);
    // A state is examined when the method is selected, and again before the first step from it.
    if (lifted.moved || c.state.step != lifted_at_) lifted_ = lifted, lifted_at_ = c.state.step;
    if (lifted.moved) c.state.position.upload({x.begin(), x.begin() + cloth});
  }
  std::vector<int> marks = surface_crossings(x, surface_.host_triangles(), counts).points;
  add_marks(marks, new_state ? steps_.touching_points(x, kTouching * steps_.activation()) : steps_.search().left_out_and_near());
  crosses_ = !marks.empty();
  steps_.search().leave_out(marks, kParted * steps_.activation());
}

/// Uploads changes only: fabrics may be edited between steps.
void TwoWay::set_elastic(StepContext& c) {
  std::vector<float> stiffness;
  for (const Cloth& cloth : c.scene.cloths) stiffness.push_back(params_.firmness * std::max(cloth.fabric.stretch_stiffness, cloth.fabric.weft_stiffness));
  if (stiffness == stiffness_) return;
  std::vector<float> all;
  for (const int cloth : c.model.host.vertex_cloth) all.push_back(stiffness[size_t(cloth)]);
  elastic_.upload(all);
  stiffness_ = stiffness;
}

void TwoWay::begin_step(StepContext& c) {
  handled_ = 0;
  if (coupled_)  // the remainder of descent's steps would accumulate
    launch(c.device, "two-way begin", taken_.size(),
           two_way::StartAgain{taken_.span(), c.kinematic.span(), c.displacement.span()});
  memory_.clear_overflow();
  watch_path(c.device);
  steps_.begin(c.model.mass.span(), c.kinematic.span(), elastic_.span(), c.dt);
  safe_.clear();
  c.device.copy(body_now_.span().data, body_.span().data, size_t(body_.size()) * sizeof(vec3));
  make_terms(c);
}

/// See KeepPath.
void TwoWay::watch_path(Device& device) {
  Path* path = device.kind() == DeviceKind::cpu && !device.verify_replays ? KeepPath::now() : nullptr;
  if (!path) return steps_.watch_path({});
  path->clear();
  steps_.watch_path([path](const std::vector<vec3>& x) {
    std::vector<dvec3> corner(x.begin(), x.end());
    if (path->empty() || corner != path->back()) path->push_back(std::move(corner));
  });
}

void TwoWay::make_terms(StepContext& c) {
  if (!(params_.repulsion > 0)) return;
  StageScope stage(c.device.profiler(), "repulsion");
  steps_.make_terms(c.state.position.span(), safe_.span(), body_now_.span(), memory_, taken_.span());
}

void TwoWay::before_iteration(StepContext& c, int) {
  if (!(params_.repulsion > 0)) return;
  const Span<const vec3> x = c.state.position.span(), d = c.displacement.span();
  if (coupled_) steps_.add_stencils(x, safe_.span(), d, body_.span(), c.stencils, c.anchor_weight.span(), c.anchor_force.span());
  else steps_.add_terms(x, safe_.span(), d, body_.span(), c.anchor_weight.span(), c.anchor_force.span());
}

void TwoWay::merit(StepContext& c, Span<const vec3> p, float length, Span<float> out) {
  steps_.merit(c.state.position.span(), c.displacement.span(), p, length, out);
}

void TwoWay::handle(StepContext& c) {
  StageScope stage(c.device.profiler(), "two-way");
  steps_.handle(c.bodies.view(), c.state.position.span(), safe_.span(), c.displacement.span(), body_now_.span(), body_.span());
  c.device.copy(c.displacement.span().data, safe_.span().data, size_t(safe_.size()) * sizeof(vec3));
  ++handled_;
}

void TwoWay::after_iteration(StepContext& c, int k) {
  // Shared evenly among the solver's iterations; the last is left to advance.
  const int wanted = int(int64_t(params_.handlings) * (k + 1) / iterations_);
  if (wanted <= handled_ || k + 1 >= iterations_) return;
  handle(c);
  handled_ = wanted;
  make_terms(c);
}

void TwoWay::advance(StepContext& c) {
  if (params_.repulsion > 0) steps_.keep_friction(c.state.position.span(), safe_.span(), c.displacement.span(), body_.span(), memory_);
  c.device.copy(taken_now_.span().data, c.displacement.span().data, size_t(taken_.size()) * sizeof(vec3));
  handle(c);
  launch(c.device, "two-way end", taken_.size(),
         two_way::TakenBack{c.displacement.span(), taken_now_.span()});
  launch(c.device, "contact depth", depth_.size(), two_way::Depths{steps_.nearest(), steps_.activation(), depth_.span()});
}

void TwoWay::end_step(StepContext& c) {
  made_ = c.state.revision + 1;
  body_lag_ = -1;
  if (params_.repulsion > 0) memory_.commit();
  c.device.copy(taken_.span().data, taken_now_.span().data, size_t(taken_.size()) * sizeof(vec3));
  c.device.copy(body_.span().data, body_now_.span().data, size_t(body_.size()) * sizeof(vec3));
}

bool TwoWay::fits() {
  const bool pairs_fit = steps_.fits(), memory_fits = memory_.fits();
  return pairs_fit && memory_fits;
}

CollisionNumbers TwoWay::numbers(StepContext& c) {
  CollisionNumbers n;
  if (c.state.revision != made_) return n;  // after a reset or a restored snapshot no step led to this state
  const two_way::Progress p = steps_.progress();
  n.self_pairs = p.contacts;
  n.collision_steps = p.total_steps;
  n.residual = p.residual;
  n.vertex_triangle_pairs = steps_.count(steps_.search().vertex_triangle());
  n.edge_edge_pairs = steps_.count(steps_.search().edge_edge());
  n.pin_lag = lag(c, false);
  n.body_lag = lag(c, true);
  return n;
}

/// Largest distance (m) of pinned vertices, or of bodies' points, from their scripted places, after the last
/// step.
float TwoWay::lag(StepContext& c, bool of_bodies) {
  if (of_bodies && surface_.body_points() == 0) return 0;
  if (of_bodies && body_lag_ >= 0) return body_lag_;
  launch(c.device, "lag", lag_.size(),
         two_way::Lag{steps_.x(), steps_.aim(), c.kinematic.span(), surface_.cloth_points(), of_bodies, lag_.span()});
  reduce_max(c.device, lag_.span(), worst_lag_.span());
  const float worst = std::max(0.0f, worst_lag_.download()[0]);
  if (of_bodies) body_lag_ = worst;
  return worst;
}

std::vector<ContactPair> TwoWay::contact_pairs(StepContext& c, int most) {
  return c.state.revision == made_ ? steps_.contact_pairs(most) : std::vector<ContactPair>();
}

Span<const float> TwoWay::bound(StepContext& c) {
  if (c.state.revision != made_) return {};
  steps_.bounds(bound_.span());
  return bound_.span();
}

std::vector<LaggingBody> TwoWay::lagging_bodies(StepContext& c) {
  std::vector<LaggingBody> found;
  const bool after_step = c.state.revision == made_;  // else a snapshot was restored, or nothing has moved yet
  if (surface_.body_points() == 0 || (after_step && !(lag(c, true) > kShownLag))) return found;
  const std::vector<vec3> now = body_.download();
  const std::vector<vec3> wanted = after_step ? surface_.body_targets_now() : surface_.body_positions(c.scene, c.bodies, c.state.time);
  for (int i = 0; i < int(c.scene.obstacles.size()); ++i) {
    auto own = std::make_shared<std::vector<vec3>>(surface_.of_body(i, now));
    const std::vector<vec3> aim = surface_.of_body(i, wanted);
    float worst = 0;
    for (size_t k = 0; k < own->size(); ++k) worst = std::max(worst, glm::length((*own)[k] - aim[k]));
    if (worst > kShownLag) found.push_back({i, std::move(own)});
  }
  return found;
}

std::vector<std::string> TwoWay::remarks(const CollisionNumbers& n) const {
  std::vector<std::string> all{guarantee().sentences(true)};
  all.push_back(fmt::format("Layers rest about {:.1f} mm apart on this mesh.", 1e3 * double(steps_.activation() + steps_.slack())));
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
                              n.vertex_triangle_pairs, n.edge_edge_pairs, n.self_pairs));
  if (lifted_.moved)
    all.push_back(fmt::format(
        "{} triangle{} of the cloth started inside bodies and were moved out, by up to {:.1f} mm.",
        lifted_.triangles, lifted_.triangles == 1 ? "" : "s", 1e3 * double(lifted_.farthest)));
  if (n.pin_lag > 1e-3f) all.push_back(fmt::format("Pinned vertices lag {:.0f} mm.", 1e3 * double(n.pin_lag)));
  if (n.body_lag > 1e-4f)
    all.push_back(fmt::format("A body lags {:.1f} mm behind its motion, since cloth is in the way.",
                              1e3 * double(n.body_lag)));
  return all;
}

std::vector<std::pair<std::string, int>> TwoWay::counts() {
  const two_way::Progress p = steps_.progress();
  return {{"forward steps", p.total_steps}, {"contacts", p.contacts}, {"colours", p.color}};
}

}  // namespace weft
