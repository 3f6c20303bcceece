#include "sim/collision/repulsion/collision_steps.h"

#include <algorithm>

#include "sim/collision/repulsion/bodies/body_vertices_kernels.h"
#include "sim/collision/repulsion/end_step.h"
#include "sim/collision/repulsion/fold_guard/exempt_pairs.h"

namespace weft {
namespace {

// fraction of the motion per part of the initial motion: limit on the depth in a body
constexpr float kRecovered = 0.75f;

size_t bytes_of(Span<const vec3> rows) { return size_t(rows.size) * sizeof(vec3); }

/// Body vertices have no neighbours with a rest distance: in the cloth's topology they are loose points.
Topology with_points(Topology t, int points) {
  t.rest.resize(t.rest.size() + size_t(points), vec3(0));
  return t;
}

/// The rows of all edges; only those of the cloth are known by number.
EdgeLists edges_with_bodies(Topology t, int first, const std::vector<ivec2>& body_edges) {
  const int known = int(t.edges.size());
  for (const ivec2& e : body_edges) t.edges.push_back(e + ivec2(first));
  EdgeLists lists = edge_lists(t);
  for (int& e : lists.edge)
    if (e >= known) e = -1;
  return lists;
}

}  // namespace

CollisionSteps::CollisionSteps(GrowingLists& lists, const Topology& topology, int body_vertices,
                               const std::vector<ivec2>& body_edges)
    : device_(lists.device()),
      lists_(lists),
      topology_(with_points(topology, body_vertices)),
      edges_(edge_range(topology)),
      search_(lists, exempt_pairs(topology_), body_vertices),
      together_{SmoothField(device_, int(topology_.rest.size()), edges_.mean), {}, {}, {}},
      rest_(device_, topology_, edges_with_bodies(topology_, int(topology.rest.size()), body_edges)),
      folds_(lists, topology_, rest_.layout()),
      samples_(lists, topology_, rest_.layout()),
      u_(device_, int(topology_.rest.size())),
      busy_(device_, int(topology_.rest.size())),
      vertices_(int(topology_.rest.size())),
      bodies_(body_vertices),
      guarded_(device_, folds_, samples_, vertices_) {
  Device& device = device_;
  const int n = padded_rows(vertices_);
  for (auto* b : {&init_, &target_, &record_.push, &normal_, &together_.displacement, &friction_.with})
    *b = Buffer<vec3>(device, "collision vertices", n);
  for (auto* b : {&travel_.path, &travel_.allowed, &mobility_.mobile, &record_.phase})
    *b = Buffer<float>(device, "collision vertices", n);
  for (auto& step : mobility_.step) step = Buffer<float>(device, "collision vertices", n);
  mobility_.mass = Buffer<float>(device, "collision vertices", std::vector<float>(size_t(n), 1.0f));
  planes_.normal = Buffer<vec3>(device, "body planes", repulsion::kBodyPlanes * n);
  planes_.gap = Buffer<float>(device, "body planes",
                              std::vector<float>(size_t(repulsion::kBodyPlanes * n), repulsion::kNoPlane));
  together_.whole = Buffer<float>(device, "body planes", std::vector<float>{1.0f});
  together_.taken = Buffer<float>(device, "body planes", 1);
  for (auto* b : {&branches_.failed, &branches_.deep}) *b = Buffer<int>(device, "collision flags", 1);
  branches_.care = Buffer<repulsion::CareProgress>(device, "collision flags", 1);
  record_.counts = Buffer<int>(device, "collision counts", kRepulsionCounts);
}

RepulsionParams CollisionSteps::guarded(RepulsionParams params) const {
  // After samples were on, edges may be longer than L: they stay guarded and must only not grow when
  // resampling is switched off.
  params.resampling |= samples_.on();
  return params;
}

float CollisionSteps::stretch_limit_with(const RepulsionParams& params) const {
  RepulsionConstants c = repulsion_constants(guarded(params), edges_);
  if (!params.resampling) c.longest_edge = c.max_edge;
  return limit_of(c);
}

void CollisionSteps::prepare(const RepulsionParams& params, float kept) {
  params_ = guarded(params);
  constants_ = repulsion_constants(params_, edges_, kept);
  folds_.prepare(constants_, params.limits);
  if (!params.resampling) constants_.longest_edge = constants_.max_edge;
  samples_.prepare(constants_, params_.resampling);
  if (!params.limits) constants_.budget = constants_.initial_budget = 1e3f;
  const int slots = 2 * params.steps + 3 * params.initial_steps + 4 * constants_.steps_per_search + 16;
  busy_.reserve(slots);
}

repulsion::ConstraintRows CollisionSteps::rows() const {
  return {u_.base(),    rest_.edges(),    search_.lists(), rest_.near(),   rest_.distance(),
          rest_.kept(), folds_.longest(), constants_,      samples_.rows()};
}

void CollisionSteps::copy_in(Buffer<vec3>& padded, Span<const vec3> from) {
  device_.copy(padded.span().data, from.data, bytes_of(from));
}

void CollisionSteps::begin(Span<const vec3> position, Span<const int> kinematic, Span<const float> mass,
                           const repulsion::FreePieces& pieces) {
  u_.begin(position);
  if (!mass.empty()) device_.copy(mobility_.mass.span().data, mass.data, size_t(mass.size) * sizeof(float));
  busy_.begin();
  record_.phase.clear();
  record_.counts.clear();
  samples_.begin();
  launch(device_, "mobile", vertices_,
         repulsion::Mobile{.kinematic = kinematic,
                           .mass = mobility_.mass,
                           .penalty = params_.penalty,
                           .mobile = mobility_.mobile,
                           .step = mobility_.step[2],
                           .pieces = pieces});
}

NeighborLists CollisionSteps::pairs_at(Span<const vec3> position) {
  // The same radius as in a step, for which the neighbourhood cache is made.
  together_.displacement.clear();
  search_.find(position, together_.displacement, constants_.search_radius);
  return search_.lists();
}

/// Accepts a candidate (or x itself) and computes the next target. `taken`: a collision step ends here.
repulsion::AcceptAndAim CollisionSteps::accepting(int candidate, bool taken, float step_limit, float margin) {
  busy_.next();
  repulsion::FoldRows fold = folds_.rows();
  fold.near_kept = rest_.kept();
  samples_.watch(fold);
  return {.rows = rows(),
          .fold = fold,
          .before = u_.x(),
          .candidate = u_.at(candidate),
          .target = target_,
          .planes = planes(),
          .step_limit = step_limit,
          .budget = constants_.budget,
          .margin = margin,
          .travel = {travel_.path, travel_.allowed, record_.phase, record_.push},
          .init = init_,
          .taken = taken,
          .busy = busy_.flags(),
          .failed = branches_.failed};
}

void CollisionSteps::aim(int candidate, bool taken, float step_limit, float margin) {
  const repulsion::EndStep end{accepting(candidate, taken, step_limit, margin),
                               {folds_.pairs(), u_.base(), u_.at(candidate), {}, branches_.failed},
                               vertices_};
  if (taken)
    launch_counted(device_, "constraint tests", folds_.work(), padded_rows(vertices_) + folds_.capacity(),
                   end);
  else launch(device_, "constraint tests", vertices_, end);
  u_.set_now(candidate);
}

/// Collects pairs, and the limits of each vertex until the next search.
void CollisionSteps::search_and_aim(float step_limit, float margin, Span<const vec3> motion) {
  const Span<const vec3> base(u_.base().data, vertices_), u = u_.x();
  search_.refresh(base, u, constants_.search_radius);
  travel_.path.clear();
  folds_.begin_period();
  samples_.begin_period();
  launch(device_, "neighbours", vertices_,
         repulsion::SearchAndAim{search_.filter(base, u, constants_.search_radius),
                                 accepting(u_.now(), false, step_limit, margin), vertices_});
  device_.when(folds_.to_look(), [&] {
    samples_.search({u_.base(), u, target_, float(constants_.steps_per_search) * step_limit}, rows().near,
                    folds_.rows());
    launch_counted(device_, "sample tests", samples_.count(), samples_.capacity(),
                   repulsion::TestSamples{rows(), u, u, {}, {}, busy_.flags(), margin});
    folds_.search(u_.base(), u, motion);
  });
}

/// Number of the buffer that holds the candidate.
int CollisionSteps::soft_phase(Span<const vec3> center) {
  const int a = u_.after(1), b = u_.after(2), iterations = soft_iterations();
  launch_iterated(device_, "soft phase", vertices_, iterations,
                  repulsion::SoftPhase{.rows = rows(),
                                       .init = init_,
                                       .center = center,
                                       .allowed = travel_.allowed,
                                       .mobile = mobility_.mobile,
                                       .planes = planes(),
                                       .normal = normal_,
                                       .busy = busy_.flags(),
                                       .u = {u_.at(a), u_.at(b)},
                                       .mass = mobility_.mass,
                                       .step = {mobility_.step[0], mobility_.step[1], mobility_.step[2]},
                                       .penalty = params_.soft_phase ? params_.penalty : 0,
                                       .body_penalty = params_.soft_phase ? repulsion::kBodyPenalty : 0,
                                       .pair_friction = pair_friction(),
                                       .soft_reach = folds_.soft_reach()});
  return soft_phase_result();
}

repulsion::PairFriction CollisionSteps::pair_friction() const {
  const Friction& f = friction_;
  if (!f.material.empty())
    return {params_.self_friction,
            {},
            {{f.coefficient, f.cloths, f.coefficient.size() / f.cloths}, f.material, f.painted.view()}};
  return {params_.self_friction, bodies_ > 0 ? Span<const vec3>(f.with) : Span<const vec3>(), {}};
}

int CollisionSteps::soft_iterations() const { return params_.soft_phase ? params_.soft_iterations : 1; }
int CollisionSteps::soft_phase_result() const { return u_.after(soft_iterations() % 2 ? 1 : 2); }

/// Searches before the steps of a period.
void CollisionSteps::search_all(const FindPlanes& find_planes) {
  const float limit = constants_.step_limit;
  if (find_planes) find_planes(u(), target_, float(constants_.steps_per_search) * limit);
  search_and_aim(limit, 3 * limit, {});
}

void CollisionSteps::run(int count, const FindPlanes& find_planes) {
  const float limit = constants_.step_limit;
  for (int s = 0; s < count; ++s) {
    if (s % constants_.steps_per_search == 0) search_all(find_planes);
    aim(soft_phase(u_.x()), true, limit, 3 * limit);
    u_.corner(u_.now());
  }
}

/// The step from x to a candidate.
StepInHand CollisionSteps::in_hand(int candidate) {
  return {rows(),
          planes(),
          u_.x(),
          u_.at(candidate),
          init_,
          mobility_.mobile,
          travel_.path,
          travel_.allowed,
          record_.phase,
          record_.count(kStepsFailed),
          record_.count(kHardUnsolved)};
}

/// A loop on the device, so that a GPU records these launches once and not for each step: there are some
/// hundred, and they run rarely.
void CollisionSteps::run_with_care(int count, const FindPlanes& find_planes) {
  const int start = u_.now();
  const float limit = constants_.step_limit;
  busy_.begin_loop();
  launch(device_, "rollback", 1, repulsion::BeginCare{count, branches_.care});
  const repulsion::CareProgress* progress = branches_.care.span().data;
  device_.repeat(Span<const int>(&progress->left, 1), [&] {
    u_.set_now(start);
    device_.when(Span<const int>(&progress->search, 1), [&] { search_all(find_planes); });
    const int candidate = soft_phase(u_.x());
    guarded_.take(in_hand(candidate), params_, [&] { u_.corner(candidate); });
    u_.set_now(candidate);
    aim(candidate, true, limit, 3 * limit);
    u_.corner(u_.now());
    u_.copy(start, u_.now());
    launch(device_, "rollback", 1, repulsion::EndCare{count, constants_.steps_per_search, branches_.care});
  });
  busy_.end_loop();
  u_.set_now(start);
}

/// Runs work(false) and, if a constraint failed in it, again from the same state as work(true) (section
/// 4.3.4). Pushes of the first attempt stay in `push`: they show the coupling where cloth would pass through
/// its support. Without that a tightened knot stretches twice as far.
template <class Work>
void CollisionSteps::with_rollback(const FindPlanes& find_planes, const Work& work) {
  const int start = u_.now(), first_slot = busy_.slot();
  u_.save(start);
  if (find_planes) find_planes.keep();
  branches_.failed.clear();
  work(false);
  const int end = u_.now(), last_slot = busy_.slot();
  device_.when(branches_.failed, [&] {
    launch(device_, "rollback", 1, repulsion::Tally{branches_.failed, record_.count(kGroupsRolledBack)});
    u_.restore(start);
    if (find_planes) find_planes.restore();
    busy_.rewind(first_slot);
    u_.set_now(start);
    work(true);
    u_.copy(end, u_.now());
  });
  u_.set_now(end);
  busy_.set_slot(last_slot);
}

void CollisionSteps::group(int count, const FindPlanes& find_planes) {
  with_rollback(find_planes,
                [&](bool again) { again ? run_with_care(count, find_planes) : run(count, find_planes); });
}

void CollisionSteps::advance(Span<const vec3> target, int count, const FindPlanes& find_planes) {
  copy_in(target_, target);
  record_.push.clear();
  for (int done = 0; done < count; done += params_.rollback_steps)
    group(std::min(params_.rollback_steps, count - done), find_planes);
}

void CollisionSteps::leave_bodies(float deepest, const FindPlanes& find_planes) {
  if (!find_planes) return;
  const int count = 2 * constants_.steps_per_search, first_slot = busy_.slot(), start = u_.now();
  const Span<vec3> u = u_.at(start);
  find_planes(u, u, 0);
  branches_.deep.clear();
  launch(device_, "body planes", vertices_ - bodies_,
         repulsion::FindDeep{planes(), u, mobility_.mobile, deepest, branches_.deep});
  device_.when(branches_.deep, [&] {
    busy_.set_slot(first_slot);
    group(count, find_planes);
    u_.copy(start, u_.now());
    u_.set_now(start);
  });
  busy_.set_slot(first_slot + 2 * count);  // in both cases, since the following launches must be the same
}

void CollisionSteps::move_together(Span<const vec3> displacement, const FindPlanes& find_planes) {
  // Vertices also move by initial_budget in each part, so that a part shortens distances by more than its own
  // share of `allowed`: (search radius + 2 budgets for each part) / (1 - allowed) is the largest former
  // distance of the map's points, and its product with allowed / parts stays below initial_squeeze times the
  // search radius.
  const int parts = params_.initial_steps;
  if (parts == 0) return;
  const float r = constants_.search_radius,
              reach = r + 2 * float(parts) * std::min(constants_.initial_budget + constants_.off_the_map, r);
  const float squeeze = constants_.initial_squeeze * r * float(parts) / reach,
              allowed = squeeze / (1 + squeeze);
  together_.field.smooth(Span<const vec3>(u_.base().data, vertices_), displacement, parts, allowed,
                         constants_.step_limit);
  copy_in(together_.displacement, displacement);
  const int first_slot = busy_.slot();
  device_.when(together_.field.moves(), [&] {
    const int start = u_.now();
    busy_.set_slot(first_slot);
    for (int part = 0; part < parts; ++part) advance_together(together_.field.motion(), find_planes);
    u_.copy(start, u_.now());
    u_.set_now(start);
  });
  busy_.set_slot(first_slot + 2 * parts);  // in both cases, since the following launches must be the same
  record_.push.clear();
}

void CollisionSteps::advance_together(Span<const vec3> motion, const FindPlanes& find_planes) {
  with_rollback(find_planes, [&](bool again) {
    search_and_aim(0, 1.5f * constants_.initial_budget, motion);
    // A part that fails is left to the collision steps: cut short for some vertices, it would be no map of
    // space any more.
    if (again) {
      const int candidate = soft_phase_result();
      u_.copy(candidate, u_.now());
      return aim(candidate, false, 0, 0);
    }
    move_outside(motion, find_planes);
    aim(soft_phase(init_), true, 0, 0);
    u_.corner(u_.now());
  });
}

/// Writes x_init of a part of the initial motion. It takes no vertex deeper into a body than the soft phase
/// can bring it out, and body vertices, which follow their script, are never further from the smoothed motion
/// than vertices may be.
void CollisionSteps::move_outside(Span<const vec3> motion, const FindPlanes& find_planes) {
  const Span<const vec3> u = u_.x();
  const int cloth = vertices_ - bodies_;
  const float budget = constants_.initial_budget, part = 1.0f / float(params_.initial_steps);
  launch(device_, "initial motion", vertices_,
         repulsion::MoveTogether{u, motion, folds_.scale(), budget, init_, travel_.allowed});
  if (!find_planes && bodies_ == 0) return;
  device_.copy(together_.taken.span().data, together_.whole.span().data, sizeof(float));
  if (find_planes) {
    find_planes(u, init_, 1e9f);
    launch(device_, "initial motion", cloth,
           repulsion::ShareOutside{planes(), u, init_, kRecovered * budget, together_.taken});
  }
  launch(device_, "initial motion", bodies_,
         repulsion::ShareOfBodies{cloth, motion, together_.displacement, folds_.scale(), part, 0.99f * budget,
                                  together_.taken});
  launch(device_, "initial motion", vertices_, repulsion::TakeShare{u, together_.taken, init_});
  launch(device_, "initial motion", bodies_,
         repulsion::LeadBodies{cloth, u, together_.displacement, folds_.scale(), together_.taken, part, init_,
                               travel_.allowed});
  if (find_planes) find_planes(u, init_, 1e9f);
}

}  // namespace weft
