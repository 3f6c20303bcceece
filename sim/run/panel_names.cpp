#include "sim/run/panel_names.h"

#include <fmt/format.h>

#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/shorten.h"
#include "sim/garment/formats/pattern_file.h"
#include "sim/mesh/import/texture_pieces.h"
#include "sim/scene/model/cloth_mesh.h"

namespace weft {
namespace {

std::vector<std::string> panels_of(const Cloth& cloth, const std::string& folder) {
  std::vector<std::string> names, ignored;
  if (cloth.shape != ClothShape::garment) return names;
  const Pattern pattern = cloth.sewing_pattern ? *cloth.sewing_pattern
                                               : read_pattern(resolve_path(cloth.file, folder), 0, ignored);
  for (const Panel& panel : pattern.panels) names.push_back(shortened(panel.name, 60));
  return names;
}

}  // namespace

std::string panel_of_triangle(const Scene& scene, const Topology& cloth, int triangle) {
  for (size_t c = 0; c < cloth.parts.size() && c < scene.cloths.size(); ++c) {
    const ModelPart& range = cloth.parts[c];
    if (triangle < range.first_triangle || triangle >= range.first_triangle + range.triangle_count) continue;
    try {
      const std::vector<std::string> names =
          panels_of(scene.cloths[c], std::filesystem::path(scene.path).parent_path().string());
      if (names.empty()) return {};
      const auto begin = cloth.triangles.begin() + range.first_triangle;
      const int piece = texture_pieces({begin, begin + range.triangle_count},
                                       range.corners)[triangle - range.first_triangle];
      return size_t(piece) < names.size() ? names[piece] : std::string();
    } catch (const Error&) {
      return {};  // the pattern is gone; the message is more important than the name
    }
  }
  return {};
}

std::string vertex_in_words(const Scene& scene, const Topology& cloth, int vertex) {
  for (const ModelPart& range : cloth.parts) {
    if (vertex < range.first_vertex || vertex >= range.first_vertex + range.vertex_count) continue;
    std::string panel;
    for (int t = range.first_triangle; panel.empty() && t < range.first_triangle + range.triangle_count;
         ++t) {
      const ivec3& own = cloth.triangles[t];
      if (own.x != vertex && own.y != vertex && own.z != vertex) continue;
      panel = panel_of_triangle(scene, cloth, t);
      break;
    }
    return fmt::format("vertex {} of {}{}", vertex - range.first_vertex, range.name,
                       panel.empty() ? "" : " (panel " + panel + ")");
  }
  return fmt::format("vertex {}", vertex);
}

}  // namespace weft
