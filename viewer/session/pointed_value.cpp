#include "viewer/session/pointed_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/methods/quantities.h"

namespace weft {

std::optional<std::string> pointed_value(const Frame& frame, const SceneView& scene, int colouring,
                                         const PickHit& at) {
  if (colouring <= 0 || frame.scalar.empty() || frame.model_id != scene.model_id) return std::nullopt;
  const VertexField& quantity = vertex_fields()[size_t(colouring)];
  if (frame.field != quantity.name || at.triangle < 0 || at.triangle >= int(scene.triangles.size()))
    return std::nullopt;
  const ivec3& t = scene.triangles[size_t(at.triangle)];
  const auto of = [&](int vertex) { return frame.scalar[size_t(vertex)]; };
  if (!quantity.classes.empty()) {  // that of the nearest corner: between classes there is none
    const vec3& b = at.barycentric;
    const int corner = b.x >= b.y && b.x >= b.z ? t.x : b.y >= b.z ? t.y : t.z;
    const int kind = std::clamp(int(std::lround(of(corner))), 0, int(quantity.classes.size()) - 1);
    return quantity.classes[size_t(kind)];
  }
  const float value = glm::dot(at.barycentric, vec3(of(t.x), of(t.y), of(t.z)));
  return fmt::format("{:.3g} {}", (value - quantity.offset) * quantity.factor, quantity.unit);
}

}  // namespace weft
