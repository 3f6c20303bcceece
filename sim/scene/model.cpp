#include "sim/scene/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/energies/stvk_triangle.h"
#include "sim/mesh/hinge_weights.h"
#include "sim/mesh/plate_bending.h"
#include "sim/mesh/topology.h"
#include "sim/scene/cloth_mesh.h"
#include "sim/scene/memory_need.h"
#include "sim/scene/pins.h"
#include "sim/linear/level_rows.h"

namespace weft {
namespace {

// Half of what counts as the thickness of cloth that has none, m: contact with bodies is a layer in which forces grow.
constexpr float kThinnestContact = 5e-5f;

Adjacency upload(Device& device, const HostAdjacency& a) {
  return {Buffer<int>(device, "adjacency starts", a.start), Buffer<int>(device, "adjacency", a.entry)};
}

/// Direction of the warp in the plane of a triangle: where the first material coordinate grows and the second does not.
vec3 warp_direction(const Topology& t, const ivec3& tri, const vec3& a, const vec3& b) {
  const vec2 ua = t.uv[size_t(tri.y)] - t.uv[size_t(tri.x)], ub = t.uv[size_t(tri.z)] - t.uv[size_t(tri.x)];
  const float det = ua.x * ub.y - ua.y * ub.x;
  const vec3 w = ub.y * a - ua.y * b;  // times det
  const float length = glm::length(w);
  return length > 1e-12f && std::abs(det) > 0 ? (det > 0 ? w : -w) / length : a / std::max(glm::length(a), 1e-12f);
}

/// Inverse of the 2x2 matrix of a triangle's rest edges, in the frame of warp and weft.
vec4 inverse_rest(const Topology& t, const ivec3& tri) {
  const vec3 a = t.rest[size_t(tri.y)] - t.rest[size_t(tri.x)], b = t.rest[size_t(tri.z)] - t.rest[size_t(tri.x)];
  const vec3 x = warp_direction(t, tri, a, b), normal = glm::cross(a, b);
  const vec3 y = glm::cross(normal / std::max(glm::length(normal), 1e-20f), x);
  const float ax = glm::dot(a, x), ay = glm::dot(a, y), bx = glm::dot(b, x), by = glm::dot(b, y);
  const float det = std::max(ax * by - ay * bx, 1e-20f);
  // Dm = [ax bx; ay by], columns are edges.
  return {by / det, -ay / det, -bx / det, ax / det};
}

}  // namespace

Model::Model(const Scene& scene, Device& device, std::vector<vec3>& start) : device_(&device) {
  if (scene.cloths.empty()) throw Error("the scene has no cloth", scene.path.empty() ? "scene" : scene.path, "add a [[cloth]] table");
  const std::string folder = std::filesystem::path(scene.path).parent_path().string();
  std::vector<NamedMesh> meshes;
  ObjFiles files;
  for (TriMesh& mesh : build_cloth_meshes(scene, folder, notices, files)) {
    start.insert(start.end(), mesh.positions.begin(), mesh.positions.end());
    meshes.push_back({scene.cloths[meshes.size()].name, std::move(mesh)});
  }
  tell_objects(scene, files, notices);
  int64_t triangles_in_all = 0;
  for (const NamedMesh& m : meshes) triangles_in_all += int64_t(m.mesh.triangles.size());
  require_memory(device, scene, int64_t(start.size()), triangles_in_all);
  host = build_topology(meshes);
  if (host.triangles.empty()) throw Error("the scene's cloth has no triangles", scene.path);

  triangles = Buffer<ivec3>(device, "triangles", host.triangles);
  edges = Buffer<ivec2>(device, "edges", host.edges);
  hinges = Buffer<ivec4>(device, "hinges", host.hinges);
  std::vector<float> rest;
  for (auto& e : host.edges) rest.push_back(glm::length(host.rest[e.y] - host.rest[e.x]));
  edge_rest = Buffer<float>(device, "edge rest lengths", rest);
  std::vector<vec4> inverse;
  for (auto& t : host.triangles) inverse.push_back(inverse_rest(host, t));
  triangle_inverse = Buffer<vec4>(device, "triangle inverses", inverse);
  const int n = vertex_count();
  vertex_edges = upload(device, build_adjacency(n, &host.edges[0].x, edge_count(), 2));
  vertex_triangles = upload(device, build_adjacency(n, &host.triangles[0].x, triangle_count(), 3));
  vertex_hinges = upload(device, build_adjacency(n, host.hinges.empty() ? nullptr : &host.hinges[0].x, hinge_count(), 4));
  const HingeWeights weights = fit_hinge_weights(host);
  unit_hinge_quadratic_ = weights.quadratic;
  unit_hinge_dihedral_ = weights.dihedral;
  hinge_weights = Buffer<vec4>(device, "hinge stencils", weights.stencil);
  hinge_rest = Buffer<vec2>(device, "hinge rest angles", hinge_count());
  hinge_stiffness = Buffer<float>(device, "hinge stiffness", hinge_count());
  rest_angle_ = weights.rest_angle;
  find_clamped(scene, start);
  tell_of_bending();
  update_fabric(scene);
}

/// A notice for each cloth whose mesh cannot bend as its fabric should.
void Model::tell_of_bending() {
  constexpr double kWorthTelling = 0.02;  // share of the area
  const PlateBending plate(host);
  for (const ClothRange& c : host.cloths) {
    double whole = 0, unfit = 0;
    for (int t = c.first_triangle; t < c.first_triangle + c.triangle_count; ++t) {
      const ivec3& v = host.triangles[size_t(t)];
      const double a = double(glm::length(glm::cross(host.rest[size_t(v.y)] - host.rest[size_t(v.x)], host.rest[size_t(v.z)] - host.rest[size_t(v.x)])));
      whole += a, unfit += plate.sound(t) ? 0 : a;
    }
    if (unfit > kWorthTelling * whole)
      notices.push_back(fmt::format("cloth {}: {:.0f} % of its area lies in triangles that do not bend as the fabric should: they are thinner than 1 to {:.0f}, or have too few "
                                    "around them; make the mesh uniform (remesh = \"always\", or weft remesh)",
                                    c.name, 100 * unfit / whole, 1 / PlateBending::kThinnest));
  }
}

void Model::find_clamped(const Scene& scene, const std::vector<vec3>& start) {
  std::vector<char> held(host.rest.size(), 0);
  for (const Pin& pin : scene.pins) {
    const auto range = std::find_if(host.cloths.begin(), host.cloths.end(), [&](const ClothRange& c) { return pin.cloth.empty() || c.name == pin.cloth; });
    if (pin.release_time >= 0 || range == host.cloths.end()) continue;
    for (const int v : resolve_pin(pin, host, *range, start)) held[size_t(range->first_vertex + v)] = 1;
  }
  for (const ivec3& t : host.triangles) clamped.push_back(held[size_t(t.x)] && held[size_t(t.y)] && held[size_t(t.z)]);
}

Model::~Model() = default;

void Model::update_fabric(const Scene& scene) {
  auto fabric = [&](int vertex) -> const FabricParams& { return scene.cloths[host.vertex_cloth[vertex]].fabric; };
  const size_t n = host.rest.size();
  std::vector<float> area(n, 0.0f), masses(n, 0.0f), triangle_masses, offsets(n), dampings(n);
  std::vector<vec3> material;
  std::vector<vec4> woven;
  for (auto& t : host.triangles) {
    const FabricParams& f = fabric(t.x);
    const float a = 0.5f * glm::length(glm::cross(host.rest[t.y] - host.rest[t.x], host.rest[t.z] - host.rest[t.x]));
    for (int k = 0; k < 3; ++k) area[t[k]] += a / 3, masses[t[k]] += f.areal_density * a / 3;
    triangle_masses.push_back(f.areal_density * a);
    const float mu = f.stretch_stiffness / (2 * (1 + f.poisson_ratio));
    const float lambda = f.stretch_stiffness * f.poisson_ratio / (1 - f.poisson_ratio * f.poisson_ratio);  // plane stress
    material.push_back({a, mu, lambda});
    const auto w = StvkTriangle::orthotropic<float>(f.stretch_stiffness, f.weft_stiffness > 0 ? f.weft_stiffness : f.stretch_stiffness,
                                                    f.shear_stiffness, f.poisson_ratio);
    woven.push_back({w.c11, w.c22, w.c12, w.shear});
  }
  // A vertex without any area would be a division by zero: it gets the lightest neighbour's mass, at least a microgram.
  float lightest = 1e30f;
  for (const float m : masses)
    if (m > 0) lightest = std::min(lightest, m);
  for (size_t v = 0; v < n; ++v) {
    if (!(masses[v] > 0)) masses[v] = std::max(lightest, 1e-9f);
    offsets[v] = std::max(0.5f * fabric(int(v)).thickness, kThinnestContact);
    dampings[v] = fabric(int(v)).internal_damping;
  }
  std::vector<float> stiffness = unit_spring_stiffness({host.rest, host.triangles, host.edges});
  for (size_t e = 0; e < stiffness.size(); ++e) {
    const FabricParams& f = fabric(host.edges[e].x);
    stiffness[e] *= std::max(f.stretch_stiffness, f.weft_stiffness);
  }
  std::vector<float> bend(host.hinges.size());
  std::vector<vec2> dihedral(host.hinges.size());
  for (size_t h = 0; h < bend.size(); ++h) {
    const float b = fabric(host.hinges[h].x).bending_rigidity;
    bend[h] = b * unit_hinge_quadratic_[h];
    dihedral[h] = {b * unit_hinge_dihedral_[h], rest_angle_[h]};
  }
  host_mass = masses;
  mass = Buffer<float>(*device_, "masses", masses);
  triangle_mass = Buffer<float>(*device_, "triangle masses", triangle_masses);
  contact_area = Buffer<float>(*device_, "contact areas", area);
  contact_offset = Buffer<float>(*device_, "contact offsets", offsets);
  damping = Buffer<float>(*device_, "damping", dampings);
  triangle_material = Buffer<vec3>(*device_, "triangle material", material);
  triangle_orthotropic = Buffer<vec4>(*device_, "triangle weave", woven);
  edge_stiffness = Buffer<float>(*device_, "edge stiffness", stiffness);
  hinge_stiffness = Buffer<float>(*device_, "hinge stiffness", bend);
  hinge_rest = Buffer<vec2>(*device_, "hinge dihedral", dihedral);
}

}  // namespace weft
