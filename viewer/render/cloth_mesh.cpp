#include "viewer/render/cloth_mesh.h"

#include <algorithm>
#include <filesystem>
#include <queue>
#include <unordered_map>

#include "sim/base/error.h"
#include "sim/garment/formats/pattern_file.h"
#include "sim/mesh/import/texture_pieces.h"
#include "sim/mesh/sides.h"
#include "sim/mesh/solid/tet_mesh.h"
#include "sim/scene/model/cloth_mesh.h"
#include "sim/scene/solids.h"
#include "sim/scene/text/scene_file.h"

namespace weft {
namespace {

uint64_t edge_key(int a, int b) {
  return uint64_t(uint32_t(std::min(a, b))) << 32 | uint32_t(std::max(a, b));
}

float srgb_to_linear(float c) { return c <= 0.04045f ? c / 12.92f : std::pow((c + 0.055f) / 1.055f, 2.4f); }

}  // namespace

vec3 to_linear(const vec3& srgb) {
  return {srgb_to_linear(srgb.x), srgb_to_linear(srgb.y), srgb_to_linear(srgb.z)};
}

std::vector<BoundaryEdge> boundary_edges(const std::vector<ivec3>& triangles, int vertices) {
  std::unordered_map<uint64_t, int> uses;
  uses.reserve(triangles.size() * 2);
  for (const ivec3& t : triangles)
    for (int k = 0; k < 3; ++k)
      if (t[k] != t[(k + 1) % 3]) ++uses[edge_key(t[k], t[(k + 1) % 3])];
  std::vector<BoundaryEdge> boundary;
  std::vector<int> leaving(size_t(vertices), -1), arriving(size_t(vertices), -1);
  for (const ivec3& t : triangles) {
    for (int k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      if (a == b || uses[edge_key(a, b)] != 1) continue;
      boundary.push_back({a, a, b, b});
      leaving[size_t(a)] = b;
      arriving[size_t(b)] = a;
    }
  }
  for (BoundaryEdge& e : boundary) {
    if (arriving[size_t(e.first)] >= 0) e.before = arriving[size_t(e.first)];
    if (leaving[size_t(e.second)] >= 0) e.after = leaving[size_t(e.second)];
  }
  return boundary;
}

std::vector<float> boundary_distance(const std::vector<vec3>& rest, const std::vector<ivec2>& edges,
                                     const std::vector<BoundaryEdge>& boundary, float reach) {
  std::vector<float> distance(rest.size(), reach);
  std::vector<std::vector<int>> neighbours(rest.size());
  for (const ivec2& e : edges) {
    neighbours[size_t(e.x)].push_back(e.y);
    neighbours[size_t(e.y)].push_back(e.x);
  }
  // The distance to the boundary's nearest edge, not only along mesh edges: each vertex keeps the edge that
  // its neighbour found. Exact where that edge is the nearest, which a front moving inwards from the boundary
  // ensures but at sharp turns.
  std::vector<int> nearest(rest.size(), -1);
  using Entry = std::pair<float, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> front;
  for (int i = 0; i < int(boundary.size()); ++i) {
    for (int v : {boundary[size_t(i)].first, boundary[size_t(i)].second}) {
      distance[size_t(v)] = 0;
      nearest[size_t(v)] = i;
      front.push({0.0f, v});
    }
  }
  const auto distance_to_edge = [&](const vec3& p, const BoundaryEdge& e) {
    const vec3 a = rest[size_t(e.first)], d = rest[size_t(e.second)] - a;
    const float t = std::clamp(glm::dot(p - a, d) / std::max(glm::dot(d, d), 1e-20f), 0.0f, 1.0f);
    return glm::length(p - a - t * d);
  };
  while (!front.empty()) {
    const auto [d, v] = front.top();
    front.pop();
    if (d > distance[size_t(v)]) continue;
    for (int w : neighbours[size_t(v)]) {
      const float candidate = distance_to_edge(rest[size_t(w)], boundary[size_t(nearest[size_t(v)])]);
      if (candidate >= distance[size_t(w)]) continue;
      distance[size_t(w)] = candidate;
      nearest[size_t(w)] = nearest[size_t(v)];
      front.push({candidate, w});
    }
  }
  return distance;
}

DrawnVertices drawn_vertices(const SceneView& scene) {
  const size_t count = scene.rest.size();
  DrawnVertices out{{}, scene.uv, scene.triangles};
  out.uv.resize(count, vec2(0));
  for (size_t v = 0; v < count; ++v) out.of.push_back(int(v));
  std::vector<int> first(count, -1);          // number of the first material point met, of its cloth
  std::unordered_map<uint64_t, int> further;  // vertex and material point: drawn vertex
  for (const ModelPart& range : scene.parts) {
    if (!range.corners.is_rest) continue;
    for (size_t i = 0; i < range.corners.of_triangle.size(); ++i)
      for (int k = 0; k < 3; ++k) {
        int& drawn = out.triangles[size_t(range.first_triangle) + i][k];
        const int v = drawn, point = range.corners.of_triangle[i][k];
        if (point < 0 || point == first[size_t(v)]) continue;
        const vec2 at = range.corners.values[size_t(point)] * range.uv_scale;
        if (first[size_t(v)] < 0) {
          first[size_t(v)] = point, out.uv[size_t(v)] = at;
          continue;
        }
        const auto [place, is_new] =
            further.try_emplace(uint64_t(uint32_t(v)) << 32 | uint32_t(point), int(out.of.size()));
        if (is_new) out.of.push_back(v), out.uv.push_back(at);
        drawn = place->second;
      }
  }
  return out;
}

namespace {

/// Material points at the ends of boundary edges, of the triangles that the edges belong to.
std::vector<vec4> rim_points(const std::vector<BoundaryEdge>& boundary, const std::vector<ivec3>& triangles,
                             const DrawnVertices& drawn) {
  const auto key = [](int a, int b) { return uint64_t(uint32_t(a)) << 32 | uint32_t(b); };
  std::unordered_map<uint64_t, size_t> number;
  for (size_t i = 0; i < boundary.size(); ++i) number[key(boundary[i].first, boundary[i].second)] = i;
  std::vector<vec4> out(boundary.size(), vec4(0));
  for (size_t t = 0; t < triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int next = (k + 1) % 3;
      const auto found = number.find(key(triangles[t][k], triangles[t][next]));
      if (found == number.end()) continue;
      const vec2 a = drawn.uv[size_t(drawn.triangles[t][k])], b = drawn.uv[size_t(drawn.triangles[t][next])];
      out[found->second] = vec4(a.x, a.y, b.x, b.y);
    }
  return out;
}

/// The triangle of each boundary edge.
std::vector<int> triangles_of(const std::vector<BoundaryEdge>& boundary,
                              const std::vector<ivec3>& triangles) {
  const auto key = [](int a, int b) { return uint64_t(uint32_t(a)) << 32 | uint32_t(b); };
  std::unordered_map<uint64_t, int> owner;
  for (size_t t = 0; t < triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) owner[key(triangles[t][k], triangles[t][(k + 1) % 3])] = int(t);
  std::vector<int> out;
  for (const BoundaryEdge& e : boundary) out.push_back(owner.at(key(e.first, e.second)));
  return out;
}

ClothLook look_of(const FabricParams& f, const std::string& folder) {
  return {.front = to_linear(f.front_color),
          .back = to_linear(f.back_color),
          .thickness = f.thickness,
          .threads = 100 * f.threads_per_cm,
          .gloss = f.gloss,
          .weave = f.weave,
          .print = f.print.empty() ? "" : resolve_path(f.print, folder),
          .print_size = f.print_size};
}

/// Of each panel, where one names a fabric of its own.
std::vector<ClothLook> panel_looks(const Cloth& cloth, const std::string& folder) {
  std::vector<ClothLook> looks;
  bool any = false;
  try {
    std::vector<std::string> ignored;
    const Pattern pattern = cloth.sewing_pattern ? *cloth.sewing_pattern
                                                 : read_pattern(resolve_path(cloth.file, folder), 0, ignored);
    for (const Panel& panel : pattern.panels) {
      looks.push_back(look_of(cloth.fabric, folder));
      if (panel.fabric.empty() || panel.fabric == pattern.fabric || panel.fabric == cloth.fabric_name)
        continue;
      const auto own = cloth.panel_fabrics.find(panel.fabric);
      looks.back() =
          look_of(own != cloth.panel_fabrics.end() ? own->second : read_fabric(panel.fabric), folder);
      any = true;
    }
  } catch (const Error&) {  // reported where the garment is made
    any = false;
  }
  return any ? looks : std::vector<ClothLook>();
}

/// The lines of strands as rims: each with the points before and after it on its strand.
std::vector<vec4> strand_rims(const std::vector<ivec2>& edges, const ModelPart& part) {
  const int end = part.first_vertex + part.vertex_count;
  std::vector<ivec2> beside(size_t(part.vertex_count), ivec2(-1));
  std::vector<ivec2> own;
  const auto note = [&](int v, int other) {
    ivec2& at = beside[size_t(v - part.first_vertex)];
    (at.x < 0 ? at.x : at.y) = other;
  };
  for (const ivec2& e : edges)
    if (e.x >= part.first_vertex && e.x < end) own.push_back(e), note(e.x, e.y), note(e.y, e.x);
  const auto beyond = [&](int v, int other) {
    const ivec2& at = beside[size_t(v - part.first_vertex)];
    const int found = at.x == other ? at.y : at.x;
    return found < 0 ? v : found;
  };
  std::vector<vec4> rims;
  for (const ivec2& e : own) rims.push_back(vec4(beyond(e.x, e.y), e.x, e.y, beyond(e.y, e.x)));
  return rims;
}

/// Grains as rims from a point to itself.
std::vector<vec4> grain_rims(const ModelPart& part) {
  std::vector<vec4> rims;
  for (int v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v)
    rims.push_back(vec4(float(v)));
  return rims;
}

/// Edges of cells that no triangle of a skin has; not of the one cell of a rigid body.
std::vector<ivec2> inner_edges_of(const SceneView& scene) {
  std::vector<ivec2> within;
  std::vector<ivec4> cells = scene.cells;
  for (const ModelPart& part : scene.parts)
    if (part.rigid_volume > 0)
      std::erase_if(cells, [&](const ivec4& c) {
        return c.x >= part.first_vertex && c.x < part.first_vertex + part.vertex_count;
      });
  for (const ivec2& e : edges_of(cells))
    if (find_edge(scene.edges, e.x, e.y) < 0) within.push_back(e);
  return within;
}

}  // namespace

std::vector<ClothMesh::Part> parts_of(const SceneView& scene) {
  std::vector<ClothMesh::Part> parts;
  for (size_t c = 0; c < scene.parts.size(); ++c) {
    const ModelPart& range = scene.parts[c];
    std::vector<int> piece;
    if (c < scene.scene.cloths.size() && scene.scene.cloths[c].shape == ClothShape::garment) {
      const auto begin = scene.triangles.begin() + range.first_triangle;
      piece = texture_pieces({begin, begin + range.triangle_count}, range.corners);
    }
    piece.resize(size_t(range.triangle_count), 0);
    for (int t = 0, end; t < range.triangle_count || t == 0; t = end) {
      for (end = t + 1; end < range.triangle_count && piece[size_t(end)] == piece[size_t(t)];) ++end;
      ClothMesh::Part part;
      part.cloth = int(c), part.panel = piece.empty() ? 0 : piece[size_t(t)];
      part.first_triangle = range.first_triangle + t;
      part.triangles = std::min(end, range.triangle_count) - t;
      parts.push_back(part);
    }
  }
  return parts;
}

ClothMesh::ClothMesh(const SceneView& scene)
    : edges{gl::Buffer(scene.edges), int(scene.edges.size())},
      triangles(scene.triangles),
      host_triangles(scene.triangles),
      vertex_count(int(scene.rest.size())) {
  const std::vector<ivec2> within = inner_edges_of(scene);
  inner_edges = {gl::Buffer(within), int(within.size())};
  for (const ModelPart& part : scene.parts)
    for (const int v : part.roots) root.resize(scene.rest.size()), root[size_t(part.first_vertex + v)] = 1;
  for (const ivec2& e : scene.edges)
    mean_edge += glm::distance(scene.rest[size_t(e.x)], scene.rest[size_t(e.y)]);
  if (edges.count) mean_edge /= float(edges.count);
  const std::vector<BoundaryEdge> all = boundary_edges(scene.triangles, vertex_count);
  // Interpolation needs exact distances on the first rings beyond the hem too, hence the reach.
  const std::vector<float> distance = boundary_distance(scene.rest, scene.edges, all, 4 * kHemWidth);
  hem = gl::Buffer(distance);
  const DrawnVertices drawn = drawn_vertices(scene);
  std::vector<float> of_drawn;
  for (const int v : drawn.of) of_drawn.push_back(distance[size_t(v)]);
  drawn_triangles = gl::Buffer(drawn.triangles), drawn_of = gl::Buffer(drawn.of);
  uv = gl::Buffer(drawn.uv), drawn_hem = gl::Buffer(of_drawn);
  const std::vector<vec4> points = rim_points(all, scene.triangles, drawn);
  const std::vector<int> owner = triangles_of(all, scene.triangles);
  std::vector<vec4> rim, rim_coordinates;
  for (Part part : parts_of(scene)) {
    const ModelPart& range = scene.parts[size_t(part.cloth)];
    part.first_rim = int(rim.size());
    Bounds bounds;
    for (int v = range.first_vertex; v < range.first_vertex + range.vertex_count; ++v)
      bounds.add(scene.rest[size_t(v)]);
    part.hem_width = bounds.diagonal() > 15 * kHemWidth ? kHemWidth : 0.0f;
    part.uv_low = vec2(1e30f), part.uv_high = vec2(-1e30f);
    for (int t = part.first_triangle; t < part.first_triangle + part.triangles; ++t)
      for (int k = 0; k < 3; ++k) {
        const vec2& at = drawn.uv[size_t(drawn.triangles[size_t(t)][k])];
        part.uv_low = glm::min(part.uv_low, at), part.uv_high = glm::max(part.uv_high, at);
      }
    for (size_t i = 0; i < all.size(); ++i) {
      const BoundaryEdge& e = all[i];
      if (owner[i] < part.first_triangle || owner[i] >= part.first_triangle + part.triangles) continue;
      rim.push_back(vec4(e.before, e.first, e.second, e.after));
      rim_coordinates.push_back(points[i]);
    }
    part.grains = range.kind == PartKind::grains;
    part.strands = part.grains || range.kind == PartKind::strands;
    if (part.strands) {
      const std::vector<vec4> lines = part.grains ? grain_rims(range) : strand_rims(scene.edges, range);
      rim.insert(rim.end(), lines.begin(), lines.end());
      rim_coordinates.resize(rim.size(), vec4(0));
    }
    part.rims = int(rim.size()) - part.first_rim;
    parts.push_back(part);
  }
  rim_edges = gl::Buffer(rim);
  rim_uv = gl::Buffer(rim_coordinates);
}

std::vector<ClothLooks> looks_of(const Scene& scene) {
  const std::string folder = std::filesystem::path(scene.path).parent_path().string();
  std::vector<ClothLooks> looks;
  for (int p = 0; p < part_count(scene); ++p) looks.push_back({look_of(surface_of(scene, p), folder), {}});
  for (size_t c = 0; c < scene.cloths.size(); ++c)
    if (scene.cloths[c].shape == ClothShape::garment) looks[c].panels = panel_looks(scene.cloths[c], folder);
  return looks;
}

}  // namespace weft
