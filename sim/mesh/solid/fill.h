// Fills a closed surface with tetrahedra.
#pragma once
#include <functional>

#include "sim/mesh/mesh.h"
#include "sim/mesh/solid/tet_mesh.h"

namespace weft {

/// Distance of a point to a closed surface, m: negative inside.
using SignedDistance = std::function<double(const dvec3&)>;

/// Cells of a body-centred lattice whose cubes are `edge` wide (m), cut to the surface `distance` within
/// `bounds`: points of the lattice near it are moved onto it, and cells that it still passes are divided
/// along it (the idea is that of Labelle and Shewchuk 2007, isosurface stuffing). Thinner parts than a cell
/// are lost. Deterministic. Throws Error, which names `what`, if nothing is inside.
TetMesh fill_cells(const Bounds& bounds, double edge, const SignedDistance& distance,
                   const std::string& what);

/// A ball of this diameter, and a disc of this diameter across y and this thickness along it, about the
/// origin. Lengths in m.
TetMesh ball_cells(float diameter, float edge);
TetMesh disc_cells(float diameter, float thickness, float edge);

}  // namespace weft
