#include "sim/solvers/newton/line_search.h"

#include "sim/device/primitives.h"
#include "sim/linear/stencil_kernels.h"
#include "sim/solvers/newton/line_search_kernels.h"

namespace weft {

void LineSearch::prepare(const StepContext& c, const NewtonSystem& s) {
  int count = s.padded() + c.stencils.capacity();
  if (const ContactMerit* contact = c.stencils.merit()) count += contact->merit_count();
  s.elements().for_each([&](const auto& set) { count += set.count(); });
  if (s.elements().neighborhoods()) count += s.rows();
  if (!s.host().empty()) ++count;
  if (count != merit_.size()) merit_ = Buffer<float>(device_, "line search energies", count);
}

void LineSearch::evaluate(StepContext& c, NewtonSystem& s, Span<const vec3> p, int i) {
  const float length = newton::step_length(i);
  int used = 0;
  const auto next = [&](int count) {
    used += count;
    return Span<float>(merit_.span().data + used - count, count);
  };
  launch(device_, "row energies", s.rows(),
         newton::RowMerit{s.view(), s.position(), s.displacement(), p, s.mass(), s.anchor_weight(),
                          s.inv_h2(), length, s.terms().springs, s.terms().bending, next(s.padded())});
  s.elements().for_each([&]<class E>(const ElementSet<E>& set) {
    launch(device_, "element energies", set.count(),
           elements::Merit<E>{{set.view(), s.position(), s.displacement()}, p, length, next(set.count())});
  });
  if (const NeighborhoodForces* n = s.elements().neighborhoods())
    launch(device_, "neighbourhood energies", s.rows(),
           newton::NeighborhoodMerit{n->view(), s.position(), s.displacement(), p, length, next(s.rows())});
  const StencilsView stencils = s.stencils();
  if (!stencils.empty())
    launch(device_, "stencil energies", stencils.stencil.size,
           stencils::Merit{stencils.stencil, stencils.count, p, length, next(stencils.stencil.size)});
  if (ContactMerit* contact = c.stencils.merit()) contact->merit(c, p, length, next(contact->merit_count()));
  if (!s.host().empty()) next(1)[0] = s.host().merit(c, p, length);
  reduce_sum(device_, merit_, Span<float>(sums_.span().data + i, 1));
}

void LineSearch::run(StepContext& c, NewtonSystem& s, Span<const vec3> p) {
  StageScope stage(device_.profiler(), "line search");
  using newton::kLengths;
  const Span<float> merit(sums_.span().data, kLengths), descent(sums_.span().data + kLengths, 1);
  launch(device_, "slope", s.rows(),
         newton::Slope{s.residual(), p, Span<float>(merit_.span().data, s.rows())});
  reduce_sum(device_, Span<const float>(merit_.span().data, s.rows()), descent);
  evaluate(c, s, p, 0);
  launch(device_, "choose", 1, newton::TakeFullStep{descent, merit, length_, look_});
  device_.when(look_, [&] {
    for (int i = 1; i < kLengths; ++i) evaluate(c, s, p, i);
    launch(device_, "choose", 1, newton::ChooseLength{descent, merit, length_});
  });
}

}  // namespace weft
