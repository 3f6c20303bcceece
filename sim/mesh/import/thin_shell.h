// Cloth that another program gave a thickness: a closed surface of two layers and a rim.
#pragma once
#include "sim/mesh/mesh.h"

namespace weft {

/// Distance of the two sides of the closed parts (connected by edges) of a mesh, in its units; 0 where it has
/// none that is a thin shell.
///
///   h = 2 V / A          V   volume that the parts enclose        A   their area, both sides
///
/// A shell has h below 3 mm and a hundredth of its size, and at least four edges of at most 3/2 h, which
/// cross its rim; a cushion, whose sides are joined without a rim, has none.
double shell_thickness(const TriMesh& mesh);

}  // namespace weft
