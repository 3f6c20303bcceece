#include "sim/wrinkles/transfer.h"

#include "sim/wrinkles/transfer_kernels.h"

namespace weft::wrinkles {

Buffer<vec3> local_displacements(const grid::Grid& grid, const grid::GridPositions& frame,
                                 const grid::GridPositions& x) {
  Device& device = grid.device();
  Buffer<vec3> local(device, "local displacements", grid.slot_count());
  launch(device, "to local frames", grid.slot_count(), ToLocal{grid.view(), frame.view(), x.view(), local});
  return local;
}

void apply_displacements(const grid::Grid& grid, const grid::GridPositions& frame, const Buffer<vec3>& local,
                         grid::GridPositions& out) {
  out.copy_from(frame);
  launch(grid.device(), "from local frames", grid.slot_count(),
         FromLocal{grid.view(), frame.view(), local, out.view()});
}

void inject(const grid::Grid& coarse, const grid::Grid& fine, int levels_between,
            const grid::GridPositions& fine_x, const grid::GridPositions& frame, grid::GridPositions& out) {
  out.copy_from(frame);
  launch(coarse.device(), "inject", coarse.slot_count(),
         Inject{coarse.view(), fine.view(), fine_x.view(), out.view(), 1 << levels_between});
}

}  // namespace weft::wrinkles
