#include <algorithm>
#include <cmath>

#include "sim/base/error.h"
#include "sim/files/file_faces.h"
#include "sim/files/obj_groups.h"
#include "sim/mesh/import/obj.h"
#include "sim/mesh/import/obj_sequence.h"
#include "sim/mesh/topology.h"
#include "sim/scene/model/cloth_mesh.h"
#include "tests/fuzz/scratch.h"
#include "tests/fuzz/targets.h"

namespace weft::fuzz {
namespace {

bool finite(const vec3& p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); }

template <class Triangles>
bool inside(const Triangles& triangles, int count) {
  return std::all_of(triangles.begin(), triangles.end(), [&](const ivec3& t) {
    return std::min({t.x, t.y, t.z}) >= 0 && std::max({t.x, t.y, t.z}) < count;
  });
}

void check(const TriMesh& mesh, const ImportReport& report) {
  require(!mesh.triangles.empty(), "a mesh has faces");
  require(inside(mesh.triangles, mesh.vertex_count()), "indices of a mesh are valid");
  require(std::all_of(mesh.positions.begin(), mesh.positions.end(), finite), "positions are finite");
  require(mesh.uv.empty() || mesh.uv.size() == mesh.positions.size(),
          "every vertex has a material coordinate, or none has");
  for (const vec2& t : mesh.uv)
    require(std::isfinite(t.x) && std::isfinite(t.y), "material coordinates are finite");
  require(report.kept_vertices.size() == mesh.positions.size(), "every vertex is known in the file");
}

void check(const Topology& t, const TriMesh& mesh) {
  require(t.rest.size() == mesh.positions.size() && t.triangles.size() == mesh.triangles.size(),
          "a topology has all of its mesh");
  for (const ivec2& e : t.edges)
    require(e.x >= 0 && e.x < e.y && e.y < mesh.vertex_count(), "edges join two vertices");
  for (const Hinge& h : t.hinges)
    for (int k = 0; k < 4; ++k) require(h[k] >= 0 && h[k] < mesh.vertex_count(), "hinges join four vertices");
}

void as_mesh(const std::string& text) {
  try {
    ImportReport report;
    const TriMesh mesh = parse_obj(text, "input.obj", report);
    check(mesh, report);
    if (mesh.triangle_count() < 2000) check(build_topology({{"cloth", mesh}}), mesh);
  } catch (const Error&) {}
}

void as_groups(const std::string& text) {
  try {
    const ObjGroups read = read_obj_groups(ScratchFolder::get().write("groups.obj", text));
    require(!read.groups.empty(), "there is a group");
    int next = 0;
    for (const RunGroup& g : read.groups) {
      require(g.first == next && g.count >= 0, "groups follow one another");
      next += g.count;
      require(inside(g.triangles, g.count), "indices of a group are valid");
      require(g.uv.empty() || int(g.uv.size()) == g.count,
              "every vertex of a group has a texture coordinate, or none has");
    }
    require(next == int(read.positions.size()), "groups hold every vertex");
    require(std::all_of(read.positions.begin(), read.positions.end(), finite), "positions are finite");
  } catch (const Error&) {}
}

void check(const FileFaces& faces) {
  const auto count = [](const auto& list) { return int(list.size()); };
  require(!faces.positions.empty(), "there are vertices");
  require(std::all_of(faces.positions.begin(), faces.positions.end(), finite), "positions are finite");
  require(faces.starts.front() == 0 && faces.starts.back() == count(faces.corners) &&
              std::is_sorted(faces.starts.begin(), faces.starts.end()),
          "each corner is of a face");
  require(faces.texture.size() == faces.corners.size(), "each corner has a texture coordinate, or -1");
  for (const int v : faces.corners) require(v >= 0 && v < count(faces.positions), "corners are vertices");
  for (const int t : faces.texture)
    require(t >= -1 && t < count(faces.textures), "texture coordinates are there");
  for (const vec2& t : faces.textures)
    require(std::isfinite(t.x) && std::isfinite(t.y), "texture coordinates are finite");
  for (const VertexAttribute& a : faces.attributes)
    require(a.values.size() == faces.positions.size(), "an attribute has every vertex");
}

}  // namespace

void obj(const std::string& bytes) {
  as_mesh(bytes);
  as_groups(bytes);
}

void ply(const std::string& bytes) {
  Cloth cloth;
  cloth.name = "cloth", cloth.remesh = Remesh::never;
  cloth.file = ScratchFolder::get().write("input.ply", bytes);
  cloth.shape = ClothShape::obj;
  try {
    const FileFaces faces = ply_faces(cloth.file);
    check(faces);
    if (faces.corners.size() > 2000) return;
    std::vector<std::string> notices;
    const TriMesh mesh = build_cloth_mesh(cloth, "", notices);
    require(!mesh.triangles.empty() && inside(mesh.triangles, mesh.vertex_count()), "cloth has triangles");
    require(std::all_of(mesh.positions.begin(), mesh.positions.end(), finite), "positions are finite");
  } catch (const Error&) {}
}

void obj_sequence(const std::string& bytes) {
  const ScratchFolder& folder = ScratchFolder::get();
  int frames = 0;
  for (size_t at = 0; at <= bytes.size() && frames < 4;) {
    const size_t end = std::min(bytes.find("%%\n", at), bytes.size());
    folder.write(fmt::format("frame_{}.obj", ++frames), bytes.substr(at, end - at));
    at = end + 3;
  }
  try {
    ImportReport report;
    const MeshSequence sequence = read_obj_sequence(folder / "frame_1.obj", report);
    require(int(sequence.frames.size()) == frames && int(sequence.numbers.size()) == frames,
            "every file is a frame");
    check(sequence.mesh, report);
    for (const auto& frame : sequence.frames) {
      require(frame.size() == sequence.mesh.positions.size(), "every frame has the mesh's vertices");
      require(std::all_of(frame.begin(), frame.end(), finite), "positions are finite");
    }
    require(sequence.frames[0] == sequence.mesh.positions, "the mesh is the first frame");
  } catch (const Error&) {}
  for (int f = 1; f <= frames; ++f) std::filesystem::remove(folder / fmt::format("frame_{}.obj", f));
}

}  // namespace weft::fuzz
