#include "sim/collision/ndb/ndb_contacts.h"

#include <algorithm>
#include <cmath>

#include "sim/collision/contact_terms/stick_kernels.h"
#include "sim/collision/contact_terms/term_kernels.h"
#include "sim/collision/ndb/make_barriers.h"
#include "sim/device/primitives.h"

namespace weft {

// in wide_barriers.cpp, so that all else is compiled as it would be without
extern template void NdbContacts::make_barriers(const contact::PairDirections&, const PartRadii&);

namespace {
using namespace ndb;

constexpr const char* kAges = "ages of contacts";
// fraction of the gap: contacts that are no deeper are resolved. Weights that went on growing would make
// loads, and with them friction, a matter of the last micrometre.
constexpr float kBand = 0.03f;
constexpr float kMostPress =
    2;  // gaps: depth from which on contact pushes no harder. Directions are those at which
        // contacts were found; cloth that has slid far seems as deep as it has slid
constexpr float kEdgesOfVertex =
    6;  // springs at a vertex, each as stiff as the fabric, as the measure of its stiffness
constexpr int kGrowth = 8;  // iterations that the base is meant for: K^8 is 256 w0

}  // namespace

NdbContacts::NdbContacts(StepContext& c, ContactPoints& points, TriangleSearch& search)
    : device_(c.device),
      state_(c.state),
      points_(points),
      search_(search),
      springs_(c, search, "pushing pairs"),
      directions_(c.device, points.surface()),
      vertex_{FabricStiffness(c, "stiffness at vertices"),
              Buffer<int>(c.device, "rigid bodies", points.surface().rigid())},
      age_(c.device, kAges, c.model.vertex_count()),
      age_now_(c.device, kAges, c.model.vertex_count()),
      depth_(c.device, "contact depth", c.model.vertex_count()),
      shown_age_(c.device, "shown ages", c.model.vertex_count()),
      progress_(c.device, "course of contact", 1) {
  x_ = Buffer<vec3>(device_, "contact points", points.surface().points());
  age_.clear();
  depth_.clear();
  shown_age_.clear();
  state_.carry(kAges, age_);
}

NdbContacts::~NdbContacts() { state_.forget(kAges); }

void NdbContacts::prepare(StepContext& c, const NdbParams& params, const NdbLengths& lengths) {
  params_ = params;
  lengths_ = lengths;
  const std::array<PairList, 2> lists = springs_.pairs();
  for (int k = 0; k < 2; ++k)
    if (const int room = lists[k].capacity(); barriers_[k].size() != room)
      barriers_[k] = Buffer<Barrier>(device_, "contacts", room), ++moves_;
  const ContactSurface& surface = points_.surface();
  if (const int planes = surface.planes().size * surface.cloth_points(); plane_barriers_.size() != planes)
    plane_barriers_ = Buffer<PlaneBarrier>(device_, "contacts with planes", planes), ++moves_;
  springs_.prepare(c, true);
  vertex_.elastic.prepare(c, kEdgesOfVertex);
}

void NdbContacts::plan(int iterations) {
  growth_ = std::pow(params_.base, std::max(1.0f, float(kGrowth) / float(std::max(iterations, 1))));
}

WeightRule NdbContacts::rule() const {
  WeightRule rule;
  rule.inv_h2 = 1 / (dt_ * dt_);
  rule.per_mass = params_.weight * rule.inv_h2;
  rule.base = growth_;
  rule.cap_share = params_.weight_cap;
  rule.elastic = vertex_.elastic;
  rule.gap = lengths_.gap;
  rule.band = kBand * lengths_.gap;
  rule.most = kMostPress * lengths_.gap;
  rule.by_distance = params_.barrier == int(NdbBarrier::distance);
  rule.samples = params_.samples;
  return rule;
}

void NdbContacts::begin_step(StepContext& c, Span<const float> inverse_mass) {
  inverse_mass_ = inverse_mass;
  dt_ = c.dt;
  launch(device_, "contact begin", age_.size(), BeginAges{age_, params_.keep_weights, age_now_, shown_age_});
  launch(device_, "contact begin", 1, BeginProgress{progress_});
  launch(device_, "contact begin", plane_barriers_.size(),
         BeginPlaneBarriers{age_now_, inverse_mass_, rule(), plane_barriers_});
}

PartRadii NdbContacts::at_start(const StepContext& c) const {
  PartRadii parts = lengths_.parts;
  parts.start = {c.state.position, points_.body_start(), points_.surface().cloth_points()};
  return parts;
}

void NdbContacts::find(StepContext& c, Span<const vec3> safe, bool first) {
  StageScope stage(device_.profiler(), "find contacts");
  const ContactSurface& s = points_.surface();
  launch(device_, "contact points", s.points(),
         contact::Positions{c.state.position, safe, points_.body_now(), s.cloth_points(), x_});
  search_.find(x_, lengths_.radius, lengths_.margin);
  search_.list_per_point();
  const contact::PairDirections directions = directions_.find(x_);
  if (lengths_.parts.any()) make_barriers(directions, at_start(c));
  else make_barriers(directions, NoPartRadii{});
  launch(device_, "contacts", 1, BeginRound{progress_, first});
  if (first) move_with_bodies(c, safe);
}

void NdbContacts::move_with_bodies(StepContext& c, Span<const vec3> safe) {
  const ContactSurface& s = points_.surface();
  const contact::Holds holds{lengths_.gap, 0, c.inertia};
  const std::array<PairList, 2> lists = springs_.pairs();
  launch(device_, "contacts", s.cloth_points(),
         contact::MoveWithBodies<Barrier>{
             .pairs = {lists[0], lists[1]},
             .of_points = {search_.vertex_triangle_of_points(), search_.edge_edge_of_points()},
             .contact = {barriers_[0], barriers_[1]},
             .inverse_mass = inverse_mass_,
             .taken = {},
             .holds = holds,
             .turn = {.next = s.neighbors(),
                      .x = x_,
                      .safe = safe,
                      .displacement = c.displacement,
                      .body_start = points_.body_start(),
                      .body_target = s.body_targets(),
                      .cloth_points = s.cloth_points()},
             .displacement = c.displacement});
  launch(device_, "contacts", s.cloth_points(),
         contact::MoveWithPlanes{.planes = s.rubbing_planes(lengths_.parts),
                                 .base = c.state.position,
                                 .inverse_mass = inverse_mass_,
                                 .kept = {},
                                 .taken = {},
                                 .holds = holds,
                                 .displacement = c.displacement});
}

void NdbContacts::add(StepContext& c, Span<const vec3> safe, bool grow) {
  const ContactSurface& s = points_.surface();
  const std::array<PairList, 2> lists = springs_.pairs();
  const float reach = dt_ * params_.slip_speed;
  launch(device_, "contacts", 1, BeginIteration{progress_});
  for (int k = 0; k < 2; ++k) {
    const PairList& list = lists[k];
    launch_counted(
        device_, "partial tests", list.count, list.capacity(),
        LookAtBarriers{list, k == 0, safe, c.displacement, s.body_targets(), points_.body_start(), x_,
                       s.cloth_points(), rule(), reach, params_.filter, grow, progress_, barriers_[k]});
  }
  springs_.add(c, barriers_, inverse_mass_);
  if (s.planes().size > 0)
    launch(
        device_, "contacts", s.cloth_points(),
        AddPlaneBarriers{s.rubbing_planes(lengths_.parts), c.state.position, c.displacement, inverse_mass_,
                         rule(), reach, grow, progress_, plane_barriers_, c.anchor_weight, c.anchor_force});
}

void NdbContacts::note() {
  launch(device_, "contacts of vertices", age_now_.size(),
         NoteVertices{{search_.vertex_triangle_of_points(), search_.edge_edge_of_points()},
                      {barriers_[0], barriers_[1]},
                      plane_barriers_,
                      age_now_,
                      depth_,
                      shown_age_});
}

void NdbContacts::end_step() {
  device_.copy(age_.span().data, age_now_.span().data, size_t(age_.size()) * sizeof(int));
}

}  // namespace weft
