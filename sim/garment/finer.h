// A worn garment at another edge length.
#pragma once
#include <vector>

#include "sim/garment/garment_mesh.h"

namespace weft {

/// Positions (m) of the vertices of `fine`, another mesh of the same pattern, on the surface of `worn` with
/// its vertices at `positions`: each material point is where it is there, between the corners of its
/// triangle; points outside of all triangles of their panel, beyond a curve's chords, are at the nearest
/// one. Vertices of seams lie between the places on their sides. Throws Error where the patterns have other
/// panels.
std::vector<vec3> resampled(const GarmentMesh& fine, const GarmentMesh& worn,
                            const std::vector<vec3>& positions);

/// The worn garment with each triangle divided into n x n, n >= 1. It has the same surface, so that it
/// crosses nothing that the worn garment does not cross; outlines keep the corners of the worn mesh.
/// `positions` of its vertices, m.
GarmentMesh divided(const GarmentMesh& worn, const std::vector<vec3>& positions, int n);

}  // namespace weft
