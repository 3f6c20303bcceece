#include "sim/collision/sdf_contact/sdf_contact.h"

#include "sim/scene/friction.h"

namespace weft {

SdfContact::SdfContact(StepContext& c)
    : state_(c.state),
      contact_(c.device, "contacts", c.model.vertex_count()),
      remembered_(c.device, "friction anchors",
                  std::vector<sdf_contact::Anchor>(size_t(c.model.vertex_count()))),
      anchor_(c.device, "friction anchors", c.model.vertex_count()),
      depth_(c.device, "contact depth", c.model.vertex_count()),
      free_distance_(c.device, "free distance", c.model.vertex_count()),
      friction_(c.device, "friction states", c.model.vertex_count()),
      reach_(c.device, "pinned depths", c.model.vertex_count()),
      next_reach_(c.device, "pinned depths", c.model.vertex_count()),
      let_be_(c.device, "ignored vertices", std::vector<int>(size_t(c.model.vertex_count()), -1)),
      next_let_be_(c.device, "ignored vertices", c.model.vertex_count()),
      found_(c.device, "pinned depths", 1),
      point_friction_{
          {c.device, "cloths of vertices", c.model.host.vertex_part},
          {c.device, "friction coefficients", friction_coefficients(c.scene, int(c.model.host.parts.size()))},
          {c.device, c.model.host}} {
  state_.carry("friction anchors", remembered_);
}

SdfContact::~SdfContact() { state_.forget("friction anchors"); }

Guarantee SdfContact::guarantee() const {
  Guarantee g;
  g.bodies = Protection::bounded_penetration;
  g.body_bound = 1e-3f;
  return g;
}

sdf_contact::FindContacts SdfContact::finder(StepContext& c) {
  return {c.state.position, c.displacement, c.model.contact.offset,
          free_distance_,   c.kinematic,    c.bodies.view(),
          let_be_,          contact_};
}

sdf_contact::AddContacts SdfContact::adder(StepContext& c) {
  return {.position = c.state.position,
          .d = c.displacement,
          .inertia = c.inertia,
          .contact = contact_,
          .area = c.model.contact.area,
          .offset = c.model.contact.offset,
          .mass = c.model.mass,
          .bodies = c.bodies.view(),
          .point_friction = friction_of(c),
          .stiffness = c.scene.contact.stiffness,
          .h2 = c.dt * c.dt,
          .friction = friction_,
          .anchor = anchor_,
          .weight = c.anchor_weight,
          .force = c.anchor_force};
}

PointFriction SdfContact::friction_of(const StepContext& c) const {
  const int cloths = int(c.model.host.parts.size());
  const Buffer<float>& all = point_friction_.coefficients;
  return {{all, cloths, all.size() / cloths}, point_friction_.cloth, point_friction_.painted.view()};
}

void SdfContact::prepare(StepContext& c) {
  point_friction_.coefficients.upload(friction_coefficients(c.scene, int(c.model.host.parts.size())));
}

void SdfContact::evaluate(StepContext& c) {
  if (c.bodies.view().count > 0)
    launch(c.device, "find contacts", c.model.vertex_count(),
           sdf_contact::ExpectAndFind{finder(c), adder(c)});
}

void SdfContact::begin_step(StepContext& c) {
  if (c.bodies.view().count == 0) return;
  friction_.clear();
  contact_.clear();
  launch(c.device, "carry anchors", c.model.vertex_count(),
         sdf_contact::CarryAnchors{remembered_, c.bodies.view(), anchor_});
  let_pinned_be(c);
  launch(c.device, "carry anchors", c.model.vertex_count(),
         sdf_contact::MoveWithBodies{.position = c.state.position,
                                     .inertia = c.inertia,
                                     .anchor = anchor_,
                                     .bodies = c.bodies.view(),
                                     .point_friction = friction_of(c),
                                     .kinematic = c.kinematic,
                                     .let_be = let_be_,
                                     .mass = c.model.mass,
                                     .offset = c.model.contact.offset,
                                     .h2 = c.dt * c.dt,
                                     .d = c.displacement});
  launch(c.device, "free distance", c.model.vertex_count(),
         sdf_contact::FreeDistance{c.state.position, c.bodies.view(), free_distance_});
}

void SdfContact::let_pinned_be(StepContext& c) {
  const int n = c.model.vertex_count();
  found_.clear();
  launch(c.device, "pinned depths", n,
         sdf_contact::PinnedDepth{c.state.position, c.kinematic_displacement, c.kinematic,
                                  c.model.contact.offset, c.bodies.view(), reach_, let_be_, found_});
  c.device.repeat(found_, [&] {
    found_.clear();
    for (const bool there : {true, false}) {
      auto &reach = there ? reach_ : next_reach_, &next = there ? next_reach_ : reach_;
      auto &body = there ? let_be_ : next_let_be_, &next_body = there ? next_let_be_ : let_be_;
      launch(c.device, "pinned depths", n,
             sdf_contact::SpreadDepth{c.model.vertex_edges.start, c.model.vertex_edges.entry, c.model.edges,
                                      c.model.edge_rest, reach, body, next, next_body, found_});
    }
  });
}

void SdfContact::before_iteration(StepContext& c, int) {
  if (c.bodies.view().count == 0) return;
  // The path has changed since the last iteration, and so have the contacts on it.
  launch(c.device, "contact forces", c.model.vertex_count(), sdf_contact::FindAndAdd{finder(c), adder(c)});
}

void SdfContact::advance(StepContext& c) {
  if (c.bodies.view().count == 0) return;
  evaluate(c);
  launch(c.device, "project out", c.model.vertex_count(), sdf_contact::ProjectOut{finder(c), c.displacement});
}

void SdfContact::end_step(StepContext& c) {
  if (c.bodies.view().count == 0) {
    depth_.clear();
    return;
  }
  launch(c.device, "friction memory", c.model.vertex_count(),
         sdf_contact::RememberContacts{adder(c), remembered_, depth_});
}

}  // namespace weft
