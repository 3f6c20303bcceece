#include "sim/collision/repulsion/collision_steps.h"

#include <algorithm>

#include "sim/base/error.h"
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
      motion_(device_, int(topology_.rest.size()), edges_.mean),
      edge_layout_(edges_with_bodies(topology_, int(topology.rest.size()), body_edges)),
      folds_(lists, topology_, edge_layout_),
      samples_(lists, topology_, edge_layout_),
      vertices_(int(topology_.rest.size())),
      bodies_(body_vertices),
      guarded_(device_, folds_, samples_, vertices_) {
  Device& device = device_;
  const int n = padded_rows(vertices_);
  edge_count_ = Buffer<int>(device, "edge counts", edge_layout_.count);
  edge_neighbor_ = Buffer<int>(device, "edge ends", edge_layout_.neighbor);
  const NearLists near = near_lists(topology_);
  near_width_ = near.width;
  near_count_ = Buffer<int>(device, "near counts", near.count);
  near_neighbor_ = Buffer<int>(device, "near vertices", near.neighbor);
  for (auto* b : {&near_distance_, &near_kept_}) *b = Buffer<float>(device, "near distances", near.distance);
  for (auto* b : {&base_, &init_, &target_, &checkpoint_, &push_, &normal_, &way_, &friction_.with})
    *b = Buffer<vec3>(device, "collision vertices", n);
  for (auto& u : u_) u = Buffer<vec3>(device, "safe displacement", n);
  for (auto* b : {&path_, &allowed_, &mobile_, &phase_}) *b = Buffer<float>(device, "collision vertices", n);
  for (auto& step : soft_.step) step = Buffer<float>(device, "collision vertices", n);
  soft_.mass = Buffer<float>(device, "collision vertices", std::vector<float>(size_t(n), 1.0f));
  plane_normal_ = Buffer<vec3>(device, "body planes", repulsion::kBodyPlanes * n);
  plane_gap_ = Buffer<float>(device, "body planes",
                             std::vector<float>(size_t(repulsion::kBodyPlanes * n), repulsion::kNoPlane));
  share_.whole = Buffer<float>(device, "body planes", std::vector<float>{1.0f});
  share_.taken = Buffer<float>(device, "body planes", 1);
  for (auto* b : {&failed_, &deep_}) *b = Buffer<int>(device, "collision flags", 1);
  care_ = Buffer<repulsion::CareProgress>(device, "collision flags", 1);
  counts_ = Buffer<int>(device, "collision counts", kRepulsionCounts);
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
  if (slots <= slots_) return;
  busy_ = Buffer<int>(device_, "busy slices",
                      buffer_size(int64_t(slots) * (padded_rows(vertices_) / kLanes), "busy slices"));
  slots_ = slots;
  ++moves_;
}

repulsion::ConstraintRows CollisionSteps::rows() const {
  return {base_.span(),          {edge_count_.span(), edge_neighbor_.span(), edge_layout_.width},
          search_.lists(),       {near_count_.span(), near_neighbor_.span(), near_width_},
          near_distance_.span(), near_kept_.span(),
          folds_.longest(),      constants_,
          samples_.rows()};
}

void CollisionSteps::copy_in(Buffer<vec3>& padded, Span<const vec3> from) {
  device_.copy(padded.span().data, from.data, bytes_of(from));
}

void CollisionSteps::begin(Span<const vec3> position, Span<const int> kinematic, Span<const float> mass,
                           const repulsion::FreePieces& pieces) {
  copy_in(base_, position);
  if (!mass.empty()) device_.copy(soft_.mass.span().data, mass.data, size_t(mass.size) * sizeof(float));
  for (auto& u : u_) u.clear();
  now_ = 0;
  slot_ = 0;
  in_loop_ = false;  // a step may have been given up within
  busy_.clear();
  phase_.clear();
  counts_.clear();
  samples_.begin();
  launch(device_, "mobile", vertices_,
         repulsion::Mobile{.kinematic = kinematic,
                           .mass = soft_.mass.span(),
                           .penalty = params_.penalty,
                           .mobile = mobile_.span(),
                           .step = soft_.step[2].span(),
                           .pieces = pieces});
  begin_path();
}

void CollisionSteps::begin_path() {
  path_kept_ = device_.kind() == DeviceKind::cpu && !device_.verify_replays ? KeepPath::now() : nullptr;
  if (!path_kept_) return;
  path_kept_->assign(1, {});
  for (const vec3& p : base_.download()) path_kept_->front().push_back(dvec3(p));
  path_kept_->front().resize(size_t(vertices_));
}

/// The path has come to the displacements in buffer `at`.
void CollisionSteps::corner(int at) {
  if (!path_kept_) return;
  const std::vector<vec3> u = u_[size_t(at)].download();
  std::vector<dvec3> x = path_kept_->front();
  for (size_t i = 0; i < x.size(); ++i) x[i] += dvec3(u[i]);
  if (x != path_kept_->back()) path_kept_->push_back(std::move(x));
}

NeighborLists CollisionSteps::pairs_at(Span<const vec3> position) {
  // The same radius as in a step, for which the neighbourhood cache is made.
  way_.clear();
  search_.find(position, way_.span(), constants_.search_radius);
  return search_.lists();
}

/// Accepts a candidate (or x itself) and computes the next target. `taken`: a collision step ends here.
repulsion::AcceptAndAim CollisionSteps::accepting(int candidate, bool taken, float step_limit, float margin) {
  next_slot();
  repulsion::FoldRows fold = folds_.rows();
  fold.near_kept = near_kept_.span();
  samples_.look_for(fold);
  return {rows(),
          fold,
          u_[size_t(now_)].span(),
          u_[size_t(candidate)].span(),
          target_.span(),
          planes(),
          step_limit,
          constants_.budget,
          margin,
          path_.span(),
          allowed_.span(),
          init_.span(),
          taken,
          phase_.span(),
          push_.span(),
          busy(),
          failed_.span()};
}

void CollisionSteps::aim(int candidate, bool taken, float step_limit, float margin) {
  const repulsion::EndStep end{
      accepting(candidate, taken, step_limit, margin),
      {folds_.pairs(), base_.span(), u_[size_t(candidate)].span(), {}, failed_.span()},
      vertices_};
  if (taken)
    launch_counted(device_, "constraint tests", folds_.work(), padded_rows(vertices_) + folds_.capacity(),
                   end);
  else launch(device_, "constraint tests", vertices_, end);
  now_ = candidate;
}

/// Collects pairs, and the limits of each vertex until the next search.
void CollisionSteps::search_and_aim(float step_limit, float margin, Span<const vec3> motion) {
  const Span<const vec3> base(base_.span().data, vertices_), u = u_[size_t(now_)].span();
  search_.refresh(base, u, constants_.search_radius);
  path_.clear();
  folds_.begin_period();
  samples_.begin_period();
  launch(device_, "neighbours", vertices_,
         repulsion::SearchAndAim{search_.filter(base, u, constants_.search_radius),
                                 accepting(now_, false, step_limit, margin), vertices_});
  device_.when(folds_.to_look(), [&] {
    samples_.look({base_.span(), u, target_.span(), float(constants_.steps_per_search) * step_limit},
                  rows().near, folds_.rows());
    launch_counted(device_, "sample tests", samples_.count(), samples_.capacity(),
                   repulsion::TestSamples{rows(), u, u, {}, {}, busy(), margin});
    folds_.look(base_.span(), u, motion);
  });
}

/// Number of the buffer that holds the candidate.
int CollisionSteps::soft_phase(Span<const vec3> center) {
  const int a = (now_ + 1) % 3, b = (now_ + 2) % 3, iterations = soft_iterations();
  launch_iterated(
      device_, "soft phase", vertices_, iterations,
      repulsion::SoftPhase{.rows = rows(),
                           .init = init_.span(),
                           .center = center,
                           .allowed = allowed_.span(),
                           .mobile = mobile_.span(),
                           .planes = planes(),
                           .normal = normal_.span(),
                           .busy = busy(),
                           .u = {u_[size_t(a)].span(), u_[size_t(b)].span()},
                           .mass = soft_.mass.span(),
                           .step = {soft_.step[0].span(), soft_.step[1].span(), soft_.step[2].span()},
                           .penalty = params_.soft_phase ? params_.penalty : 0,
                           .body_penalty = params_.soft_phase ? repulsion::kBodyPenalty : 0,
                           .rubbing = rubbing(),
                           .soft_reach = folds_.soft_reach()});
  return soft_phase_result();
}

repulsion::Rubbing CollisionSteps::rubbing() const {
  const Friction& f = friction_;
  if (!f.material.empty())
    return {params_.self_friction,
            {},
            {{f.coefficient.span(), f.cloths, f.coefficient.size() / f.cloths}, f.material.span()}};
  return {params_.self_friction, bodies_ > 0 ? Span<const vec3>(f.with.span()) : Span<const vec3>(), {}};
}

int CollisionSteps::soft_iterations() const { return params_.soft_phase ? params_.soft_iterations : 1; }
int CollisionSteps::soft_phase_result() const { return (now_ + (soft_iterations() % 2 ? 1 : 2)) % 3; }

/// Flag of the next step.
Span<int> CollisionSteps::busy() {
  const int slices = padded_rows(vertices_) / kLanes;
  return {busy_.span().data + slot_ * slices, slices};
}

void CollisionSteps::next_slot() {
  if (in_loop_) device_.clear(busy().data, size_t(busy().size) * sizeof(int));
  else if (++slot_ >= slots_) throw Error("more collision steps than the parameters ask for", "repulsion");
}

void CollisionSteps::copy_state(int to, int from) {
  if (to != from)
    device_.copy(u_[size_t(to)].span().data, u_[size_t(from)].span().data, bytes_of(u_[size_t(from)].span()));
}

/// Searches before the steps of a period.
void CollisionSteps::look_around(const FindPlanes& find_planes) {
  const float limit = constants_.step_limit;
  if (find_planes) find_planes(u(), target_.span(), float(constants_.steps_per_search) * limit);
  search_and_aim(limit, 3 * limit, {});
}

void CollisionSteps::run(int count, const FindPlanes& find_planes) {
  const float limit = constants_.step_limit;
  for (int s = 0; s < count; ++s) {
    if (s % constants_.steps_per_search == 0) look_around(find_planes);
    aim(soft_phase(u_[size_t(now_)].span()), true, limit, 3 * limit);
    corner(now_);
  }
}

/// The step from x to a candidate.
StepInHand CollisionSteps::in_hand(int candidate) {
  return {rows(),
          planes(),
          u_[size_t(now_)].span(),
          u_[size_t(candidate)].span(),
          init_.span(),
          mobile_.span(),
          path_.span(),
          allowed_.span(),
          phase_.span(),
          Span<int>(counts_.span().data + kStepsFailed, 1),
          Span<int>(counts_.span().data + kHardUnsolved, 1)};
}

/// A loop on the device, so that a GPU records these launches once and not for each step: there are some
/// hundred, and they run rarely.
void CollisionSteps::run_with_care(int count, const FindPlanes& find_planes) {
  const int start = now_;
  const float limit = constants_.step_limit;
  next_slot();
  in_loop_ = true;
  launch(device_, "rollback", 1, repulsion::BeginCare{count, care_.span()});
  const repulsion::CareProgress* progress = care_.span().data;
  device_.repeat(Span<const int>(&progress->left, 1), [&] {
    now_ = start;
    device_.when(Span<const int>(&progress->search, 1), [&] { look_around(find_planes); });
    const int candidate = soft_phase(u_[size_t(now_)].span());
    guarded_.take(in_hand(candidate), params_, [&] { corner(candidate); });
    now_ = candidate;
    aim(candidate, true, limit, 3 * limit);
    corner(now_);
    copy_state(start, now_);
    launch(device_, "rollback", 1, repulsion::EndCare{count, constants_.steps_per_search, care_.span()});
  });
  in_loop_ = false;
  now_ = start;
}

/// Runs work(false) and, if a constraint failed in it, again from the same state as work(true) (section
/// 4.3.4). Pushes of the first attempt stay in push_: they show the coupling where cloth would pass through
/// its support. Without that a tightened knot stretches twice as far.
template <class Work>
void CollisionSteps::with_rollback(const FindPlanes& find_planes, const Work& work) {
  const int start = now_, first_slot = slot_;
  const Span<vec3> x = u_[size_t(start)].span();
  device_.copy(checkpoint_.span().data, x.data, bytes_of(x));
  if (find_planes) find_planes.keep();
  const size_t corners = path_kept_ ? path_kept_->size() : 0;
  failed_.clear();
  work(false);
  const int end = now_, last_slot = slot_, slices = padded_rows(vertices_) / kLanes;
  device_.when(failed_.span(), [&] {
    launch(device_, "rollback", 1,
           repulsion::Tally{failed_.span(), Span<int>(counts_.span().data + kGroupsRolledBack, 1)});
    device_.copy(x.data, checkpoint_.span().data, bytes_of(x));
    if (find_planes) find_planes.restore();
    if (path_kept_) path_kept_->resize(corners);
    device_.clear(busy_.span().data + first_slot * slices,
                  size_t(last_slot - first_slot + 1) * size_t(slices) * sizeof(int));
    now_ = start;
    slot_ = first_slot;
    work(true);
    copy_state(end, now_);
  });
  now_ = end;
  slot_ = last_slot;
}

void CollisionSteps::group(int count, const FindPlanes& find_planes) {
  with_rollback(find_planes,
                [&](bool again) { again ? run_with_care(count, find_planes) : run(count, find_planes); });
}

void CollisionSteps::advance(Span<const vec3> target, int count, const FindPlanes& find_planes) {
  copy_in(target_, target);
  push_.clear();
  for (int done = 0; done < count; done += params_.rollback_steps)
    group(std::min(params_.rollback_steps, count - done), find_planes);
}

void CollisionSteps::leave_bodies(float deepest, const FindPlanes& find_planes) {
  if (!find_planes) return;
  const int count = 2 * constants_.steps_per_search, first_slot = slot_, start = now_;
  const Span<vec3> u = u_[size_t(start)].span();
  find_planes(u, u, 0);
  deep_.clear();
  launch(device_, "body planes", vertices_ - bodies_,
         repulsion::FindDeep{planes(), u, mobile_.span(), deepest, deep_.span()});
  device_.when(deep_.span(), [&] {
    slot_ = first_slot;
    group(count, find_planes);
    copy_state(start, now_);
    now_ = start;
  });
  slot_ = first_slot + 2 * count;  // in both cases, since the following launches must be the same
}

void CollisionSteps::move_together(Span<const vec3> way, const FindPlanes& find_planes) {
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
  motion_.smooth(Span<const vec3>(base_.span().data, vertices_), way, parts, allowed, constants_.step_limit);
  copy_in(way_, way);
  const int first_slot = slot_;
  device_.when(motion_.moves(), [&] {
    const int start = now_;
    slot_ = first_slot;
    for (int part = 0; part < parts; ++part) advance_together(motion_.motion(), find_planes);
    copy_state(start, now_);
    now_ = start;
  });
  slot_ = first_slot + 2 * parts;  // in both cases, since the following launches must be the same
  push_.clear();
}

void CollisionSteps::advance_together(Span<const vec3> motion, const FindPlanes& find_planes) {
  with_rollback(find_planes, [&](bool again) {
    search_and_aim(0, 1.5f * constants_.initial_budget, motion);
    // A part that fails is left to the collision steps: cut short for some vertices, it would be no map of
    // space any more.
    if (again) {
      const int candidate = soft_phase_result();
      copy_state(candidate, now_);
      return aim(candidate, false, 0, 0);
    }
    move_outside(motion, find_planes);
    aim(soft_phase(init_.span()), true, 0, 0);
    corner(now_);
  });
}

/// Writes x_init of a part of the initial motion. It takes no vertex deeper into a body than the soft phase
/// can bring it out, and body vertices, which follow their script, are never further from the smoothed motion
/// than vertices may be.
void CollisionSteps::move_outside(Span<const vec3> motion, const FindPlanes& find_planes) {
  const Span<const vec3> u = u_[size_t(now_)].span();
  const int cloth = vertices_ - bodies_;
  const float budget = constants_.initial_budget, part = 1.0f / float(params_.initial_steps);
  launch(device_, "initial motion", vertices_,
         repulsion::MoveTogether{u, motion, folds_.scale(), budget, init_.span(), allowed_.span()});
  if (!find_planes && bodies_ == 0) return;
  device_.copy(share_.taken.span().data, share_.whole.span().data, sizeof(float));
  if (find_planes) {
    find_planes(u, init_.span(), 1e9f);
    launch(device_, "initial motion", cloth,
           repulsion::ShareOutside{planes(), u, init_.span(), kRecovered * budget, share_.taken.span()});
  }
  launch(device_, "initial motion", bodies_,
         repulsion::ShareOfBodies{cloth, motion, way_.span(), folds_.scale(), part, 0.99f * budget,
                                  share_.taken.span()});
  launch(device_, "initial motion", vertices_, repulsion::TakeShare{u, share_.taken.span(), init_.span()});
  launch(device_, "initial motion", bodies_,
         repulsion::LeadBodies{cloth, u, way_.span(), folds_.scale(), share_.taken.span(), part, init_.span(),
                               allowed_.span()});
  if (find_planes) find_planes(u, init_.span(), 1e9f);
}

}  // namespace weft
