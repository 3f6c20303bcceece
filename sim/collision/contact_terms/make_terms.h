// The terms of close pairs, for parts with or without radii of their own.
#pragma once
#include "sim/collision/contact_terms/contact_terms.h"

namespace weft {

template <class Parts>
void ContactTerms::make_pairs(const StepContext& c, Span<const vec3> safe, const Parts& parts) {
  const ContactSurface& s = points_.surface();
  const contact::PairDirections directions = directions_.find(x_, params_.segments);
  const std::array<PairList, 2> lists = springs_.pairs();
  for (int k = 0; k < 2; ++k) {
    const PairList& list = lists[k];
    launch_counted(device_, "terms", list.count, list.capacity(),
                   contact::MakeTerms<Parts>{.pairs = list,
                                             .vertex_triangle = k == 0,
                                             .stands_out = {s.neighbors(), x_},
                                             .directions = directions,
                                             .inverse_mass = inverse_mass_,
                                             .friction = s.friction(),
                                             .cloth_points = s.cloth_points(),
                                             .self_friction = params_.self_friction,
                                             .firmness = firmness_,
                                             .has_friction = params_.friction,
                                             .recall = recall_,
                                             .turn = turn(c, safe),
                                             .touching = onset(),
                                             .radii = {s.radii(), parts},
                                             .term = terms_[k]});
  }
}

}  // namespace weft
