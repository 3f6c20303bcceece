#include "viewer/session/garment_marks.h"

#include <algorithm>

#include "sim/mesh/import/texture_pieces.h"

namespace weft {

void GarmentMarks::set_scene(const SceneView& scene) {
  *this = {};
  const auto& cloths = scene.scene.cloths;
  const auto garment = std::find_if(cloths.begin(), cloths.end(),
                                    [](const Cloth& c) { return c.shape == ClothShape::garment; });
  const size_t index = size_t(garment - cloths.begin());
  if (garment == cloths.end() || index >= scene.parts.size()) return;
  const ModelPart& range = scene.parts[index];
  first_triangle_ = range.first_triangle;
  const auto begin = scene.triangles.begin() + range.first_triangle;
  triangles_.assign(begin, begin + range.triangle_count);
  piece_ = texture_pieces(triangles_, range.corners);
}

int GarmentMarks::panel_of(int triangle) const {
  const int i = triangle - first_triangle_;
  return i >= 0 && i < int(piece_.size()) ? piece_[size_t(i)] : -1;
}

std::vector<MarkedLine> GarmentMarks::lines(const PatternView& pattern, const SceneView& scene,
                                            const Frame& frame) {
  std::vector<MarkedLine> lines;
  const int panel = pattern.visible && !pattern.editor.empty() ? pattern.editor.selected().panel : -1;
  if (panel < 0 || frame.model_id != scene.model_id) return lines;
  if (panel != outlined_) outline_ = outline_of_piece(triangles_, piece_, panel), outlined_ = panel;
  for (const ivec2& e : outline_) {
    if (std::max(e.x, e.y) >= int(frame.positions.size())) return {};
    lines.push_back({frame.positions[size_t(e.x)], frame.positions[size_t(e.y)], vec3(0.37f, 0.66f, 0.97f)});
  }
  return lines;
}

}  // namespace weft
