// The contacts of a backward step, for parts with or without radii of their own.
#pragma once
#include "sim/collision/contact_terms/pair_kernels.h"
#include "sim/collision/free_path/step_contacts.h"
#include "sim/device/primitives.h"

namespace weft {

template <class Parts>
void StepContacts::find(const TriangleSearch& search, const State& s, const Rule& rule,
                        const FreePathOptions& options, const Parts& parts) {
  const PairList vt = search.vertex_triangle(), ee = search.edge_edge();
  const contact::PairDirections directions =
      directions_.find(s.x, options.normals == int(ContactNormals::segments));
  flags_.clear();
  for (const bool first : {true, false}) {
    const PairList& pairs = first ? vt : ee;
    launch_counted(device_, "contacts", pairs.count, pairs.capacity(),
                   two_way::MarkContacts<Parts>{.pairs = pairs,
                                                .vertex_triangle = first,
                                                .stands_out = {surface_.neighbors(), s.x},
                                                .directions = directions,
                                                .x = s.x,
                                                .y = s.y,
                                                .inverse_mass = s.inverse_mass,
                                                .onset = {rule.kept.activation + rule.kept.slack,
                                                          rule.kept.closer, surface_.radii(), parts},
                                                .first = first ? 0 : vt.capacity(),
                                                .wedge = rule.kept.wedge,
                                                .free = rule.free,
                                                .least = rule.least,
                                                .hard = {&s.progress.data->together, 1},
                                                .moved = s.moved,
                                                .flags = flags_});
  }
  select(device_, flags_, index_, found_);
  launch(device_, "contacts", 1, contact::CountWanted{found_, contact_.size(), count_, list_.wanted()});
  launch_counted(
      device_, "contacts", count_, contact_.size(),
      two_way::MakeContacts<Parts>{.vertex_triangle = vt,
                                   .edge_edge = ee,
                                   .index = index_,
                                   .flags = flags_,
                                   .x = s.x,
                                   .friction = surface_.friction(),
                                   .cloth_points = surface_.cloth_points(),
                                   .self_friction = options.self_friction,
                                   .kept = rule.kept,
                                   .volume = options.form == int(ContactForm::volume),
                                   .mode = rule.mode,
                                   .body_mode = rule.body_friction ? rule.mode : two_way::FrictionMode::none,
                                   .directions = directions,
                                   .radii = {surface_.radii(), parts},
                                   .contact = contact_});
}

}  // namespace weft
