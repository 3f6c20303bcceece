#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/length.h"
#include "sim/base/log.h"
#include "sim/files/gltf_body.h"
#include "sim/files/usda_body.h"
#include "sim/mesh/import/obj.h"
#include "sim/scene/contact_radii.h"
#include "sim/scene/model/body_file.h"
#include "sim/scene/model/cloth_mesh.h"
#include "sim/scene/model/deformation.h"
#include "sim/scene/scene_names.h"
#include "sim/scene/text/scene_file.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

std::string name_from(const std::string& path) { return cloth_name_from(fs::path(path).stem().string()); }

std::string absolute(const std::string& path) { return fs::absolute(path).lexically_normal().string(); }

Placement placement_of(float scale, const std::string& up) {
  return {vec3(0), up == "z" ? kUpIsZ : vec3(0), scale};
}

CameraPose frame(const Bounds& bounds) {
  CameraPose pose;
  pose.target = bounds.center();
  // The sphere around the bounds fills the height of the picture, with a tenth to spare.
  pose.distance = std::max(0.05f, 1.1f * 0.5f * bounds.diagonal() / std::sin(0.5f * glm::radians(pose.fov)));
  pose.pitch = 20;
  return pose;
}

Bounds bounds_in_metres(const TriMesh& mesh, float scale, const std::string& up) {
  Bounds bounds;
  for (const vec3& p : mesh.positions) bounds.add(scale * (up == "z" ? vec3(p.x, p.z, -p.y) : p));
  return bounds;
}

/// The floor is at the lowest point of the bodies. If cloth hangs lower, or there are no bodies, the floor is
/// at height 0, or absent where cloth reaches below that.
void lay_floor(Scene& scene, const Bounds& cloth, const Bounds& bodies) {
  // m: what hangs so little lower than the feet of a body, or than 0, touches the floor
  constexpr float kBelow = 1e-3f;
  const bool stand = !bodies.empty() && cloth.min.y >= bodies.min.y - kBelow;
  if (stand) scene.contact.ground_height = std::min(bodies.min.y, cloth.min.y);
  else scene.contact.ground = cloth.min.y >= -kBelow;
  if (!stand && scene.contact.ground)
    scene.contact.ground_height = std::min(0.0f, std::min(cloth.min.y, bodies.empty() ? 0.0f : bodies.min.y));
}

/// False, with a notice, for an object whose faces are all dropped by import.
bool has_faces(const ObjFile& file, int object) {
  try {
    ImportReport report;
    file.mesh(report, object);
    return true;
  } catch (const Error& e) {
    log_notice("object '{}' is skipped: {}", file.objects()[object].name, e.what());
    return false;
  }
}

/// `object`: the one that is taken; empty: all.
using Taken = std::vector<std::string>;

/// The last name in a prim's path that no other mesh has in its own.
std::string own_name(const UsdaBody::Part& part, const std::vector<UsdaBody::Part>& all) {
  for (size_t i = part.path.size(); i-- > 0;) {
    const auto has = [&](const UsdaBody::Part& other) {
      return other.path != part.path &&
             std::find(other.path.begin(), other.path.end(), part.path[i]) != other.path.end();
    };
    if (std::none_of(all.begin(), all.end(), has)) return part.path[i];
  }
  return part.name;
}

/// Names of the meshes of a glTF or USD file, and all of them as one mesh.
Taken meshes_of(const std::string& path, TriMesh& all) {
  std::vector<std::vector<std::string>> parts;
  if (is_gltf(path)) {
    const GltfBody file(path, 0);
    all.triangles = file.triangles(), file.positions(-1, 0, all.positions);
    for (const auto& names : file.parts()) parts.push_back(names);
  } else {
    const UsdaBody file(path, 0);
    all.triangles = file.triangles(), file.positions(0, all.positions);
    for (const UsdaBody::Part& p : file.parts()) parts.push_back({own_name(p, file.parts())});
  }
  Taken names;
  for (const auto& of_part : parts)
    if (std::find(names.begin(), names.end(), of_part[0]) == names.end()) names.push_back(of_part[0]);
  return names;
}

/// A cloth for each of the file's objects that is named; one with the file's name where it has one only.
void add_cloths(Scene& scene, const std::string& path, const Taken& objects, bool alone,
                const ObjUnits& units) {
  Cloth cloth;
  cloth.shape = ClothShape::obj;
  cloth.placement = placement_of(units.cloth_scale, is_usd(path) ? "y" : units.up);
  cloth.fabric = read_fabric(cloth.fabric_name);
  const auto taken = [&](const std::string& name) {
    return std::any_of(scene.cloths.begin(), scene.cloths.end(),
                       [&](const Cloth& c) { return c.name == name; });
  };
  for (const std::string& object : objects) {
    const std::string stem = alone ? name_from(path) : cloth_name_from(object);
    cloth.file = with_object(absolute(path), alone ? "" : object);
    cloth.name = stem;
    for (int n = 2; taken(cloth.name); ++n) cloth.name = fmt::format("{}_{}", stem, n);
    scene.of<ContactRadii>().of(cloth.name) = 0;  // a parameter of each
    scene.cloths.push_back(cloth);
  }
}

/// The objects of an OBJ file that have faces.
Taken objects_of(const ObjFile& file) {
  const std::vector<ObjObject>& objects = file.objects();
  Taken names;
  for (size_t i = 0; i < objects.size(); ++i)
    if (objects.size() == 1 || has_faces(file, int(i))) names.push_back(objects[i].name);
  return names;
}

/// Adds the cloths of a file, "stack.obj" or one of its objects, "stack.obj#sleeve"; returns their mesh.
TriMesh add_cloths_of(Scene& scene, const std::string& named, const ObjUnits& units) {
  const auto [path, object] = split_object(named);
  TriMesh mesh;
  ImportReport report;  // not used: the model reports again when it loads the same files
  if (has_own_times(path)) {
    const Taken names = meshes_of(path, mesh);
    add_cloths(scene, path, object.empty() ? names : Taken{object}, object.empty() && names.size() == 1,
               units);
    return mesh;
  }
  const ObjFile file(path);
  const bool alone = object.empty() && file.objects().size() == 1;
  add_cloths(scene, path, object.empty() ? objects_of(file) : Taken{object}, alone, units);
  return file.mesh(report, object.empty() ? -1 : file.find(object));
}

}  // namespace

Scene scene_from_obj(const std::string& cloth_obj, const std::vector<std::string>& obstacle_objs,
                     const ObjUnits& units) {
  Scene scene;
  scene.title = fs::path(cloth_obj).filename().string();
  scene.set("step.collision", "two_way");  // the only one that keeps any mesh out of itself and of any body
  ImportReport report;                     // not used, as above
  const TriMesh worn = add_cloths_of(scene, cloth_obj, units);
  const Bounds cloth =
      bounds_in_metres(worn, units.cloth_scale, is_usd(split_object(cloth_obj).path) ? "y" : units.up);
  Bounds bodies;
  for (const std::string& path : obstacle_objs) {
    Obstacle obstacle;
    obstacle.name = name_from(path);
    set_body_file(obstacle, absolute(path));
    const std::string up = has_own_times(path) ? "y" : units.up;  // which those files state
    obstacle.placement = placement_of(units.body_scale, up);
    TriMesh mesh;
    if (has_own_times(path)) make_deformation(obstacle, "", mesh, report.notices);
    else mesh = read_obj(path, report);
    // the scale is in the deformation
    const Bounds body = bounds_in_metres(mesh, has_own_times(path) ? 1 : units.body_scale, up);
    bodies.add(body.min), bodies.add(body.max);
    scene.obstacles.push_back(obstacle);
  }
  lay_floor(scene, cloth, bodies);
  Bounds all = cloth;
  if (!bodies.empty()) all.add(bodies.min), all.add(bodies.max);
  scene.camera = frame(all);
  return scene;
}

std::string parse_weld(const std::string& text, float& weld) {
  double metres = 0;
  if (text == "automatic") weld = Cloth().weld;
  else if (text == "never") weld = kNoWeld;
  else if (!read_length(text, metres).empty() || metres > 1)
    return "'" + text + "' is not automatic, never or a length up to a metre, such as 0.1mm";
  else weld = float(metres);
  return {};
}

void weld_all(Scene& scene, const std::string& text) {
  float weld = 0;
  if (const std::string fault = parse_weld(text, weld); !fault.empty()) throw Error(fault, "--weld");
  for (Cloth& c : scene.cloths)
    if (c.shape == ClothShape::obj) c.weld = weld;
  for (Obstacle& o : scene.obstacles)
    if (o.shape == ObstacleShape::mesh) o.from_file.weld = weld;
}

namespace {

void rest_all(Scene& scene, const std::string& file) {
  for (Cloth& c : scene.cloths) {
    if (c.shape != ClothShape::obj)
      throw Error("cloth " + c.name + " is not from an OBJ file, so no file has its vertices", "--rest",
                  "leave it out");
    c.rest.file = fs::absolute(file).lexically_normal().string();
  }
}

}  // namespace

void change_files(Scene& scene, const FileChanges& changes) {
  if (!changes.weld.empty()) weld_all(scene, changes.weld);
  if (!changes.rest.empty()) rest_all(scene, changes.rest);
  if (changes.start.empty()) return;
  for (Cloth& c : scene.cloths) c.start = fs::absolute(changes.start).lexically_normal().string();
}

}  // namespace weft
