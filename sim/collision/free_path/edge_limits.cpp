#include "sim/collision/free_path/edge_limits.h"

#include <algorithm>

#include "sim/device/launch.h"

namespace weft {
namespace {

/// Greedy colouring in the edges' order: about one colour more than the most edges at a vertex.
std::vector<std::vector<ivec2>> color_edges(const ContactSurface& s) {
  std::vector<std::vector<ivec2>> colors;
  std::vector<uint64_t> taken(static_cast<size_t>(s.cloth_points()), 0);
  for (const ivec2& e : s.host_edges()) {
    if (e.x >= s.cloth_points()) break;
    if (!s.rigid().empty() && s.rigid()[e.x] >= 0) continue;  // it keeps its lengths
    const uint64_t both = taken[e.x] | taken[e.y];
    size_t c = 0;
    while (c < 64 && (both >> c & 1)) ++c;
    if (c == 64) {  // a fan with more edges than bits: one colour for this edge alone
      colors.resize(std::max(colors.size(), c) + 1);
      colors.back().push_back(e);
      continue;
    }
    if (c >= colors.size()) colors.resize(c + 1);
    colors[c].push_back(e);
    taken[e.x] |= uint64_t(1) << c, taken[e.y] |= uint64_t(1) << c;
  }
  return colors;
}

}  // namespace

EdgeLimits::EdgeLimits(Device& device, const ContactSurface& surface) : device_(device) {
  for (const auto& edges : color_edges(surface)) colors_.emplace_back(device, "coloured edges", edges);
}

void EdgeLimits::apply(Span<const float> inverse_mass, Span<const vec3> aim, float stretch, Span<vec3> y) {
  for (auto& edges : colors_)
    launch(device_, "edge lengths", edges.size(), two_way::LimitEdges{edges, inverse_mass, aim, stretch, y});
}

}  // namespace weft
