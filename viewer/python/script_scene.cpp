#include "viewer/python/script_scene.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/base/nearest.h"
#include "sim/mesh/import/obj.h"
#include "sim/mesh/import/weld.h"
#include "sim/plugin/plugin_list.h"
#include "sim/scene/contact_radii.h"
#include "sim/scene/scene_names.h"
#include "sim/scene/text/scene_file.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

bool finite(const vec3& p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); }

void check_finite(const std::vector<vec3>& values, const char* what, const std::string& owner) {
  for (size_t i = 0; i < values.size(); ++i)
    if (!finite(values[i]))
      throw Error(fmt::format("row {} of {} is not finite", i, what), owner, "give numbers, in metres");
}

void check_triangles(const TriMesh& mesh, const std::string& owner) {
  const int count = mesh.vertex_count();
  if (count == 0 || mesh.triangles.empty())
    throw Error("it has no triangles", owner, "give at least 3 vertices and 1 triangle");
  std::vector<char> used(size_t(count), 0);
  for (size_t t = 0; t < mesh.triangles.size(); ++t) {
    const ivec3& corners = mesh.triangles[t];
    for (int k = 0; k < 3; ++k) {
      if (corners[k] < 0 || corners[k] >= count)
        throw Error(
            fmt::format("triangle {} names vertex {}, and there are {} vertices", t, corners[k], count),
            owner, "count vertices from 0");
      used[size_t(corners[k])] = 1;
    }
    if (corners.x == corners.y || corners.y == corners.z || corners.z == corners.x)
      throw Error(fmt::format("triangle {} has a vertex twice", t), owner, "leave it out");
  }
  if (const auto idle = std::find(used.begin(), used.end(), 0); idle != used.end())
    throw Error(fmt::format("vertex {} belongs to no triangle", idle - used.begin()), owner, "leave it out");
}

void check_length(size_t rows, const TriMesh& mesh, const char* what, const std::string& owner) {
  if (rows != 0 && rows != mesh.positions.size())
    throw Error(fmt::format("{} has {} rows, and there are {} vertices", what, rows, mesh.positions.size()),
                owner, "give one row per vertex");
}

/// One row for each vertex, or three for each triangle.
void add_textures(TriMesh& mesh, const std::vector<vec2>& textures, const std::string& owner) {
  const size_t corners = 3 * mesh.triangles.size();
  if (textures.size() != mesh.positions.size() && textures.size() != corners)
    throw Error(fmt::format("textures has {} rows, and there are {} vertices and {} corners of triangles",
                            textures.size(), mesh.positions.size(), corners),
                owner, "give (n, 2) or (m, 3, 2)");
  if (!mesh.uv.empty()) throw Error("it has uv and textures", owner, "give one of the two");
  for (size_t i = 0; i < textures.size(); ++i)
    if (!(std::abs(textures[i].x) < 1e6f && std::abs(textures[i].y) < 1e6f))
      throw Error(fmt::format("row {} of textures is not finite or beyond a million", i), owner,
                  "give texture coordinates");
  std::vector<ivec3> of_triangle = mesh.triangles;
  if (textures.size() != mesh.positions.size())
    for (size_t t = 0; t < of_triangle.size(); ++t) of_triangle[t] = int(3 * t) + ivec3(0, 1, 2);
  take_textures(mesh, textures, std::move(of_triangle));
}

/// As an OBJ file; the shortest digits that give the same numbers back.
std::string obj_text(const TriMesh& mesh) {
  std::string text;
  for (const vec3& p : mesh.positions) text += fmt::format("v {} {} {}\n", p.x, p.y, p.z);
  for (const ivec3& t : mesh.triangles) text += fmt::format("f {} {} {}\n", t.x + 1, t.y + 1, t.z + 1);
  return text;
}

template <class Named>
void check_new(const std::vector<Named>& all, const std::string& name, const char* kind) {
  for (const Named& one : all)
    if (one.name == name)
      throw Error(fmt::format("there is a {} of this name", kind), fmt::format("{} {}", kind, name),
                  "choose another name");
}

void check_part_name(const Scene& scene, const std::string& name, const std::string& owner) {
  if (!is_cloth_name(name))
    throw Error("this cannot be its name", owner,
                "use letters, digits, _ and -, and no group of parameters such as step");
  for (int part = 0; part < part_count(scene); ++part)
    if (part_name(scene, part) == name)
      throw Error("there is a part of this name", owner, "choose another name");
}

void check_cells(const std::vector<ivec4>& cells, int vertices, const std::string& owner) {
  for (size_t c = 0; c < cells.size(); ++c)
    for (int k = 0; k < 4; ++k)
      if (cells[c][k] < 0 || cells[c][k] >= vertices)
        throw Error(
            fmt::format("cell {} names vertex {}, and there are {} vertices", c, cells[c][k], vertices),
            owner, "count vertices from 0");
}

/// Tetrahedra as Gmsh's format 2.2 has them.
std::string msh_text(const TriMesh& mesh, const std::vector<ivec4>& cells) {
  std::string text = fmt::format("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{}\n", mesh.vertex_count());
  for (size_t v = 0; v < mesh.positions.size(); ++v)
    text +=
        fmt::format("{} {} {} {}\n", v + 1, mesh.positions[v].x, mesh.positions[v].y, mesh.positions[v].z);
  text += fmt::format("$EndNodes\n$Elements\n{}\n", cells.size());
  for (size_t c = 0; c < cells.size(); ++c)
    text += fmt::format("{} 4 2 0 0 {} {} {} {}\n", c + 1, cells[c].x + 1, cells[c].y + 1, cells[c].z + 1,
                        cells[c].w + 1);
  return text + "$EndElements\n";
}

}  // namespace

ScratchFolder::ScratchFolder() {
  std::string name = (fs::temp_directory_path() / "weft-XXXXXX").string();
  if (!::mkdtemp(name.data()))
    throw Error("no folder for temporary files can be made", name, "free some space, or set TMPDIR");
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string ScratchFolder::new_path(const std::string& ending) {
  return fmt::format("{}/{}{}", path_, ++given_, ending);
}

ScriptScene::ScriptScene() { scene_.set("step.collision", "two_way"); }

void ScriptScene::add_cloth(const std::string& name, TriMesh mesh, const ScriptCloth& wanted) {
  const std::string owner = "cloth " + name;
  if (!is_cloth_name(name))
    throw Error("this cannot be a cloth's name", owner,
                "use letters, digits, _ and -, and no group of parameters such as step");
  check_new(scene_.cloths, name, "cloth");
  check_triangles(mesh, owner);
  check_finite(mesh.positions, "vertices", owner);
  check_finite(mesh.rest, "rest", owner);
  check_finite(mesh.velocity, "velocities", owner);
  check_length(mesh.rest.size(), mesh, "rest", owner);
  check_length(mesh.velocity.size(), mesh, "velocities", owner);
  check_length(mesh.uv.size(), mesh, "uv", owner);
  if (!wanted.textures.empty()) add_textures(mesh, wanted.textures, owner);
  Cloth cloth;
  cloth.name = name;
  cloth.fabric_name = wanted.fabric;
  cloth.fabric = read_fabric(wanted.fabric);
  cloth.placement = wanted.placement;
  cloth.unevenness = 0;
  if (!wanted.maps.empty()) {
    TriMesh tried{mesh.positions, mesh.triangles, {}, {}};
    paint(tried, cloth, wanted.maps, "", false);  // tells what is wrong with them now
    scene_.of<FabricMaps>().of[name] = wanted.maps;
  }
  cloth.mesh = std::make_shared<const TriMesh>(std::move(mesh));
  scene_.cloths.push_back(std::move(cloth));
}

void ScriptScene::set_contact_radius(const std::string& part, float radius) {
  scene_.of<ContactRadii>().of(part) = 0;
  if (radius != 0) scene_.set("contact_radius." + part, fmt::format("{}", radius));
}

void ScriptScene::add_body(const std::string& name, TriMesh mesh, ScriptBody wanted) {
  const std::string owner = "body " + name;
  if (name.empty()) throw Error("a body needs a name", "add_body", "give one");
  check_new(scene_.obstacles, name, "body");
  check_triangles(mesh, owner);
  check_finite(mesh.positions, "vertices", owner);
  for (const std::vector<vec3>& frame : wanted.frames) {
    check_length(frame.size(), mesh, "a frame", owner);
    check_finite(frame, "a frame", owner);
  }
  if (!(wanted.fps > 0 && wanted.fps < 1e6f))
    throw Error(fmt::format("{} frames per second cannot be", wanted.fps), owner, "give a number above 0");
  Obstacle body;
  body.name = name;
  body.shape = ObstacleShape::mesh;
  body.file = written(obj_text(mesh), ".obj");
  body.from_file.weld = kNoWeld;
  body.placement = wanted.placement;
  body.motion.keys = std::move(wanted.keys);
  const auto later = [](const MotionKey& a, const MotionKey& b) { return a.time < b.time; };
  if (!std::is_sorted(body.motion.keys.begin(), body.motion.keys.end(), later))
    throw Error("the times of its keys do not ascend", owner, "sort the keys by time");
  body.motion.spin_center = body.placement.position;
  body.friction = wanted.friction;
  body.fps = wanted.fps;
  if (!wanted.frames.empty())
    body.frames = std::make_shared<const std::vector<std::vector<vec3>>>(std::move(wanted.frames));
  scene_.obstacles.push_back(std::move(body));
}

std::string ScriptScene::written(const std::string& text, const std::string& ending) {
  if (!files_) files_ = std::make_shared<ScratchFolder>();
  const std::string path = files_->new_path(ending);
  write_text_file(path, text);
  return path;
}

void ScriptScene::add_solid(SolidParams solid, const TriMesh& mesh, const std::vector<ivec4>& cells) {
  const std::string owner = "solid " + solid.name;
  check_part_name(scene_, solid.name, owner);
  if (cells.empty()) check_triangles(mesh, owner);
  check_cells(cells, mesh.vertex_count(), owner);
  check_finite(mesh.positions, "vertices", owner);
  solid.shape = SolidShape::file;
  solid.file = cells.empty() ? written(obj_text(mesh), ".obj") : written(msh_text(mesh, cells), ".msh");
  if (solid.rigid) solid.material.young = kRigidYoung, solid.material.poisson = 0;
  scene_.of<SolidList>().list.push_back(std::move(solid));
}

void ScriptScene::add_strands(StrandParams strands, const std::vector<vec3>& points, int each) {
  const std::string owner = "strands " + strands.name;
  check_part_name(scene_, strands.name, owner);
  check_finite(points, "points", owner);
  if (points.empty() || each < 3)
    throw Error("a strand has at least three points", owner, "give an array (strands, points, 3)");
  std::string text;
  for (const vec3& p : points) text += fmt::format("v {} {} {}\n", p.x, p.y, p.z);
  for (size_t first = 0; first < points.size(); first += size_t(each)) {
    text += "l";
    for (size_t k = first; k < first + size_t(each); ++k) {
      if (k > first && points[k] == points[k - 1])
        throw Error(
            fmt::format("point {} of strand {} lies on the one before", k - first, first / size_t(each)),
            owner, "leave it out");
      text += fmt::format(" {}", k + 1);
    }
    text += "\n";
  }
  strands.shape = StrandShape::file;
  strands.file = written(text, ".obj");
  scene_.of<StrandList>().list.push_back(std::move(strands));
}

void ScriptScene::add_grains(GrainParams grains, const TriMesh& mesh) {
  const std::string owner = "grains " + grains.name;
  check_part_name(scene_, grains.name, owner);
  check_triangles(mesh, owner);
  check_finite(mesh.positions, "vertices", owner);
  if (!(grains.radius >= 1e-4f && grains.radius <= 1))
    throw Error(fmt::format("a radius of {} m cannot be", grains.radius), owner, "give 0.0001 to 1");
  grains.skin.thickness = 2 * grains.radius;
  grains.shape = GrainShape::file;
  grains.file = written(obj_text(mesh), ".obj");
  scene_.of<GrainList>().list.push_back(std::move(grains));
}

void ScriptScene::add_pin(Pin pin) {
  const auto has = [](const auto& all, const std::string& name) {
    return std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
  };
  const auto part = [&](const std::string& name) {
    for (int p = 0; p < part_count(scene_); ++p)
      if (part_name(scene_, p) == name) return true;
    return false;
  };
  if (!pin.cloth.empty() && !part(pin.cloth))
    throw Error("there is no cloth, solid or strands of this name", "pin of " + pin.cloth,
                "add them before the pin");
  if (!pin.body.empty() && !has(scene_.obstacles, pin.body))
    throw Error("there is no body of this name", "pin on " + pin.body, "add the body first");
  if (pin.vertices.empty() && pin.where.empty())
    throw Error("nothing is pinned", "add_pin", "give vertices, or where");
  scene_.pins.push_back(std::move(pin));
}

void ScriptScene::save(const std::string& path) const {
  const bool arrays = files_ || std::any_of(scene_.cloths.begin(), scene_.cloths.end(),
                                            [](const Cloth& c) { return c.mesh != nullptr; });
  if (arrays)
    throw Error("scene files do not hold meshes of arrays", path,
                "save the meshes as OBJ and name them there");
  if (!scene_.of<PluginList>().list.empty())
    throw Error("scene files do not hold plug-ins", path, "add them again where the scene is loaded");
  save_scene(path, scene_);
}

}  // namespace weft
