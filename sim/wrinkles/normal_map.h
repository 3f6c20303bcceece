// Normals of a fine surface as a texture for the coarse mesh (Wang 2021, section 6.4).
#pragma once
#include <cstdint>
#include <vector>

#include "sim/base/math.h"

namespace weft::wrinkles {

/// Triangles with a place in the material for each corner.
struct TexturedSurface {
  std::vector<vec3> positions;   // m
  std::vector<ivec3> triangles;  // numbers in `positions`
  std::vector<dvec2> material;   // m
  std::vector<ivec3> corners;    // per triangle, numbers in `material`
};

/// RGB8, rows from the top: the tangent-space normal n as 127.5 (n + 1), x along the first material
/// coordinate, y along the second, z out of the surface (OpenGL's convention: green is up). (128, 128, 255)
/// where there is no cloth.
struct NormalMap {
  int width = 0, height = 0;
  std::vector<uint8_t> rgb;
  dvec2 least{0}, most{1};  // m, material of the lower left and of the upper right corner
};

/// Frames of the coarse surface: per corner a normal (area weighted over the vertex) and a unit tangent along
/// the first material coordinate.
/// A renderer that interpolates them shows the fine surface's shading.
struct CornerFrames {
  std::vector<vec3> normal, tangent;  // three per triangle
};
CornerFrames corner_frames(const TexturedSurface& surface);

/// `texels`: along the longer side, 2 or more. Both surfaces lie in the same material; where panels overlap
/// in it the last triangle counts.
/// Throws Error for a surface without triangles.
NormalMap make_normal_map(const TexturedSurface& coarse, const TexturedSurface& fine, int texels);

}  // namespace weft::wrinkles
