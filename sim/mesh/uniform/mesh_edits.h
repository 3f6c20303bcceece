// Single changes of connectivity, each refused where it would turn a triangle over.
#pragma once
#include "sim/mesh/uniform/half_edge.h"

namespace weft {

class SourceSurface;

/// Number of neighbours that triangles of 60 degrees would give: 6 inside, on the boundary by its angle.
int ideal_valence(const HalfEdgeMesh& mesh, VertexHandle v);

/// An edge a-b and the opposite vertices; c or d is invalid at the boundary.
struct Diamond {
  VertexHandle a, b, c, d;
};
Diamond diamond(const HalfEdgeMesh& mesh, EdgeHandle e);

bool flip_allowed(const HalfEdgeMesh& mesh, EdgeHandle e);

/// Halves an interior edge; the new vertex lies on `source` if there is one.
VertexHandle split_interior(HalfEdgeMesh& mesh, EdgeHandle e, const SourceSurface* source);

/// True if the halfedge's origin may move to `to`, removing the two triangles beside it: the mesh stays
/// manifold, and no other triangle flips.
bool collapse_allowed(HalfEdgeMesh& mesh, HalfedgeHandle h, const dvec3& to, const SourceSurface* source);

/// True if, with `moved` at `to`, every triangle at it is within 78 degrees of the surface there (in the
/// plane: of its former orientation) or closer to that than before. Triangles with `other` as a corner, if
/// valid, are ignored.
bool keeps_faces(const HalfEdgeMesh& mesh, VertexHandle moved, VertexHandle other, const dvec3& to,
                 const SourceSurface* source);

/// Collapses an interior edge to its midpoint, or to its fixed end (a boundary vertex or corner). False if
/// that is not allowed.
bool collapse_interior(HalfEdgeMesh& mesh, EdgeHandle e, const SourceSurface* source);

/// Flips interior edges to bring valences closer to the ideal, and removes chords between two boundary
/// vertices, which cut off corners.
void flip_to_even_valence(HalfEdgeMesh& mesh);

}  // namespace weft
