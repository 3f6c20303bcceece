#include "sim/grid/contact/half_planes.h"

namespace weft::grid_repulsion {

void HalfPlanes::find(Device& device, const grid::FixedPositions& x, const BodiesView& bodies, float gap,
                      float reach) {
  launch(device, "half planes", grid_->slot_count(),
         FindPlanes{grid_->view(), x, bodies, gap, reach, normal_, offset_});
}

}  // namespace weft::grid_repulsion
