// The energy of a grid's sheet, its gradient, and block descent on it.
#include <doctest/doctest.h>

#include <algorithm>

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

/// Difference of the slope of the energy along random directions from the gradient's, over the size of such slopes.
double slope_error(bd::WrinkleProblem& p, const GridSheet& s, float step) {
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
        bd::WrinkleProblem p(*s.device, s.grid, bd::make_sheet(soft_fabric(), model, 0.005f));
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
    bd::WrinkleProblem p(*s.device, s.grid, bd::make_sheet(soft_fabric(), model, 0.005f));
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

/// A hanging sheet held along its top edge (largest v), in the plane z = 0 with y up.
struct Hanging {
  GridSheet s;
  bd::WrinkleProblem p;

  Hanging(const FabricParams& fabric, ElasticModel model, int side, float size, int width = 8,
          int threads = 1)
      : s(rectangle({0, 0}, {size, size}, 1, 1), size / float(side - 1), width, threads),
        p(*s.device, s.grid, bd::make_sheet(fabric, model, size / float(side - 1))) {
    std::vector<unsigned char> held(s.slots(), 0);
    for (int v = 0; v < s.grid.slot_count(); ++v) held[size_t(v)] = s.grid.view().lattice(v).j == side - 1;
    p.hold(held);
    p.terms.gravity = {0, -9.81f, 0};
    p.x().copy_from(s.frame);
    p.begin();
  }
};

}  // namespace
