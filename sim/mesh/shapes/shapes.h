// Meshes that the program makes itself, all in metres.
#pragma once
#include <cstdint>
#include <string>

#include "sim/mesh/mesh.h"

namespace weft {

/// Rectangle in the x-y plane, centred, facing +z; uv in metres from the lower left corner. Corners are
/// exact.
/// "equilateral": rows offset by half an edge with straight left and right sides (half triangles at row
/// ends).
/// "square": right triangles, alternating diagonals switched off (all parallel), as many codes do.
/// "uniform": irregular, shortest to longest edge 0.65 or better, as vertex repulsion wants
/// (uniform/make_uniform.h).
TriMesh make_grid(vec2 size, float edge, const std::string& pattern = "equilateral");
/// Disc in the x-y plane from concentric rings of near-equilateral triangles.
TriMesh make_disc(float diameter, float edge);
/// Open cylinder about the y axis, equilateral; rest shape is the flat development (TriMesh::rest empty is
/// fine: rest lengths of the curved mesh), uv is the development.
TriMesh make_tube(float diameter, float length, float edge);

// Bodies for drawing, export and contact, closed, outward-facing, origin-centred.
TriMesh make_sphere(float radius, int subdivisions = 4);  // icosphere
TriMesh make_box(vec3 size);
TriMesh make_capsule(float radius, float length, int segments = 32, int rows = 1);  // along y
TriMesh make_plane_quad(float side);                                                // y = 0, facing +y

/// Edge length that gives a grid of about `vertices` vertices.
float edge_for_vertices(vec2 size, int vertices);

}  // namespace weft
