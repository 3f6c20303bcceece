// What only parts with radii of their own need: apart, so that all else is compiled as it would be without.
#include "sim/collision/free_path/find_contacts.h"
#include "sim/collision/free_path/two_way_steps.h"

namespace weft {

template void StepContacts::find(const TriangleSearch&, const State&, const Rule&, const FreePathOptions&,
                                 const PartRadii&);

void TwoWaySteps::depths(Span<float> out) {
  device_.copy(out.data, forward_.nearest.span().data, size_t(out.size) * sizeof(float));
  const PartRadii parts = part_radii({start_, {}, surface_.points()});
  for (const bool first : {true, false}) {
    const PairList pairs = first ? search_.vertex_triangle() : search_.edge_edge();
    if (parts.any())
      launch_counted(device_, "nearest", pairs.count, pairs.capacity(),
                     two_way::OwnDistances{.pairs = pairs,
                                           .vertex_triangle = first,
                                           .x = x_,
                                           .radii = surface_.radii(),
                                           .parts = parts,
                                           .nearest = out});
  }
  launch(device_, "contact depth", out.size, two_way::Depths{out, reach_.activation, out});
}

}  // namespace weft
