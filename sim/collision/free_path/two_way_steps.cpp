#include "sim/collision/free_path/two_way_steps.h"

#include <algorithm>

#include "sim/collision/contact_terms/contact_terms.h"
#include "sim/collision/surface/point_kernels.h"
#include "sim/device/primitives.h"

namespace weft {
namespace {
using namespace two_way;

constexpr int kSqueezedSteps = 32;   // forward steps of a handling while cloth has no room between bodies
constexpr int kCommonMotions = 2;    // per handling: the second uses what the bounds of the first left
constexpr float kWorthMoving = 2;    // in units of gamma times the search radius: four forward steps
constexpr float kKeptGap = 0.2f;     // fraction of the activation distance, see PlaneShares
constexpr float kLeastMove = 0.01f;  // fraction of the activation distance: smaller motion counts as rest
// The largest radius without pairs within a flat sheet, whose vertices are 0.87 edges apart: steps are
// bounded by half of it.
constexpr float kRadius = 0.4f, kWidest = 0.7f;
// fraction of the mean edge: with a larger distance a flat sheet would repel itself
constexpr float kLargestActivation = 0.4f;

SearchSurface search_surface(const ContactSurface& s, const std::vector<vec3>& positions) {
  return {positions, s.host_triangles(), s.host_edges(), s.cloth_points(), s.inner(), s.rigid()};
}

}  // namespace

TwoWaySteps::TwoWaySteps(GrowingLists& lists, const ContactSurface& surface,
                         const std::vector<vec3>& positions)
    : device_(lists.device()),
      surface_(surface),
      search_(lists, search_surface(surface, positions)),
      mean_edge_(mean_cloth_edge(surface, positions)),
      common_(device_, surface, positions, mean_edge_),
      piece_(device_, surface.points()),
      bodies_{FarBodies(device_, surface), RigidPaths(device_, surface.rigid())},
      edge_limits_(device_, surface),
      contacts_(lists, surface) {
  Device& device = device_;
  const int points = surface.points();
  for (auto* b : {&x_, &y_, &start_, &aim_, &forward_.target})
    *b = Buffer<vec3>(device, "contact points", points);
  for (auto* b : {&remaining_, &forward_.share, &forward_.nearest, &forward_.moved, &inverse_mass_})
    *b = Buffer<float>(device, "contact points", points);
  for (auto* b : {&residual_, &farthest_}) *b = Buffer<float>(device, "residual", 1);
  forward_.active = Buffer<int>(device, "contact points", points);
  progress_ = Buffer<Progress>(device, "two-way progress", 1);
}

void TwoWaySteps::prepare(const FreePathOptions& options, bool body_friction, Span<const float> closer) {
  if (options.step_limit != options_.step_limit) ++moves_;  // also while bodies pass through cloth
  options_ = options;
  if (closer.data != with_bodies_.closer.of.data || closer.size != with_bodies_.closer.of.size) ++moves_;
  with_bodies_ = {body_friction, {closer}};
  reach_.activation = std::min(options.activation, kLargestActivation * mean_edge_);
  reach_.usual = reach_.activation + slack();
  // within the smallest radius, at which that part meets bodies
  if (const float smallest = surface_.own_radii().smallest(); smallest > 0)
    reach_.activation = std::min(reach_.activation, smallest / (1 + slack_of(1)));
  // Unknown pairs must be further apart than those that repel.
  reach_.radius = std::max(options.search_min > 0 ? options.search_min : kRadius * mean_edge_,
                           1.05f * (reach_.activation + slack()));
  reach_.radius += 2 * surface_.largest_radius();
  reach_.margin =
      std::max((options.search_max > 0 ? options.search_max : kWidest * mean_edge_) - reach_.radius,
               0.1f * reach_.radius);
  search_.widen(part_radii({}), 2 * surface_.own_radii().largest() + reach_.usual);
  contacts_.prepare(search_.vertex_triangle().capacity() + search_.edge_edge().capacity(),
                    options.lcp == int(LcpSolver::jacobi) || filters());
}

void TwoWaySteps::search_anew(FreePathOptions& options) {
  options.step_limit = std::min(options.step_limit, kSqueezedSteps);
  search_.drop_candidates();
}

void TwoWaySteps::begin(Span<const float> mass, Span<const int> kinematic, float contact_stiffness,
                        const AffineView& rigid) {
  contact_stiffness_ = contact_stiffness;
  bodies_.rigid.begin(rigid);
  progress_.clear();
  launch(device_, "inverse masses", surface_.points(),
         contact::InverseMasses{mass, kinematic, surface_.cloth_points(), inverse_mass_});
}

void TwoWaySteps::move_far_bodies() {
  if (!bodies_.far.any()) return;
  bodies_.far.move(y_, reach_.activation + surface_.largest_radius(), x_, remaining_);
  corner();
}

void TwoWaySteps::move_together(const BodiesView& bodies) {
  const float worth = kWorthMoving * options_.damping * reach_.radius;
  for (int part = 0; part < kCommonMotions; ++part) {
    common_.measure(x_, y_, worth);
    device_.when(common_.far(), [&] {
      search_.find(x_, reach_.radius, reach_.margin);
      common_.move(bodies, search_.vertex_triangle(), search_.edge_edge(), reach_.radius,
                   kKeptGap * reach_.activation, inverse_mass_, y_, x_, remaining_, piece_);
      corner();
    });
  }
}

void TwoWaySteps::handle(const BodiesView& bodies, Span<const vec3> base, Span<vec3> displacement,
                         Span<const vec3> target, Span<vec3> body, Span<const vec3> body_start, int most) {
  most = most > 0 ? std::min(most, options_.step_limit) : options_.step_limit;
  const int n = surface_.cloth_points();
  launch(device_, "two-way begin", surface_.points(),
         BeginHandling{.base = base,
                       .displacement = displacement,
                       .body = body,
                       .body_target = surface_.body_targets(),
                       .body_start = body_start,
                       .target = target,
                       .cloth_points = n,
                       .x = x_,
                       .y = y_,
                       .start = start_,
                       .aim = aim_,
                       .remaining = remaining_,
                       .active = forward_.active});
  bodies_.rigid.note(y_);
  launch(device_, "two-way begin", 1, BeginLoop{surface_.points(), progress_});
  corner();
  if (filters()) filter_velocities();
  if (options_.together) {
    StageScope stage(device_.profiler(), "common motion");
    move_far_bodies();
    if (!bodies_.rigid.any() && !grains())
      move_together(bodies);  // it would bend bodies, and press grains together
  }
  static_assert(offsetof(Progress, go_on) == 0);
  device_.repeat(Span<const int>(&progress_.span().data->go_on, 1), [&] { step(most); });
  device_.when(search_.partial(), [&] {  // the last steps looked at some points only
    search_.find(x_, reach_.radius, reach_.margin);
    launch(device_, "nearest", surface_.points(), ForgetNearest{forward_.nearest, reach_.radius});
  });
  for (const bool first : {true, false}) {
    const PairList pairs = first ? search_.vertex_triangle() : search_.edge_edge();
    launch_counted(device_, "nearest", pairs.count, pairs.capacity(),
                   NearestDistances{pairs, first, x_, forward_.nearest, surface_.radii()});
  }
  launch(device_, "two-way end", surface_.points(), contact::LeavePath{x_, base, n, displacement, body});
}

void TwoWaySteps::step(int most) {
  {
    StageScope stage(device_.profiler(), "proximity");
    search_.find(x_, reach_.radius, reach_.margin, y_, forward_.active);
  }
  launch(device_, "bounds", surface_.points(),
         BeginStep{search_.covered(), forward_.share, forward_.nearest, contacts_.claim(), reach_.radius});
  {
    StageScope stage(device_.profiler(), "backward");
    backward();
  }
  StageScope stage(device_.profiler(), "forward");
  forward(most);
}

StepContacts::State TwoWaySteps::state() {
  return {x_, start_, y_, inverse_mass_, forward_.moved, progress_};
}

void TwoWaySteps::find_contacts(FrictionMode mode) {
  contacts_.find(search_, state(),
                 {.kept = {reach_.activation, kKeptGap * reach_.activation, slack(), contact_stiffness_,
                           with_bodies_.closer},
                  .free = 0.5f * options_.damping * (reach_.radius - 2 * surface_.largest_radius()),
                  .least = kTrembling * kLeastMove * reach_.activation,
                  .mode = mode,
                  .body_friction = with_bodies_.friction,
                  .parts = part_radii({start_, {}, surface_.points()})},
                 options_);
}

void TwoWaySteps::backward() {
  edge_limits_.apply(inverse_mass_, aim_, options_.stretch, y_);
  const FrictionMode mode = filters() ? FrictionMode::none : FrictionMode::visit;
  contacts_.clear();
  device_.when(search_.any(), [&] { find_contacts(mode); });
  if (options_.lcp == int(LcpSolver::jacobi)) contacts_.visit_all(state());
  else
    for (int k = options_.lcp == int(LcpSolver::gauss_seidel_5) ? 5 : 1; k > 0; --k)
      contacts_.visit_in_colors(state());
  keep_above(mode);
  bodies_.rigid.push(inverse_mass_, y_);
}

void TwoWaySteps::keep_above(FrictionMode mode) {
  launch(device_, "planes", surface_.cloth_points(),
         KeepAbove{surface_.rubbing_planes(part_radii({})), start_, inverse_mass_, reach_.activation, slack(),
                   contact_stiffness_, mode, y_});
}

/// Section 6.3: the solver moved y without friction; its depth gives the normal load, which reduces the slip
/// of y before the path to it begins.
void TwoWaySteps::filter_velocities() {
  StageScope stage(device_.profiler(), "velocity filter");
  search_.find(x_, reach_.radius, reach_.margin, y_);
  find_contacts(FrictionMode::filter);
  contacts_.visit_all(state());
  keep_above(FrictionMode::filter);
  bodies_.rigid.push(inverse_mass_, y_);
}

/// `most`: pieces of this handling.
void TwoWaySteps::forward(int most) {
  const PairList vt = search_.vertex_triangle(), ee = search_.edge_edge();
  const bool half = options_.bound == int(ForwardBound::half_distance);
  const FarthestShare farthest{forward_.nearest,
                               surface_.planes(),
                               reach_.radius - 2 * surface_.largest_radius(),  // two grains are nearer
                               options_.damping,
                               half,
                               surface_.cloth_points(),
                               surface_.radii()};
  for (const bool first : {true, false}) {
    const PairList& pairs = first ? vt : ee;
    if (half)
      launch_counted(device_, "nearest", pairs.count, pairs.capacity(),
                     NearestDistances{pairs, first, x_, forward_.nearest, surface_.radii()});
    else
      launch_counted(device_, "planes between", pairs.count, pairs.capacity(),
                     PlaneShares{pairs, first, x_, y_, options_.damping, kKeptGap * reach_.activation,
                                 farthest.most(), forward_.share, surface_.radii()});
  }
  const bool together = !half && !grains();  // shared pieces keep points apart, not what is around them
  if (together)
    device_.when(Span<const int>(&progress_.span().data->together, 1), [&] {
      launch(device_, "forward", surface_.points(), KnownTargets{search_.covered(), x_, y_, forward_.target});
      bodies_.rigid.known(search_.covered(), x_, forward_.target);
      piece_.find(surface_, vt, ee, x_, forward_.target, farthest.most(), kKeptGap * reach_.activation);
    });
  bodies_.rigid.share(farthest, x_, y_, forward_.share);
  launch(device_, "forward", surface_.points(),
         Forward{.y = y_,
                 .share = forward_.share,
                 .farthest = farthest,
                 .x = x_,
                 .remaining = remaining_,
                 .moved = forward_.moved,
                 .active = forward_.active,
                 .least = 0.1f * kLeastMove * reach_.activation,
                 .inverse_mass = inverse_mass_,
                 .threshold = options_.threshold,
                 .progress = progress_,
                 .piece = together ? piece_.piece() : Span<const path::Piece>(),
                 .end = piece_.end()});
  reduce_max(device_, remaining_, residual_);
  reduce_max(device_, forward_.moved, farthest_);
  launch(device_, "residual", 1,
         Decide{residual_, farthest_, options_.threshold, kLeastMove * reach_.activation, most, progress_});
  corner();
}

float TwoWaySteps::slack_of(float activation) const {
  return options_.repulsion > 0 ? ContactTerms::slack_of(activation) : 0.0f;
}

int TwoWaySteps::count(const PairList& pairs) const {
  int n = 0;
  device_.download(&n, pairs.count.data, sizeof n);
  return std::min(n, pairs.capacity());
}

void TwoWaySteps::bounds(Span<float> out) {
  launch(device_, "bounds", surface_.cloth_points(),
         VertexBounds{forward_.nearest, x_, surface_.planes(), options_.damping, out});
}

}  // namespace weft
