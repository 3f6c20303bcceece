// Layers of garments that are left out of the picture.
#include <algorithm>

#include "sim/mesh/sides.h"
#include "sim/run/layer_order.h"
#include "viewer/session/window_state.h"

namespace weft {

void LayerView::open(const SceneView& scene) {
  of_triangle = layers_of_triangles(scene.triangles, scene.parts, scene.scene);
  const std::set<int> now(of_triangle.begin(), of_triangle.end());
  if (now != all) all = now, hidden.clear();
}

SceneView LayerView::shown(const SceneView& scene) const {
  SceneView out = scene;
  if (hidden.empty() || of_triangle.size() != scene.triangles.size()) return out;
  std::set<Edge> seen;  // edges of what is shown
  for (size_t t = 0; t < out.triangles.size(); ++t) {
    ivec3& v = out.triangles[t];
    if (hidden.count(of_triangle[t])) v = ivec3(v.x);
    else
      for (int k = 0; k < 3; ++k) seen.insert(edge_of(v[k], v[(k + 1) % 3]));
  }
  std::erase_if(out.edges, [&](const ivec2& e) { return !seen.contains(edge_of(e)); });
  return out;
}

}  // namespace weft
