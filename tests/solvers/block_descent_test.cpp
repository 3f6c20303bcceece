// The energy of a grid's sheet, its gradient, and block descent on it.
#include <doctest/doctest.h>

#include <algorithm>

#include "sim/energies/dihedral_hinge.h"
#include "sim/mesh/rest_shape.h"
#include "sim/scene/model/weave_springs.h"
#include "sim/solvers/scene_elements.h"
#include "tests/solvers/grid_problem.h"

using namespace weft;
using namespace weft::testing;

namespace {

constexpr ElasticModel kModels[] = {ElasticModel::springs, ElasticModel::finite_elements, ElasticModel::stvk};

/// A blob with a notch, so that blocks have all kinds of edges, in blocks that are partly uniform.
TriMesh blob() {
  TriMesh mesh = rectangle({0, 0}, {0.31f, 0.27f}, 6, 5, {1.5f, -0.7f, 0.4f});
  mesh.triangles.erase(mesh.triangles.begin() + 24, mesh.triangles.begin() + 27);
  return mesh;
}

/// Difference of the slope of the energy along random directions from the gradient's, over the size of such
/// slopes.
double slope_error(bd::GridProblem& p, const GridSheet& s, float step) {
  double worst = 0;
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    const std::vector<vec3> way = s.noise(1, seed);
    const std::vector<vec3> g = p.gradient();
    const double slope = inner_product(g, way), size = std::sqrt(inner_product(g, g) / 3);
    const std::vector<vec3> start = p.x().local.download();
    shift(p.x(), way, step);
    const double up = p.energy();
    p.x().local.upload(start);
    shift(p.x(), way, -step);
    const double down = p.energy();
    p.x().local.upload(start);
    worst = std::max(worst, std::abs((up - down) / (2 * double(step)) - slope) / size);
  }
  return worst;
}

}  // namespace

TEST_CASE("a grid's gradient is the slope of its energy, for every sheet, rest shape and width of blocks") {
  for (const int width : {8, 16, 32, 64})
    for (const ElasticModel model : kModels)
      for (const bool modified : {false, true}) {
        INFO("width " << width << " model " << int(model) << " modified " << modified);
        GridSheet s(blob(), 0.005f, width);
        bd::GridProblem p(*s.device, s.grid, bd::make_sheet(soft_fabric(), model, 0.005f));
        p.x().copy_from(s.frame);
        shift(p.x(), s.noise(0.0008f, 7), 1);
        grid::RestLists rest;
        if (modified) {
          std::vector<char> marked(size_t(s.grid.block_count()), 0);
          for (size_t b = 0; b < marked.size(); b += 2) marked[b] = 1;
          rest = grid::RestLists(*s.device, s.grid, marked);
          const grid::RestView view = rest.view();
          std::mt19937_64 random(3);
          std::uniform_real_distribution<float> u(0.9f, 1.4f);
          for (int v = 0; v < s.grid.slot_count(); ++v)
            if (view.listed(s.grid.view().block_of(v))) view.set(v, {u(random), u(random), u(random)});
          p.set_rest(&rest);
        }
        CHECK(slope_error(p, s, 4e-5f) < 1.5e-3);  // differences of float32 energies
      }
}

TEST_CASE("uniform blocks and general ones give the same gradient") {
  for (const ElasticModel model : kModels) {
    GridSheet s(blob(), 0.005f);
    bd::GridProblem p(*s.device, s.grid, bd::make_sheet(soft_fabric(), model, 0.005f));
    p.x().copy_from(s.frame);
    shift(p.x(), s.noise(0.0008f, 7), 1);
    const std::vector<vec3> g = p.gradient();
    grid::RestLists rest(*s.device, s.grid, std::vector<char>(size_t(s.grid.block_count()), 1));
    p.set_rest(&rest);
    const std::vector<vec3> h = p.gradient();
    double most = 0, size = 0;
    for (size_t v = 0; v < g.size(); ++v) {
      most = std::max(most, double(glm::length(g[v] - h[v])));
      size = std::max(size, double(glm::length(g[v])));
    }
    CHECK(most < 2e-5 * size);
    CHECK(most > 0);
  }
}

namespace {

/// A hanging sheet pinned along its top edge (largest v), in the plane z = 0 with y up.
struct Hanging {
  GridSheet s;
  bd::GridProblem p;

  Hanging(const FabricParams& fabric, ElasticModel model, int side, float size, int width = 8,
          int threads = 1)
      : s(rectangle({0, 0}, {size, size}, 1, 1), size / float(side - 1), width, threads),
        p(*s.device, s.grid, bd::make_sheet(fabric, model, size / float(side - 1))) {
    std::vector<unsigned char> held(s.slots(), 0);
    for (int v = 0; v < s.grid.slot_count(); ++v) held[size_t(v)] = s.grid.view().lattice(v).j == side - 1;
    p.pin(held);
    p.terms.gravity = {0, -9.81f, 0};
    p.x().copy_from(s.frame);
    p.begin();
  }
};

}  // namespace

namespace {

/// The published surface of a grid as a mesh at rest in its material plane, and the positions of a state of
/// its vertices.
struct Surface {
  TriMesh rest;
  std::vector<dvec3> now;

  Surface(const GridSheet& s, const grid::GridPositions& x) {
    const grid::Grid::Published published = s.grid.published();
    const std::vector<dvec3> world = x.download();
    for (size_t k = 0; k < published.vertices.size(); ++k) {
      rest.positions.push_back(vec3(published.material[k], 0));
      rest.uv.push_back(published.material[k]);
      now.push_back(world[size_t(published.vertices[k])]);
    }
    rest.triangles = published.triangles;
  }
  Vec3<double> edge(int a, int b) const {
    const dvec3 e = now[size_t(b)] - now[size_t(a)];
    return {e.x, e.y, e.z};
  }
};

template <class E>
double element_energy(const Surface& surface, const Topology& t, const Scene& scene) {
  const ElementList<E> list = element_list<E>(t, scene);
  double sum = 0;
  for (size_t k = 0; k < list.points.size(); ++k) {
    typename E::template Rest<double> rest;
    const auto& r = list.rest[k];
    rest.u1 = double(r.u1), rest.u2 = double(r.u2), rest.v1 = double(r.v1), rest.v2 = double(r.v2),
    rest.area = double(r.area);
    const auto& p = list.points[k];
    const Edges<double, 3> e{{surface.edge(p[0], p[1]), surface.edge(p[0], p[2])}};
    if constexpr (std::is_same_v<E, CorotatedTriangle>) {
      sum += E::energy(e, rest, {double(list.material[k].mu), double(list.material[k].lambda)});
    } else {
      const auto& m = list.material[k];
      StvkTriangle::Material<double> wide{double(m.c11), double(m.c22), double(m.c12), double(m.shear)};
      sum += E::energy(e, rest, wide);
    }
  }
  return sum;
}

double spring_energy(const Surface& surface, const Topology& t, const FabricParams& fabric) {
  const EdgeSprings springs = edge_springs(RestShape(t), t.triangles, t.edges);
  const WeaveSprings weave(fabric);
  double sum = 0;
  for (size_t e = 0; e < t.edges.size(); ++e) {
    const int a = t.edges[e].x, b = t.edges[e].y;
    const double k = double(fabric.stretch_stiffness * weave.factor(t.uv[size_t(b)] - t.uv[size_t(a)]) *
                            springs.stiffness[e]);
    sum += Spring::energy<double>(Edges<double, 2>{{surface.edge(a, b)}}, {double(springs.rest[e])}, {k});
  }
  return sum;
}

}  // namespace

TEST_CASE("planar energy of a grid is that of the model on the same triangles") {
  for (const ElasticModel model : kModels) {
    CAPTURE(int(model));
    FabricParams fabric = soft_fabric();
    fabric.bending_rigidity = 0;
    GridSheet s(blob(), 0.005f);
    bd::GridProblem p(*s.device, s.grid, bd::make_sheet(fabric, model, 0.005f));
    p.x().copy_from(s.frame);
    shift(p.x(), s.noise(0.001f, 5), 1);
    const Surface surface(s, p.x());
    const Topology t = build_topology({{"cloth", surface.rest}});
    Scene scene;
    scene.cloths.emplace_back().fabric = fabric;
    const double expected = model == ElasticModel::springs ? spring_energy(surface, t, fabric)
                            : model == ElasticModel::finite_elements
                                ? element_energy<CorotatedTriangle>(surface, t, scene)
                                : element_energy<StvkTriangle>(surface, t, scene);
    CHECK(std::abs(p.energy() / expected - 1) < 1e-5);
  }
}

TEST_CASE("bending of a grid is B/2 theta squared over the whole hinges of the interleaved triangles") {
  FabricParams fabric = soft_fabric();
  fabric.stretch_stiffness = 1e-9f, fabric.weft_stiffness = fabric.shear_stiffness = 0;
  GridSheet s(rectangle({0, 0}, {0.31f, 0.27f}, 6, 5), 0.005f);  // no edges between vertices
  bd::GridProblem p(*s.device, s.grid, bd::make_sheet(fabric, ElasticModel::finite_elements, 0.005f));
  p.x().copy_from(s.frame);
  std::vector<vec3> heights = s.noise(1e-5f, 9);  // slopes of up to 0.004
  for (vec3& h : heights) h.x = h.y = 0;
  shift(p.x(), heights, 1);
  const std::vector<dvec3> world = p.x().download();
  TriMesh mesh;
  std::vector<int> place(s.slots(), -1);
  std::vector<dvec3> now;
  for (int v = 0; v < s.grid.slot_count(); ++v)
    if (s.inside(v)) {
      place[size_t(v)] = mesh.vertex_count();
      mesh.positions.push_back(vec3(s.grid.view().material(v), 0));
      now.push_back(world[size_t(v)]);
    }
  for (int v = 0; v < s.grid.slot_count(); ++v) {
    const grid::Lattice at = s.grid.view().lattice(v);
    int corner[4];
    for (int k = 0; k < 4; ++k) {  // also where the lower left corner is not inside
      const int to = s.grid.view().find({at.panel, at.i + (k == 1 || k == 2), at.j + (k >= 2)});
      corner[k] = to >= 0 ? place[size_t(to)] : -1;
    }
    const auto add = [&](int a, int b, int c) {
      if (corner[a] >= 0 && corner[b] >= 0 && corner[c] >= 0)
        mesh.triangles.push_back({corner[a], corner[b], corner[c]});
    };
    // the diagonal joins the cell's even corners
    if ((at.i + at.j) & 1) add(0, 1, 3), add(1, 2, 3);
    else add(0, 1, 2), add(0, 2, 3);
  }
  const Topology t = build_topology({{"cloth", mesh}});
  double expected = 0;
  const auto edge = [&](int a, int b) {
    const dvec3 e = now[size_t(b)] - now[size_t(a)];
    return Vec3<double>{e.x, e.y, e.z};
  };
  for (const Hinge& h : t.hinges) {
    const Edges<double, 4> e{{edge(h.x, h.y), edge(h.x, h.z), edge(h.x, h.w)}};
    expected += DihedralHinge::energy<double>(e, {0, 1}, {double(fabric.bending_rigidity)});
  }
  CHECK(t.hinges.size() > 3000);
  CHECK(std::abs(p.energy() / expected - 1) < 1e-4);
}

TEST_CASE("a bent grid resists alike along eight directions, by B/2 of its curvature squared per area") {
  FabricParams fabric = soft_fabric();
  fabric.stretch_stiffness = 1e-9f, fabric.weft_stiffness = fabric.shear_stiffness = 0;
  const float side = 0.4f, cell = 0.001f;
  GridSheet s(rectangle({0, 0}, {side, side}, 1, 1), cell);
  bd::GridProblem p(*s.device, s.grid, bd::make_sheet(fabric, ElasticModel::finite_elements, cell));
  for (int k = 0; k < 8; ++k) {
    CAPTURE(k);
    const double a = double(k) * 3.14159265358979 / 8, curvature = 0.4;
    std::vector<dvec3> world(s.slots());
    for (int v = 0; v < s.grid.slot_count(); ++v) {
      const dvec2 m(s.grid.view().material(v));
      const double u = std::cos(a) * (m.x - 0.2) + std::sin(a) * (m.y - 0.2);
      world[size_t(v)] = {m.x, m.y, 0.5 * curvature * u * u};
    }
    p.x().upload(s.grid, world);
    const double expected =
        0.5 * double(fabric.bending_rigidity) * curvature * curvature * double(side) * double(side);
    CHECK(std::abs(p.energy() / expected - 1) < 0.01);
  }
}

TEST_CASE("a flat grid at rest feels no force") {
  for (const ElasticModel model : kModels) {
    FabricParams fabric;  // cotton
    GridSheet s(blob(), 0.0005f);
    bd::GridProblem p(*s.device, s.grid, bd::make_sheet(fabric, model, 0.0005f));
    std::vector<dvec3> flat(s.slots());
    for (int v = 0; v < s.grid.slot_count(); ++v) flat[size_t(v)] = dvec3(s.grid.view().material(v), 0);
    p.x().upload(s.grid, flat);
    float most = 0;
    for (const vec3& g : p.gradient()) most = std::max(most, glm::length(g));
    // Positions in a block are rounded to 2.3e-10 m, which six edges of about 4000 N/m see; cells to 1e-7 of
    // themselves.
    CHECK(most < 1e-5f);
  }
}
