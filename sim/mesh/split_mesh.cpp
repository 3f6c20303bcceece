#include "sim/mesh/split_mesh.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "sim/mesh/sides.h"

namespace weft {
namespace {

constexpr float kMostOfRing = 0.25f;  // share of the path to the ring by which a vertex moves

/// Triangles around a vertex that hang together.
struct Fan {
  std::vector<int> triangles;
  int vertex = -1;  // theirs from now on
};

class Splitter {
 public:
  Splitter(TriMesh& mesh, const std::vector<std::vector<int>>& lines, float gap) : mesh_(mesh), gap_(gap) {
    for (const std::vector<int>& line : lines)
      for (size_t i = 0; i < line.size(); ++i) {
        around_[line[i]];
        if (i > 0) cut_.insert(edge_of(line[i - 1], line[i]));
      }
    for (int t = 0; t < mesh.triangle_count(); ++t)
      for (int k = 0; k < 3; ++k)
        if (const auto at = around_.find(mesh.triangles[t][k]); at != around_.end()) at->second.push_back(t);
  }

  std::vector<ivec2> run() {
    std::map<int, std::vector<Fan>> all;
    for (const auto& [v, triangles] : around_)
      if (std::vector<Fan> fans = fans_of(v, triangles); fans.size() > 1) all[v] = std::move(fans);
    std::vector<ivec2> pairs;
    for (auto& [v, fans] : all)
      for (size_t f = 0; f < fans.size(); ++f) {
        fans[f].vertex = f ? duplicate(v) : v;
        if (f) pairs.push_back({v, fans[f].vertex});
      }
    // ways first, all from the mesh as it was
    std::vector<std::pair<int, vec3>> moved, rest;
    std::map<int, vec2> texture;
    for (const auto& [v, fans] : all)
      for (size_t f = 0; f < fans.size(); ++f) {
        moved.push_back({fans[f].vertex, mesh_.positions[v] + fan_offset(mesh_.positions, v, fans, f)});
        if (!on_cut(v)) continue;
        if (!mesh_.rest.empty())
          rest.push_back({fans[f].vertex, mesh_.rest[v] + fan_offset(mesh_.rest, v, fans, f)});
        if (mesh_.corners.is_rest) move_textures(v, fans[f], texture);
      }
    for (const auto& [v, x] : moved) mesh_.positions[v] = x;
    for (const auto& [v, x] : rest) mesh_.rest[v] = x;
    for (const auto& [i, x] : texture) mesh_.corners.values[i] = x;
    for (const auto& [v, fans] : all)
      for (const Fan& fan : fans)
        for (const int t : fan.triangles)
          for (int k = 0; k < 3; ++k)
            if (mesh_.triangles[t][k] == v) mesh_.triangles[t][k] = fan.vertex;
    std::erase_if(mesh_.rest_angles.folds,
                  [&](const RestAngles::Fold& f) { return cut_.contains(edge_of(f.edge)); });
    return pairs;
  }

 private:
  bool on_cut(int v) const {
    return std::any_of(cut_.begin(), cut_.end(),
                       [&](const auto& e) { return e.first == v || e.second == v; });
  }

  std::vector<Fan> fans_of(int v, const std::vector<int>& triangles) const {
    std::vector<size_t> root(triangles.size());
    std::iota(root.begin(), root.end(), size_t(0));
    const auto find = [&](size_t i) {
      while (root[i] != i) i = root[i];
      return i;
    };
    std::map<int, size_t> at;  // other end of an edge at v: a triangle there
    for (size_t i = 0; i < triangles.size(); ++i)
      for (int k = 0; k < 3; ++k) {
        const int w = mesh_.triangles[triangles[i]][k];
        if (w == v || cut_.contains(edge_of(v, w))) continue;
        const auto [other, first] = at.emplace(w, i);
        const size_t a = find(i), b = find(other->second);
        if (!first) root[std::max(a, b)] = std::min(a, b);
      }
    std::map<size_t, Fan> fans;
    for (size_t i = 0; i < triangles.size(); ++i) fans[find(i)].triangles.push_back(triangles[i]);
    std::vector<Fan> out;
    for (auto& [first, fan] : fans) out.push_back(std::move(fan));
    return out;
  }

  int duplicate(int v) {
    mesh_.positions.push_back(vec3(mesh_.positions[v]));
    if (!mesh_.rest.empty()) mesh_.rest.push_back(vec3(mesh_.rest[v]));
    if (!mesh_.uv.empty()) mesh_.uv.push_back(vec2(mesh_.uv[v]));
    for (PaintedFactors& p : mesh_.corners.painted) p.factor.push_back(float(p.factor[size_t(v)]));
    return mesh_.vertex_count() - 1;
  }

  /// Mean of the other corners of a fan's triangles.
  vec3 ring(const std::vector<vec3>& x, int v, const Fan& fan) const {
    vec3 sum(0);
    for (const int t : fan.triangles)
      for (int k = 0; k < 3; ++k)
        if (const int w = mesh_.triangles[t][k]; w != v) sum += x[w];
    return sum / float(2 * fan.triangles.size());
  }

  /// By which a fan's vertex moves: half of the gap, from the rings of the others towards its own.
  vec3 fan_offset(const std::vector<vec3>& x, int v, const std::vector<Fan>& fans, size_t f) const {
    const vec3 own = ring(x, v, fans[f]);
    vec3 others(0);
    for (size_t o = 0; o < fans.size(); ++o)
      if (o != f) others += ring(x, v, fans[o]) / float(fans.size() - 1);
    const vec3 d = own - others;
    const float length = glm::length(d);
    float reach = 0;
    for (const int t : fans[f].triangles)
      for (int k = 0; k < 3; ++k) reach = std::max(reach, glm::length(x[mesh_.triangles[t][k]] - x[v]));
    return length > 0 ? d * (std::min(0.5f * gap_, kMostOfRing * reach) / length) : vec3(0);
  }

  /// Material points of a fan's corners at v, moved into its sheet.
  void move_textures(int v, const Fan& fan, std::map<int, vec2>& moved) const {
    const CornerTextures& c = mesh_.corners;
    std::map<int, vec2> towards;
    for (const int t : fan.triangles) {
      const ivec3 of = c.of_triangle[t];
      for (int k = 0; k < 3; ++k)
        if (mesh_.triangles[t][k] == v && of[k] >= 0)
          towards[of[k]] += 0.5f * (c.values[of[(k + 1) % 3]] + c.values[of[(k + 2) % 3]]) - c.values[of[k]];
    }
    for (const auto& [i, sum] : towards) {
      const vec2 metres = sum * mesh_.uv_scale;
      const float length = glm::length(metres), most = kMostOfRing * length / float(fan.triangles.size());
      if (length > 0)
        moved[i] = c.values[i] + metres * (std::min(0.5f * gap_, most) / length) / mesh_.uv_scale;
    }
  }

  TriMesh& mesh_;
  float gap_;
  std::set<Edge> cut_;
  std::map<int, std::vector<int>> around_;  // vertices of the lines: their triangles
};

}  // namespace

std::vector<ivec2> split_mesh(TriMesh& mesh, const std::vector<std::vector<int>>& lines, float gap) {
  return Splitter(mesh, lines, gap).run();
}

}  // namespace weft
