// Wrinkles of one frame carried to another (Wang 2021, sections 6.1.1 and 7.2).
#pragma once
#include "sim/grid/grid.h"

namespace weft::wrinkles {

/// The displacement of every vertex from the resampled frame `frame` (x-bar) to `x`, in the local frame of
/// x-bar: what a rigid motion of both does not change. One per slot, m; 0 where there is no vertex.
Buffer<vec3> local_displacements(const grid::Grid& grid, const grid::GridPositions& frame,
                                 const grid::GridPositions& x);

/// The displacements at another resampled frame: x_est. `out` gets the origins of `frame`. Layers may cross
/// in it (see approach).
void apply_displacements(const grid::Grid& grid, const grid::GridPositions& frame, const Buffer<vec3>& local,
                         grid::GridPositions& out);

/// Positions of `fine` at the vertices of `coarse`, which are all among them: levels of one GridLevels.
/// `frame`: the resampled frame on the coarse grid, whose origins `out` gets. `levels_between`: 1 from a
/// level to the next coarser one.
void inject(const grid::Grid& coarse, const grid::Grid& fine, int levels_between,
            const grid::GridPositions& fine_x, const grid::GridPositions& frame, grid::GridPositions& out);

}  // namespace weft::wrinkles
