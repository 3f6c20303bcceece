#include "sim/collision/ndb/ndb.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/collision/contact_terms/contact_terms.h"
#include "sim/collision/free_path/path_quantities.h"
#include "sim/collision/ndb/round_kernels.h"
#include "sim/collision/surface/contact_pairs.h"
#include "sim/device/primitives.h"

namespace weft {
namespace {
using namespace ndb;

constexpr const char* kForward = "forwarded residual";
// iterations with contact that a step has before any is without: what falls through other cloth in a warm
// start must come back
constexpr int kLeastWithContact = 16;
constexpr float kLargestGap = 0.4f;    // mean edges: with a larger one a flat sheet would repel itself
constexpr float kFinestChange = 0.1f;  // gaps: changes within a round below which they say nothing of contact
// of the path, beyond which other rounds and the exit go on: in piles each takes up to a hundred
constexpr int kMostPiecesOfRound = 16;
constexpr float kMostForward = 2;  // gaps that a forwarded residual may move cloth by where it hardly moves

/// The exit by planes: cloth rests at the gap for the solver, and is kept three quarters of it apart
/// (TwoWaySteps::slack comes on top of its activation distance), so that backward steps find nothing to do
/// where the solver has converged.
FreePathOptions exit_options(const NdbParams& p, float mean_edge) {
  FreePathOptions exit;
  exit.step_limit = p.step_limit;
  exit.threshold = p.threshold;
  exit.activation = std::min(p.gap, kLargestGap * mean_edge) / (1 + ContactTerms::slack_of(1));
  exit.damping = p.filter;
  exit.repulsion = 1;
  exit.self_friction = p.self_friction;
  return exit;
}

/// Largest extent of the cloth's start, m.
float size_of(const std::vector<vec3>& positions, int cloth) {
  vec3 low(0), high(0);
  for (int v = 0; v < cloth; ++v) {
    const vec3& p = positions[v];
    low = v ? glm::min(low, p) : p, high = v ? glm::max(high, p) : p;
  }
  return std::max({high.x - low.x, high.y - low.y, high.z - low.z, 1e-6f});
}

}  // namespace

Ndb::Ndb(StepContext& c)
    : state_(c.state),
      points_(c),
      steps_(c.lists, points_.surface(), points_.positions(c)),
      contacts_(c, points_, steps_.search()),
      toi_(c.device, points_.surface(), steps_.search()),
      params_(c.scene.of<NdbParams>()),
      size_(size_of(c.model.host.rest, c.model.vertex_count())),
      largest_change_(c.device, "change", 1) {
  const int n = c.model.vertex_count();
  for (auto* b : {&safe_, &target_, &before_, &round_before_})
    *b = Buffer<vec3>(c.device, "displacements of rounds", n);
  for (auto* b : {&forward_, &forward_now_}) *b = Buffer<vec3>(c.device, kForward, n), b->clear();
  change_ = Buffer<float>(c.device, "changes", n);
  bound_ = Buffer<float>(c.device, "bounds", n);
  state_.carry(kForward, forward_);
  steps_.prepare(exit_options(params_, steps_.mean_edge()), false);
  // now, not before the first step, so that the guarantee of the state is known
  points_.examine(c, steps_.search(), start_lengths(), false);
}

Ndb::~Ndb() { state_.forget(kForward); }

void Ndb::prepare(StepContext& c) {
  params_ = c.scene.of<NdbParams>();
  points_.prepare(c);
  points_.examine(c, steps_.search(), start_lengths(), true);
  FreePathOptions options = exit_options(params_, steps_.mean_edge());
  if (points_.squeezed()) steps_.search_anew(options);
  steps_.prepare(options, false, points_.closer());
  coupled_ = c.solver.stencils;
  iterations_end_ = c.solver.skips && params_.ends == int(NdbEnds::iterations);
  contacts_.prepare(c, params_, {gap(), steps_.radius(), steps_.margin(), steps_.part_radii({})});
  toi_.prepare(steps_.radius(), steps_.margin(), params_.filter, params_.step_limit);
}

/// Algorithm 1: a warm start without contact, then rounds of at most `inner` iterations, each with a full
/// detection at its end. Solvers that take stencils judge by themselves when a step is solved, so that
/// contact must be there from the start. The first round of rigid bodies is one iteration, before the solver
/// finds their free flight solved: what they meet on its way is to exchange momentum in the solver, since
/// pushes of the exit alone would feed their spin.
Schedule Ndb::plan(int iterations) {
  const int most = std::min({params_.warm_start, iterations - kLeastWithContact, params_.budget - 1});
  warm_ = coupled_ ? 0 : std::max(0, most);
  contacts_.plan(iterations - warm_);
  const bool distance = params_.barrier == int(NdbBarrier::distance);
  const int inner = distance ? 1 : params_.inner, rounds = distance ? iterations : params_.rounds - 1;
  const int first = rigid() ? 1 : inner;
  Schedule schedule;
  schedule.free = warm_;
  for (int r = 0; r < rounds && warm_ + first + r * inner < std::min(iterations, params_.budget); ++r)
    schedule.ends.push_back(warm_ + first + r * inner - 1);
  if (iterations_end_) schedule.iterate = {&contacts_.progress().data->iterate, 1};
  if (!distance || iterations_end_) schedule.goes_on = {&contacts_.progress().data->goes_on, 1};
  return schedule;
}

/// Of the path that will be published only.
void Ndb::watch_path(Device& device, bool record) {
  if (device.kind() != DeviceKind::cpu) return;
  std::function<void(const std::vector<vec3>&)> watcher;
  if (record && path_) watcher = [path = path_](const std::vector<vec3>& x) { add_corner(*path, x); };
  steps_.watch_path(watcher);
  toi_.watch_path(watcher);
}

void Ndb::begin_step(StepContext& c) {
  path_ = path_to_keep(c.device);
  watch_path(c.device, each_round());
  steps_.begin(c.model.pushed_mass(), c.kinematic, 0, c.model.rigid.view());
  toi_.begin_step();
  contacts_.begin_step(c, steps_.inverse_mass());
  start_again(c);
  if (params_.residual_forwarding > 0)
    launch(c.device, "residual", forward_.size(), AddResidual{forward_, c.kinematic, c.dt * c.dt, c.inertia});
  if (warm_ == 0) contacts_.find(c, safe_, true);
  begin_round(c);
}

/// Changes are measured from here.
void Ndb::begin_round(StepContext& c) {
  const size_t bytes = size_t(before_.size()) * sizeof(vec3);
  for (auto* b : {&before_, &round_before_}) c.device.copy(b->span().data, c.displacement.span().data, bytes);
}

/// The crossing-free cloth and bodies are where the step began.
void Ndb::start_again(StepContext& c) {
  safe_.clear();
  points_.begin_step(c.device);
}

/// Moves the crossing-free cloth towards the solver's displacement. `most_pieces`: 0 for step_limit.
void Ndb::move(StepContext& c, int most_pieces) {
  StageScope stage(c.device.profiler(), "exit");
  const Span<const vec3> base = c.state.position, to = c.displacement;
  if (by_planes())
    steps_.handle(c.bodies.view(), base, safe_, to, points_.body_now(), points_.body_start(), most_pieces);
  else
    toi_.run(base, safe_, to, points_.body_now(),
             steps_.part_radii({base, points_.body_start(), points_.surface().cloth_points()}), most_pieces);
}

/// Full detection on the way to the solver's displacement: contacts are found around where cloth can get.
/// With `each_round` it stays there, and iterations go on from there.
void Ndb::detect(StepContext& c, bool first) {
  if (!each_round()) start_again(c);
  move(c, kMostPiecesOfRound);
  if (each_round())
    c.device.copy(c.displacement.span().data, safe_.span().data, size_t(safe_.size()) * sizeof(vec3));
  contacts_.find(c, safe_, first);
}

void Ndb::before_iteration(StepContext& c, int k) {
  contacts_.add(c, safe_, k > warm_ && k < params_.budget);
  points_.add_anchors(c);
}

void Ndb::measure(StepContext& c, Buffer<vec3>& before, bool round) {
  launch(c.device, "changes", change_.size(), Change{c.displacement, before, change_});
  reduce_max(c.device, change_, largest_change_);
  const float least =
      round ? size_ * params_.round_change : std::min(size_ * params_.inner_change, kFinestChange * gap());
  launch(c.device, "changes", 1,
         JudgeChange{largest_change_, least, round, rigid() ? 2 : 0, contacts_.progress()});
}

void Ndb::after_iteration(StepContext& c, bool round_ends) {
  measure(c, before_, false);
  if (round_ends) measure(c, round_before_, true);
}

void Ndb::end_round(StepContext& c, int round) {
  const bool first = round == 0 && warm_ > 0;  // contacts are not known yet, however little has moved
  if (!first) contacts_.note();
  detect(c, first);
  begin_round(c);
}

void Ndb::advance(StepContext& c) {
  const size_t bytes = size_t(target_.size()) * sizeof(vec3);
  contacts_.note();
  c.device.copy(target_.span().data, c.displacement.span().data, bytes);
  if (!each_round()) start_again(c);
  watch_path(c.device, true);
  move(c);
  c.device.copy(c.displacement.span().data, safe_.span().data, bytes);
  if (by_planes() || !(params_.residual_forwarding > 0)) return forward_now_.clear();
  launch(c.device, "residual", target_.size(),
         KeepResidual{toi_.progress(), params_.residual_forwarding, kMostForward * gap(), 1 / (c.dt * c.dt),
                      target_, c.displacement, c.kinematic, forward_now_});
}

void Ndb::end_step(StepContext& c) {
  contacts_.end_step();
  points_.end_step(c, steps_.search());
  c.device.copy(forward_.span().data, forward_now_.span().data, size_t(forward_.size()) * sizeof(vec3));
}

CollisionNumbers Ndb::numbers(StepContext& c) {
  CollisionNumbers n;
  if (!points_.led_here(c)) return n;  // after a reset or a restored snapshot no step led to this state
  const Progress course = contacts_.course();
  n.self_pairs = course.active;
  if (by_planes()) {
    const two_way::Progress p = steps_.progress();
    n.collision_steps = p.total_steps;
    n.residual = p.residual;
  } else {
    const ExitProgress p = toi_.course();
    n.collision_steps = p.pieces;
    n.residual = p.left;
  }
  count_close(steps_, n.counters);
  n.counters.insert(n.counters.end(), {{"rounds", double(course.rounds)},
                                       {"contact_iterations", double(course.iterations)},
                                       {"oldest_contact", double(course.oldest)},
                                       {"coarse_pairs", double(course.coarse)},
                                       {"exit_share", std::floor(100 * (1 - double(n.residual)))}});
  n.pin_lag = points_.lag(c, x(), aim(), false);
  n.body_lag = points_.lag(c, x(), aim(), true);
  n.body_lag_place = points_.body_lag_place(c);
  points_.add_passage(c, n);
  return n;
}

std::vector<ContactPair> Ndb::contact_pairs(StepContext& c, int most) {
  if (!points_.led_here(c)) return {};
  if (by_planes()) return steps_.contact_pairs(most);
  const std::array<PairList, 2> lists = {steps_.search().vertex_triangle(), steps_.search().edge_edge()};
  const ContactSurface& s = points_.surface();
  // nearer than their radii, however near they were when the step began
  return close_pairs(c.device, lists, toi_.x_on_host(), s.cloth_points(), gap(), most,
                     steps_.part_radii({toi_.x(), {}, s.points()}));
}

Span<const float> Ndb::field(StepContext& c, std::string_view name) {
  if (name == "contact") return contacts_.depth();
  if (name == "let_through") return points_.passed_cloth();
  if (name == "age") return contacts_.shown_age();
  if (name != "bound" || !by_planes() || !points_.led_here(c)) return {};
  steps_.bounds(bound_);
  return bound_;
}

std::vector<LaggingBody> Ndb::lagging_bodies(StepContext& c) { return points_.lagging_bodies(c, x(), aim()); }

std::vector<std::string> Ndb::remarks(const CollisionNumbers& n) const {
  std::vector<std::string> all{guarantee().sentences(true)};
  all.push_back(layers_in_words(steps_));
  if (n.collision_steps > 0) {
    all.push_back(fmt::format("{} of the solver's result could be taken, in {} piece{}.",
                              n.residual < params_.threshold
                                  ? "All"
                                  : fmt::format("At least {:.0f} %", 100 * (1 - double(n.residual))),
                              n.collision_steps, n.collision_steps == 1 ? "" : "s"));
    all.push_back(fmt::format("{} vertex-triangle and {} edge-edge pairs are close, {} are in contact.",
                              n.counter("vertex_triangle_pairs"), n.counter("edge_edge_pairs"),
                              n.self_pairs));
  }
  for (std::string& words : points_.remarks(n)) all.push_back(std::move(words));
  return all;
}

}  // namespace weft
