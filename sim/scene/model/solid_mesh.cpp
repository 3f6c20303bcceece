#include "sim/scene/model/solid_mesh.h"

#include <fmt/format.h>

#include <filesystem>

#include "sim/base/error.h"
#include "sim/files/file_kind.h"
#include "sim/geometry/mesh_sdf.h"
#include "sim/mesh/import/obj.h"
#include "sim/mesh/import/outward.h"
#include "sim/mesh/solid/fill.h"
#include "sim/mesh/solid/gmsh.h"
#include "sim/mesh/solid/rigid_frame.h"
#include "sim/scene/model/cloth_mesh.h"
#include "sim/scene/motion.h"

namespace weft {
namespace {

// Cells across a solid, below which it bends and shears as a much stiffer one does.
constexpr int kFewCells = 2;

std::string owner_of(const SolidParams& solid) { return "solid " + solid.name; }

/// The closed surface of a file, turned outward, and its distance field.
std::pair<TriMesh, HostSdf> closed_surface(const SolidParams& solid, const std::string& path,
                                           std::vector<std::string>& notices) {
  ImportReport report;
  TriMesh surface = read_obj(path, report, 0);
  notices.insert(notices.end(), report.notices.begin(), report.notices.end());
  for (vec3& p : surface.positions) p *= solid.placement.scale;
  HostSdf field = build_sdf(surface, owner_of(solid));
  if (!field.closed)
    throw Error("its surface is not closed, so that it has no inside", path,
                "close its holes (in Blender: Mesh, Clean Up, Fill Holes)");
  return {std::move(surface), std::move(field)};
}

/// A closed surface of a file, filled.
TetMesh filled(const SolidParams& solid, const std::string& path, std::vector<std::string>& notices) {
  const auto [surface, field] = closed_surface(solid, path, notices);
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

namespace {

/// A rigid body: its surface, and inside of that the six points of its frame, four of which are its one cell.
NamedMesh rigid_body(const SolidParams& solid, const std::string& folder, std::vector<std::string>& notices) {
  NamedMesh part;
  const std::string path = resolve_path(solid.file, folder);
  if (solid.shape == SolidShape::file && file_ending(solid.file) != ".msh") {
    TriMesh surface = closed_surface(solid, path, notices).first;
    turn_outward(surface, owner_of(solid), notices);
    part.mesh.rest = std::move(surface.positions), part.mesh.triangles = std::move(surface.triangles);
  } else {
    const TetMesh cells = cells_of(solid, folder, notices);
    std::vector<int> place(cells.positions.size(), -1);
    for (ivec3 t : skin_of(cells.cells)) {
      for (int k = 0; k < 3; ++k) {
        int& p = place[t[k]];
        if (p < 0) p = int(part.mesh.rest.size()), part.mesh.rest.push_back(cells.positions[t[k]]);
        t[k] = p;
      }
      part.mesh.triangles.push_back(t);
    }
  }
  RigidFrame frame = rigid_frame(part.mesh.rest, part.mesh.triangles, owner_of(solid));
  const int first = int(part.mesh.rest.size());
  part.mesh.rest.insert(part.mesh.rest.end(), frame.points.begin(), frame.points.end());
  part.cells = {ivec4(first, first + 1, first + 2, first + 3)};
  part.rigid_volume = frame.volume;
  part.mass_share = std::move(frame.share);
  return part;
}

NamedMesh soft_body(const SolidParams& solid, const std::string& folder, std::vector<std::string>& notices) {
  TetMesh mesh = cells_of(solid, folder, notices);
  report_thinness(solid, mesh, notices);
  NamedMesh part;
  part.mesh.triangles = skin_of(mesh.cells);
  part.mesh.rest = std::move(mesh.positions);
  part.cells = std::move(mesh.cells);
  return part;
}

dvec3 centre_of_mass(const NamedMesh& part) {
  if (part.mass_share.empty()) return centre_of_mass(TetMesh{part.mesh.rest, part.cells});
  dvec3 sum(0);
  for (size_t i = 0; i < part.mass_share.size(); ++i)
    sum += double(part.mass_share[i]) * dvec3(part.mesh.rest[i]);
  return sum;
}

}  // namespace

NamedMesh build_solid(const SolidParams& solid, const std::string& folder,
                      std::vector<std::string>& notices) {
  NamedMesh part = solid.rigid ? rigid_body(solid, folder, notices) : soft_body(solid, folder, notices);
  part.name = solid.name;
  const glm::dquat turn(rotation_from_degrees(solid.placement.rotation));
  const dvec3 centre = turn * centre_of_mass(part), spin = dvec3(solid.spin) * (double(kPi) / 180);
  const bool moves = solid.velocity != vec3(0) || solid.spin != vec3(0);
  part.mesh.positions = part.mesh.rest;
  for (vec3& p : part.mesh.positions) {
    const dvec3 turned = turn * dvec3(p);
    if (moves) part.mesh.velocity.push_back(vec3(dvec3(solid.velocity) + glm::cross(spin, turned - centre)));
    p = vec3(turned + dvec3(solid.placement.position));
  }
  return part;
}

}  // namespace weft
