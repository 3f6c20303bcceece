// Rows and diamonds that meet at the seams of a garment.
#pragma once
#include <vector>

#include "sim/grid/grid.h"
#include "sim/wrinkles/gather_kernels.h"

namespace weft::wrinkles {

/// How far the lines of each gather are moved in each panel, so that they meet where panels are sewn
/// together: per panel and row, of the first and the second family of lines, in spacings (GatherView::shift).
/// Empty if no row asks for it.
std::vector<vec2> meeting_lines(const std::vector<GatherRow>& rows, const grid::MaterialMesh& mesh);

}  // namespace weft::wrinkles
