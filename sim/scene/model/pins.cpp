#include "sim/scene/model/pins.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/base/error.h"
#include "sim/base/nearest.h"

namespace weft {
namespace {

FrontView front_view(const Topology& topology, const ModelPart& range) {
  Bounds bounds;
  for (int v = 0; v < range.vertex_count; ++v) bounds.add(topology.rest[range.first_vertex + v]);
  const vec3 extent = bounds.max - bounds.min;
  FrontView view;
  for (int v = 0; v < range.vertex_count; ++v) {
    const vec3& p = topology.rest[range.first_vertex + v];
    // View along the thinnest axis.
    vec2 q(p.x, p.y);
    if (extent.y < extent.x && extent.y < extent.z) q = {p.x, -p.z};
    else if (extent.x < extent.z && extent.x < extent.y) q = {-p.z, p.y};
    view.points.push_back(q);
    view.low = glm::min(view.low, q), view.high = glm::max(view.high, q);
  }
  double sum = 0;
  for (int t = 0; t < range.triangle_count; ++t) {
    const ivec3& c = topology.triangles[range.first_triangle + t];
    sum += glm::length(topology.rest[c.y] - topology.rest[c.x]) +
           glm::length(topology.rest[c.z] - topology.rest[c.y]) +
           glm::length(topology.rest[c.x] - topology.rest[c.z]);
  }
  view.edge = float(sum / std::max(1, 3 * range.triangle_count));
  return view;
}

int nearest_vertex(const FrontView& view, vec2 share) {
  const vec2 wanted = view.low + share * (view.high - view.low);
  int best = 0;
  float best_distance = 1e30f;
  for (int v = 0; v < int(view.points.size()); ++v)
    if (const float d = glm::length(view.points[v] - wanted); d < best_distance) best = v, best_distance = d;
  return best;
}

void add_side(const FrontView& view, int axis, bool high, std::set<int>& found) {
  const float side = high ? view.high[axis] : view.low[axis];
  for (int v = 0; v < int(view.points.size()); ++v)
    if (std::abs(view.points[v][axis] - side) <= 0.25f * view.edge) found.insert(v);
}

void add_boundary(const Topology& topology, const ModelPart& range, std::set<int>& found) {
  for (size_t e = 0; e < topology.edges.size(); ++e)
    for (int k = 0; k < 2 && is_border(topology.edge_triangles[e]); ++k)
      if (const int v = topology.edges[e][k] - range.first_vertex; v >= 0 && v < range.vertex_count)
        found.insert(v);
}

void add_place(const std::string& where, const Topology& topology, const ModelPart& range,
               const FrontView& view, std::set<int>& found) {
  if (where == "boundary") return add_boundary(topology, range, found);
  if (where == "top") add_side(view, 1, true, found);
  else if (where == "bottom") add_side(view, 1, false, found);
  else if (where == "left") add_side(view, 0, false, found);
  else if (where == "right") add_side(view, 0, true, found);
  else if (where == "top_left") found.insert(nearest_vertex(view, {0, 1}));
  else if (where == "top_right") found.insert(nearest_vertex(view, {1, 1}));
  else if (where == "bottom_left") found.insert(nearest_vertex(view, {0, 0}));
  else if (where == "bottom_right") found.insert(nearest_vertex(view, {1, 0}));
  else if (where == "center") found.insert(nearest_vertex(view, {0.5f, 0.5f}));
  else throw Error("unknown place '" + where + "' on a cloth", "pin", did_you_mean(where, pin_places()));
}

/// All vertices as near as `radius` to those found, on the unplaced cloth; a hundredth of an edge further for
/// what lies on the rim.
void add_around(const FrontView& view, float radius, std::set<int>& found) {
  const std::vector<int> centers(found.begin(), found.end());
  for (int v = 0; v < int(view.points.size()); ++v)
    if (std::any_of(centers.begin(), centers.end(), [&](int c) {
          return glm::length(view.points[v] - view.points[c]) <= radius + 0.01f * view.edge;
        }))
      found.insert(v);
}

}  // namespace

const std::vector<std::string>& pin_places() {
  static const std::vector<std::string> names{"top_left", "top_right", "bottom_left", "bottom_right",
                                              "top",      "bottom",    "left",        "right",
                                              "boundary", "center",    "roots"};
  return names;
}

std::vector<int> resolve_pin(const Pin& pin, const Topology& topology, const ModelPart& range,
                             const std::vector<vec3>& start, FrontViews* views) {
  std::set<int> found;
  if (pin.where == "roots") {
    if (range.roots.empty())
      throw Error("only strands have roots, and " + in_words(range) + " has none", "pin",
                  "give another place");
    found.insert(range.roots.begin(), range.roots.end());
  } else if (!pin.where.empty()) {
    FrontViews own;
    FrontViews& known = views ? *views : own;
    const auto [at, fresh] = known.try_emplace(range.first_vertex);
    if (fresh) at->second = front_view(topology, range);
    add_place(pin.where, topology, range, at->second, found);
    if (pin.radius > 0) add_around(at->second, pin.radius, found);
  }
  const std::vector<int>& in_file = range.input.vertex;
  const int count = in_file.empty() ? range.vertex_count : int(in_file.size());
  for (const int v : pin.vertices) {
    if (v < 0 || v >= count)
      throw Error(fmt::format("vertex {} is out of range in the cloth '{}'", v, range.name), "pin",
                  fmt::format("its vertices are 0 to {}", count - 1));
    const int own = in_file.empty() ? v : in_file[v];
    if (own < 0)
      throw Error(fmt::format("vertex {} of the cloth '{}' is in no face", v, range.name), "pin",
                  "hold a vertex of its surface");
    found.insert(own);
  }
  if (pin.box)
    for (int v = 0; v < range.vertex_count; ++v) {
      const vec3& p = start[range.first_vertex + v];
      if (glm::min(p, pin.box->min) == pin.box->min && glm::max(p, pin.box->max) == pin.box->max)
        found.insert(v);
    }
  return {found.begin(), found.end()};
}

}  // namespace weft
