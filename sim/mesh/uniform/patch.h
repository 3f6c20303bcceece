// A part of a mesh on which changes can be tried.
#pragma once
#include <optional>
#include <vector>

#include "sim/mesh/uniform/half_edge.h"

namespace weft {

class SourceSurface;

/// Target range of all edge lengths (m).
struct LengthBand {
  double low = 0, high = 0;
};

/// The triangles within some rings around an edge. Its border is fixed.
struct Patch {
  HalfEdgeMesh mesh;      // label: the vertex of the whole mesh; -1 of new ones
  std::vector<int> face;  // faces of the whole mesh that form the patch
  EdgeHandle centre;      // in `mesh`
};
/// Empty if the triangles meet in a point only, which is not a surface.
std::optional<Patch> cut_patch(const HalfEdgeMesh& whole, EdgeHandle centre, int rings);

/// True if a triangle faces away from the surface at its corners, or down in the plane. Edge lengths do not
/// reveal this: a fold has the same as the flat mesh.
bool is_folded(const HalfEdgeMesh& mesh, FaceHandle f, const SourceSurface* source);

/// Smallest over largest length of the patch's edges and the band's limits: at most the band's own ratio,
/// which means that all are inside. 0 for a patch with a folded triangle.
double score(const HalfEdgeMesh& patch, const LengthBand& band, const SourceSurface* source);

/// The patch after the best of all changes near its centre, with vertices moved: up to two flips, splits or
/// collapses, or none.
/// Its score is not less than the patch's own.
HalfEdgeMesh best_change(const Patch& patch, const LengthBand& band, const SourceSurface* source);

}  // namespace weft
