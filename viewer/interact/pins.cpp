#include "viewer/interact/pins.h"

#include <algorithm>
#include <string>

namespace weft {

int nearest_corner(const PickHit& hit, const std::vector<vec3>& positions,
                   const std::vector<ivec3>& triangles) {
  const ivec3& corners = triangles[hit.triangle];
  int best = corners.x;
  for (int c = 1; c < 3; ++c)
    if (glm::distance(positions[corners[c]], hit.point) < glm::distance(positions[best], hit.point))
      best = corners[c];
  return best;
}

int pinned_near(const vec3& point, float reach, const std::vector<int>& pinned,
                const std::vector<vec3>& positions) {
  int best = -1;
  float nearest = reach;
  for (int v : pinned) {
    if (v < 0 || v >= int(positions.size())) continue;
    const float d = glm::distance(positions[v], point);
    if (d <= nearest) nearest = d, best = v;
  }
  return best;
}

Edit toggle_pin(int vertex, const std::vector<int>& pinned, const std::vector<HandPin>& by_hand) {
  const bool was = std::find(pinned.begin(), pinned.end(), vertex) != pinned.end();
  const auto hand =
      std::find_if(by_hand.begin(), by_hand.end(), [&](const HandPin& p) { return p.vertex == vertex; });
  const PinVertex undo = was && hand != by_hand.end() ? PinVertex{vertex, true, false, hand->place}
                                                      : PinVertex{vertex, was, was};
  return {(was ? "Free vertex " : "Pin vertex ") + std::to_string(vertex), {PinVertex{vertex, !was}}, {undo}};
}

}  // namespace weft
