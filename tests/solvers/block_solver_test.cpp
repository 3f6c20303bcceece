// Block descent as a solver of time steps, on cloth that is a grid of squares, against Newton's method and
// theory.
#include "sim/solvers/block_descent/block_solver.h"

#include <doctest/doctest.h>

#include "sim/base/error.h"
#include "sim/methods/method_table.h"
#include "tests/solvers/one_step.h"

using namespace weft;
using namespace weft::testing;

namespace {

constexpr ElasticModel kModels[] = {ElasticModel::springs, ElasticModel::finite_elements, ElasticModel::stvk};

/// held_sheet as a grid of squares. Hinges of mesh and grid differ: no rigidity where forces are compared.
Scene held_squares(ElasticModel elastic, int side, float rigidity) {
  Scene s = held_sheet(elastic, BendingModel::quadratic, 100);
  s.cloths[0].pattern = "square";
  s.cloths[0].edge = 0.3f / float(side - 1);
  s.cloths[0].fabric.bending_rigidity = rigidity;
  s.pins[0] = pin_where(s, [](const vec3& p) { return p.z < -0.1499f && std::abs(p.x) > 0.149f; });
  return s;
}

/// A square of 0.4 m, level, pinned along one edge, that swings down.
Scene swinging(const std::string& solver, int side) {
  Scene s = bare_scene();
  Cloth& c = s.cloths[0];
  c.size = {0.4f, 0.4f}, c.edge = 0.4f / float(side - 1), c.pattern = "square";
  c.placement.position = {0, 1, 0}, c.placement.rotation = {-90, 0, 0};
  s.pins.push_back(pin_where(s, [](const vec3& p) { return p.x < -0.1999f; }));
  if (solver == "newton") converge(s);
  s.set("step.solver", solver);
  s.set("step.collision", "none");
  return s;
}

struct Swing {
  std::vector<vec3> positions;
  double kinetic = 0, lag = 0;  // J, m: mean height
};
Swing swing(const Scene& s, int steps) {
  physics::Run run(s);
  for (int k = 0; k < steps; ++k) run.sim->step();
  Swing out{run.sim->positions(), run.sim->stats().kinetic_energy, 0};
  for (const vec3& p : out.positions) out.lag += p.y / double(out.positions.size());
  return out;
}

std::string refusal(const Scene& s) {
  try {
    const physics::Run run(s);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("block descent's gradient of a step is that of Newton's method on a grid of squares") {
  for (const ElasticModel model : kModels)
    for (const int width : {8, 16}) {
      CAPTURE(int(model));
      CAPTURE(width);
      Scene s = held_squares(model, 21, 1e-12f);
      s.of<BlockDescentParams>().block_width = width;
      Bench b(s);
      b.c.inertia.upload(b.noise(1e-3f));
      std::vector<int> kinematic(size_t(b.vertices()), 0);
      kinematic[0] = kinematic[20] = 1;
      b.c.kinematic.upload(kinematic);
      std::vector<Sym3> weight(static_cast<size_t>(b.vertices()));
      for (size_t v = 0; v < weight.size(); v += 7)
        weight[v].add_outer(30, b.noise(1)[v]), weight[v].add_identity(2);
      b.c.anchor_weight.upload(weight);
      b.c.anchor_force.upload(b.noise(0.01f));
      const std::vector<vec3> d = b.noise(5e-4f);
      const std::vector<vec3> forces = b.forces(d);
      BlockSolver solver(b.c);
      b.c.displacement.upload(d);
      Buffer<vec3> gradient(*b.device, "test", b.vertices());
      solver.gradient(b.c, gradient.span());
      const std::vector<vec3> g = gradient.download();
      double worst = 0, size = 0;
      for (size_t v = 0; v < g.size(); ++v) {
        if (kinematic[v]) {
          CHECK(g[v] == vec3(0));
          continue;
        }
        worst = std::max(worst, double(glm::length(g[v] + forces[v])));
        size = std::max(size, double(glm::length(forces[v])));
      }
      CHECK(size > 0.01);
      // positions relative to a block's origin are rounded by 2e-9 m, stiffness is 500 N/m
      CHECK(worst < 1e-4 * size);
    }
}

TEST_CASE("a step by block descent with many iterations is that of Newton's method") {
  for (const ElasticModel model : {ElasticModel::springs, ElasticModel::finite_elements}) {
    CAPTURE(int(model));
    Scene s = held_squares(model, 21, 1e-9f);
    s.of<BlockDescentParams>().iterations = 3000, s.of<BlockDescentParams>().rounds = 1;
    Scene reference = s;
    converge(reference);
    physics::Run run(reference);
    for (int k = 0; k < 20; ++k) run.sim->step();
    OneStep step(*run.sim);
    step.b.scene = s;
    BlockSolver solver(step.b.c);
    const std::vector<vec3> mine = step.solve(solver);
    const std::vector<vec3> before = run.sim->positions();
    run.sim->step();
    std::vector<vec3> theirs = run.sim->positions();
    double moved = 0;
    for (size_t v = 0; v < theirs.size(); ++v)
      theirs[v] -= before[v], moved = std::max(moved, double(glm::length(theirs[v])));
    const double off = largest_difference(mine, theirs);
    MESSAGE("farthest " << off << " m of " << moved << ", residual told "
                        << step.b.c.solver_residual.download()[0]);
    CHECK(moved > 1e-3);
    CHECK(off < 1e-3 * moved);
  }
}

namespace {

/// With `iterations` a step, within these of Newton's kinetic energy (a share) and mean height (m).
void swings_like_newton(int iterations, double energy, double height) {
  const Swing theirs = swing(swinging("newton", 33), 30);
  CHECK(theirs.lag < 0.9);
  Scene s = swinging("block_descent", 33);
  s.of<BlockDescentParams>().iterations = iterations;
  const Swing mine = swing(s, 30);
  MESSAGE(iterations << ": kinetic energy " << mine.kinetic << " J, Newton's " << theirs.kinetic
                     << "; mean height " << mine.lag << " m, " << theirs.lag << "; farthest "
                     << largest_difference(mine.positions, theirs.positions));
  CHECK(std::abs(mine.kinetic / theirs.kinetic - 1) < energy);
  CHECK(std::abs(mine.lag - theirs.lag) < height);
}

}  // namespace

TEST_CASE("a sheet swings by block descent of 256 iterations nearly as by Newton's method") {
  swings_like_newton(256, 0.15, 5e-3);
}

TEST_CASE("a sheet swings by block descent as by Newton's method" * doctest::test_suite("full")) {
  // Of 0.2 m by which the mean has fallen. The default does not end the steps of this sheet and lags.
  swings_like_newton(1024, 0.01, 5e-4);
  swings_like_newton(256, 0.15, 5e-3);
}

TEST_CASE("block descent refuses cloth that is no grid of squares, and says which") {
  const Scene good = swinging("block_descent", 17);
  CHECK(refusal(good).empty());
  const SolverEntry* entry = nullptr;
  for (const SolverEntry& e : solvers())
    if (e.name == "block_descent") entry = &e;
  REQUIRE(entry);
  CHECK(why_not(*entry, good).empty());
  Scene triangles = good;
  triangles.cloths[0].pattern = "equilateral";
  CHECK(why_not(*entry, triangles).find("cloth 'cloth'") != std::string::npos);
  CHECK(refusal(triangles).find("cloth 'cloth'") != std::string::npos);
  Scene dihedral = good;
  dihedral.step.bending_model = int(BendingModel::dihedral);
  CHECK(why_not(*entry, dihedral).find("bending") != std::string::npos);
  Scene oblong = good;  // 16 edges of 25 mm by 12 of 24.2 mm
  oblong.cloths[0].size.y = 0.29f;
  oblong.pins.clear();
  CHECK(refusal(oblong).find("no grid of squares") != std::string::npos);
}

TEST_CASE("what block descent leaves unsolved shrinks with iterations, and is told") {
  double before = 1e30;
  for (const int iterations : {32, 128, 1024}) {
    Scene s = swinging("block_descent", 33);
    s.of<BlockDescentParams>().iterations = iterations;
    physics::Run run(s);
    for (int k = 0; k < 10; ++k) run.sim->step();
    const double residual = run.sim->stats().solver_residual;
    MESSAGE(iterations << " iterations: " << residual);
    CHECK(residual > 0);
    CHECK(residual < before);
    before = residual;
  }
}
