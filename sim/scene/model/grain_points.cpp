#include "sim/scene/model/grain_points.h"

#include <fmt/format.h>

#include <cmath>

#include "sim/base/error.h"
#include "sim/base/random.h"
#include "sim/geometry/mesh_sdf.h"
#include "sim/mesh/import/obj.h"
#include "sim/scene/model/cloth_mesh.h"
#include "sim/scene/motion.h"

namespace weft {
namespace {

constexpr double kMostGrains = 2e6;  // grains: more than any search has room for
constexpr double kUneven = 0.1;      // of what is free between neighbours: without it columns would stand
constexpr float kBetween = 2e-3f;    // m

float spacing_of(const GrainParams& g) { return g.spacing > 0 ? g.spacing : 2.3f * g.radius + kBetween; }

/// Calls add(p) for the points of a lattice within bounds, each moved a little.
template <class Add>
void fill(const Bounds& bounds, const GrainParams& g, const Add& add) {
  const double step = double(spacing_of(g)), loose = kUneven * (step - 2 * double(g.radius));
  const dvec3 low = dvec3(bounds.min) + double(g.radius), room = dvec3(bounds.max) - double(g.radius) - low;
  int count[3];
  for (int a = 0; a < 3; ++a) count[a] = 1 + int(std::floor(std::max(room[a], 0.0) / step + 1e-6));
  if (const double all = double(count[0]) * double(count[1]) * double(count[2]); all > kMostGrains)
    throw Error(fmt::format("it has room for {:.2g} grains, and at most {:.0e} may be", all, kMostGrains),
                "grains " + g.name, "give a larger radius or a smaller size");
  Random random(7);
  const auto jitter = [&] { return loose * (2 * random() - 1); };
  for (int y = 0; y < count[1]; ++y)
    for (int z = 0; z < count[2]; ++z)
      for (int x = 0; x < count[0]; ++x) {
        const dvec3 centred = 0.5 * (room - step * dvec3(count[0] - 1, count[1] - 1, count[2] - 1));
        add(low + centred + step * dvec3(x, y, z) + dvec3(jitter(), jitter(), jitter()));
      }
}

/// Where a grain fits into a closed surface.
std::vector<vec3> fitting(const GrainParams& g, const std::string& path, std::vector<std::string>& notices) {
  ImportReport report;
  TriMesh surface = read_obj(path, report, 0);
  notices.insert(notices.end(), report.notices.begin(), report.notices.end());
  for (vec3& p : surface.positions) p *= g.placement.scale;
  const HostSdf field = build_sdf(surface, "grains " + g.name);
  if (!field.closed)
    throw Error("its surface is not closed, so that it has no inside", path,
                "close its holes (in Blender: Mesh, Clean Up, Fill Holes)");
  const BodyShape shape{BodyKind::mesh, vec3(0), field.view(), 0};
  std::vector<vec3> points;
  fill(bounds_of(surface.positions), g, [&](const dvec3& p) {
    vec3 normal;
    if (shape.distance(vec3(p), normal) < -g.radius) points.push_back(vec3(p));
  });
  if (points.empty())
    throw Error("no grain fits into its surface", path, "give a smaller radius, or a scale");
  return points;
}

}  // namespace

NamedMesh build_grains(const GrainParams& grains, const std::string& folder,
                       std::vector<std::string>& notices) {
  NamedMesh part;
  part.name = grains.name;
  if (grains.shape == GrainShape::file) {
    part.mesh.rest = fitting(grains, resolve_path(grains.file, folder), notices);
  } else {
    const vec3 half = 0.5f * grains.placement.scale * grains.size;
    fill({-half, half}, grains, [&](const dvec3& p) { part.mesh.rest.push_back(vec3(p)); });
  }
  const glm::dquat turn(rotation_from_degrees(grains.placement.rotation));
  for (const vec3& p : part.mesh.rest)
    part.mesh.positions.push_back(vec3(turn * dvec3(p) + dvec3(grains.placement.position)));
  part.radius.assign(part.mesh.rest.size(), grains.radius);
  if (grains.velocity != vec3(0)) part.mesh.velocity.assign(part.mesh.rest.size(), grains.velocity);
  return part;
}

}  // namespace weft
