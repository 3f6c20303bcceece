#include "sim/collision/contact_terms/contact_terms.h"

#include <algorithm>

#include "sim/collision/contact_terms/make_terms.h"
#include "sim/collision/contact_terms/merit_kernels.h"
#include "sim/collision/contact_terms/stick_kernels.h"
#include "sim/device/primitives.h"

namespace weft {

// in wide_terms.cpp, so that all else is compiled as it would be without
extern template void ContactTerms::make_pairs(const StepContext&, Span<const vec3>, const PartRadii&);

namespace {
using namespace contact;

// fraction of the activation distance: the solver supports cloth before constraints do
constexpr float kSlack = 0.3f;
// Multiples of the activation distance: depth over which the solver's firm contact stiffens, and depth from
// which on it pushes no harder.
constexpr float kRise = 1, kMostPress = 2;
constexpr float kLongestStep = 1.0f / 60;  // s: in longer steps the solver's contact is as stiff as in these,
                                           // or cloth at rest would lie in its firm part

}  // namespace

ContactTerms::ContactTerms(StepContext& c, ContactPoints& points, TriangleSearch& search)
    : device_(c.device),
      state_(c.state),
      points_(points),
      search_(search),
      memory_(c.lists, c.state, c.model.vertex_count(), points.surface().points(),
              points.surface().planes().size),
      springs_(c, search, "pressed pairs"),
      directions_(c.device, points.surface()),
      elastic_(c, "contact firmness"),
      taken_(c.device, "taken back", c.model.vertex_count()),
      taken_now_(c.device, "taken back", c.model.vertex_count()) {
  x_ = Buffer<vec3>(device_, "contact points", points.surface().points());
  taken_.clear();
  state_.carry("taken back by contact", taken_);
}

ContactTerms::~ContactTerms() { state_.forget("taken back by contact"); }

float ContactTerms::slack_of(float activation) { return kSlack * activation; }

void ContactTerms::prepare(StepContext& c, const ContactTermsParams& params) {
  params_ = params;
  const ContactSurface& surface = points_.surface();
  const std::array<PairList, 2> lists = springs_.pairs();
  for (int k = 0; k < 2; ++k)
    if (any() && terms_[k].size() != lists[k].capacity())
      terms_[k] = Buffer<Term>(device_, "contact terms", lists[k].capacity()), ++moves_;
  const int slips = any() ? surface.planes().size * surface.cloth_points() : 0;
  if (plane_slips_.size() != slips)
    plane_slips_ = Buffer<SlipHistory>(device_, "slip on planes", slips), ++moves_;
  springs_.prepare(c, any(), this);
  elastic_.prepare(c, params_.firmness);
  memory_.prepare(surface.planes().size);
}

void ContactTerms::begin_step(StepContext& c, Span<const float> inverse_mass) {
  inverse_mass_ = inverse_mass;
  contact_dt_ = std::min(c.dt, kLongestStep);
  const float inertia = params_.stiffness / (contact_dt_ * contact_dt_);
  firmness_ = {.inertia = inertia,
               .elastic = elastic_,
               .soft_depth = slack(),
               .rise = kRise * params_.activation,
               .most_depth = slack() + kMostPress * params_.activation,
               .reach = inertia * c.dt * c.dt};
  if (springs_.coupled())  // the remainder of descent's steps would accumulate
    launch(device_, "contact begin", taken_.size(), StartAgain{taken_, c.kinematic, c.displacement});
}

void ContactTerms::make(StepContext& c, Span<const vec3> safe) {
  if (!any()) return;
  const ContactSurface& s = points_.surface();
  recall_ = memory_.recall(contact_dt_, taken_);
  plane_slips_.clear();
  launch(device_, "contact points", s.points(),
         Positions{c.state.position, safe, points_.body_now(), s.cloth_points(), x_});
  search_.find(x_, params_.radius, params_.margin);
  search_.list_per_point();
  device_.when(search_.any(), [&] {
    if (params_.parts.any())
      make_pairs(c, safe, part_radii({c.state.position, points_.body_start(), s.cloth_points()}));
    else make_pairs(c, safe, NoPartRadii{});
  });
}

void ContactTerms::move_with_bodies(StepContext& c, Span<const vec3> safe) {
  if (!any() || !params_.friction) return;
  const Holds holds{onset(), firmness_.inertia * c.dt * c.dt, {}};
  const std::array<PairList, 2> lists = springs_.pairs();
  const int vertices = points_.surface().cloth_points();
  device_.when(search_.any(), [&] {
    launch(device_, "contact begin", vertices,
           MoveWithBodies<Term>{
               .pairs = {lists[0], lists[1]},
               .of_points = {search_.vertex_triangle_of_points(), search_.edge_edge_of_points()},
               .contact = {terms_[0], terms_[1]},
               .inverse_mass = inverse_mass_,
               .taken = taken_,
               .holds = holds,
               .turn = turn(c, safe),
               .displacement = c.displacement});
  });
  launch(device_, "contact begin", vertices,
         MoveWithPlanes{.planes = points_.surface().rubbing_planes(params_.parts),
                        .base = c.state.position,
                        .inverse_mass = inverse_mass_,
                        .kept = recall_.planes,
                        .taken = taken_,
                        .holds = holds,
                        .displacement = c.displacement});
}

PairTurn ContactTerms::turn(const StepContext& c, Span<const vec3> safe) const {
  const ContactSurface& s = points_.surface();
  return {.next = s.neighbors(),
          .x = x_,
          .safe = safe,
          .displacement = c.displacement,
          .body_start = points_.body_start(),
          .body_target = s.body_targets(),
          .cloth_points = s.cloth_points()};
}

void ContactTerms::evaluate(StepContext& c, Span<const vec3> safe) {
  const ContactSurface& s = points_.surface();
  const std::array<PairList, 2> lists = springs_.pairs();
  for (int k = 0; k < 2; ++k) {
    const PairList& list = lists[k];
    launch_counted(device_, "terms", list.count, list.capacity(),
                   LookAtTerms{list, safe, c.displacement, s.body_targets(), x_, points_.body_start(),
                               s.cloth_points(), onset(), firmness_, terms_[k]});
  }
}

void ContactTerms::add(StepContext& c, Span<const vec3> safe) {
  if (!any()) return;
  evaluate(c, safe);
  springs_.add(c, terms_, inverse_mass_);
  add_planes(c);
}

void ContactTerms::add_planes(StepContext& c) {
  launch(device_, "terms", points_.surface().cloth_points(),
         AddPlaneTerms{points_.surface().rubbing_planes(params_.parts), c.state.position, c.displacement,
                       inverse_mass_, onset(), firmness_, params_.friction, springs_.coupled(), recall_,
                       plane_slips_, c.anchor_weight, c.anchor_force});
}

int ContactTerms::merit_count() const {
  return terms_[0].size() + terms_[1].size() + points_.surface().cloth_points();
}

void ContactTerms::merit(StepContext& c, Span<const vec3> p, float length, Span<float> out) {
  const int vertices = points_.surface().cloth_points();
  const std::array<PairList, 2> lists = springs_.pairs();
  float* at = out.data;
  for (int k = 0; k < 2; ++k) {
    const int count = terms_[k].size();
    launch(device_, "contact energies", count,
           PairMerit{lists[k], terms_[k], p, length, vertices, firmness_, Span<float>(at, count)});
    at += count;
  }
  launch(device_, "contact energies", vertices,
         PlaneMerit{points_.surface().rubbing_planes(params_.parts), c.state.position, c.displacement, p,
                    length, inverse_mass_, onset(), firmness_, params_.friction, recall_, plane_slips_,
                    Span<float>(at, vertices)});
}

void ContactTerms::keep_friction(StepContext& c, Span<const vec3> safe) {
  if (!any()) return;
  evaluate(c, safe);
  const std::array<PairList, 2> lists = springs_.pairs();
  launch(device_, "friction memory", springs_.flags().size,
         MarkKept{{lists[0].count, lists[1].count}, {terms_[0], terms_[1]}, springs_.flags()});
  springs_.choose();
  memory_.keep(lists.data(), terms_[0], terms_[1], springs_.index(), springs_.count(), contact_dt_);
  launch(device_, "friction memory", points_.surface().cloth_points(),
         KeepPlanes{points_.surface().rubbing_planes(params_.parts), c.state.position, c.displacement,
                    inverse_mass_, onset(), recall_, memory_.planes_now()});
}

void ContactTerms::advance_begins(StepContext& c) {
  device_.copy(taken_now_.span().data, c.displacement.span().data, size_t(taken_.size()) * sizeof(vec3));
}

void ContactTerms::advance_ends(StepContext& c) {
  launch(device_, "contact end", taken_.size(), TakenBack{c.displacement, taken_now_});
}

void ContactTerms::end_step(StepContext&) {
  if (any()) memory_.commit();
  device_.copy(taken_.span().data, taken_now_.span().data, size_t(taken_.size()) * sizeof(vec3));
}

}  // namespace weft
