#include "sim/mesh/import/seams.h"

#include <algorithm>
#include <array>

namespace weft {
namespace {

/// A triangle's side: its ends, first < second, and their material points.
struct SeamSide {
  std::array<int, 2> ends, textures;
  int triangle;
};

std::vector<SeamSide> sorted_sides(const TriMesh& mesh) {
  std::vector<SeamSide> sides;
  for (size_t t = 0; t < mesh.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const ivec3 &v = mesh.triangles[t], &own = mesh.corners.of_triangle[t];
      SeamSide side{{v[k], v[(k + 1) % 3]}, {own[k], own[(k + 1) % 3]}, int(t)};
      if (side.ends[0] > side.ends[1])
        std::swap(side.ends[0], side.ends[1]), std::swap(side.textures[0], side.textures[1]);
      sides.push_back(side);
    }
  std::sort(sides.begin(), sides.end(), [](const SeamSide& a, const SeamSide& b) {
    return a.ends != b.ends ? a.ends < b.ends : a.triangle < b.triangle;
  });
  return sides;
}

}  // namespace

void stiffen_seams(TriMesh& mesh, float factor) {
  if (factor == 1 || !mesh.corners.is_rest) return;
  std::vector<char> at_seam(mesh.triangles.size(), 0);
  bool any = false;
  const std::vector<SeamSide> sides = sorted_sides(mesh);
  for (size_t begin = 0, end; begin < sides.size(); begin = end) {
    bool differ = false;
    for (end = begin + 1; end < sides.size() && sides[end].ends == sides[begin].ends; ++end)
      differ = differ || sides[end].textures != sides[begin].textures;
    for (size_t s = begin; differ && s < end; ++s) at_seam[sides[s].triangle] = 1, any = true;
  }
  if (!any) return;
  if (mesh.corners.factor.empty()) mesh.corners.factor.assign(mesh.triangles.size(), vec3(1));
  for (size_t t = 0; t < at_seam.size(); ++t)
    if (at_seam[t]) mesh.corners.factor[t].y *= factor;
}

}  // namespace weft
