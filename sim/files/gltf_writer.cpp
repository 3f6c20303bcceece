#include "sim/files/gltf_writer.h"

#include <map>

#include "sim/base/error.h"
#include "sim/files/gltf_document.h"
#include "sim/mesh/mesh.h"
#include "sim/mesh/smooth_normals.h"

namespace weft {
namespace {

using nlohmann::ordered_json;

/// A group as glTF has it, where a vertex has one texture coordinate: those that have several come once more
/// for each.
struct Split {
  std::vector<ivec3> triangles;
  std::vector<vec2> uv;      // one per vertex, copies included; empty: none
  std::vector<int> copy_of;  // for each vertex after the group's own: which of those it repeats
};

/// Vertices keep their numbers, and copies follow them. Corners without texture coordinates get (0, 0).
Split split_along_seams(const RunGroup& group) {
  Split out{group.triangles, group.uv, {}};
  if (group.corners.empty()) {
    for (vec2& t : out.uv) t /= group.uv_scale, t.y = 1 - t.y;
    return out;
  }
  constexpr int kUnused = -2;
  // the place in `values` (-1: none) that the vertex itself has
  std::vector<int> own(group.count, kUnused);
  std::map<std::pair<int, int>, int> copies;  // by vertex and place
  for (size_t f = 0; f < out.triangles.size(); ++f)
    for (int k = 0; k < 3; ++k) {
      int& vertex = out.triangles[f][k];
      const int place = group.corners.of_triangle[f][k];
      int& first = own[vertex];
      if (first == kUnused) first = place;
      if (first == place) continue;
      const auto [at, fresh] =
          copies.emplace(std::pair(vertex, place), group.count + int(out.copy_of.size()));
      if (fresh) out.copy_of.push_back(vertex);
      vertex = at->second;
    }
  const auto texture = [&](int place) { return place >= 0 ? group.corners.values[place] : vec2(0); };
  out.uv.clear();
  for (const int place : own) out.uv.push_back(texture(place));
  out.uv.resize(size_t(group.count) + out.copy_of.size());
  for (const auto& [key, vertex] : copies) out.uv[vertex] = texture(key.second);
  for (vec2& t : out.uv) t.y = 1 - t.y;
  return out;
}

/// Adds groups of a run to a document.
class Builder : public GltfDocument {
 public:
  void add_group(const RunGroup& group, const vec3* positions) {
    const Split split = split_along_seams(group);
    std::vector<vec3> points(positions, positions + group.count),
        normals = smooth_normals(positions, group.count, group.triangles);
    for (const int v : split.copy_of) points.push_back(positions[v]), normals.push_back(normals[v]);
    ordered_json attributes;
    const int position = add(points, "VEC3", kFloat, points.size(), kVertices);
    const Bounds box = bounds_of(points);
    set_bounds(position, {box.min.x, box.min.y, box.min.z}, {box.max.x, box.max.y, box.max.z});
    attributes["POSITION"] = position;
    attributes["NORMAL"] = add(normals, "VEC3", kFloat, points.size(), kVertices);
    if (!split.uv.empty())
      attributes["TEXCOORD_0"] = add(split.uv, "VEC2", kFloat, split.uv.size(), kVertices);
    const int indices = add(split.triangles, "SCALAR", kUnsignedInt, 3 * split.triangles.size(), kIndices);
    json["meshes"].push_back({{"name", group.name},
                              {"primitives",
                               {{{"attributes", attributes},
                                 {"indices", indices},
                                 {"material", group.body ? 1 : 0},
                                 {"mode", 4}}}}});
    add_node(group.name);
  }

  /// Strands as lines, all of a group in one list.
  void add_lines(const RunGroup& group, const vec3* positions) {
    const int position = add_points(group, positions);
    const int indices = add(group.lines, "SCALAR", kUnsignedInt, 2 * group.lines.size(), kIndices);
    json["meshes"].push_back(
        {{"name", group.name},
         {"primitives",
          {{{"attributes", {{"POSITION", position}}}, {"indices", indices}, {"material", 0}, {"mode", 1}}}}});
    add_node(group.name);
  }

  /// Grains as points.
  void add_grains(const RunGroup& group, const vec3* positions) {
    const int position = add_points(group, positions);
    json["meshes"].push_back(
        {{"name", group.name},
         {"primitives", {{{"attributes", {{"POSITION", position}}}, {"material", 0}, {"mode", 0}}}}});
    add_node(group.name);
  }

 private:
  int add_points(const RunGroup& group, const vec3* positions) {
    const std::vector<vec3> points(positions, positions + group.count);
    const int position = add(points, "VEC3", kFloat, points.size(), kVertices);
    const Bounds box = bounds_of(points);
    set_bounds(position, {box.min.x, box.min.y, box.min.z}, {box.max.x, box.max.y, box.max.z});
    return position;
  }
  /// A node with the mesh that was added last.
  void add_node(const std::string& name) {
    json["nodes"].push_back({{"name", name}, {"mesh", json["meshes"].size() - 1}});
    json["scenes"][0]["nodes"].push_back(json["nodes"].size() - 1);
  }
};

ordered_json material(const char* name, bool double_sided, float grey) {
  return {
      {"name", name},
      {"doubleSided", double_sided},
      {"pbrMetallicRoughness",
       {{"baseColorFactor", {grey, grey, grey, 1.0}}, {"metallicFactor", 0.0}, {"roughnessFactor", 0.9}}}};
}

}  // namespace

void write_gltf(const std::string& path, const RunInfo& info, const RunFrame& frame) {
  Builder b;
  b.json["scenes"] = ordered_json::array({{{"name", info.title}}});
  b.json["materials"] = {material("cloth", true, 0.8f), material("body", false, 0.5f)};
  for (const RunGroup& g : info.groups) {
    if (g.count > 0 && !g.triangles.empty()) b.add_group(g, frame.positions.data() + g.first);
    else if (!g.lines.empty()) b.add_lines(g, frame.positions.data() + g.first);
    else if (g.grains() && g.count > 0) b.add_grains(g, frame.positions.data() + g.first);
  }
  if (b.empty()) throw Error("there are no triangles, lines or grains to write", path);
  b.write(path);
}

}  // namespace weft
