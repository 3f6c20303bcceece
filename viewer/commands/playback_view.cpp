// The scene of a recorded run, as far as a picture needs it.
#include <algorithm>
#include <atomic>
#include <filesystem>

#include "sim/mesh/sides.h"
#include "sim/scene/grains.h"
#include "sim/scene/scene_names.h"
#include "sim/scene/solids.h"
#include "sim/scene/strands.h"
#include "sim/scene/text/scene_file.h"
#include "viewer/commands/playback.h"

namespace weft {
namespace {

std::atomic<uint64_t> next_model_id{uint64_t(1) << 40};  // apart from those of simulated scenes

/// A cloth, solid, strands or grains of a scene for a group that none is known of.
void add_part(Scene& scene, const RunGroup& g, const std::string& standard) {
  const std::string name = is_cloth_name(g.name) ? g.name : standard;
  if (g.grains()) {
    GrainParams& grains = scene.of<GrainList>().list.emplace_back();
    grains.name = name, grains.radius = 0.5f * g.width, grains.skin.thickness = g.width;
  } else if (!g.lines.empty()) {
    StrandParams& s = scene.of<StrandList>().list.emplace_back();
    s.name = name;
    if (g.width > 0) s.skin.thickness = g.width;
  } else if (!g.cells.empty()) {
    scene.of<SolidList>().list.emplace_back().name = name;
  } else {
    scene.cloths.emplace_back().name = name;
  }
}

/// Whether a scene's cloths, solids and strands are these groups.
bool has_parts(const Scene& scene, const std::vector<const RunGroup*>& groups) {
  bool same = part_count(scene) == int(groups.size());
  for (size_t i = 0; same && i < groups.size(); ++i) same = part_name(scene, int(i)) == groups[i]->name;
  return same;
}

/// The scene that was run if it has the same parts and bodies, else one made up from the groups' names.
Scene scene_of(const RunInfo& info, const std::string& path) {
  std::vector<const RunGroup*> cloths, bodies;  // cloths: all parts
  for (const RunGroup& g : info.groups) (g.body ? bodies : cloths).push_back(&g);
  try {
    if (!info.scene.empty()) {
      Scene scene = parse_scene(info.scene, path);
      scene.path.clear();
      const auto named = [](const auto& a, const RunGroup* g) { return a.name == g->name; };
      if (has_parts(scene, cloths) &&
          std::equal(scene.obstacles.begin(), scene.obstacles.end(), bodies.begin(), bodies.end(), named))
        return scene;
    }
  } catch (const std::exception&) {
    // For example from another version of the program. Only colours and camera are lost.
  }
  Scene scene;
  scene.title = info.title;
  for (size_t i = 0; i < cloths.size(); ++i) add_part(scene, *cloths[i], "cloth_" + std::to_string(i + 1));
  for (const RunGroup* g : bodies) {
    Obstacle body;
    body.name = g->name;
    body.shape = ObstacleShape::mesh;
    scene.obstacles.push_back(body);
  }
  return scene;
}

/// Whether texture coordinates of corners are places in flat panels, m: edges are about as long there as in
/// the
/// cloth. Atlases have others.
bool are_panels(const RunGroup& g, const vec3* positions) {
  if (g.corners.of_triangle.size() != g.triangles.size()) return false;
  // of the lengths; cloth stretches by less, and gathers fold more than they squeeze
  constexpr double kAlike = 0.25;
  double length = 0, off = 0;
  for (size_t i = 0; i < g.triangles.size(); ++i) {
    const ivec3 &t = g.triangles[i], &own = g.corners.of_triangle[i];
    if (std::min({own.x, own.y, own.z}) < 0) return false;
    const auto at = [&](int k) { return dvec2(g.corners.values[size_t(own[k])] * g.uv_scale); };
    for (int k = 0; k < 3; ++k) {
      const double edge = double(glm::length(positions[t[(k + 1) % 3]] - positions[t[k]]));
      length += edge;
      off += std::abs(glm::length(at((k + 1) % 3) - at(k)) - edge);
    }
  }
  return off < kAlike * length;
}

void add_cloth(SceneView& view, const RunGroup& g, const vec3* positions) {
  view.parts.push_back(
      {g.name, g.first, g.count, int(view.triangles.size()), int(g.triangles.size()), g.uv_scale, g.corners});
  ModelPart& part = view.parts.back();
  part.corners.is_rest = are_panels(g, positions);
  part.kind = g.grains()         ? PartKind::grains
              : !g.lines.empty() ? PartKind::strands
              : g.cells.empty()  ? PartKind::cloth
                                 : PartKind::solid;
  part.first_cell = int(view.cells.size()), part.cell_count = int(g.cells.size());
  for (const ivec4& c : g.cells) view.cells.push_back(c + ivec4(g.first));
  for (const ivec2& l : g.lines) view.lines.push_back(l + ivec2(g.first));
  for (const ivec3& t : g.triangles) view.triangles.push_back(t + ivec3(g.first));
  const std::vector<vec3> rest = g.rest.empty() ? std::vector<vec3>(positions, positions + g.count) : g.rest;
  view.rest.insert(view.rest.end(), rest.begin(), rest.end());
  if (!g.uv.empty()) view.uv.insert(view.uv.end(), g.uv.begin(), g.uv.end());
  else
    for (const vec3& p : rest) view.uv.push_back({p.x, p.z});
}

TriMesh body_mesh(const RunGroup& g, const vec3* positions, bool plane) {
  TriMesh mesh;
  mesh.positions.assign(positions, positions + g.count);
  mesh.triangles = g.triangles;
  if (plane) {
    const mat4 to_own = glm::inverse(plane_frame(positions));
    for (vec3& p : mesh.positions) p = vec3(to_own * vec4(p, 1));
  }
  return mesh;
}

}  // namespace

mat4 plane_frame(const vec3* quad) {
  const vec3 along = glm::normalize(quad[1] - quad[0]),
             normal = glm::normalize(glm::cross(quad[1] - quad[0], quad[2] - quad[0]));
  const vec3 middle = 0.25f * (quad[0] + quad[1] + quad[2] + quad[3]);
  return mat4(vec4(along, 0), vec4(normal, 0), vec4(glm::cross(along, normal), 0), vec4(middle, 1));
}

SceneView scene_view_of(const RunInfo& info, const RunFrame& first, const std::string& path) {
  SceneView view;
  view.model_id = next_model_id++;
  view.scene = scene_of(info, path);
  view.device_name = std::filesystem::path(path).filename().string();
  size_t body = 0;
  for (const RunGroup& g : info.groups) {
    const vec3* positions = first.positions.data() + g.first;
    if (!g.body) {
      add_cloth(view, g, positions);
      continue;
    }
    Obstacle& obstacle = view.scene.obstacles[body++];
    if (obstacle.shape == ObstacleShape::plane && (g.count != 4 || g.triangles.size() != 2))
      obstacle.shape = ObstacleShape::mesh;
    view.obstacle_meshes.push_back(body_mesh(g, positions, obstacle.shape == ObstacleShape::plane));
  }
  view.edges = unique_edges(view.triangles);
  for (const ivec2& l : view.lines) view.edges.push_back({std::min(l.x, l.y), std::max(l.x, l.y)});
  sort_edges(view.edges);
  return view;
}

}  // namespace weft
