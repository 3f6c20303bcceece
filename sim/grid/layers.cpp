#include "sim/grid/layers.h"

namespace weft::grid {

void Layers::find(Device& device, const GridPositions& frame) {
  launch(device, "layers", grid_->slot_count(), FindLayers{grid_->view(), frame.view(), normal_, offset_});
}

}  // namespace weft::grid
