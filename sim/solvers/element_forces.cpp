#include "sim/solvers/element_forces.h"

#include "sim/solvers/element_kernels.h"
#include "sim/solvers/spring_fabric.h"

namespace weft {

ElementForces::ElementForces(Device& device, const Model& model)
    : device_(device), triangle_force_(device, "triangle forces", 3 * model.triangle_count()),
      hinge_force_(device, "hinge forces", 4 * model.hinge_count()), total_(device, "element forces", padded_rows(model.vertex_count())),
      bound_(device, "element bounds", padded_rows(model.vertex_count())) {}

void ElementForces::update(const StepContext& c) {
  const ElasticModel model = ElasticModel(c.scene.step.elastic_model);
  const BendingModel bending = BendingModel(c.scene.step.bending_model);
  // First what may find no memory: models stay as they were then.
  if (bending == BendingModel::meshless) {
    if (!neighborhoods_) neighborhoods_.emplace(device_, c.model.host);
    neighborhoods_->set_fabric(c.scene);
  }
  if (model == ElasticModel::stvk && stiffening_.empty()) stiffening_ = Buffer<float>(device_, "triangle stiffening", c.model.triangle_count());
  model_ = model;
  bending_ = bending;
  if (model_ != ElasticModel::springs) stand_in_ = Buffer<float>(device_, "element stand-ins", SpringModuli(c).edge_stiffness());
  if (model_ == ElasticModel::finite_elements) update_bound(c);
}

void ElementForces::update_bound(const StepContext& c) {
  const bool woven = model_ == ElasticModel::stvk;
  launch(device_, "element bounds", c.model.vertex_count(),
         elements::TriangleBound{c.model.vertex_triangles.start.span(), c.model.vertex_triangles.entry.span(),
                                 c.model.vertex_edges.start.span(), c.model.vertex_edges.entry.span(), c.model.triangle_inverse.span(),
                                 c.model.triangle_material.span(), woven ? c.model.triangle_orthotropic.span() : Span<const vec4>(),
                                 stiffening_.span(), stand_in_.span(), bound_.span()});
}

void ElementForces::evaluate(StepContext& c, Span<const vec3> d) {
  if (!active()) return;
  if (model_ == ElasticModel::finite_elements)
    launch(device_, "triangles", c.model.triangle_count(),
           elements::TriangleForces{c.model.triangles.span(), c.model.triangle_inverse.span(), c.model.triangle_material.span(),
                                    c.state.position.span(), d, triangle_force_.span()});
  if (model_ == ElasticModel::stvk) {
    launch(device_, "triangles", c.model.triangle_count(),
           elements::WovenForces{c.model.triangles.span(), c.model.triangle_inverse.span(), c.model.triangle_material.span(),
                                 c.model.triangle_orthotropic.span(), c.state.position.span(), d, triangle_force_.span(), stiffening_.span()});
    update_bound(c);
  }
  if (bending_ == BendingModel::dihedral)
    launch(device_, "hinges", c.model.hinge_count(),
           elements::HingeForces{c.model.hinges.span(), c.model.hinge_rest.span(), c.state.position.span(), d, hinge_force_.span()});
  if (model_ != ElasticModel::springs || bending_ == BendingModel::dihedral) gather(c);
  if (bending_ == BendingModel::meshless)
    neighborhoods_->add(c.state.position.span(), d, model_ != ElasticModel::springs ? Span<const vec3>(total_.span()) : Span<const vec3>(), total_.span());
}

void ElementForces::gather(const StepContext& c) {
  launch(device_, "gather", c.model.vertex_count(),
         elements::GatherForces{c.model.vertex_triangles.start.span(), c.model.vertex_triangles.entry.span(),
                                c.model.vertex_hinges.start.span(), c.model.vertex_hinges.entry.span(),
                                model_ != ElasticModel::springs ? Span<const vec3>(triangle_force_.span()) : Span<const vec3>(),
                                bending_ == BendingModel::dihedral ? Span<const vec3>(hinge_force_.span()) : Span<const vec3>(), total_.span()});
}

}  // namespace weft
