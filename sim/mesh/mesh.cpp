#include "sim/mesh/mesh.h"

namespace weft {

Bounds bounds_of(const std::vector<vec3>& points) {
  Bounds bounds;
  for (const vec3& p : points) bounds.add(p);
  return bounds;
}

}  // namespace weft
