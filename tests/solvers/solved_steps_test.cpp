// How far steps are from solved, and what must be true of them with the default ends of the default solver.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "sim/scene/text/scene_file.h"
#include "sim/solvers/descent/descent_params.h"
#include "sim/solvers/newton/newton_params.h"
#include "tests/physics/strips.h"

using namespace weft;
using namespace weft::physics;

namespace {

/// A sheet of half a metre, pinned by one edge, that swings down from level.
Scene swing(int vertices, float dt) {
  Scene s;
  s.step.dt = dt;
  s.forces.lift = s.forces.drag = s.forces.air_damping = 0;
  s.contact.ground = false;
  Cloth& c = s.cloths.emplace_back();
  c.size = {0.5f, 0.5f};
  c.vertices = vertices;
  c.placement.position = {0, 1, 0};
  c.placement.rotation = {-90, 0, 0};
  s.pins.push_back(pin_where(s, [](const vec3& p) { return p.x < -0.2499f; }));
  return s;
}

/// J after 0.3 s.
double energy_of_swing(const Scene& s) {
  Run run(s, 1);
  while (run.sim->state().time < 0.3 - 0.5 * double(s.step.dt)) run.sim->step();
  return run.sim->stats().kinetic_energy;
}

Scene solved_to_the_end(Scene s) {
  s.set("step.solver", "newton");
  s.of<NewtonParams>() = {.steps = 40, .tolerance = 1e-3f, .cg_iterations = 300, .cg_tolerance = 1e-2f};
  return s;
}

glm::dvec3 momentum(Simulation& sim) {
  const std::vector<vec3> v = sim.state().velocity.download();
  glm::dvec3 sum(0);
  for (size_t i = 0; i < v.size(); ++i) sum += double(sim.model().host_mass[i]) * glm::dvec3(v[i]);
  return sum;
}

/// Root of the mean square, by mass, of how far positions are apart, m.
double apart(Simulation& a, Simulation& b) {
  const std::vector<vec3> x = a.positions(), y = b.positions();
  double sum = 0, mass = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double m = a.model().host_mass[i], d = glm::length(x[i] - y[i]);
    sum += m * d * d, mass += m;
  }
  return std::sqrt(sum / mass);
}

/// A flat sheet of 20 by 20 cells of two right triangles each, 15 mm by `aspect` times that, as a file:
/// nothing disturbs its rest.
struct RightTriangles {
  std::string file =
      (std::filesystem::temp_directory_path() / fmt::format("weft_right_triangles_{}.obj", ::getpid()))
          .string();
  explicit RightTriangles(float aspect) {
    std::ofstream out(file);
    constexpr int n = 20;
    for (int j = 0; j <= n; ++j)
      for (int i = 0; i <= n; ++i) out << "v " << 0.015 * i << " 0.5 " << 0.015 * double(aspect) * j << "\n";
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const int v = j * (n + 1) + i + 1;
        out << "f " << v << " " << v + n + 1 << " " << v + 1 << "\nf " << v + 1 << " " << v + n + 1 << " "
            << v + n + 2 << "\n";
      }
  }
  ~RightTriangles() { std::filesystem::remove(file); }
  Scene scene(const char* elastic, int iterations) const {
    Scene s;
    s.set("step.solver", "descent");
    s.set("step.elastic_model", elastic);
    s.of<DescentParams>().fine_iterations = iterations;
    s.forces.gravity = vec3(0);
    s.contact.ground = false;
    Cloth& c = s.cloths.emplace_back();
    c.shape = ClothShape::obj;
    c.file = file;
    c.remesh = Remesh::never;
    return s;
  }
};

}  // namespace

TEST_SUITE("solvers") {
  TEST_CASE(
      "a sheet swings with the same energy on every mesh and in every time step with the default solver") {
    for (const float dt : {1 / 30.0f, 1 / 60.0f, 1 / 120.0f}) {
      const double right = energy_of_swing(solved_to_the_end(swing(600, dt)));
      for (const int vertices : {600, 2500}) {
        const double energy = energy_of_swing(swing(vertices, dt));
        MESSAGE("dt 1/" << std::lround(1 / dt) << ", " << vertices << " vertices: " << 1e3 * energy
                        << " mJ of " << 1e3 * right);
        CHECK(relative_error(energy, right) < 0.03);
      }
    }
  }

  TEST_CASE("what is left of a step tells how far it is from solved, with both solvers") {
    const Scene scene = swing(600, 1 / 60.0f);
    for (const auto& [solver, key, value] :
         {std::array{"descent", "descent.fine_iterations", "12"},
          std::array{"descent", "descent.fine_iterations", "240"}, std::array{"newton", "newton.steps", "1"},
          std::array{"newton", "newton.steps", "3"}}) {
      CAPTURE(std::string(solver));
      CAPTURE(std::string(value));
      Scene s = scene;
      s.set("step.solver", solver);
      s.set(key, value);
      if (std::string(solver) == "newton") s.of<NewtonParams>().tolerance = 0;
      Run right(solved_to_the_end(scene), 1), run(s, 1);
      double worst_over = 0, worst_under = 1e9;
      for (int i = 0; i < 20; ++i) {
        const Snapshot before = right.sim->snapshot();
        right.sim->step();
        run.sim->restore(before);
        run.sim->step();
        if (i < 5) continue;
        const double dt = s.step.dt, error = apart(*right.sim, *run.sim) / (9.81 * dt * dt),
                     told = run.sim->stats().solver_residual;
        worst_over = std::max(worst_over, error / told);
        worst_under = std::min(worst_under, error / told);
      }
      MESSAGE(std::string(solver) << " " << std::string(value) << ": error over what is told " << worst_under
                                  << " to " << worst_over);
      // Of the linear system the estimate is above the mean error; what turns may be further off (measured:
      // 1.8 with Newton's method, whose Hessian is that of the energy, 8.6 with descent, whose operator is
      // stiffer).
      CHECK(worst_over < (std::string(solver) == "newton" ? 2.5 : 12));
      CHECK(worst_under > 0.005);
    }
  }

  TEST_CASE("the error that the default solver tells is mostly the true one to a factor of two") {
    Scene ball;
    ball.step.dt = 1 / 60.0f;
    Cloth& c = ball.cloths.emplace_back();
    c.size = {0.5f, 0.5f};
    c.vertices = 900;
    c.placement.position = {0, 0.38f, 0};
    c.placement.rotation = {-90, 0, 0};
    Obstacle& o = ball.obstacles.emplace_back();
    o.shape = ObstacleShape::sphere;
    o.size = vec3(0.12f);
    o.placement.position = {0, 0.25f, 0};
    Scene silk = swing(900, 1 / 60.0f), leather = silk, long_steps = silk, free_of_levels = silk;
    silk.cloths[0].fabric = read_fabric("silk");
    leather.cloths[0].fabric = read_fabric("leather");
    long_steps.step.dt = 1 / 30.0f;
    free_of_levels.set("newton.preconditioner", "block_jacobi");
    int steps = 0, within = 0;
    for (const auto& [name, scene] : {std::pair<std::string, Scene>{"ball", ball},
                                      {"silk", silk},
                                      {"leather", leather},
                                      {"1/30 s", long_steps},
                                      {"block Jacobi", free_of_levels}}) {
      CAPTURE(name);
      Scene reference = solved_to_the_end(scene);
      reference.set("newton.preconditioner", "multilevel");
      Run right(reference, 1), run(scene, 1);
      double lowest = 1e9, highest = 0;
      for (int i = 0; i < 60; ++i) {
        const Snapshot before = run.sim->snapshot();
        run.sim->step();
        if (i < 6 || i % 3) continue;
        right.sim->restore(before);
        right.sim->step();
        const double dt = scene.step.dt;
        const double share =
            apart(*right.sim, *run.sim) / (9.81 * dt * dt) / run.sim->stats().solver_residual;
        lowest = std::min(lowest, share), highest = std::max(highest, share);
        ++steps, within += share > 0.5 && share < 2;
      }
      MESSAGE(name << ": true over told " << lowest << " to " << highest);
      CHECK(lowest > 0.1);  // measured: 0.12 with block Jacobi, 0.25 to 3.1 otherwise
      CHECK(highest < 4);
    }
    MESSAGE(within << " of " << steps << " within a factor of two");
    CHECK(within > 0.6 * steps);  // measured: 0.71; from 2,500 vertices on 0.88
  }

  TEST_CASE("a sheet that nothing touches falls by theory, and its steps count as solved") {
    for (const char* solver : {"newton", "descent"}) {
      CAPTURE(solver);
      Scene s = swing(600, 1 / 60.0f);
      s.pins.clear();
      s.cloths[0].unevenness = 0;
      s.set("step.solver", solver);
      Run run(s, 1);
      for (int i = 0; i < 30; ++i) run.sim->step();
      const glm::dvec3 p = momentum(*run.sim);
      const double mass = 0.15 * 0.25;
      CHECK(relative_error(-p.y, mass * 9.81 * 0.5) < 1e-4);
      CHECK(run.sim->stats().solver_residual < 0.03f);  // rounding of d, 80 mm a step, in stiff threads
    }
  }

  TEST_CASE("sheets that collide keep their momentum with the default solver in two-way contact") {
    for (const float dt : {1 / 60.0f, 1 / 100.0f}) {
      Scene s;
      s.set("step.collision", "two_way");
      s.step.dt = dt;
      s.forces.gravity = vec3(0);
      s.forces.lift = s.forces.drag = s.forces.air_damping = 0;
      s.contact.ground = false;
      for (const char* name : {"a", "b"}) {
        Cloth& c = s.cloths.emplace_back();
        c.name = name;
        c.size = {0.2f, 0.2f};
        c.edge = 0.014f;
        c.unevenness = 0;  // the sheet that waits does not move at all
        c.placement.rotation = {-90, 0, 0};
        c.fabric.internal_damping = 0;
      }
      s.cloths[1].placement.position = {0.03f, 0.12f, 0.04f};
      s.cloths[1].placement.rotation = {-75, 0, 10};
      Run run(s, 1);
      std::vector<vec3> v = run.sim->state().velocity.download();
      const ModelPart& upper = run.sim->model().host.parts[1];
      for (int i = 0; i < upper.vertex_count; ++i) v[size_t(upper.first_vertex + i)] = {0, -1, 0};
      run.sim->state().velocity.upload(v);
      const glm::dvec3 before = momentum(*run.sim);
      while (run.sim->state().time < 0.25) run.sim->step();
      const glm::dvec3 after = momentum(*run.sim);
      MESSAGE("dt 1/" << std::lround(1 / dt) << ": "
                      << 100 * glm::length(after - before) / glm::length(before) << " % lost");
      CHECK(run.sim->stats().kinetic_energy < 0.9 * 0.5 * glm::length(before));  // they have met
      CHECK(glm::length(after - before) < 0.005 * glm::length(before));
    }
  }

  TEST_CASE(
      "descent leaves a flat sheet of right triangles at rest with every stretch model and any number of "
      "iterations") {
    for (const char* elastic : {"springs", "finite_elements", "st_venant_kirchhoff"})
      for (const float aspect : {1.0f, 4.0f})
        for (const int iterations : {12, 50}) {
          const RightTriangles sheet(aspect);
          CAPTURE(elastic);
          CAPTURE(aspect);
          CAPTURE(iterations);
          Run run(sheet.scene(elastic, iterations), 1);
          for (int i = 0; i < 60; ++i) run.sim->step();
          const StepStats stats = run.sim->stats();
          CHECK(stats.max_stretch < 1.0001f);
          CHECK(stats.max_speed < 1e-3f);
          CHECK(glm::length(momentum(*run.sim)) < 1e-6);
          CHECK(stats.solver_residual < 1e-2f);
        }
  }
}
