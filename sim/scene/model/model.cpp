#include "sim/scene/model/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/mesh/bending/plate_bending.h"
#include "sim/mesh/rest_shape.h"
#include "sim/mesh/sides.h"
#include "sim/mesh/topology.h"
#include "sim/scene/contact_radii.h"
#include "sim/scene/model/cloth_mesh.h"
#include "sim/scene/model/fold_notices.h"
#include "sim/scene/model/grain_points.h"
#include "sim/scene/model/memory_need.h"
#include "sim/scene/model/part_surface.h"
#include "sim/scene/model/pins.h"
#include "sim/scene/model/solid_mesh.h"
#include "sim/scene/model/stitches.h"
#include "sim/scene/model/strand_lines.h"

namespace weft {
namespace {

// Half of what counts as the thickness of cloth that has none, m: contact with bodies is a layer in which
// forces grow.
constexpr float kThinnestContact = 5e-5f;

Adjacency upload(Device& device, const HostAdjacency& a) {
  return {Buffer<int>(device, "adjacency starts", a.start), Buffer<int>(device, "adjacency", a.entry)};
}

/// A vertex is one row with an entry for each neighbour, and each of its triangles searches for its entries
/// among them: the work at one vertex grows with the square of what meets there.
constexpr int kMostAtVertex = 2000;
/// Sheets at one edge are close to each other all along it, and contact tests all pairs of them.
constexpr int kMostAtEdge = 100;

template <class V>
const int* numbers_of(const std::vector<V>& items) {
  return items.empty() ? nullptr : &items.front().x;
}

std::vector<AffineBodies::Range> rigid_ranges(const Topology& host) {
  std::vector<AffineBodies::Range> ranges;
  for (const ModelPart& part : host.parts)
    if (part.rigid_volume > 0) ranges.push_back({part.first_vertex, part.vertex_count});
  return ranges;
}

/// The most triangles at one edge, and the edge.
std::pair<int, ivec2> most_at_edge(const TriMesh& mesh) {
  std::pair<int, ivec2> most{0, ivec2(0)};
  for_each_edge(mesh.triangles, [&](auto sides) {
    const Edge& e = sides[0].edge;
    if (int(sides.size()) > most.first) most = {int(sides.size()), ivec2(e.first, e.second)};
  });
  return most;
}

/// Throws Error where more triangles meet than the limits above allow.
void refuse_crowded(const std::vector<NamedMesh>& meshes) {
  constexpr const char* kCure = "give it even triangles (weft remesh, or another export)";
  for (const NamedMesh& m : meshes) {
    std::vector<int> count(m.mesh.positions.size(), 0);
    for (const ivec3& t : m.mesh.triangles)
      for (int k = 0; k < 3; ++k) ++count[t[k]];
    const auto most = std::max_element(count.begin(), count.end());
    if (most == count.end()) continue;
    if (const auto [sheets, edge] = most_at_edge(m.mesh); sheets > kMostAtEdge)
      throw Error(
          fmt::format("{} triangles meet at the edge of vertices {} and {}, and at most {} may, since "
                      "contact looks at all pairs of them",
                      sheets, edge.x, edge.y, kMostAtEdge),
          "cloth " + m.name, kCure);
    if (*most > kMostAtVertex)
      throw Error(fmt::format("{} triangles meet at vertex {}, and at most {} may, since each resists "
                              "against all others there",
                              *most, most - count.begin(), kMostAtVertex),
                  "cloth " + m.name, kCure);
  }
}

}  // namespace

Model::Model(const Scene& scene, Device& device, std::vector<vec3>& start) : device_(&device) {
  if (part_count(scene) == 0)
    throw Error("the scene has nothing to simulate", scene.path.empty() ? "scene" : scene.path,
                "add a [[cloth]] or [[solid]] table");
  const std::string folder = std::filesystem::path(scene.path).parent_path().string();
  std::vector<NamedMesh> meshes;
  ObjFiles files;
  std::vector<TriMesh> made = build_cloth_meshes(scene, folder, notices, files);
  std::vector<StitchedPair> stitched = stitch_cloths(scene, folder, made);
  for (TriMesh& mesh : made) {
    start.insert(start.end(), mesh.positions.begin(), mesh.positions.end());
    meshes.push_back({scene.cloths[meshes.size()].name, std::move(mesh)});
  }
  for (const SolidParams& solid : scene.of<SolidList>().list) {
    NamedMesh part = build_solid(solid, folder, notices);
    start.insert(start.end(), part.mesh.positions.begin(), part.mesh.positions.end());
    meshes.push_back(std::move(part));
  }
  for (const StrandParams& strands : scene.of<StrandList>().list) {
    NamedMesh part = build_strands(strands, scene, folder, notices);
    start.insert(start.end(), part.mesh.positions.begin(), part.mesh.positions.end());
    meshes.push_back(std::move(part));
  }
  for (const GrainParams& grains : scene.of<GrainList>().list) {
    NamedMesh part = build_grains(grains, folder, notices);
    start.insert(start.end(), part.mesh.positions.begin(), part.mesh.positions.end());
    meshes.push_back(std::move(part));
  }
  report_objects(scene, files, notices);
  int64_t triangles_in_all = 0;
  for (const NamedMesh& m : meshes) triangles_in_all += int64_t(m.mesh.triangles.size());
  require_memory(device, scene, int64_t(start.size()), triangles_in_all);
  refuse_crowded(meshes);
  host = build_topology(meshes);
  host.stitched = std::move(stitched);
  check_contact_radii(scene, host);
  if (host.triangles.empty() && host.lines.empty() && host.radius.empty())
    throw Error("the scene's cloth has no triangles", scene.path);

  triangles = Buffer<ivec3>(device, "triangles", host.triangles);
  edges = Buffer<ivec2>(device, "edges", host.edges);
  edge_rest = Buffer<float>(device, "edge rest lengths", rest_lengths(host));
  const int n = vertex_count();
  vertex_edges = upload(device, build_adjacency(n, numbers_of(host.edges), edge_count(), 2));
  vertex_triangles = upload(device, build_adjacency(n, numbers_of(host.triangles), triangle_count(), 3));
  find_clamped(scene, start);
  report_bending();
  for (const ModelPart& c : host.parts)
    if (c.corners.is_rest && BendingModel(scene.step.bending_model) == BendingModel::meshless)
      notices.push_back("garment " + c.name +
                        ": meshless bending takes its start for its rest shape; quadratic and dihedral "
                        "bending take its flat panels");
  for (std::string& words : fold_notices(scene, host, start)) notices.push_back(std::move(words));
  update_fabric(scene);
}

/// A notice for each cloth whose mesh cannot bend as its fabric should.
void Model::report_bending() {
  constexpr double kWorthTelling = 0.02;  // share of the area
  const PlateBending plate(host);
  const std::vector<float> areas = rest_areas(host);
  for (const ModelPart& c : host.parts) {
    if (c.kind != PartKind::cloth) continue;
    double whole = 0, unfit = 0;
    for (int t = c.first_triangle; t < c.first_triangle + c.triangle_count; ++t) {
      const double a = double(areas[t]);
      whole += a, unfit += plate.sound(t) ? 0 : a;
    }
    if (unfit > kWorthTelling * whole)
      notices.push_back(
          fmt::format("cloth {}: {:.0f} % of its area lies in triangles that do not bend as the fabric "
                      "should: they are thinner than 1 to {:.0f}, or have too few "
                      "around them; make the mesh uniform (remesh = \"always\", or weft remesh)",
                      c.name, 100 * unfit / whole, 1 / PlateBending::kThinnest));
  }
}

void Model::find_clamped(const Scene& scene, const std::vector<vec3>& start) {
  std::vector<char> held(host.rest.size(), 0);
  FrontViews views;
  for (const Pin& pin : scene.pins) {
    const auto range = std::find_if(host.parts.begin(), host.parts.end(), [&](const ModelPart& c) {
      return pin.cloth.empty() || c.name == pin.cloth;
    });
    if (pin.release_time >= 0 || range == host.parts.end()) continue;
    for (const int v : resolve_pin(pin, host, *range, start, &views)) held[range->first_vertex + v] = 1;
  }
  for (const ivec3& t : host.triangles) clamped.push_back(held[t.x] && held[t.y] && held[t.z]);
}

Model::~Model() = default;

/// Points of solids have a quarter of each of their cells; of rigid bodies, their shares.
void Model::add_solid_masses(const Scene& scene, std::vector<float>& masses) const {
  const std::vector<SolidParams>& solids = scene.of<SolidList>().list;
  for (size_t s = 0; s < solids.size(); ++s) {
    const ModelPart& part = host.parts[scene.cloths.size() + s];
    double volume = part.rigid_volume;
    const auto first = host.cells.begin() + part.first_cell, last = first + part.cell_count;
    if (!(volume > 0))
      for (auto cell = first; cell != last; ++cell) volume += cell_volume(host.rest, *cell);
    const SolidMaterial& m = solids[s].material;
    const double density = m.mass > 0 ? double(m.mass) / volume : double(m.density);
    if (part.rigid_volume > 0) {
      for (int v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v)
        masses[v] = float(density * volume * double(host.mass_share[v]));
      continue;
    }
    for (auto cell = first; cell != last; ++cell) {
      const float own = float(density * cell_volume(host.rest, *cell));
      for (int k = 0; k < 4; ++k) masses[(*cell)[k]] += own / 4;
    }
  }
}

/// Balls, each with its great circle as the area that contact has. Grains are the last parts.
void Model::add_grain_masses(const Scene& scene, std::vector<float>& masses, std::vector<float>& area) const {
  const std::vector<GrainParams>& grains = scene.of<GrainList>().list;
  for (size_t g = 0; g < grains.size(); ++g) {
    const ModelPart& part = host.parts[host.parts.size() - grains.size() + g];
    const double r = double(grains[g].radius), volume = 4.0 / 3 * double(kPi) * r * r * r;
    for (int v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v)
      masses[v] = float(double(grains[g].density) * volume), area[v] = float(double(kPi) * r * r);
  }
}

void Model::update_fabric(const Scene& scene) {
  auto fabric = [&](int vertex) -> const FabricParams& { return fabric_at(host, scene, vertex); };
  const size_t n = host.rest.size();
  std::vector<float> area(n, 0.0f), masses(n, 0.0f), triangle_masses, offsets(n), dampings(n), pressures;
  const std::vector<float> areas = rest_areas(host);
  const std::vector<vec3> factors = triangle_factors(host);
  const std::vector<float> pressed = painted_factors(host, Painted::inner_pressure),
                           damped = painted_factors(host, Painted::internal_damping);
  const std::vector<float> radii = contact_radii(scene);
  for (size_t i = 0; i < areas.size(); ++i) {
    const ivec3& t = host.triangles[i];
    const FabricParams& f = fabric(t.x);
    const float a = areas[i], density = factors.empty() ? f.areal_density : f.areal_density * factors[i].z;
    for (int k = 0; k < 3; ++k) area[t[k]] += a / 3, masses[t[k]] += density * a / 3;
    triangle_masses.push_back(density * a);
    pressures.push_back(f.inner_pressure * painted_mean(pressed, t));
  }
  add_solid_masses(scene, masses);
  for (const ivec2& line : host.lines) {
    const size_t own = host.vertex_part[line.x] - scene.cloths.size() - scene.of<SolidList>().list.size();
    const StrandParams& strands = scene.of<StrandList>().list[own];
    const float length = glm::distance(host.rest[line.x], host.rest[line.y]);
    for (int k = 0; k < 2; ++k) {
      masses[line[k]] += 0.5f * strands.material.density * length;
      area[line[k]] += 0.5f * strands.skin.thickness * length;
    }
  }
  add_grain_masses(scene, masses, area);
  // A vertex without any area would be a division by zero: it gets the lightest neighbour's mass, at least a
  // microgram.
  float lightest = 1e30f;
  for (const float m : masses)
    if (m > 0) lightest = std::min(lightest, m);
  for (size_t v = 0; v < n; ++v) {
    if (!(masses[v] > 0)) masses[v] = std::max(lightest, 1e-9f);
    const float own = radii.empty() ? 0.0f : radii[size_t(host.vertex_part[v])];
    offsets[v] = own > 0 ? own : std::max(0.5f * fabric(int(v)).thickness, kThinnestContact);
    dampings[v] = std::min(fabric(int(v)).internal_damping * painted_at(damped, int(v)), 1.0f);
  }
  host_mass = masses;
  rigid = AffineBodies(*device_, rigid_ranges(host), host.rest, masses);
  mass = Buffer<float>(*device_, "masses", masses);
  triangle_loads.mass = Buffer<float>(*device_, "triangle masses", triangle_masses);
  const bool inflated = std::any_of(pressures.begin(), pressures.end(), [](float p) { return p > 0; });
  triangle_loads.pressure = inflated ? Buffer<float>(*device_, "pressures", pressures) : Buffer<float>();
  contact.area = Buffer<float>(*device_, "contact areas", area);
  contact.offset = Buffer<float>(*device_, "contact offsets", offsets);
  damping = Buffer<float>(*device_, "damping", dampings);
}

}  // namespace weft
