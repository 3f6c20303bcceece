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
  Cloth cloth;
  cloth.name = name;
  cloth.fabric_name = wanted.fabric;
  cloth.fabric = read_fabric(wanted.fabric);
  cloth.placement = wanted.placement;
  cloth.unevenness = 0;
  cloth.mesh = std::make_shared<const TriMesh>(std::move(mesh));
  scene_.cloths.push_back(std::move(cloth));
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
  if (!files_) files_ = std::make_shared<ScratchFolder>();
  Obstacle body;
  body.name = name;
  body.shape = ObstacleShape::mesh;
  body.file = files_->new_path(".obj");
  write_text_file(body.file, obj_text(mesh));
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

void ScriptScene::add_pin(Pin pin) {
  const auto has = [](const auto& all, const std::string& name) {
    return std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
  };
  if (!pin.cloth.empty() && !has(scene_.cloths, pin.cloth))
    throw Error("there is no cloth of this name", "pin of " + pin.cloth, "add the cloth first");
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
  save_scene(path, scene_);
}

}  // namespace weft
