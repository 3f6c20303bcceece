#include "sim/solvers/element_forces.h"

#include "sim/solvers/element_kernels.h"

namespace weft {

ElementForces::ElementForces(Device& device, const Model& model)
    : device_(device), triangle_force_(device, "triangle forces", 3 * model.triangle_count()),
      hinge_force_(device, "hinge forces", 4 * model.hinge_count()), total_(device, "element forces", model.vertex_count()),
      bound_(device, "element bounds", padded_rows(model.vertex_count())) {}

void ElementForces::update(const StepContext& c) {
  finite_elements_ = c.scene.step.elastic_model == int(ElasticModel::finite_elements);
  dihedral_ = c.scene.step.bending_model == int(BendingModel::dihedral);
  active_ = finite_elements_ || dihedral_;
  if (finite_elements_)
    launch(device_, "element bounds", c.model.vertex_count(),
           elements::TriangleBound{c.model.vertex_triangles.start.span(), c.model.vertex_triangles.entry.span(),
                                   c.model.vertex_edges.start.span(), c.model.vertex_edges.entry.span(),
                                   c.model.triangle_inverse.span(), c.model.triangle_material.span(),
                                   c.model.edge_stiffness.span(), bound_.span()});
}

void ElementForces::evaluate(StepContext& c, Span<const vec3> d) {
  if (!active_) return;
  if (finite_elements_)
    launch(device_, "triangles", c.model.triangle_count(),
           elements::TriangleForces{c.model.triangles.span(), c.model.triangle_inverse.span(), c.model.triangle_material.span(),
                                    c.state.position.span(), d, triangle_force_.span()});
  if (dihedral_)
    launch(device_, "hinges", c.model.hinge_count(),
           elements::HingeForces{c.model.hinges.span(), c.model.hinge_rest.span(), c.state.position.span(), d, hinge_force_.span()});
  launch(device_, "gather", c.model.vertex_count(),
         elements::GatherForces{c.model.vertex_triangles.start.span(), c.model.vertex_triangles.entry.span(),
                                c.model.vertex_hinges.start.span(), c.model.vertex_hinges.entry.span(),
                                finite_elements_ ? Span<const vec3>(triangle_force_.span()) : Span<const vec3>(),
                                dihedral_ ? Span<const vec3>(hinge_force_.span()) : Span<const vec3>(), total_.span()});
}

}  // namespace weft
