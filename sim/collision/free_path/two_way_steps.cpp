#include "sim/collision/free_path/two_way_steps.h"

#include <algorithm>
#include <array>

#include "sim/collision/contact_terms/contact_terms.h"
#include "sim/collision/surface/contact_pairs.h"
#include "sim/collision/surface/point_kernels.h"
#include "sim/device/primitives.h"

namespace weft {
namespace {
using namespace two_way;

constexpr int kFewContacts = 1024;   // initial capacity
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

/// Greedy colouring in the edges' order: about one colour more than the most edges at a vertex.
std::vector<std::vector<ivec2>> color_edges(const ContactSurface& s) {
  std::vector<std::vector<ivec2>> colors;
  std::vector<uint64_t> taken(static_cast<size_t>(s.cloth_points()), 0);
  for (const ivec2& e : s.host_edges()) {
    if (e.x >= s.cloth_points()) break;
    const uint64_t both = taken[size_t(e.x)] | taken[size_t(e.y)];
    size_t c = 0;
    while (c < 64 && (both >> c & 1)) ++c;
    if (c == 64) {  // a fan with more edges than bits: one colour for this edge alone
      colors.resize(std::max(colors.size(), c) + 1);
      colors.back().push_back(e);
      continue;
    }
    if (c >= colors.size()) colors.resize(c + 1);
    colors[c].push_back(e);
    taken[size_t(e.x)] |= uint64_t(1) << c, taken[size_t(e.y)] |= uint64_t(1) << c;
  }
  return colors;
}

SearchSurface search_surface(const ContactSurface& s, const std::vector<vec3>& positions) {
  return {positions, s.host_triangles(), s.host_edges(), s.cloth_points()};
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
      points_(surface.points()),
      directions_(device_, surface),
      contact_list_(lists, "contacts", [this](int n) { give_contacts(n); }) {
  Device& device = device_;
  for (auto* b : {&x_, &y_, &start_, &aim_, &forward_.target})
    *b = Buffer<vec3>(device, "contact points", points_);
  for (auto* b : {&remaining_, &forward_.share, &forward_.nearest, &forward_.moved, &inverse_mass_})
    *b = Buffer<float>(device, "contact points", points_);
  for (auto* b : {&residual_, &farthest_}) *b = Buffer<float>(device, "residual", 1);
  for (auto* b : {&claim_, &forward_.active}) *b = Buffer<int>(device, "contact points", points_);
  beyond_ = Buffer<int>(device, "far bodies", surface.body_points());
  box_ = Buffer<smooth_field::Box>(
      device, "far bodies", (surface.cloth_points() + smooth_field::kChunk - 1) / smooth_field::kChunk);
  progress_ = Buffer<Progress>(device, "two-way progress", 1);
  for (auto* b : {&found_, &contact_count_}) *b = Buffer<int>(device, "contact count", 1);
  contact_list_.reserve(std::max(kFewContacts, surface.cloth_points() / 4));
  for (const auto& edges : color_edges(surface)) edge_colors_.emplace_back(device, "coloured edges", edges);
}

void TwoWaySteps::prepare(const FreePathOptions& options, bool rub_bodies, Span<const float> closer) {
  if (options.step_limit != options_.step_limit) ++moves_;  // also while bodies pass through cloth
  options_ = options;
  if (closer.data != with_bodies_.closer.of.data || closer.size != with_bodies_.closer.of.size) ++moves_;
  with_bodies_ = {rub_bodies, {closer}};
  activation_ = std::min(options.activation, kLargestActivation * mean_edge_);
  // Unknown pairs must be further apart than those that repel.
  radius_ = std::max(options.search_min > 0 ? options.search_min : kRadius * mean_edge_,
                     1.05f * (activation_ + slack()));
  margin_ = std::max((options.search_max > 0 ? options.search_max : kWidest * mean_edge_) - radius_,
                     0.1f * radius_);
  const int pairs = search_.vertex_triangle().capacity() + search_.edge_edge().capacity();
  if ((options.lcp == int(LcpSolver::jacobi) || filters()) && sums_.empty())
    sums_ = Buffer<int64_t>(device_, "contact moves", 4 * points_), ++moves_;
  if (pairs == flags_.size()) return;
  for (auto* b : {&flags_, &index_}) *b = Buffer<int>(device_, "contact flags", pairs);
  ++moves_;
}

void TwoWaySteps::look_anew(FreePathOptions& options) {
  options.step_limit = std::min(options.step_limit, kSqueezedSteps);
  search_.drop_candidates();
}

void TwoWaySteps::give_contacts(int contacts) {
  contact_ = {};
  done_ = Buffer<int>(device_, "contacts", contacts);
  contact_ = Buffer<Contact>(device_, "contacts", contacts);
  ++moves_;
}

void TwoWaySteps::begin(Span<const float> mass, Span<const int> kinematic, float contact_stiffness) {
  contact_stiffness_ = contact_stiffness;
  progress_.clear();
  launch(device_, "inverse masses", points_,
         contact::InverseMasses{mass, kinematic, surface_.cloth_points(), inverse_mass_.span()});
}

void TwoWaySteps::move_far_bodies() {
  const int cloth = surface_.cloth_points(), bodies = surface_.body_points();
  if (bodies == 0 || cloth == 0) return;
  launch(device_, "far bodies", box_.size(),
         smooth_field::ChunkBoxes{Span<const vec3>(x_.span().data, cloth), box_.span()});
  launch(device_, "far bodies", 1, WholeBox{box_.span()});
  launch(device_, "far bodies", bodies,
         BeyondFaces{x_.span(), y_.span(), cloth, box_.span(), activation_, beyond_.span()});
  launch(device_, "far bodies", bodies,
         MoveFarPoints{surface_.neighbors(), beyond_.span(), cloth, y_.span(), x_.span(), remaining_.span()});
  corner();
}

void TwoWaySteps::move_together(const BodiesView& bodies) {
  const float worth = kWorthMoving * options_.damping * radius_;
  for (int part = 0; part < kCommonMotions; ++part) {
    common_.look(x_.span(), y_.span(), worth);
    device_.when(common_.far(), [&] {
      search_.find(x_.span(), radius_, margin_);
      common_.move(bodies, search_.vertex_triangle(), search_.edge_edge(), radius_, kKeptGap * activation_,
                   inverse_mass_.span(), y_.span(), x_.span(), remaining_.span(), piece_);
      corner();
    });
  }
}

void TwoWaySteps::handle(const BodiesView& bodies, Span<const vec3> base, Span<vec3> displacement,
                         Span<const vec3> target, Span<vec3> body, Span<const vec3> body_start, int most) {
  most_ = most > 0 ? std::min(most, options_.step_limit) : options_.step_limit;
  const int n = surface_.cloth_points();
  launch(device_, "two-way begin", points_,
         BeginHandling{.base = base,
                       .displacement = displacement,
                       .body = body,
                       .body_target = surface_.body_targets(),
                       .body_start = body_start,
                       .target = target,
                       .cloth_points = n,
                       .x = x_.span(),
                       .y = y_.span(),
                       .start = start_.span(),
                       .aim = aim_.span(),
                       .remaining = remaining_.span(),
                       .active = forward_.active.span()});
  launch(device_, "two-way begin", 1, BeginLoop{points_, progress_.span()});
  corner();
  if (filters()) filter_velocities();
  if (options_.together) {
    StageScope stage(device_.profiler(), "common motion");
    move_far_bodies();
    move_together(bodies);
  }
  static_assert(offsetof(Progress, go_on) == 0);
  device_.repeat(Span<const int>(&progress_.span().data->go_on, 1), [&] { step(); });
  device_.when(search_.partial(), [&] {  // the last steps looked at some points only
    search_.find(x_.span(), radius_, margin_);
    launch(device_, "nearest", points_, ForgetNearest{forward_.nearest.span(), radius_});
  });
  for (const PairList& pairs : {search_.vertex_triangle(), search_.edge_edge()})
    launch_counted(device_, "nearest", pairs.count, pairs.capacity(),
                   NearestDistances{pairs, x_.span(), forward_.nearest.span()});
  launch(device_, "two-way end", points_, contact::LeavePath{x_.span(), base, n, displacement, body});
}

void TwoWaySteps::step() {
  {
    StageScope stage(device_.profiler(), "proximity");
    search_.find(x_.span(), radius_, margin_, y_.span(), forward_.active.span());
  }
  launch(
      device_, "bounds", points_,
      BeginStep{search_.covered(), forward_.share.span(), forward_.nearest.span(), claim_.span(), radius_});
  {
    StageScope stage(device_.profiler(), "backward");
    backward();
  }
  StageScope stage(device_.profiler(), "forward");
  forward();
}

void TwoWaySteps::mark_contacts(Rub rub) {
  const PairList vt = search_.vertex_triangle(), ee = search_.edge_edge();
  const StandsOut stands_out{surface_.neighbors(), x_.span()};
  const PairDirections directions =
      directions_.find(x_.span(), options_.normals == int(ContactNormals::segments));
  const Span<const int> hard(&progress_.span().data->together, 1);
  const Onset onset{activation_ + slack(), with_bodies_.closer};
  flags_.clear();
  launch_counted(
      device_, "contacts", vt.count, vt.capacity(),
      MarkContacts{vt, true, stands_out, directions, x_.span(), y_.span(), inverse_mass_.span(), onset, 0,
                   kKeptGap * activation_, 0.5f * options_.damping * radius_,
                   kTrembling * kLeastMove * activation_, hard, forward_.moved.span(), flags_.span()});
  launch_counted(
      device_, "contacts", ee.count, ee.capacity(),
      MarkContacts{ee, false, stands_out, directions, x_.span(), y_.span(), inverse_mass_.span(), onset,
                   vt.capacity(), kKeptGap * activation_, 0.5f * options_.damping * radius_,
                   kTrembling * kLeastMove * activation_, hard, forward_.moved.span(), flags_.span()});
  select(device_, flags_.span(), index_.span(), found_.span());
  launch(device_, "contacts", 1,
         contact::CountWanted{found_.span(), contact_.size(), contact_count_.span(), contact_list_.wanted()});
  launch_counted(device_, "contacts", contact_count_.span(), contact_.size(),
                 MakeContacts{.vertex_triangle = vt,
                              .edge_edge = ee,
                              .index = index_.span(),
                              .flags = flags_.span(),
                              .x = x_.span(),
                              .friction = surface_.friction(),
                              .cloth_points = surface_.cloth_points(),
                              .self_friction = options_.self_friction,
                              .kept = {activation_, kKeptGap * activation_, slack(), contact_stiffness_,
                                       with_bodies_.closer},
                              .volume = options_.form == int(ContactForm::volume),
                              .rub = rub,
                              .rub_bodies = with_bodies_.rub ? rub : Rub::none,
                              .directions = directions,
                              .contact = contact_.span()});
}

void TwoWaySteps::backward() {
  for (auto& edges : edge_colors_)
    launch(device_, "edge lengths", edges.size(),
           LimitEdges{edges.span(), inverse_mass_.span(), aim_.span(), options_.stretch, y_.span()});
  const Rub rub = filters() ? Rub::none : Rub::visit;
  contact_count_.clear();
  device_.when(search_.any(), [&] { mark_contacts(rub); });
  if (options_.lcp == int(LcpSolver::jacobi)) visit_all();
  else
    for (int k = options_.lcp == int(LcpSolver::gauss_seidel_5) ? 5 : 1; k > 0; --k) visit_in_colors();
  keep_above(rub);
}

void TwoWaySteps::visit_all() {
  sums_.clear();
  launch(device_, "contacts, Jacobi", 1, BeginColors{contact_count_.span(), progress_.span()});
  launch_counted(
      device_, "contacts, Jacobi", contact_count_.span(), contact_.size(),
      VisitAll{contact_.span(), inverse_mass_.span(), x_.span(), start_.span(), y_.span(), sums_.span()});
  launch(device_, "contacts, Jacobi", points_, AddMeans{sums_.span(), y_.span()});
}

void TwoWaySteps::keep_above(Rub rub) {
  launch(device_, "planes", surface_.cloth_points(),
         KeepAbove{surface_.rubbing_planes(), start_.span(), inverse_mass_.span(), activation_, slack(),
                   contact_stiffness_, rub, y_.span()});
}

/// Section 6.3: the solver moved y without friction; its depth gives the normal load, which reduces the slip
/// of y before the path to it begins.
void TwoWaySteps::filter_velocities() {
  StageScope stage(device_.profiler(), "velocity filter");
  search_.find(x_.span(), radius_, margin_, y_.span());
  mark_contacts(Rub::filter);
  visit_all();
  keep_above(Rub::filter);
}

void TwoWaySteps::visit_in_colors() {
  launch(device_, "colours", 1, BeginColors{contact_count_.span(), progress_.span()});
  done_.clear();
  device_.repeat(Span<const int>(&progress_.span().data->left, 1), [&] {
    launch_counted(
        device_, "colours", contact_count_.span(), contact_.size(),
        Claim{contact_.span(), done_.span(), inverse_mass_.span(), progress_.span(), claim_.span()});
    launch_counted(device_, "contacts, Gauss-Seidel", contact_count_.span(), contact_.size(),
                   Visit{contact_.span(), done_.span(), progress_.span(), inverse_mass_.span(), claim_.span(),
                         x_.span(), start_.span(), y_.span()});
  });
}

void TwoWaySteps::forward() {
  const PairList vt = search_.vertex_triangle(), ee = search_.edge_edge();
  const bool half = options_.bound == int(ForwardBound::half_distance);
  const FarthestShare farthest{forward_.nearest.span(), surface_.planes(), radius_, options_.damping, half,
                               surface_.cloth_points()};
  for (const bool first : {true, false}) {
    const PairList& pairs = first ? vt : ee;
    if (half)
      launch_counted(device_, "nearest", pairs.count, pairs.capacity(),
                     NearestDistances{pairs, x_.span(), forward_.nearest.span()});
    else
      launch_counted(device_, "planes between", pairs.count, pairs.capacity(),
                     PlaneShares{pairs, first, x_.span(), y_.span(), options_.damping, kKeptGap * activation_,
                                 farthest.most(), forward_.share.span()});
  }
  if (!half)
    device_.when(Span<const int>(&progress_.span().data->together, 1), [&] {
      launch(device_, "forward", points_,
             KnownTargets{search_.covered(), x_.span(), y_.span(), forward_.target.span()});
      piece_.find(surface_, vt, ee, x_.span(), forward_.target.span(), farthest.most(),
                  kKeptGap * activation_);
    });
  launch(device_, "forward", points_,
         Forward{.y = y_.span(),
                 .share = forward_.share.span(),
                 .farthest = farthest,
                 .x = x_.span(),
                 .remaining = remaining_.span(),
                 .moved = forward_.moved.span(),
                 .active = forward_.active.span(),
                 .least = 0.1f * kLeastMove * activation_,
                 .inverse_mass = inverse_mass_.span(),
                 .threshold = options_.threshold,
                 .progress = progress_.span(),
                 .piece = half ? Span<const path::Piece>() : piece_.piece(),
                 .end = piece_.end()});
  reduce_max(device_, remaining_.span(), residual_.span());
  reduce_max(device_, forward_.moved.span(), farthest_.span());
  launch(device_, "residual", 1,
         Decide{residual_.span(), farthest_.span(), options_.threshold, kLeastMove * activation_, most_,
                progress_.span()});
  corner();
}

float TwoWaySteps::slack() const {
  return options_.repulsion > 0 ? ContactTerms::slack_of(activation_) : 0.0f;
}

int TwoWaySteps::count(const PairList& pairs) const {
  int n = 0;
  device_.download(&n, pairs.count.data, sizeof n);
  return std::min(n, pairs.capacity());
}

void TwoWaySteps::bounds(Span<float> out) {
  launch(device_, "bounds", surface_.cloth_points(),
         VertexBounds{forward_.nearest.span(), x_.span(), surface_.planes(), options_.damping, out});
}

std::vector<ContactPair> TwoWaySteps::contact_pairs(int most) const {
  const int total = std::min(contact_count_.download()[0], contact_.size());
  std::vector<ContactPair> found;
  if (total == 0 || most <= 0) return found;
  std::vector<Contact> all(static_cast<size_t>(total));
  device_.download(all.data(), contact_.span().data, all.size() * sizeof(Contact));
  const std::vector<vec3> x = x_.download();
  for (const Contact& contact : all)
    found.push_back(contact_pair(contact.points, contact.weight, x, surface_.cloth_points()));
  return thinned(std::move(found), most);
}

}  // namespace weft
