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

/// Calls `seam` with the first and the last side of every edge that is one.
template <class F>
void for_each_seam(const TriMesh& mesh, const F& seam) {
  if (!mesh.corners.is_rest) return;
  const std::vector<SeamSide> sides = sorted_sides(mesh);
  for (size_t begin = 0, end; begin < sides.size(); begin = end) {
    bool differ = false;
    for (end = begin + 1; end < sides.size() && sides[end].ends == sides[begin].ends; ++end)
      differ = differ || sides[end].textures != sides[begin].textures;
    if (differ) seam(sides.begin() + long(begin), sides.begin() + long(end));
  }
}

}  // namespace

std::vector<ivec2> seam_edges(const TriMesh& mesh) {
  std::vector<ivec2> edges;
  for_each_seam(mesh, [&](auto begin, auto) { edges.push_back({begin->ends[0], begin->ends[1]}); });
  return edges;
}

void stiffen_seams(TriMesh& mesh, float factor) {
  if (factor == 1) return;
  std::vector<char> at_seam(mesh.triangles.size(), 0);
  bool any = false;
  for_each_seam(mesh, [&](auto begin, auto end) {
    for (auto side = begin; side != end; ++side) at_seam[size_t(side->triangle)] = 1, any = true;
  });
  if (!any) return;
  if (mesh.corners.factor.empty()) mesh.corners.factor.assign(mesh.triangles.size(), vec3(1));
  for (size_t t = 0; t < at_seam.size(); ++t)
    if (at_seam[t]) mesh.corners.factor[t].y *= factor;
}

}  // namespace weft
