#include "sim/run/layered_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/geometry_processing/layer_lift.h"
#include "sim/scene/cloth_layers.h"

namespace weft {
namespace {

constexpr float kApart = 1e-3f;  // m, between layers where they crossed
constexpr float kMost = 0.05f;   // m, of a vertex's path

struct Layer {
  std::vector<ivec3> triangles;
  std::string names;  // of its cloths
};

std::map<int, Layer> layers_of(const Scene& scene, const Topology& cloths) {
  const ClothLayers& wanted = scene.of<ClothLayers>();
  std::map<int, Layer> layers;
  for (const ModelPart& range : cloths.parts) {
    const auto named = wanted.of.find(range.name);
    if (named == wanted.of.end()) continue;
    Layer& layer = layers[named->second];
    const auto begin = cloths.triangles.begin() + range.first_triangle;
    layer.triangles.insert(layer.triangles.end(), begin, begin + range.triangle_count);
    layer.names += (layer.names.empty() ? "" : " and ") + range.name;
  }
  return layers;
}

}  // namespace

LayeredStart put_in_order(const Scene& scene, const Topology& cloths, const std::vector<TriMesh>& bodies,
                          std::vector<vec3>& positions) {
  LayeredStart out;
  const std::map<int, Layer> layers = layers_of(scene, cloths);
  if (layers.empty()) return out;
  std::vector<std::vector<ivec3>> triangles;
  for (const auto& [number, layer] : layers) triangles.push_back(layer.triangles);
  std::vector<vec3> all = positions;
  std::vector<ivec3> solid;
  for (const TriMesh& body : bodies) {
    const ivec3 first(int(all.size()));
    for (const ivec3& t : body.triangles) solid.push_back(t + first);
    all.insert(all.end(), body.positions.begin(), body.positions.end());
  }
  LiftedLayers lifted = lift_layers(std::move(all), triangles, solid, kApart, kMost);
  size_t i = 0;
  for (const auto& [number, layer] : layers) {
    const double way = lifted.farthest[i++];
    if (way == 0) continue;
    out.changed = true;
    out.notices.push_back(
        fmt::format("layer {} ({}) crossed what is below it, and is lifted by up to {:.2g} mm", number,
                    layer.names, 1e3 * way));
  }
  if (!lifted.left.empty())
    out.notices.push_back(fmt::format(
        "{} pairs of triangles of layers still cross: a layer that crosses itself, or by more than "
        "{:.0f} mm, stays as it is; place them further apart, or let the body grow in",
        lifted.left.size(), 1e3 * double(kMost)));
  std::copy(lifted.positions.begin(), lifted.positions.begin() + long(positions.size()), positions.begin());
  return out;
}

}  // namespace weft
