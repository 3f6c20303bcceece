#include "sim/scene/uneven_cloths.h"

#include <fmt/format.h>

#include "sim/mesh/uniform/uniformity.h"

namespace weft {

std::vector<std::string> uneven_cloths(const Scene& scene, const Topology& topology) {
  std::vector<std::string> notices;
  for (size_t c = 0; c < scene.cloths.size() && c < topology.cloths.size(); ++c) {
    if (scene.cloths[c].shape != "obj") continue;
    const ClothRange& range = topology.cloths[c];
    TriMesh mesh;
    mesh.positions.assign(topology.rest.begin() + range.first_vertex, topology.rest.begin() + range.first_vertex + range.vertex_count);
    mesh.rest = mesh.positions;
    for (int t = range.first_triangle; t < range.first_triangle + range.triangle_count; ++t)
      mesh.triangles.push_back(topology.triangles[size_t(t)] - ivec3(range.first_vertex));
    const Uniformity edges = uniformity_of(mesh);
    if (edges.ratio() >= kUniformEnough) continue;
    notices.push_back(fmt::format("cloth {}: its edges are uneven ({}), which this collision method is poor at, and a run that goes on keeps its mesh: "
                                  "choose the method in the scene file, which then makes it uniform", range.name, in_words(edges)));
  }
  return notices;
}

}  // namespace weft
