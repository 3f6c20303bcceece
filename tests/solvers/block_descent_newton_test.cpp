// Block descent on hanging sheets against Newton's method on the same triangles; one minimum.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "sim/solvers/newton/newton_params.h"
#include "tests/physics/scenes.h"
#include "tests/solvers/grid_problem.h"
#include "tests/support/folder.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// Soft rubber, so that a sheet of 0.3 m hangs down by some millimetres.
FabricParams rubber() {
  FabricParams f;
  f.stretch_stiffness = 40;
  f.poisson_ratio = 0.3f;
  f.internal_damping = 0.5f;
  return f;
}

/// A square sheet of `side` vertices along an edge, pinned along its top edge, with gravity down its plane.
struct Hanging {
  float cell;
  GridSheet s;
  bd::GridProblem p;

  Hanging(ElasticModel model, int side, int threads = 1, int width = 8)
      : cell(0.3f / float(side - 1)),
        s(rectangle({0, 0}, {0.3f, 0.3f}, 1, 1), cell, width, threads),
        p(*s.device, s.grid, bd::make_sheet(rubber(), model, cell)) {
    std::vector<unsigned char> held(s.slots(), 0);
    for (int v = 0; v < s.grid.slot_count(); ++v) held[size_t(v)] = s.grid.view().lattice(v).j == side - 1;
    p.pin(held);
    p.terms.gravity = {0, -9.81f, 0};
    p.x().copy_from(s.frame);
    p.options.outer_rho = 1 - 0.4f / float(side * side);
  }
};

/// Where Newton's method takes the same sheet to rest: positions of the published vertices.
std::vector<vec3> by_newton(const Hanging& h, ElasticModel model) {
  const grid::Grid::Published published = h.s.grid.published();
  const std::vector<dvec3> start = h.s.frame.download();
  std::string obj;
  for (const int v : published.vertices)
    obj +=
        fmt::format("v {:.9g} {:.9g} {:.9g}\n", start[size_t(v)].x, start[size_t(v)].y, start[size_t(v)].z);
  for (const ivec3& t : published.triangles) obj += fmt::format("f {} {} {}\n", t.x + 1, t.y + 1, t.z + 1);
  const Folder folder;
  Scene scene = physics::bare_scene();
  scene.set("step.solver", "newton");
  scene.set("step.collision", "none");
  scene.step.dt = 0.1f;
  scene.step.elastic_model = int(model);
  scene.of<NewtonParams>().tolerance = 1e-5f;
  scene.of<NewtonParams>().steps = 40;
  scene.of<NewtonParams>().cg_iterations = 2000;
  scene.forces.gravity = {0, -9.81f, 0};
  Cloth& c = scene.cloths[0];
  c.shape = ClothShape::obj;
  c.file = folder.write("sheet.obj", obj);
  c.remesh = Remesh::never;
  c.fabric = rubber();
  scene.pins.push_back(physics::pin_where(scene, [](const vec3& p) { return p.y > 0.29999f; }));
  physics::Run run(scene);
  run.settle(1e-6f, 400);
  return run.sim->positions();
}

}  // namespace

namespace {

/// Positions within a thousandth of how far the sheet moves, energies within 1e-4 of what it gains.
void hangs_like_newton(ElasticModel model, int side, int iterations) {
  CAPTURE(int(model));
  Hanging h(model, side);
  const std::vector<int> vertices = h.s.grid.published().vertices;
  const std::vector<vec3> newton = by_newton(h, model);
  REQUIRE(newton.size() == vertices.size());
  h.p.begin();
  h.p.solve(iterations);
  const std::vector<dvec3> mine = h.p.x().download(), start = h.s.frame.download();
  double off = 0, moved = 0;
  std::vector<dvec3> theirs(h.s.slots());
  for (size_t k = 0; k < vertices.size(); ++k) {
    const size_t v = size_t(vertices[k]);
    theirs[v] = dvec3(newton[k]);
    off = std::max(off, glm::length(mine[v] - theirs[v]));
    moved = std::max(moved, glm::length(theirs[v] - start[v]));
  }
  const double energy = h.p.energy();
  // from the same origins, so that energies of gravity compare
  std::vector<vec3> local(h.s.slots());
  const std::vector<vec3> origin = h.p.x().origin.download();
  for (size_t v = 0; v < local.size(); ++v)
    if (h.s.inside(int(v))) local[v] = vec3(theirs[v] - dvec3(origin[v / 64]));
  h.p.x().local.upload(local);
  const double reached = h.p.energy();
  h.p.x().copy_from(h.s.frame);
  const double drop = std::abs(reached - h.p.energy());
  MESSAGE("farthest " << off << " m of " << moved << ", energy " << (energy - reached) / drop << ", returns "
                      << h.p.returns());
  CHECK(moved > 0.001);
  CHECK(off < 1e-3 * moved);
  CHECK(std::abs(energy - reached) < 1e-4 * drop);
}

}  // namespace

TEST_CASE("a sheet hangs by block descent as by Newton's method") {
  for (const ElasticModel model : {ElasticModel::finite_elements, ElasticModel::springs})
    hangs_like_newton(model, 64, 1200);
}

TEST_CASE("a sheet of 128 x 128 vertices hangs by block descent as by Newton's method" *
          doctest::test_suite("full")) {
  for (const ElasticModel model : {ElasticModel::finite_elements, ElasticModel::springs})
    hangs_like_newton(model, 128, 2500);
}

TEST_CASE("every method lowers a grid's energy to the same state" * doctest::test_suite("full")) {
  double least = 0;
  for (const bd::Method method :
       {bd::Method::blocks, bd::Method::descent, bd::Method::conjugate_blocks, bd::Method::conjugate})
    for (const int width : {8, 16}) {
      INFO("method " << int(method) << " width " << width);
      Hanging h(ElasticModel::finite_elements, 24, 1, width);
      h.p.options.method = method;
      const double start = h.p.energy();
      h.p.begin();
      h.p.solve(5000);
      const double drop = h.p.energy() - start;
      if (method == bd::Method::blocks && width == 8) least = drop;
      CHECK(drop < 0);
      CHECK(std::abs(drop - least) < 1e-3 * std::abs(least));
    }
}

TEST_CASE("block descent gives the same bits for one thread and two") {
  std::vector<vec3> first;
  for (const int threads : {1, 2}) {
    Hanging h(ElasticModel::finite_elements, 64, threads);
    h.p.options.judge_every = 8;
    h.p.begin();
    h.p.solve(40);
    const std::vector<vec3> x = h.p.x().local.download();
    if (threads == 1) first = x;
    else CHECK(x == first);
  }
}

TEST_CASE("a step that is too long is taken back and shortened on the device") {
  Hanging h(ElasticModel::finite_elements, 32);
  h.p.options.alpha = 3;  // beyond what descends
  h.p.options.outer_rho = 0;
  h.p.options.judge_every = 4;
  const double start = h.p.energy();
  h.p.begin();
  h.p.solve(200);
  CHECK(h.p.returns() > 2);
  CHECK(h.p.alpha() < 1.5f);
  CHECK(h.p.energy() < start);
}
