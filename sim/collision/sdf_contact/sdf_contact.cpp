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
      cloth_(c.device, "cloths of vertices", c.model.host.vertex_part),
      coefficients_(c.device, "friction coefficients",
                    friction_coefficients(c.scene, int(c.model.host.parts.size()))) {
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
  return {c.state.position.span(), c.displacement.span(), c.model.contact_offset.span(),
          free_distance_.span(),   c.kinematic.span(),    c.bodies.view(),
          let_be_.span(),          contact_.span()};
}

sdf_contact::AddContacts SdfContact::adder(StepContext& c) {
  return {.position = c.state.position.span(),
          .d = c.displacement.span(),
          .inertia = c.inertia.span(),
          .contact = contact_.span(),
          .area = c.model.contact_area.span(),
          .offset = c.model.contact_offset.span(),
          .mass = c.model.mass.span(),
          .bodies = c.bodies.view(),
          .rubs = friction_of(c),
          .stiffness = c.scene.contact.stiffness,
          .h2 = c.dt * c.dt,
          .friction = friction_.span(),
          .anchor = anchor_.span(),
          .weight = c.anchor_weight.span(),
          .force = c.anchor_force.span()};
}

PointFriction SdfContact::friction_of(const StepContext& c) const {
  const int cloths = int(c.model.host.parts.size());
  return {{coefficients_.span(), cloths, coefficients_.size() / cloths}, cloth_.span()};
}

void SdfContact::prepare(StepContext& c) {
  coefficients_.upload(friction_coefficients(c.scene, int(c.model.host.parts.size())));
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
         sdf_contact::CarryAnchors{remembered_.span(), c.bodies.view(), anchor_.span()});
  let_pinned_be(c);
  launch(c.device, "carry anchors", c.model.vertex_count(),
         sdf_contact::MoveWithBodies{.position = c.state.position.span(),
                                     .inertia = c.inertia.span(),
                                     .anchor = anchor_.span(),
                                     .bodies = c.bodies.view(),
                                     .rubs = friction_of(c),
                                     .kinematic = c.kinematic.span(),
                                     .let_be = let_be_.span(),
                                     .mass = c.model.mass.span(),
                                     .offset = c.model.contact_offset.span(),
                                     .h2 = c.dt * c.dt,
                                     .d = c.displacement.span()});
  launch(c.device, "free distance", c.model.vertex_count(),
         sdf_contact::FreeDistance{c.state.position.span(), c.bodies.view(), free_distance_.span()});
}

void SdfContact::let_pinned_be(StepContext& c) {
  const int n = c.model.vertex_count();
  found_.clear();
  launch(c.device, "pinned depths", n,
         sdf_contact::PinnedDepth{c.state.position.span(), c.kinematic_displacement.span(),
                                  c.kinematic.span(), c.model.contact_offset.span(), c.bodies.view(),
                                  reach_.span(), let_be_.span(), found_.span()});
  c.device.repeat(found_.span(), [&] {
    found_.clear();
    for (const bool there : {true, false}) {
      auto &reach = there ? reach_ : next_reach_, &next = there ? next_reach_ : reach_;
      auto &body = there ? let_be_ : next_let_be_, &next_body = there ? next_let_be_ : let_be_;
      launch(c.device, "pinned depths", n,
             sdf_contact::SpreadDepth{c.model.vertex_edges.start.span(), c.model.vertex_edges.entry.span(),
                                      c.model.edges.span(), c.model.edge_rest.span(), reach.span(),
                                      body.span(), next.span(), next_body.span(), found_.span()});
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
  launch(c.device, "project out", c.model.vertex_count(),
         sdf_contact::ProjectOut{finder(c), c.displacement.span()});
}

void SdfContact::end_step(StepContext& c) {
  if (c.bodies.view().count == 0) {
    depth_.clear();
    return;
  }
  launch(c.device, "friction memory", c.model.vertex_count(),
         sdf_contact::RememberContacts{adder(c), remembered_.span(), depth_.span()});
}

}  // namespace weft
