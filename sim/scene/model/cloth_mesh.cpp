#include "sim/scene/model/cloth_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/base/work_watch.h"
#include "sim/files/file_faces.h"
#include "sim/files/file_kind.h"
#include "sim/garment/formats/pattern_file.h"
#include "sim/garment/garment_mesh.h"
#include "sim/garment/sewing_params.h"
#include "sim/mannequin/body_mesh.h"
#include "sim/mesh/import/obj.h"
#include "sim/mesh/import/rest_marks.h"
#include "sim/mesh/import/seams.h"
#include "sim/mesh/import/texture_rest.h"
#include "sim/mesh/import/thin_shell.h"
#include "sim/mesh/shapes/shapes.h"
#include "sim/mesh/uniform/make_uniform.h"
#include "sim/scene/assets.h"
#include "sim/scene/fabric_maps.h"
#include "sim/scene/model/body_file.h"
#include "sim/scene/model/deformation.h"
#include "sim/scene/model/start_file.h"
#include "sim/scene/motion.h"

namespace weft {
namespace {

/// A distance in metres, in the unit of the file.
float weld_of(float weld, const Placement& placement) { return weld > 0 ? weld / placement.scale : weld; }

void require_file(const std::string& file, const std::string& owner) {
  if (file.empty()) throw Error("names no file", owner, "add file = \"mesh.obj\"");
}

/// Reports a notice of a file once, however many cloths use the file.
void add_notice(std::vector<std::string>& notices, const std::string& words) {
  if (std::find(notices.begin(), notices.end(), words) == notices.end()) notices.push_back(words);
}

/// Meshes of glTF or USD in the pose that the file's nodes have by themselves, at its first time, as the
/// statements of an OBJ file.
ObjText text_of_faces(FileFaces faces) {
  ObjText out;
  const size_t count = faces.starts.size() - 1;
  out.vertex_lines.assign(faces.positions.size(), 0);
  out.vertices = std::move(faces.positions);
  out.textures = std::move(faces.textures);
  out.attributes = std::move(faces.attributes);
  for (size_t c = 0; c < faces.corners.size(); ++c)
    out.corners.push_back({faces.corners[c], faces.texture[c]});
  out.face_starts = std::move(faces.starts);
  out.face_lines.assign(count, 0), out.face_object.assign(count, -1), out.face_group.assign(count, -1);
  return out;
}

ObjFile read_moving_file(const std::string& path, const std::string& object,
                         std::vector<std::string>& notices) {
  const PartChoice parts{object.empty() ? std::vector<std::string>() : std::vector<std::string>{object}, {}};
  FileFaces faces = is_gltf(path) ? gltf_faces(path, parts) : usda_faces(path, parts);
  for (const std::string& words : faces.notices) add_notice(notices, words);
  return ObjFile(text_of_faces(std::move(faces)), path);
}

/// Takes the rest shape and the start from files of the same vertices.
void take_poses(TriMesh& mesh, const Cloth& cloth, const std::string& folder, const ObjFile& file,
                const ImportReport& report) {
  if (!cloth.rest.file.empty()) {
    mesh.rest = vertices_of_pose(file, report, resolve_path(cloth.rest.file, folder));
    if (!mesh.uv.empty()) {
      std::vector<vec2> uv = mesh.uv;
      for (vec2& t : uv) t /= mesh.uv_scale;
      TriMesh at_rest{mesh.rest, mesh.triangles, {}, {}};
      mesh.uv_scale = vec2(metres_per_unit(at_rest, uv));
      for (size_t v = 0; v < uv.size(); ++v) mesh.uv[v] = uv[v] * mesh.uv_scale;
    }
  }
  if (!is_start_file(cloth.start)) return;
  const std::string path = resolve_path(split_start(cloth.start).path, folder);
  if (!is_pose_of_file(path)) return;
  if (mesh.rest.empty()) mesh.rest = mesh.positions;
  mesh.positions = vertices_of_pose(file, report, path);
}

TriMesh load_cloth(const Cloth& cloth, const std::string& folder, std::vector<std::string>& notices,
                   ObjFiles* files) {
  require_file(cloth.file, "cloth " + cloth.name);
  ObjFiles own;
  ObjFiles& read = files ? *files : own;
  const ObjReference named = split_object(cloth.file);
  const std::string path = resolve_path(named.path, folder);
  const bool moves = has_own_times(path);
  const std::string key = moves ? path + "#" + named.object : path;
  auto known = read.find(key);
  if (known == read.end()) {
    if (moves) known = read.emplace(key, read_moving_file(path, named.object, notices)).first;
    else if (file_ending(path) == ".ply")
      known = read.emplace(key, ObjFile(text_of_faces(ply_faces(path)), path)).first;
    else known = read.try_emplace(key, path).first;
  }
  const ObjFile& file = known->second;
  ImportReport report;
  TriMesh mesh = file.mesh(report, named.object.empty() || moves ? -1 : file.find(named.object),
                           weld_of(cloth.weld, cloth.placement));
  // Panels are expected where the texture coordinates are the rest shape.
  for (int i = 0; i < int(report.notices.size()); ++i)
    if (i != report.seam || cloth.rest.shape != "texture") add_notice(notices, report.notices[i]);
  take_poses(mesh, cloth, folder, file, report);
  return mesh;
}

/// The objects of a file that are taken, as one mesh.
TriMesh chosen_objects(const ObjFile& file, const PartChoice& parts, ImportReport& report, float weld) {
  std::vector<std::vector<std::string>> names;
  for (const ObjObject& o : file.objects()) {
    names.push_back(o.joined);
    names.back().push_back(o.name);
  }
  parts.check(names, file.path());
  TriMesh all;
  for (size_t i = 0; i < names.size(); ++i) {
    if (!parts.takes(names[i])) continue;
    const TriMesh one = file.mesh(report, int(i), weld);
    for (const ivec3& t : one.triangles) all.triangles.push_back(t + all.vertex_count());
    all.positions.insert(all.positions.end(), one.positions.begin(), one.positions.end());
  }
  return all;
}

TriMesh load_body(const Obstacle& o, const std::string& folder, std::vector<std::string>& notices) {
  require_file(o.file, "obstacle " + o.name);
  ImportReport report;
  const ObjFile file(resolve_path(o.file, folder));
  const float weld = weld_of(o.from_file.weld, o.placement);
  const PartChoice& parts = o.from_file.parts;
  TriMesh mesh = parts.all() ? file.mesh(report, -1, weld) : chosen_objects(file, parts, report, weld);
  notices.insert(notices.end(), report.notices.begin(), report.notices.end());
  return mesh;
}

/// Squares and cubes of lengths must not leave float32, and displacements must be far above its rounding.
void check_size(const std::vector<vec3>& scaled, const std::string& owner) {
  constexpr double kLeast = 1e-5, kMost = 1e5, kFarthest = 1e6;  // m
  dvec3 low(1e300), high(-1e300);
  for (const vec3& p : scaled) low = glm::min(low, dvec3(p)), high = glm::max(high, dvec3(p));
  if (scaled.empty()) return;
  const double size = glm::length(high - low), farthest = std::max(glm::length(low), glm::length(high));
  if (!(size >= kLeast && size <= kMost))
    throw Error(fmt::format("it is {:.3g} m across; supported sizes are {:g} to {:g} m", size, kLeast, kMost),
                owner, "set its scale (lengths are in metres)");
  if (!(farthest <= kFarthest))
    throw Error(fmt::format("it is {:.3g} m from the origin", farthest), owner,
                fmt::format("move it within {:g} m, or set its scale", kFarthest));
}

/// Rows of the lattice along the longer side, where a strip carries its load.
TriMesh make_strip(vec2 size, float edge, const std::string& pattern) {
  if (size.x >= size.y) return make_grid(size, edge, pattern);
  TriMesh mesh = make_grid({size.y, size.x}, edge, pattern);
  for (vec3& p : mesh.positions) p = {-p.y, p.x, 0};
  for (vec2& t : mesh.uv) t = {size.x - t.y, t.x};
  return mesh;
}

/// A disc of r rings has 1 + 3 r (r + 1) vertices, and its mean edge is 1.1 ring distances.
float disc_edge(float diameter, int vertices) {
  const double rings = std::max(1.0, std::sqrt((vertices - 0.25) / 3.0) - 0.5);
  return float(1.1 * 0.5 * diameter / rings);
}

float edge_length(const Cloth& cloth) {
  if (cloth.edge > 0) return cloth.edge;
  if (cloth.shape == ClothShape::disc) return disc_edge(cloth.size.x, cloth.vertices);
  if (cloth.shape == ClothShape::tube)
    return edge_for_vertices({kPi * cloth.size.x, cloth.size.y}, cloth.vertices);
  return edge_for_vertices(cloth.size, cloth.vertices);
}

/// Factors of panels whose fabric is another than the garment's, in ratios of the moduli along the warp, of
/// bending rigidities and of densities.
void take_panel_fabrics(GarmentMesh& garment, const Cloth& cloth, std::vector<std::string>& notices) {
  std::vector<vec3> of_panel;
  bool any = false;
  for (const Panel& panel : garment.pattern.panels) {
    of_panel.push_back(vec3(1));
    if (panel.fabric.empty() || panel.fabric == garment.pattern.fabric || panel.fabric == cloth.fabric_name)
      continue;
    const auto own = cloth.panel_fabrics.find(panel.fabric);
    try {
      const FabricParams f = own != cloth.panel_fabrics.end() ? own->second : read_fabric(panel.fabric);
      of_panel.back() = {f.stretch_stiffness / cloth.fabric.stretch_stiffness,
                         f.bending_rigidity / std::max(cloth.fabric.bending_rigidity, 1e-12f),
                         f.areal_density / cloth.fabric.areal_density};
      any = true;
    } catch (const Error& e) {
      notices.push_back(fmt::format("garment {}, panel {}: {}; the panel has the garment's fabric",
                                    cloth.name, panel.name, e.what()));
    }
  }
  if (!any) return;
  for (const int panel : garment.panel_of_triangle) garment.mesh.corners.factor.push_back(of_panel[panel]);
}

/// Its seams are closed, or stretched between its placed panels; the triangles' rest shape is that of the
/// pattern.
TriMesh sewn_garment(const Cloth& cloth, const std::string& folder, std::vector<std::string>& notices,
                     bool uniform, double elastic) {
  GarmentMesh garment = make_cloth_garment(cloth, folder, {}, notices, elastic);
  if (uniform && uniformity_of(garment.mesh).ratio() < kUniformEnough)
    notices.push_back(
        fmt::format("garment {}: its edges are uneven ({}), which this collision method handles poorly; "
                    "two_way suits garments",
                    cloth.name, in_words(uniformity_of(garment.mesh))));
  if (cloth.start == "sewn") garment.mesh.positions = garment.mesh.rest;
  return std::move(garment.mesh);
}

TriMesh unplaced(const Cloth& cloth, const std::string& folder, std::vector<std::string>& notices,
                 ObjFiles* files, bool uniform, double elastic) {
  switch (cloth.shape) {
    case ClothShape::grid: return make_grid(cloth.size, edge_length(cloth), cloth.pattern);
    case ClothShape::strip: return make_strip(cloth.size, edge_length(cloth), cloth.pattern);
    case ClothShape::disc: return make_disc(cloth.size.x, edge_length(cloth));
    case ClothShape::tube: return make_tube(cloth.size.x, cloth.size.y, edge_length(cloth));
    case ClothShape::obj: return load_cloth(cloth, folder, notices, files);
    case ClothShape::garment: return sewn_garment(cloth, folder, notices, uniform, elastic);
  }
  return {};
}

/// Adds smooth waves of 7 to 61 edge lengths to the start. Otherwise a perfectly flat sheet under compression
/// would have no direction to buckle in and stay flat.
void make_uneven(TriMesh& mesh, float share) {
  if (mesh.triangles.empty() || share <= 0) return;
  std::vector<vec3> normal(mesh.positions.size(), vec3(0));
  double edges = 0;
  for (const ivec3& t : mesh.triangles) {
    const vec3 a = mesh.positions[t.x], b = mesh.positions[t.y], c = mesh.positions[t.z];
    const vec3 n = glm::cross(b - a, c - a);
    for (int k = 0; k < 3; ++k) normal[t[k]] += n;
    edges += glm::length(b - a) + glm::length(c - b) + glm::length(a - c);
  }
  const float edge = float(edges / (3.0 * double(mesh.triangles.size())));
  if (!(edge > 0)) return;
  const vec3 directions[4] = {
      {0.62f, 0.55f, 0.56f}, {-0.71f, 0.43f, 0.55f}, {0.36f, -0.83f, 0.43f}, {0.87f, 0.21f, -0.45f}};
  const float lengths[4] = {7, 13, 29, 61};
  std::vector<float> offset(mesh.positions.size(), 0.0f);
  for (size_t v = 0; v < offset.size(); ++v)
    for (int k = 0; k < 4; ++k)
      offset[v] += std::sin(2 * kPi / (lengths[k] * edge) * glm::dot(directions[k], mesh.rest[v]) + float(k));
  for (size_t v = 0; v < offset.size(); ++v) {
    const float length = glm::length(normal[v]);
    if (length > 0) mesh.positions[v] += (0.5f * share * edge * offset[v] / length) * normal[v];
  }
}

std::string edges_in_words(const TriMesh& mesh) {
  return fmt::format("{} vertices, {}", mesh.vertex_count(), in_words(uniformity_of(mesh)));
}

/// A scaled cloth from a file, remeshed according to its `remesh` and the collision method (`wanted`). A
/// failure is an error only if remeshing was requested explicitly.
TriMesh remeshed_if_asked(TriMesh mesh, const Cloth& cloth, bool wanted, std::vector<std::string>& notices,
                          const TriMesh* others) {
  const bool forced = cloth.remesh_edge > 0 || cloth.remesh == Remesh::always;
  const std::string poor = wanted ? ", which the collision method handles poorly" : "";
  wanted |= cloth.remesh == Remesh::uneven;
  if (!forced && (!wanted || uniformity_of(mesh).ratio() >= kUniformEnough)) return mesh;
  if (!forced && cloth.remesh == Remesh::never) {
    notices.push_back(
        fmt::format("cloth {}: its edges are uneven ({}), which the collision method handles poorly; remesh "
                    "= \"automatic\" makes it uniform",
                    cloth.name, edges_in_words(mesh)));
    return mesh;
  }
  UniformOptions options;
  options.edge = cloth.remesh_edge, options.where = "cloth " + cloth.name;
  options.others = others;
  options.progress = [&](double share) {
    WorkWatch::check(), WorkWatch::report("remeshing " + options.where, share);
  };
  options.tell = [&](const std::string& what) { notices.push_back(options.where + ": " + what); };
  try {
    TriMesh even = made_uniform(mesh, options);
    // a spot where the edge does not fit
    if (!forced && uniformity_of(even).ratio() <= uniformity_of(mesh).ratio()) {
      notices.push_back(fmt::format("cloth {}: {}, and remeshing would not improve it; unchanged{}",
                                    cloth.name, edges_in_words(mesh), poor));
      return mesh;
    }
    notices.push_back(fmt::format(
        "cloth {}: {}, remeshed: {}; vertex numbers have changed, so pin it by place or box{}", cloth.name,
        edges_in_words(mesh), edges_in_words(even), forced ? "" : "; remesh = \"never\" prevents this"));
    return even;
  } catch (const Error& e) {
    if (forced) throw;
    notices.push_back(fmt::format("{} (the cloth stays uneven{})", e.what(), poor));
    return mesh;
  }
}

}  // namespace

GarmentMesh make_cloth_garment(const Cloth& cloth, const std::string& folder, const LayerDistances& layers,
                               std::vector<std::string>& notices, double elastic) {
  const std::string path = cloth.file.empty() ? "garment " + cloth.name : resolve_path(cloth.file, folder);
  const Pattern pattern = cloth.sewing_pattern ? *cloth.sewing_pattern : read_pattern(path, 0, notices);
  GarmentMesh garment = make_garment(pattern, path, cloth.edge / cloth.placement.scale, layers, elastic);
  notices.insert(notices.end(), garment.notices.begin(), garment.notices.end());
  if (!pattern.fabric.empty() && pattern.fabric != cloth.fabric_name)
    notices.push_back(
        fmt::format("garment {}: the pattern names the fabric {}, and the scene {}, which counts", cloth.name,
                    pattern.fabric, cloth.fabric_name));
  take_panel_fabrics(garment, cloth, notices);
  return garment;
}

bool needs_uniform_mesh(const Scene& scene) { return collision_info(scene).even_edges; }

void keep_meshes(Scene& tuned, const Scene& built) {
  const bool uniform = needs_uniform_mesh(built);
  if (needs_uniform_mesh(tuned) == uniform) return;
  for (Cloth& cloth : tuned.cloths)
    if (cloth.shape == ClothShape::obj && cloth.remesh == Remesh::automatic)
      cloth.remesh = uniform ? Remesh::uneven : Remesh::never;
}

ObjReference split_object(const std::string& file) {
  std::string lower = file;
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  for (const std::string ending : {".obj#", ".glb#", ".gltf#", ".usda#", ".usd#"})
    if (const size_t at = lower.find(ending); at != file.npos) {
      const size_t mark = at + ending.size() - 1;
      return {file.substr(0, mark), file.substr(mark + 1)};
    }
  return {file, ""};
}

std::string with_object(const std::string& path, const std::string& object) {
  return object.empty() ? path : path + "#" + object;
}

std::string resolve_path(const std::string& file, const std::string& scene_folder) {
  const std::filesystem::path path(file);
  return path.is_absolute() || scene_folder.empty() ? file
                                                    : (std::filesystem::path(scene_folder) / path).string();
}

bool may_be_remeshed(const Cloth& cloth, bool uniform) {
  return cloth.shape == ClothShape::obj && !cloth.mesh && cloth.rest.shape != "texture" &&
         (cloth.remesh_edge > 0 || cloth.remesh == Remesh::always || cloth.remesh == Remesh::uneven ||
          (uniform && cloth.remesh != Remesh::never));
}

namespace {

/// From the world to where the cloth is before it is placed.
TriMesh seen_from(const Cloth& cloth, const TriMesh& world) {
  TriMesh seen{world.positions, world.triangles, {}, {}};
  const quat back = glm::inverse(rotation_from_degrees(cloth.placement.rotation));
  const bool turned = cloth.placement.rotation != vec3(0);
  for (vec3& p : seen.positions)
    p = turned ? back * (p - cloth.placement.position) : p - cloth.placement.position;
  return seen;
}

}  // namespace

namespace {

/// Boundary edges that are no further apart may be meant to be joined, m.
constexpr float kNear = 1e-3f;

void report_near_edges(const TriMesh& mesh, const std::string& owner, float weld,
                       std::vector<std::string>& notices) {
  if (weld < 0) return;  // kept apart on purpose
  const NearEdges near = near_boundary_edges(mesh.positions, mesh.triangles, kNear);
  if (near.count < 2) return;
  const std::vector<int> becomes = welded_vertices(mesh.positions, mesh.triangles, kNear);
  bool joins = false;
  for (size_t v = 0; v < becomes.size(); ++v) joins |= becomes[v] != int(v);
  notices.push_back(fmt::format(
      "{}: {} edges of its boundary ({:.3g} m) run along others within {:g} mm and are not joined, so it "
      "opens "
      "there (near vertex {}); {}",
      owner, near.count, near.length, 1e3f * kNear, near.first.x,
      joins
          ? "--weld 1mm, or weld = \"1mm\" in a scene, joins them, and \"never\" says that they are apart"
          : "they have their vertices in other places, so they cannot be welded: give both sides the same"));
}

/// A garment that another program gave a thickness has two layers and a rim.
void report_thin_shell(const TriMesh& mesh, const Cloth& cloth, std::vector<std::string>& notices) {
  const double thickness = shell_thickness(mesh);
  if (!(thickness > 0) || cloth.fabric.inner_pressure > 0) return;
  notices.push_back(fmt::format(
      "cloth {}: its surface is closed, with two sides {:.2g} mm apart, as of cloth that was exported with a "
      "thickness; export it thin, as one layer: thickness is a parameter of the fabric",
      cloth.name, 1e3 * thickness));
}

/// Positions and velocities in the world; those of another program's OBJ have been taken with the file.
void take_run_as_start(TriMesh& mesh, const Cloth& cloth, const std::string& folder, double dt) {
  const StartReference start = split_start(cloth.start);
  const std::string path = resolve_path(start.path, folder);
  if (cloth.shape == ClothShape::obj && !cloth.mesh && is_pose_of_file(path)) return;
  take_start(mesh, cloth, path, start.step, dt);
}

}  // namespace

TriMesh build_cloth_mesh(const Cloth& cloth, const std::string& scene_folder,
                         std::vector<std::string>& notices, bool uniform, ObjFiles* files,
                         const TriMesh* others, double elastic, double dt) {
  TriMesh mesh = cloth.mesh ? *cloth.mesh : unplaced(cloth, scene_folder, notices, files, uniform, elastic);
  const float scale = cloth.placement.scale;
  for (vec3& p : mesh.positions) p *= scale;
  for (vec3& p : mesh.rest) p *= scale;
  for (vec3& p : mesh.input.unused) p *= scale;
  for (vec2& t : mesh.uv) t *= scale;
  mesh.uv_scale *= scale;
  if (cloth.shape == ClothShape::obj && !cloth.mesh) {
    check_size(mesh.positions, "cloth " + cloth.name);
    report_near_edges(mesh, "cloth " + cloth.name, cloth.weld, notices);
    report_thin_shell(mesh, cloth, notices);
    if (cloth.rest.shape == "texture") {
      take_texture_as_rest(mesh, "cloth " + cloth.name, notices);
      const ObjReference named = split_object(cloth.file);
      take_rest_marks(read_text_file(resolve_path(named.path, scene_folder), "a garment"), named.object, mesh,
                      "cloth " + cloth.name, notices);
    }
    const TriMesh seen = others ? seen_from(cloth, *others) : TriMesh();
    if (cloth.rest.shape != "texture")
      mesh = remeshed_if_asked(std::move(mesh), cloth, uniform, notices, others ? &seen : nullptr);
  }
  if (cloth.rest.angles != RestAngles::From::rest_shape) mesh.rest_angles.from = cloth.rest.angles;
  if (mesh.rest.empty()) mesh.rest = mesh.positions;
  const quat rotation = rotation_from_degrees(cloth.placement.rotation);
  const bool turned = cloth.placement.rotation != vec3(0);
  for (auto* points : {&mesh.positions, &mesh.input.unused})
    for (vec3& p : *points) p = (turned ? rotation * p : p) + cloth.placement.position;
  if (is_start_file(cloth.start)) take_run_as_start(mesh, cloth, scene_folder, dt);
  check_size(mesh.rest, "cloth " + cloth.name);
  check_size(mesh.positions, "cloth " + cloth.name);
  if (cloth.shape != ClothShape::obj && cloth.shape != ClothShape::garment && !is_start_file(cloth.start))
    make_uneven(mesh, cloth.unevenness);  // a cloth from a file has its own vertex positions
  return mesh;
}

namespace {

std::vector<TriMesh> cloth_meshes(const Scene& scene, const std::string& folder,
                                  std::vector<std::string>& notices, ObjFiles& files) {
  const bool uniform = needs_uniform_mesh(scene),
             any = std::any_of(scene.cloths.begin(), scene.cloths.end(),
                               [&](const Cloth&c) { return may_be_remeshed(c, uniform); });
  const double elastic = double(scene.of<SewingParams>().elastic), dt = double(scene.step.dt);
  std::vector<TriMesh> meshes;
  if (any && scene.cloths.size() > 1)
    // in their files' meshes, as surroundings of a cloth that is remeshed before them
    for (Cloth cloth : scene.cloths) {
      std::vector<std::string> told_later;
      cloth.remesh = Remesh::never, cloth.remesh_edge = 0;
      meshes.push_back(build_cloth_mesh(cloth, folder, told_later, false, &files, nullptr, elastic, dt));
    }
  meshes.resize(scene.cloths.size());
  for (size_t c = 0; c < meshes.size(); ++c) {
    const Cloth& cloth = scene.cloths[c];
    if (!may_be_remeshed(cloth, uniform) || meshes.size() == 1) {
      meshes[c] = build_cloth_mesh(cloth, folder, notices, uniform, &files, nullptr, elastic, dt);
      continue;
    }
    TriMesh others;
    for (size_t o = 0; o < meshes.size(); ++o) {
      if (o == c) continue;
      for (const ivec3& t : meshes[o].triangles) others.triangles.push_back(t + others.vertex_count());
      others.positions.insert(others.positions.end(), meshes[o].positions.begin(), meshes[o].positions.end());
    }
    meshes[c] = build_cloth_mesh(cloth, folder, notices, uniform, &files, &others, elastic, dt);
  }
  return meshes;
}

}  // namespace

std::vector<TriMesh> build_cloth_meshes(const Scene& scene, const std::string& folder,
                                        std::vector<std::string>& notices, ObjFiles& files) {
  std::vector<TriMesh> meshes = cloth_meshes(scene, folder, notices, files);
  for (size_t c = 0; c < meshes.size(); ++c) {
    const Cloth& cloth = scene.cloths[c];
    const auto& maps = scene.of<FabricMaps>().of;
    const auto own = maps.find(cloth.name);
    paint(meshes[c], cloth, own == maps.end() ? std::vector<FabricMap>() : own->second, folder,
          may_be_remeshed(cloth, needs_uniform_mesh(scene)));
  }
  for (TriMesh& mesh : meshes) stiffen_seams(mesh, scene.of<SewingParams>().seam_bending);
  return meshes;
}

namespace {

/// "top (625 vertices), sleeve (200, with cuff)", and how many there are beyond the first twelve.
std::string in_words(const std::vector<ObjObject>& objects, const std::vector<std::string>& names) {
  constexpr size_t kMost = 12;
  std::string words;
  for (size_t i = 0; i < objects.size() && i < kMost; ++i) {
    words += fmt::format("{}{} ({} vertices", i ? ", " : "", names[i], objects[i].vertices);
    for (size_t j = 0; j < objects[i].joined.size() && j < kMost; ++j)
      words += (j ? ", " : ", with ") + objects[i].joined[j];
    words += ")";
  }
  return words + (objects.size() > kMost ? fmt::format(" and {} more", objects.size() - kMost) : "");
}

}  // namespace

void report_objects(const Scene& scene, const ObjFiles& files, std::vector<std::string>& notices) {
  const std::string folder = std::filesystem::path(scene.path).parent_path().string();
  for (const auto& [path, file] : files) {
    const std::vector<ObjObject>& objects = file.objects();
    if (objects.size() == 1 && !objects[0].joined.empty())
      notices.push_back(fmt::format("{}: {} objects or groups share vertices and form one cloth", path,
                                    objects[0].joined.size() + 1));
    if (objects.size() < 2) continue;
    std::vector<std::string> names;
    for (const ObjObject& o : objects) names.push_back(o.name);
    int apart = 0;
    for (const Cloth& c : scene.cloths) {
      const ObjReference named = split_object(c.file);
      if (c.shape != ClothShape::obj || resolve_path(named.path, folder) != path) continue;
      if (named.object.empty())
        notices.push_back(
            fmt::format("cloth {}: {} objects of {} form one cloth: {}; object = \"{}\" selects one of them",
                        c.name, objects.size(), path, in_words(objects, names), objects[0].name));
      else names[file.find(named.object)] = c.name, ++apart;
    }
    if (apart > 0)
      notices.push_back(fmt::format("{}: {} objects, each a cloth with its own fabric: {}", path,
                                    objects.size(), in_words(objects, names)));
  }
}

namespace {

/// One that bends has rows of even triangles along its length.
TriMesh capsule(const Obstacle& o) {
  if (o.bones.empty()) return make_capsule(o.size.x, o.size.y);
  constexpr int kSegments = 32;
  const float edge = 2 * kPi * o.size.x / kSegments;
  return make_capsule(o.size.x, o.size.y, kSegments, int(std::clamp(o.size.y / edge, 1.0f, 1000.0f)));
}

}  // namespace

TriMesh build_obstacle_mesh(const Obstacle& obstacle, const std::string& scene_folder,
                            std::vector<std::string>& notices) {
  const std::string owner = "obstacle " + obstacle.name;
  if (obstacle.shape == ObstacleShape::plane) return make_plane_quad(4);
  TriMesh mesh;
  if (!obstacle.sequence.empty()) {
    if (!obstacle.frames) return mesh;  // make_deformation reads it
    Obstacle read = obstacle;           // whose positions are replaced
    read.frames = nullptr;
    make_deformation(read, scene_folder, mesh, notices);
    return mesh;
  }
  switch (obstacle.shape) {
    case ObstacleShape::plane: break;
    case ObstacleShape::sphere: mesh = make_sphere(obstacle.size.x); break;
    case ObstacleShape::box: mesh = make_box(obstacle.size); break;
    case ObstacleShape::capsule: mesh = capsule(obstacle); break;
    case ObstacleShape::mesh: mesh = load_body(obstacle, scene_folder, notices); break;
    case ObstacleShape::mannequin: mesh = make_body_mesh(obstacle.mannequin.params)->mesh; break;
  }
  for (vec3& p : mesh.positions) p *= obstacle.placement.scale;
  for (vec3& p : mesh.input.unused) p *= obstacle.placement.scale;
  check_size(mesh.positions, owner);
  if (obstacle.shape == ObstacleShape::mesh) report_near_edges(mesh, owner, obstacle.from_file.weld, notices);
  return mesh;
}

}  // namespace weft
