#include "viewer/interact/pins.h"

#include <algorithm>
#include <set>
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

std::vector<int> vertices_within(const CameraView& view, vec2 a, vec2 b, const std::vector<vec3>& positions) {
  const vec2 low = glm::min(a, b), high = glm::max(a, b);
  std::vector<int> within;
  for (size_t v = 0; v < positions.size(); ++v) {
    const auto at = view.project(positions[v]);
    if (at && at->x >= low.x && at->x <= high.x && at->y >= low.y && at->y <= high.y)
      within.push_back(int(v));
  }
  return within;
}

namespace {

Edit all_toggled(const std::string& verb, const std::vector<int>& vertices, const std::vector<int>& pinned,
                 const std::vector<HandPin>& by_hand) {
  Edit all{verb + " " + std::to_string(vertices.size()) + " vertices", {}, {}};
  for (const int v : vertices) {
    const Edit one = toggle_pin(v, pinned, by_hand);
    all.redo.insert(all.redo.end(), one.redo.begin(), one.redo.end());
    all.undo.insert(all.undo.begin(), one.undo.begin(), one.undo.end());
  }
  return all;
}

}  // namespace

Edit set_pins(const std::vector<int>& vertices, bool pin, const std::vector<int>& pinned,
              const std::vector<HandPin>& by_hand) {
  std::vector<int> wanted;
  const std::set<int> held(pinned.begin(), pinned.end());
  for (const int v : vertices)
    if ((held.count(v) > 0) != pin) wanted.push_back(v);
  return all_toggled(pin ? "Pin" : "Free", wanted, pinned, by_hand);
}

Edit toggle_pins(const std::vector<int>& vertices, const std::vector<int>& pinned,
                 const std::vector<HandPin>& by_hand) {
  const Edit pins = set_pins(vertices, true, pinned, by_hand);
  return pins.redo.empty() ? set_pins(vertices, false, pinned, by_hand) : pins;
}

}  // namespace weft
