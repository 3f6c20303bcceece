#include "sim/scene/model/uneven_cloths.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/mesh/sides.h"
#include "sim/mesh/uniform/uniformity.h"

namespace weft {
namespace {

/// Edges of more than two triangles among those of a cloth.
int crowded_edges_of(const Topology& topology, const ModelPart& range) {
  const std::span<const ivec3> all = topology.triangles;
  int crowded = 0;
  for_each_edge(all.subspan(size_t(range.first_triangle), size_t(range.triangle_count)),
                [&](auto sides) { crowded += sides.size() > 2; });
  return crowded;
}

}  // namespace

std::vector<std::string> crowded_edges(const Scene& scene, const Topology& topology) {
  std::vector<std::string> notices;
  if (scene.step.bending_model == int(BendingModel::meshless)) return notices;
  const char* const model =
      scene.step.bending_model == int(BendingModel::dihedral) ? "dihedral" : "quadratic";
  for (const ModelPart& range : topology.parts)
    if (const int edges = range.kind == PartKind::cloth ? crowded_edges_of(topology, range) : 0; edges > 0)
      notices.push_back(
          fmt::format("cloth {}: {} edge{} of more than two triangles: step.bending_model = \"{}\", which is "
                      "chosen, bends {} against each other; "
                      "\"meshless\" is made for them",
                      range.name, edges, edges == 1 ? "" : "s", model,
                      "every pair of them (of more than eight each and the next around the edge)"));
  return notices;
}

std::vector<std::string> below_floor(const Scene& scene, const Topology& topology,
                                     const std::vector<vec3>& start) {
  constexpr float kBelow = 1e-3f;  // m: what lies on the floor may lie so much in it
  std::vector<std::string> notices;
  if (!scene.contact.ground) return notices;
  for (const ModelPart& range : topology.parts) {
    float deepest = 0;
    int below = 0;
    for (int v = range.first_vertex; v < range.first_vertex + range.vertex_count; ++v) {
      const float depth = scene.contact.ground_height - start[v].y;
      below += depth > kBelow, deepest = std::max(deepest, depth);
    }
    if (below == 0) continue;
    notices.push_back(
        fmt::format("{}: {} of {} vertices start below the floor, by up to {:.3g} m; raise it, "
                    "lower the floor (contact.ground_height = {:g} now), or have none "
                    "(contact.ground = false)",
                    in_words(range), below, range.vertex_count, deepest, scene.contact.ground_height));
  }
  return notices;
}

std::vector<std::string> uneven_cloths(const Scene& scene, const Topology& topology) {
  std::vector<std::string> notices;
  for (size_t c = 0; c < scene.cloths.size() && c < topology.parts.size(); ++c) {
    if (scene.cloths[c].shape != ClothShape::obj) continue;
    const ModelPart& range = topology.parts[c];
    TriMesh mesh;
    mesh.positions.assign(topology.rest.begin() + range.first_vertex,
                          topology.rest.begin() + range.first_vertex + range.vertex_count);
    mesh.rest = mesh.positions;
    for (int t = range.first_triangle; t < range.first_triangle + range.triangle_count; ++t)
      mesh.triangles.push_back(topology.triangles[t] - ivec3(range.first_vertex));
    const Uniformity edges = uniformity_of(mesh);
    if (edges.ratio() >= kUniformEnough) continue;
    const bool kept = scene.cloths[c].remesh == Remesh::never;
    const std::string cure = scene.path.empty()
                                 ? "start with --set step.collision=repulsion, which makes it uniform"
                             : kept ? "choose the method in the scene file, and leave out remesh = "
                                      "\"never\", which keeps the mesh as it is"
                                    : "choose the method in the scene file, which then makes it uniform";
    notices.push_back(fmt::format(
        "cloth {}: its edges are uneven ({}), which this collision method handles poorly, and a run "
        "in progress keeps its mesh: {}",
        range.name, in_words(edges), cure));
  }
  return notices;
}

}  // namespace weft
