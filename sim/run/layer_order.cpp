#include "sim/run/layer_order.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <sstream>
#include <unordered_map>

#include "sim/base/file.h"
#include "sim/garment/formats/pattern_file.h"
#include "sim/geometry/closest_point.h"
#include "sim/mesh/import/obj.h"
#include "sim/mesh/import/texture_pieces.h"
#include "sim/scene/model/cloth_mesh.h"

namespace weft {
namespace {

constexpr float kReach = 0.03f;  // m: several times the distance of layers that lie on each other
constexpr float kAcross = 0.5f;  // cosine of the largest angle between p - q and the normal
constexpr const char* kMark = "#weft layers ";

std::vector<int> layers_of(const Pattern& pattern) {
  std::vector<int> layers;
  for (const Panel& panel : pattern.panels) layers.push_back(panel.layer);
  return layers;
}

/// The layers that a file's comment names for an object; `name` empty: the first.
std::vector<int> layers_in(const std::string& text, const std::string& name) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(kMark, 0) != 0) continue;
    std::istringstream words(line.substr(std::string(kMark).size()));
    std::string of;
    words >> of;
    if (!name.empty() && of != one_word(name)) continue;
    std::vector<int> layers;
    for (int layer; words >> layer;) layers.push_back(layer);
    return layers;
  }
  return {};
}

std::vector<int> layers_of_pieces(const Cloth& cloth, const std::string& folder) {
  std::vector<std::string> ignored;
  if (cloth.sewing_pattern) return layers_of(*cloth.sewing_pattern);
  if (cloth.shape == ClothShape::garment)
    return layers_of(read_pattern(resolve_path(cloth.file, folder), 0, ignored));
  if (cloth.shape != ClothShape::obj || cloth.rest.shape != "texture") return {};
  const ObjReference named = split_object(cloth.file);
  return layers_in(read_text_file(resolve_path(named.path, folder), "a garment"), named.object);
}

/// Triangles of the layers below one, to be found by place.
class Below {
 public:
  Below(const std::vector<vec3>& x, const std::vector<ivec3>& triangles, const std::vector<int>& layer,
        int top)
      : x_(x), triangles_(triangles), normal_(x.size(), vec3(0)) {
    for (int t = 0; t < int(triangles.size()); ++t) {
      if (layer[t] >= top) continue;
      const ivec3& v = triangles[t];
      const vec3 &a = x[v.x], &b = x[v.y], &c = x[v.z], n = glm::cross(b - a, c - a);
      for (int k = 0; k < 3; ++k) normal_[v[k]] += n;
      const ivec3 low = cell(glm::min(a, glm::min(b, c)) - kReach),
                  high = cell(glm::max(a, glm::max(b, c)) + kReach);
      for (int i = low.x; i <= high.x; ++i)
        for (int j = low.y; j <= high.y; ++j)
          for (int k = low.z; k <= high.z; ++k) cells_[key({i, j, k})].push_back(t);
    }
  }
  /// 1 outside, -1 inside, 0 where that cannot be said.
  int side(const vec3& p) const {
    const auto found = cells_.find(key(cell(p)));
    if (found == cells_.end()) return 0;
    float nearest = kReach;
    vec3 away(0), normal(0);
    for (const int t : found->second) {
      const ivec3& v = triangles_[t];
      const vec3 &a = x_[v.x], &b = x_[v.y], &c = x_[v.z];
      const ClosestOnTriangle q = closest_on_triangle(p, a, b, c);
      const vec3& w = q.barycentric;
      if (const float far = glm::length(q.offset); far < nearest)
        nearest = far, away = q.offset, normal = w.x * normal_[v.x] + w.y * normal_[v.y] + w.z * normal_[v.z];
    }
    const float along = glm::dot(away, normal), most = glm::length(away) * glm::length(normal);
    return !(std::abs(along) > kAcross * most) ? 0 : along > 0 ? 1 : -1;
  }

 private:
  static ivec3 cell(const vec3& p) { return ivec3(glm::floor(p / kReach)); }
  static uint64_t key(const ivec3& c) {
    const auto bits = [](int i) { return uint64_t(uint32_t(i)) & 0x1fffff; };
    return bits(c.x) | bits(c.y) << 21 | bits(c.z) << 42;
  }
  const std::vector<vec3>& x_;
  const std::vector<ivec3>& triangles_;
  std::vector<vec3> normal_;  // of vertices, of the layers below
  std::unordered_map<uint64_t, std::vector<int>> cells_;
};

}  // namespace

std::vector<int> layers_of_triangles(const std::vector<ivec3>& triangles,
                                     const std::vector<ModelPart>& cloths, const Scene& scene) {
  const std::string folder = std::filesystem::path(scene.path).parent_path().string();
  std::vector<int> all(triangles.size(), 0);
  for (size_t c = 0; c < cloths.size() && c < scene.cloths.size(); ++c) {
    const ModelPart& range = cloths[c];
    const std::vector<int> layers = layers_of_pieces(scene.cloths[c], folder);
    if (layers.empty()) continue;
    const auto begin = triangles.begin() + range.first_triangle;
    const std::vector<int> piece = texture_pieces({begin, begin + range.triangle_count}, range.corners);
    for (size_t t = 0; t < piece.size(); ++t)
      if (size_t(piece[t]) < layers.size()) all[size_t(range.first_triangle) + t] = layers[piece[t]];
  }
  return all;
}

std::string layer_line(const std::string& name, const std::vector<int>& layer_of_piece) {
  if (std::all_of(layer_of_piece.begin(), layer_of_piece.end(), [](int l) { return l == 0; })) return {};
  return fmt::format("{}{} {}\n", kMark, one_word(name), fmt::join(layer_of_piece, " "));
}

double layers_out_of_order(const std::vector<vec3>& positions, const std::vector<ivec3>& triangles,
                           const std::vector<int>& layer) {
  std::vector<int> own(positions.size(), -1);  // of each vertex; -2: several
  for (size_t t = 0; t < triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      int& l = own[triangles[t][k]];
      l = l == -1 || l == layer[t] ? layer[t] : -2;
    }
  std::map<int, std::vector<int>> vertices;
  for (int v = 0; v < int(own.size()); ++v)
    if (own[v] > 0) vertices[own[v]].push_back(v);
  size_t compared = 0, inside = 0;
  for (const auto& [top, all] : vertices) {
    const Below below(positions, triangles, layer, top);
    std::vector<int> side(all.size());
    tbb::parallel_for(size_t(0), all.size(), [&](size_t i) { side[i] = below.side(positions[all[i]]); });
    for (const int s : side) compared += s != 0, inside += s < 0;
  }
  return compared > 0 ? double(inside) / double(compared) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace weft
