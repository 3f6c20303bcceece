#include "sim/solvers/newton/line_search.h"

#include "sim/device/primitives.h"
#include "sim/linear/stencil_kernels.h"
#include "sim/solvers/newton/line_search_kernels.h"

namespace weft {

void LineSearch::prepare(const StepContext& c, const NewtonSystem& s) {
  int count = s.padded() + c.stencils.capacity();
  if (const ContactMerit* contact = c.stencils.merit()) count += contact->merit_count();
  if (!s.spring_forces()) count += c.model.triangle_count();
  if (s.bending() == BendingModel::dihedral) count += c.model.hinge_count();
  if (s.bending() == BendingModel::meshless) count += s.rows();
  if (count != merit_.size()) merit_ = Buffer<float>(device_, "line search energies", count);
}

void LineSearch::evaluate(StepContext& c, NewtonSystem& s, Span<const vec3> p, int i) {
  const float length = newton::step_length(i);
  const Model& m = c.model;
  int used = 0;
  const auto next = [&](int count) {
    used += count;
    return Span<float>(merit_.span().data + used - count, count);
  };
  launch(device_, "row energies", s.rows(),
         newton::RowMerit{s.view(), s.position(), s.displacement(), p, s.mass(), s.anchor_weight(), s.inv_h2(), length, s.spring_forces(),
                          s.bending_forces(), next(s.padded())});
  const newton::ElementWay way{s.position(), s.displacement(), p, length};
  if (s.elastic() == ElasticModel::finite_elements)
    launch(device_, "triangle energies", m.triangle_count(),
           newton::CorotatedMerit{m.triangles.span(), m.triangle_inverse.span(), m.triangle_material.span(), way, next(m.triangle_count())});
  if (s.elastic() == ElasticModel::stvk)
    launch(device_, "triangle energies", m.triangle_count(),
           newton::WovenMerit{m.triangles.span(), m.triangle_inverse.span(), m.triangle_material.span(), m.triangle_orthotropic.span(), way,
                              next(m.triangle_count())});
  if (s.bending() == BendingModel::dihedral)
    launch(device_, "hinge energies", m.hinge_count(), newton::HingeMerit{m.hinges.span(), m.hinge_rest.span(), way, next(m.hinge_count())});
  if (const NeighborhoodForces* n = s.elements().neighborhoods())
    launch(device_, "neighbourhood energies", s.rows(), newton::NeighborhoodMerit{n->view(), way, next(s.rows())});
  const StencilsView stencils = s.stencils();
  if (!stencils.empty())
    launch(device_, "stencil energies", stencils.stencil.size,
           stencils::Merit{stencils.stencil, stencils.count, p, length, next(stencils.stencil.size)});
  if (ContactMerit* contact = c.stencils.merit()) contact->merit(c, p, length, next(contact->merit_count()));
  reduce_sum(device_, merit_.span(), Span<float>(sums_.span().data + i, 1));
}

void LineSearch::run(StepContext& c, NewtonSystem& s, Span<const vec3> p) {
  StageScope stage(device_.profiler(), "line search");
  using newton::kLengths;
  const Span<float> merit(sums_.span().data, kLengths), descent(sums_.span().data + kLengths, 1);
  launch(device_, "slope", s.rows(), newton::Slope{s.residual(), p, Span<float>(merit_.span().data, s.rows())});
  reduce_sum(device_, Span<const float>(merit_.span().data, s.rows()), descent);
  evaluate(c, s, p, 0);
  launch(device_, "choose", 1, newton::TakeFullStep{descent, merit, length_.span(), look_.span()});
  device_.when(look_.span(), [&] {
    for (int i = 1; i < kLengths; ++i) evaluate(c, s, p, i);
    launch(device_, "choose", 1, newton::ChooseLength{descent, merit, length_.span()});
  });
}

}  // namespace weft
