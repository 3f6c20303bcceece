// Terms of a grid's energy besides its sheet: air, layers, anchors, contacts, planes, bands and seams.
#include <doctest/doctest.h>

#include <algorithm>

#include "sim/grid/contact/grid_proximity.h"
#include "sim/grid/layers.h"
#include "tests/solvers/grid_problem.h"

using namespace weft;
using namespace weft::testing;

namespace {

FabricParams nothing() {
  FabricParams f;
  f.stretch_stiffness = 1e-6f, f.bending_rigidity = 0, f.areal_density = 0.1f;
  return f;
}

/// Vertices whose six triangles do not all exist.
std::vector<unsigned char> edge_of(const GridSheet& s) {
  std::vector<unsigned char> held(s.slots(), 0);
  for (int v = 0; v < s.grid.slot_count(); ++v)
    held[size_t(v)] = s.inside(v) && s.grid.view().share(v) < 0.99f;
  return held;
}

double lowest(const std::vector<dvec3>& x, const GridSheet& s) {
  double z = 1e30;
  for (size_t v = 0; v < x.size(); ++v)
    if (s.inside(int(v))) z = std::min(z, x[v].z);
  return z;
}

}  // namespace

TEST_CASE("the gradient of all terms together is the slope of their energy") {
  for (const auto& [width, gathered] : {std::pair(8, false), std::pair(16, false), std::pair(8, true)}) {
    CAPTURE(gathered);
    GridSheet s(rectangle({0, 0}, {0.23f, 0.21f}, 3, 3, {0.4f, 0.3f, -0.2f}), 0.005f, width);
    bd::GridProblem p(*s.device, s.grid,
                      bd::make_sheet(soft_fabric(), ElasticModel::finite_elements, 0.005f));
    p.x().copy_from(s.frame);
    p.target().copy_from(s.frame);
    p.terms = {.gravity = {1, -9, 3},
               .anchor = 2e3f,
               .air = 30,
               .pressure = -20,
               .fill = 8e4f,
               .thickness = 0.0002f,
               .repulsion = 4e5f,
               .radius = 0.0065f};
    p.pin(edge_of(s));  // air's energy is a volume only where the edge does not move
    grid::Layers layers(*s.device, s.grid);
    layers.find(*s.device, s.frame);
    p.set_layers(layers.view());
    shift(p.x(), s.noise(0.0008f, 7), 1);
    grid::RestLists lists(*s.device, s.grid, std::vector<char>(size_t(s.grid.block_count()), 1));
    const grid::RestView rest = gathered ? lists.view() : grid::RestView{};
    for (int v = 0; gathered && v < s.grid.slot_count(); ++v)
      rest.set(v, {1.1f + 0.1f * std::sin(float(v)), 1.05f, 1.0f + 0.1f * std::cos(float(v))});
    if (gathered) p.set_rest(&lists);
    GrowingLists growing(*s.device);
    grid_repulsion::GridProximity near(growing, s.grid);
    do near.find(std::as_const(p.x()).view(), 0.0075f, {}, rest, 1.3f);
    while (!growing.fit());
    CHECK(near.contact_count() > 1000);
    p.set_contacts(near.contacts(), near.start());
    std::vector<vec3> way = s.noise(1, 3);
    const std::vector<unsigned char> held = edge_of(s);
    for (size_t v = 0; v < way.size(); ++v)
      if (held[v]) way[v] = vec3(0);
    const std::vector<vec3> g = p.gradient(), start = p.x().local.download();
    const double slope = inner_product(g, way), step = 2e-5;
    shift(p.x(), way, float(step));
    const double up = p.energy();
    p.x().local.upload(start);
    shift(p.x(), way, float(-step));
    const double down = p.energy();
    CHECK(std::abs((up - down) / (2 * step) - slope) < 2e-3 * std::sqrt(inner_product(g, g) / 3));
  }
}

TEST_CASE(
    "air follows the gradient of the volume and blows towards the mesh's normals on either side of a panel") {
  for (const bool mirrored : {false, true}) {
    TriMesh mesh = rectangle({0, 0}, {0.1f, 0.1f}, 1, 1);
    if (mirrored)
      for (vec2& m : mesh.uv) m.x = -m.x;
    GridSheet s(mesh, 0.002f);
    bd::GridProblem p(*s.device, s.grid, bd::make_sheet(nothing(), ElasticModel::springs, 0.002f));
    p.x().copy_from(s.frame);
    p.pin(edge_of(s));
    p.terms.air = 50;
    const std::vector<vec3> g = p.gradient();
    double sum = 0;
    for (const vec3& f : g) sum -= double(f.z);
    // a flat sheet: pressure times area of the vertices that move, each a cell
    CHECK(std::abs(sum / (50 * 0.002 * 0.002 * 49 * 49) - 1) < 1e-4);
  }
}

TEST_CASE("filling against a negative push comes to rest at D + kappa_norm / kappa_fill") {
  TriMesh mesh = rectangle({0, 0}, {0.1f, 0.1f}, 1, 1);
  const glm::mat3 turn(glm::rotate(glm::mat4(1), 0.7f, vec3(1, 2, 0.5f)));
  for (vec3& p : mesh.positions) p = turn * p + vec3(0.5f, 1, 0);
  GridSheet s(mesh, 0.002f);
  bd::GridProblem p(*s.device, s.grid, bd::make_sheet(nothing(), ElasticModel::springs, 0.002f));
  p.x().copy_from(s.frame);
  grid::Layers layers(*s.device, s.grid);
  layers.find(*s.device, s.frame);
  p.set_layers(layers.view());
  p.terms.fill = 1e5f, p.terms.thickness = 0.003f, p.terms.pressure = -100;
  p.begin();
  p.solve(300);
  const std::vector<dvec3> x = p.x().download(), from = s.frame.download();
  const vec3 n = turn * vec3(0, 0, 1);
  for (size_t v = 0; v < x.size(); ++v)
    if (s.inside(int(v))) CHECK(std::abs(glm::dot(x[v] - from[v], dvec3(n)) - 0.002) < 2e-5);
}

TEST_CASE("two sheets that repulsion holds apart keep their distance under pressure") {
  // two panels, 1.1 cells apart, pressed together; each has springs and bending of its own
  TriMesh mesh = rectangle({0, 0}, {0.03f, 0.03f}, 1, 1);
  const TriMesh other = rectangle({0, 0}, {0.03f, 0.03f}, 1, 1, {0.0005f, 0.0005f, 0.0012f});
  for (const ivec3& t : other.triangles) mesh.triangles.push_back(t + ivec3(mesh.vertex_count()));
  mesh.positions.insert(mesh.positions.end(), other.positions.begin(), other.positions.end());
  mesh.uv.insert(mesh.uv.end(), other.uv.begin(), other.uv.end());
  for (const bool repulsion : {false, true}) {
    GridSheet s(mesh, 0.001f);
    FabricParams f;
    f.areal_density = 0.2f;
    bd::GridProblem p(*s.device, s.grid, bd::make_sheet(f, ElasticModel::finite_elements, 0.001f));
    p.x().copy_from(s.frame);
    std::vector<unsigned char> held(s.slots(), 0);
    for (int v = 0; v < s.grid.slot_count(); ++v) held[size_t(v)] = s.grid.view().lattice(v).panel == 0;
    p.pin(held);
    p.terms.gravity = {0, 0, -981};
    p.terms.radius = 0.0013f;
    p.terms.repulsion = 1e6f;
    GrowingLists growing(*s.device);
    grid_repulsion::GridProximity near(growing, s.grid);
    for (int round = 0; round < 10; ++round) {
      do near.find(std::as_const(p.x()).view(), 1.3f * p.terms.radius);
      while (!growing.fit());
      if (repulsion) p.set_contacts(near.contacts(), near.start());
      p.begin();
      p.solve(32);
    }
    const std::vector<dvec3> x = p.x().download();
    double top = 1e30;
    for (int v = 0; v < s.grid.slot_count(); ++v)
      if (s.inside(v) && !held[size_t(v)]) top = std::min(top, x[size_t(v)].z);
    if (repulsion)
      CHECK(top >
            0.0007);  // four vertices below each are 0.71 cells to the side, so 1.09 cells down when R apart
    else CHECK(top < 0);
  }
}

TEST_CASE("a half plane holds a falling sheet, also where it starts inside of the body") {
  GridSheet s(rectangle({0, 0}, {0.05f, 0.05f}, 1, 1), 0.002f);
  bd::GridProblem p(*s.device, s.grid, bd::make_sheet(FabricParams{}, ElasticModel::finite_elements, 0.002f));
  p.x().copy_from(s.frame);
  p.terms.gravity = {0, 0, -9.81f};
  // the body lies below z = 1 mm; the sheet starts at 0
  const Buffer<uint32_t> normal(*s.device, "test",
                                std::vector<uint32_t>(s.slots(), grid::pack_unit({0, 0, 1})));
  std::vector<float> height;
  const std::vector<vec3> origin = p.x().origin.download();
  for (size_t v = 0; v < s.slots(); ++v) height.push_back(0.001f - origin[v / 64].z);
  const Buffer<float> offset(*s.device, "test", height);
  p.set_planes({normal.span(), offset.span()});
  p.begin();
  p.solve(64);
  const std::vector<dvec3> x = p.x().download();
  CHECK(lowest(x, s) > 0.001 - 1e-7);
  double highest = -1;
  for (size_t v = 0; v < x.size(); ++v)
    if (s.inside(int(v))) highest = std::max(highest, x[v].z);
  CHECK(highest < 0.001 + 1e-7);
}

TEST_CASE("an anchor alone brings a grid to its target") {
  GridSheet s(rectangle({0, 0}, {0.05f, 0.04f}, 1, 1), 0.002f);
  bd::GridProblem p(*s.device, s.grid, bd::make_sheet(nothing(), ElasticModel::springs, 0.002f));
  p.x().copy_from(s.frame);
  p.target().copy_from(s.frame);
  shift(p.target(), s.noise(0.001f, 3), 1);
  p.terms.anchor = 1e6f;
  p.options.outer_rho = 0;
  p.begin();
  p.solve(60);
  const std::vector<vec3> a = p.x().local.download(), b = p.target().local.download();
  float most = 0;
  for (size_t v = 0; v < a.size(); ++v) most = std::max(most, glm::length(a[v] - b[v]));
  CHECK(most < 1e-7f);
}
