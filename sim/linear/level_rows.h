// Couplings of a mesh level: springs along edges and quadratic bending over hinges, for unit stiffness.
#pragma once
#include <vector>

#include "sim/linear/coarsen.h"
#include "sim/linear/rows.h"
#include "sim/mesh/topology.h"

namespace weft {

/// One list per vertex. Springs: (A1 + A2) / l², which gives an equilateral lattice exactly the modulus Y and
/// Poisson's ratio 1/3. Bending: the Laplacian form -Q_ij of Q = sum over hinges of w c cᵀ (hinge_weights.h).
std::vector<std::vector<RowEntry>> level_rows(const LevelMesh& mesh);

/// The same with the bending of neighbourhoods (bending_neighborhoods.h) in place of hinges, for the full
/// mesh.
std::vector<std::vector<RowEntry>> meshless_rows(const Topology& topology);

/// The same with the quadratic bending of a plate (plate_bending.h), for the full mesh; `poisson`: Poisson's
/// ratio of each cloth;
/// `clamped`: of each triangle, whether it is held; `shares`: of each cloth, the rigidities along warp and
/// weft over the larger one, empty: all 1.
std::vector<std::vector<RowEntry>> plate_rows(const Topology& topology, const std::vector<float>& poisson,
                                              const std::vector<char>& clamped,
                                              const std::vector<vec2>& shares = {});

/// The full mesh as the finest level.
LevelMesh level_mesh(const Topology& topology);
/// The full mesh by its positions at rest, with all faces and edges of cells.
LevelMesh level_mesh_with_cells(const Topology& topology);

/// Spring stiffness per edge for Y = 1 N/m.
std::vector<float> unit_spring_stiffness(const LevelMesh& mesh);

}  // namespace weft
