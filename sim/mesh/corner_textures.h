// Texture coordinates of the corners of triangles, where vertices have several (seams) or some have none.
#pragma once
#include <vector>

#include "sim/base/math.h"

namespace weft {

struct CornerTextures {
  std::vector<vec2> values;
  std::vector<ivec3> of_triangle;  // per triangle the places of its corners in `values`, -1: none; empty where one per vertex says it all

  bool empty() const { return of_triangle.empty(); }
};

}  // namespace weft
