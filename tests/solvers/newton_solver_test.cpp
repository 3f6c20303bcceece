#include <algorithm>
#include <ostream>

#include "sim/solvers/descent/descent_params.h"
#include "sim/solvers/newton/newton_params.h"
#include "tests/solvers/one_step.h"

using namespace weft;
using namespace weft::physics;
using namespace weft::testing;

namespace {

/// How far the largest displacement goes in a step, and how far two solvers' answers are apart, m; what is
/// left of the forces at the start; by how much descent's energy is above that of Newton's method, over what
/// the step gains.
struct Apart {
  double moved, apart, newton_residual, descent_residual, energy;
};

Apart one_step_each(Simulation& sim) {
  OneStep step(sim);
  Scene& s = step.b.scene;
  converge(s);
  s.of<DescentParams>().fine_iterations = 20000;
  NewtonSolver newton(step.b.c);
  DescentSolver descent(step.b.c);
  const auto n = step.solve(newton), d = step.solve(descent);
  const double before = step.residual(step.start_d), gain = step.energy_change(n, step.start_d);
  return {largest_difference(n, std::vector<vec3>(n.size(), vec3(0))), largest_difference(n, d),
          step.residual(n) / before, step.residual(d) / before, step.energy_change(n, d) / gain};
}

std::ostream& operator<<(std::ostream& out, const Apart& a) {
  return out << "moved " << 1e3 * a.moved << " mm; solvers apart " << 1e3 * a.apart
             << " mm; forces left by Newton " << a.newton_residual << ", by descent " << a.descent_residual
             << "; energy of descent above by " << a.energy;
}

}  // namespace

TEST_SUITE("solvers") {
  TEST_CASE("both solvers feel the same forces") {
    for (const ElasticModel elastic :
         {ElasticModel::springs, ElasticModel::finite_elements, ElasticModel::stvk})
      for (const BendingModel bending :
           {BendingModel::quadratic, BendingModel::dihedral, BendingModel::meshless}) {
        Scene s = small_sheet(elastic, bending);
        s.cloths[0].fabric.strain_limit = 0.03f;
        Bench b(s);
        const std::vector<Sym3> weight(size_t(b.vertices()), Sym3{3, 1, 0, 2, 0.5f, 4});
        b.c.anchor_weight.upload(weight);
        b.c.anchor_force.upload(b.noise(0.1f));
        b.c.inertia.upload(b.noise(0.01f));
        std::vector<int> kinematic(size_t(b.vertices()), 0);
        kinematic[3] = 1;
        b.c.kinematic.upload(kinematic);
        const auto d = b.noise(1e-3f);
        const auto newton = b.forces(d);
        DescentSolver descent(b.c);
        Buffer<vec3> out(*b.device, "test", b.vertices());
        descent.gradient(b.c, out.span());
        const double size = largest_difference(newton, std::vector<vec3>(newton.size(), vec3(0)));
        // The gradient points against the forces; rounding of sums of larger forces.
        CHECK(largest_difference(newton, along(std::vector<vec3>(newton.size(), vec3(0)), -1,
                                               out.download())) < 1e-5 * size);
        NewtonSolver solver(b.c);
        solver.gradient(b.c, out.span());
        CHECK(largest_difference(newton,
                                 along(std::vector<vec3>(newton.size(), vec3(0)), -1, out.download())) == 0);
      }
  }

  TEST_CASE("a step of Newton's method ends where a step of descent ends after very many iterations" *
            doctest::test_suite("slow")) {
    for (const ElasticModel elastic :
         {ElasticModel::springs, ElasticModel::finite_elements, ElasticModel::stvk})
      for (const bool woven : {false, true}) {
        if (woven && elastic == ElasticModel::finite_elements) continue;  // isotropic by construction
        Scene s = held_sheet(elastic, BendingModel::quadratic, 250);
        if (woven)
          s.cloths[0].fabric.weft_stiffness = 150,
          s.cloths[0].fabric.shear_stiffness = elastic == ElasticModel::springs ? 120 : 60;
        s.set("step.solver", "newton");
        Run run(s);
        for (int i = 0; i < 10; ++i) run.sim->step();
        const Apart a = one_step_each(*run.sim);
        MESSAGE("elastic model " << int(elastic) << std::string(woven ? ", woven" : "") << ": " << a);
        CHECK(a.apart < 1e-3 * a.moved);
      }
  }

  TEST_CASE("the other bending models have the same minimum for both solvers") {
    for (const BendingModel bending : {BendingModel::dihedral, BendingModel::meshless}) {
      Scene s = held_sheet(ElasticModel::springs, bending, 250);
      s.set("step.solver", "newton");
      Run run(s);
      for (int i = 0; i < 10; ++i) run.sim->step();
      const Apart a = one_step_each(*run.sim);
      MESSAGE("bending model " << int(bending) << ": " << a);
      CHECK(a.apart < 2e-3 * a.moved);
    }
  }

  TEST_CASE("threads that lock are held by Newton's method whatever the bending model") {
    for (const BendingModel bending :
         {BendingModel::quadratic, BendingModel::dihedral, BendingModel::meshless}) {
      Scene s = held_sheet(ElasticModel::springs, bending, 250);
      s.cloths[0].fabric.stretch_stiffness = 20;
      s.cloths[0].fabric.strain_limit = 0.05f;
      s.set("step.solver", "newton");
      Run run(s);
      for (int i = 0; i < 30; ++i) run.sim->step();
      CHECK(run.sim->stats().max_stretch > 1.03f);  // some threads lock
      CHECK(run.sim->stats().max_stretch < 1.08f);
      const Apart a = one_step_each(*run.sim);
      MESSAGE("bending model " << int(bending) << ": " << a);
      CHECK(a.newton_residual < 1e-4);
      CHECK(a.energy > -1e-4);  // descent finds nothing lower
    }
  }

  TEST_CASE(
      "from twenty states of a drape that buckles both solvers find the same minimum or equally low ones" *
      doctest::test_suite("slow")) {
    Scene s = bare_scene();
    Cloth& c = s.cloths[0];
    c.shape = ClothShape::disc;
    c.size = {0.3f, 0.3f};
    c.vertices = 300;
    c.unevenness = 0.02f;
    c.placement.position = {0, 1, 0};
    c.placement.rotation = {-90, 0, 0};
    c.fabric.stretch_stiffness = 500;
    c.fabric.bending_rigidity = 5e-6f;
    s.pins.push_back(pin_where(s, [](const vec3& p) { return p.x * p.x + p.z * p.z < 0.05f * 0.05f; }));
    Run run(s);
    double lowest_y = 1;
    int same = 0, equally_low = 0;
    for (int state = 0; state < 20; ++state) {
      for (int i = 0; i < 4; ++i) run.sim->step();
      lowest_y = lowest(run.sim->positions());
      const Apart a = one_step_each(*run.sim);
      MESSAGE("state " << state << ": " << a);
      same += a.apart < 1e-3 * a.moved;
      equally_low += std::abs(a.energy) < 1e-4;
      // A sheet that is about to buckle has minima on either side, and near its bifurcation a flat valley:
      // where the answers differ, one may have found the deeper of two, or not come down all the way yet.
      CHECK(std::abs(a.energy) < 1e-2);
      CHECK(a.descent_residual < 1e-3);
    }
    MESSAGE("lowest point " << lowest_y << " m; the same minimum in " << same
                            << " of 20 states, equally low ones in " << equally_low);
    CHECK(lowest_y < 0.95);    // it has come down in folds
    CHECK(same >= 10);         // measured: 12
    CHECK(equally_low >= 17);  // measured: 18
  }

  TEST_CASE("Newton's method converges quadratically where the projection changes nothing") {
    for (const ElasticModel elastic :
         {ElasticModel::springs, ElasticModel::finite_elements, ElasticModel::stvk}) {
      // A drum: stretched by a fifth, pinned all around, pushed by a force across that bends it far in one
      // step.
      Scene s = small_sheet(elastic, BendingModel::quadratic, 200);
      converge(s);
      s.of<NewtonParams>().tolerance = 0;
      s.of<NewtonParams>().cg_tolerance = 1e-7f;
      Bench b(s);
      std::vector<vec3> x = b.start, target(b.start.size(), vec3(0));
      std::vector<int> held(x.size(), 0);
      for (size_t v = 0; v < x.size(); ++v) {
        const vec3 r = b.start[v] - s.cloths[0].placement.position;
        held[v] = std::max(std::abs(r.x), std::abs(r.y)) > 0.045f;
        x[v] = s.cloths[0].placement.position + 1.2f * r;
        target[v] = vec3(0, 0, 40 + 300 * r.x);
      }
      b.state.position.upload(x);
      b.c.kinematic.upload(held);
      b.c.inertia.upload(target);
      b.c.dt = 0.05f;
      NewtonSolver newton(b.c);
      newton.prepare(b.c);
      newton.begin_step(b.c);
      std::vector<std::vector<vec3>> d;
      for (int k = 0; k < 16; ++k) newton.iterate(b.c, k), d.push_back(b.c.displacement.download());
      int squared = 0;
      for (size_t k = 0; k < 8; ++k) {
        const double error = largest_difference(d[k], d.back()),
                     next = largest_difference(d[k + 1], d.back());
        MESSAGE("elastic model " << int(elastic) << ", after " << k + 1 << " steps: " << error << " m of "
                                 << d.back()[100].z);
        // e' < c e² with c of the order of one over the edge (1 / 7 mm), down to the floor of float32.
        if (error > 4e-3 || error < 1e-5) continue;
        CHECK(next < 60 * error * error + 1e-7);
        ++squared;
      }
      CHECK(squared >= 1);
      CHECK(largest_difference(d[8], d.back()) < 1e-7);
    }
  }

  TEST_CASE("Newton's method gives the same bits for any number of threads and goes on from a snapshot" *
            doctest::test_suite("slow")) {
    for (const ElasticModel elastic : {ElasticModel::springs, ElasticModel::stvk}) {
      Scene s = held_sheet(elastic, BendingModel::dihedral, 2000);
      s.set("step.solver", "newton");
      uint64_t first = 0;
      for (const int threads : {1, 2, 3}) {
        Run run(s, threads);
        for (int i = 0; i < 10; ++i) run.sim->step();
        const Snapshot half = run.sim->snapshot();
        for (int i = 0; i < 10; ++i) run.sim->step();
        if (first == 0) first = run.sim->hash();
        CHECK(run.sim->hash() == first);
        run.sim->restore(half);
        for (int i = 0; i < 10; ++i) run.sim->step();
        CHECK(run.sim->hash() == first);
      }
    }
  }

  TEST_CASE("solvers are switched while the cloth moves") {
    Scene s = held_sheet(ElasticModel::springs, BendingModel::quadratic, 300);
    Run run(s);
    for (const char* solver : {"newton", "descent", "newton"})
      for (const char* collision : {"none", "bodies"})
        for (const char* elastic : {"finite_elements", "st_venant_kirchhoff", "springs"})
          for (const char* bending : {"dihedral", "meshless", "quadratic"}) {
            run.sim->apply(SetParam{"step.solver", solver});
            run.sim->apply(SetParam{"step.collision", collision});
            run.sim->apply(SetParam{"step.elastic_model", elastic});
            run.sim->apply(SetParam{"step.bending_model", bending});
            run.sim->step();
          }
    const auto stats = run.sim->stats();
    CHECK(stats.max_stretch < 1.1f);
    CHECK(stats.max_speed < 5);
  }

  TEST_CASE("Newton's method stays finite with extreme parameters" * doctest::test_suite("slow")) {
    struct Extreme {
      const char *key, *value;
    };
    for (const Extreme& e : {Extreme{"fabric.stretch_stiffness", "1e6"},
                             {"fabric.stretch_stiffness", "1"},
                             {"fabric.bending_rigidity", "0.1"},
                             {"fabric.bending_rigidity", "0"},
                             {"fabric.areal_density", "0.001"},
                             {"step.dt", "0.1"},
                             {"step.dt", "1e-5"},
                             {"forces.gravity", "[0, -100, 0]"},
                             {"newton.line_search", "false"},
                             {"newton.cg_iterations", "1"},
                             {"fabric.strain_limit", "1e-4"}})
      for (const ElasticModel elastic :
           {ElasticModel::springs, ElasticModel::finite_elements, ElasticModel::stvk})
        for (const BendingModel bending :
             {BendingModel::quadratic, BendingModel::dihedral, BendingModel::meshless}) {
          CAPTURE(e.key);
          CAPTURE(e.value);
          CAPTURE(int(elastic));
          CAPTURE(int(bending));
          Scene s = held_sheet(elastic, bending, 120);
          s.set("step.solver", "newton");
          s.set(e.key, e.value);
          Run run(s);
          CHECK_NOTHROW([&] {
            for (int i = 0; i < 15; ++i) run.sim->step();
          }());
          for (const vec3& p : run.sim->positions()) REQUIRE(std::isfinite(p.x + p.y + p.z));
        }
  }

  TEST_CASE("no room for stencils and no launches for them") {
    // The launches of a step under a verified replay, with every handler.
    for (const char* collision : {"none", "bodies", "repulsion"}) {
      Scene s = held_sheet(ElasticModel::springs, BendingModel::quadratic, 300);
      s.set("step.solver", "newton");
      s.set("step.collision", collision);
      s.obstacles.emplace_back().placement.position = {0, 0.85f, 0};
      const auto device = Device::create(DeviceChoice::cpu);
      device->verify_replays = true;
      Simulation sim(s, *device);
      for (int i = 0; i < 20; ++i) CHECK_NOTHROW(sim.step());
      CHECK(sim.stats().max_stretch < 1.2f);
    }
  }
}
