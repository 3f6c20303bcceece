// The contacts of close pairs, for parts with or without radii of their own.
#pragma once
#include "sim/collision/ndb/ndb_contacts.h"

namespace weft {

template <class Parts>
void NdbContacts::make_barriers(const contact::PairDirections& directions, const Parts& parts) {
  const ContactSurface& s = points_.surface();
  const std::array<PairList, 2> lists = springs_.pairs();
  for (int k = 0; k < 2; ++k) {
    const PairList& list = lists[k];
    launch_counted(device_, "contacts", list.count, list.capacity(),
                   ndb::MakeBarriers<Parts>{.pairs = list,
                                            .vertex_triangle = k == 0,
                                            .stands_out = {s.neighbors(), x_},
                                            .directions = directions,
                                            .x = x_,
                                            .inverse_mass = inverse_mass_,
                                            .friction = s.friction(),
                                            .cloth_points = s.cloth_points(),
                                            .self_friction = params_.self_friction,
                                            .rule = rule(),
                                            .vertex_age = age_now_,
                                            .rigid = vertex_.rigid,
                                            .parts = parts,
                                            .barrier = barriers_[k]});
  }
}

}  // namespace weft
