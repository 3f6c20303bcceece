// The surface of a grid with its panels joined along their seams (Wang 2021, section 4.2), so that what is published has no gap.
#pragma once
#include "sim/grid/grid.h"

namespace weft::grid {

/// Grid::published with the two sides of every seam joined: by triangles between the rows of vertices nearest to it, or, where the
/// rows of both sides lie on the seam at the same places, by taking one side's vertices for both. Corners at which more than two panels meet are closed.
/// Seams are edges of the coarse mesh whose two triangles have different material points. Where the rows cannot be followed, for example in
/// a panel narrower than a cell, a gap stays; where a seam ends at a hem a notch of a cell may stay.
Grid::Published sewn(const Grid& grid, const MaterialMesh& mesh);

}  // namespace weft::grid
