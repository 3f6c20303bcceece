// Texture coordinates of the corners of triangles, where vertices have several (seams) or some have none.
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "sim/base/math.h"
#include "sim/mesh/painted.h"

namespace weft {

/// In the units of the file that they came from.
struct CornerTextures {
  std::vector<vec2> values;
  // per triangle the indices of its corners in `values`, -1: none; empty if one per vertex suffices
  std::vector<ivec3> of_triangle;
  // they are the rest shape of the triangles (rest_shape.h): material points; TriMesh::uv_scale has the
  // metres per unit
  bool is_rest = false;
  // per triangle the symmetric matrix (xx, xy, yy) that takes material lengths to rest lengths; empty: they
  // are the same
  std::vector<vec3> rest_scale = {};
  // per triangle factors on the fabric's stretch stiffness, bending rigidity and density; empty: 1
  std::vector<vec3> factor = {};
  std::vector<PaintedFactors> painted = {};  // of vertices; what triangles have of them is in `factor` too

  bool empty() const { return of_triangle.empty(); }
};

/// The textures that triangles use, in their order in `all`. `of_triangle`: places in `all`, -1: none.
inline CornerTextures used_textures(const std::vector<vec2>& all, std::vector<ivec3> of_triangle) {
  std::vector<int> used;
  for (const ivec3& t : of_triangle)
    for (int k = 0; k < 3; ++k)
      if (t[k] >= 0) used.push_back(t[k]);
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  CornerTextures out{{}, std::move(of_triangle)};
  for (const int texture : used) out.values.push_back(all[texture]);
  for (ivec3& t : out.of_triangle)
    for (int k = 0; k < 3; ++k)
      if (t[k] >= 0) t[k] = int(std::lower_bound(used.begin(), used.end(), t[k]) - used.begin());
  return out;
}

}  // namespace weft
