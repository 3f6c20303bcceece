#include "sim/scene/model/solid_mesh.h"

#include <fmt/format.h>

#include <filesystem>

#include "sim/base/error.h"
#include "sim/files/file_kind.h"
#include "sim/geometry/mesh_sdf.h"
#include "sim/mesh/import/obj.h"
#include "sim/mesh/solid/fill.h"
#include "sim/mesh/solid/gmsh.h"
#include "sim/scene/model/cloth_mesh.h"
#include "sim/scene/motion.h"

namespace weft {
namespace {

// Cells across a solid, below which it bends and shears as a much stiffer one does.
constexpr int kFewCells = 2;

std::string owner_of(const SolidParams& solid) { return "solid " + solid.name; }

/// A closed surface of a file, filled.
TetMesh filled(const SolidParams& solid, const std::string& path, std::vector<std::string>& notices) {
  ImportReport report;
  TriMesh surface = read_obj(path, report, 0);
  notices.insert(notices.end(), report.notices.begin(), report.notices.end());
  for (vec3& p : surface.positions) p *= solid.placement.scale;
  const HostSdf field = build_sdf(surface, owner_of(solid));
  if (!field.closed)
    throw Error("its surface is not closed, so that it has no inside", path,
                "close its holes (in Blender: Mesh, Clean Up, Fill Holes)");
  const BodyShape shape{BodyKind::mesh, vec3(0), field.view(), 0};
  const auto distance = [&](const dvec3& p) {
    vec3 normal;
    return double(shape.distance(vec3(p), normal));
  };
  return fill_cells(bounds_of(surface.positions), double(solid.edge), distance, owner_of(solid));
}

/// Throws Error where a box would have more cells than any memory holds.
void refuse_many(const SolidParams& solid, const vec3& size) {
  constexpr double kMost = 1e8;
  const dvec3 across = glm::max(dvec3(size) / double(solid.edge), dvec3(1));
  if (const double cells = 5 * across.x * across.y * across.z; cells > kMost)
    throw Error(fmt::format("it has {:.2g} cells, and at most {:.0e} may be", cells, kMost), owner_of(solid),
                "give a larger edge");
}

TetMesh cells_of(const SolidParams& solid, const std::string& folder, std::vector<std::string>& notices) {
  const float scale = solid.placement.scale;
  const vec3 size = solid.size * scale;
  switch (solid.shape) {
    case SolidShape::box: refuse_many(solid, size); return box_cells(size, solid.edge);
    case SolidShape::disc: return disc_cells(size.x, size.y, solid.edge);
    case SolidShape::ball: return ball_cells(size.x, solid.edge);
    case SolidShape::file: break;
  }
  const std::string path = resolve_path(solid.file, folder);
  if (file_ending(path) != ".msh") return filled(solid, path, notices);
  TetMesh mesh = read_gmsh(path);
  for (vec3& p : mesh.positions) p *= scale;
  return mesh;
}

/// Masses of points are a quarter of their cells'.
dvec3 centre_of_mass(const TetMesh& mesh) {
  dvec3 sum(0);
  double volume = 0;
  for (const ivec4& c : mesh.cells) {
    const double own = cell_volume(mesh.positions, c);
    for (int k = 0; k < 4; ++k) sum += 0.25 * own * dvec3(mesh.positions[c[k]]);
    volume += own;
  }
  return sum / volume;
}

void report_thinness(const SolidParams& solid, const TetMesh& mesh, std::vector<std::string>& notices) {
  if (solid.shape == SolidShape::file) return;
  const vec3 size = solid.size * solid.placement.scale;
  const float thinnest = solid.shape == SolidShape::box    ? std::min({size.x, size.y, size.z})
                         : solid.shape == SolidShape::disc ? std::min(size.x, size.y)
                                                           : size.x;
  const int across = std::max(1, int(std::lround(thinnest / solid.edge)));
  if (across < kFewCells && size.x > 2 * thinnest)
    notices.push_back(
        fmt::format("{} is {} cell across where it is thinnest: such cells bend as a much stiffer body "
                    "would; for its true "
                    "bending give edge = {:.2g} ({} cells now)",
                    owner_of(solid), across, double(thinnest) / 4, mesh.cells.size()));
}

}  // namespace

NamedMesh build_solid(const SolidParams& solid, const std::string& folder,
                      std::vector<std::string>& notices) {
  TetMesh mesh = cells_of(solid, folder, notices);
  report_thinness(solid, mesh, notices);
  NamedMesh part;
  part.name = solid.name;
  part.mesh.triangles = skin_of(mesh.cells);
  part.mesh.rest = mesh.positions;
  const glm::dquat turn(rotation_from_degrees(solid.placement.rotation));
  const dvec3 centre = turn * centre_of_mass(mesh), spin = dvec3(solid.spin) * (double(kPi) / 180);
  const bool moves = solid.velocity != vec3(0) || solid.spin != vec3(0);
  for (vec3& p : mesh.positions) {
    const dvec3 turned = turn * dvec3(p);
    if (moves) part.mesh.velocity.push_back(vec3(dvec3(solid.velocity) + glm::cross(spin, turned - centre)));
    p = vec3(turned + dvec3(solid.placement.position));
  }
  part.mesh.positions = std::move(mesh.positions);
  part.cells = std::move(mesh.cells);
  return part;
}

}  // namespace weft
