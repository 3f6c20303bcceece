// Multilevel descent: its schedules, its momentum, and what more iterations do.
#include "sim/solvers/descent/descent_params.h"
#include "sim/solvers/newton/newton_params.h"
#include "tests/solvers/one_step.h"

using namespace weft;
using namespace weft::physics;
using namespace weft::testing;

namespace {

/// Error of one eigenmode, of 1 at the start, after turns of descent on a quadratic energy whose Hessian has
/// the eigenvalue `energy`, where the preconditioned model has `model` (at most 1).
double left_of_mode(const std::vector<DescentTurn>& turns, float rho, int inner, double model, double energy,
                    double gamma) {
  const std::vector<float> omega = chebyshev_weights(rho, inner);
  double u = 1, before = 0;
  for (const DescentTurn& turn : turns) {
    double now = u, last = u;
    for (int i = 0; i < turn.iterations; ++i) {
      const double gradient = energy * u + model * (now - u);
      const double next = double(omega[size_t(i)]) * (now - gamma * gradient - last) + last;
      last = now, now = next;
    }
    const double reached = turn.omega > 1 ? now + double(turn.omega - 1) * (now - before) : now;
    before = u, u = reached;
  }
  return u;
}

struct Trouble {
  const char* name;
  Scene scene;
};

/// Sheets on which descent once did not converge, however many its iterations.
std::vector<Trouble> troubles() {
  std::vector<Trouble> all;
  Scene weave = held_sheet(ElasticModel::springs, BendingModel::quadratic, 250);
  weave.cloths[0].fabric.weft_stiffness = 150;
  weave.cloths[0].fabric.shear_stiffness = 60;
  all.push_back({"a soft weave", weave});
  Scene lock = held_sheet(ElasticModel::springs, BendingModel::quadratic, 250);
  lock.cloths[0].fabric.stretch_stiffness = 20;
  lock.cloths[0].fabric.strain_limit = 0.05f;
  all.push_back({"threads that lock", lock});
  all.push_back({"dihedral bending", held_sheet(ElasticModel::springs, BendingModel::dihedral, 250)});
  all.push_back({"meshless bending", held_sheet(ElasticModel::springs, BendingModel::meshless, 250)});
  return all;
}

/// Energy above the minimum after each iteration of a step, over what the step gains.
std::vector<double> energies(OneStep& step, const std::vector<vec3>& best, double gain) {
  DescentSolver descent(step.b.c);
  std::vector<std::vector<vec3>> ways;
  step.solve(descent, [&](int) { ways.push_back(step.b.c.displacement.download()); });
  std::vector<double> above;
  for (const auto& d : ways) above.push_back(step.energy_change(best, d) / gain);
  return above;
}

}  // namespace

TEST_SUITE("solvers") {
  TEST_CASE("turns with momentum between them are one Chebyshev iteration where the model is the energy") {
    for (const int inner : {1, 2, 3, 6}) {
      const int turns = 24 / inner;
      DescentParams p;
      p.fine_iterations = 24;
      const DescentSchedule s = descent_schedule(p, 1, 0, inner);
      REQUIRE(int(s.turns.size()) == turns);
      const double rho = double(s.level[0].rho), t24 = std::cosh(24 * std::acosh(1 / rho));
      CHECK(t24 == doctest::Approx(15).epsilon(1e-3));
      for (double lambda = 0.02; lambda < 1.8; lambda += 0.07) {
        const double x = (1 - lambda) / rho;  // inside [-1, 1] but for the slowest modes
        const double expected =
            (std::abs(x) < 1 ? std::cos(24 * std::acos(x)) : std::cosh(24 * std::acosh(x))) / t24;
        CHECK(left_of_mode(s.turns, s.level[0].rho, inner, lambda, lambda, 1) ==
              doctest::Approx(expected).epsilon(1e-3).scale(0.1));
      }
    }
  }

  TEST_CASE("momentum lets no mode grow in which the model is stiffer than the energy") {
    for (const int inner : {1, 2, 3, 6}) {
      DescentParams p;
      p.fine_iterations = 240;
      const DescentSchedule s = descent_schedule(p, 1, 0, inner);
      for (double model = 0.01; model <= 1; model += 0.03)
        for (double share = 0; share <= 1; share += 0.1) {
          CAPTURE(model);
          CAPTURE(share);
          CHECK(std::abs(left_of_mode(s.turns, s.level[0].rho, inner, model, share * model, 1.8)) <=
                1 + 1e-6);
        }
    }
  }

  TEST_CASE("more iterations of descent never end higher" * doctest::test_suite("slow")) {
    for (Trouble& t : troubles()) {
      CAPTURE(t.name);
      t.scene.set("step.solver", "newton");
      Run run(t.scene);
      for (int state = 5; state <= 40; state += 5) {
        for (int i = 0; i < 5; ++i) run.sim->step();
        CAPTURE(state);
        OneStep step(*run.sim);
        Scene& s = step.b.scene;
        converge(s);
        NewtonSolver newton(step.b.c);
        const auto best = step.solve(newton);
        const double gain = step.energy_change(best, step.start_d);
        double last = 1;
        for (const int fine : {12, 48, 240, 960}) {
          CAPTURE(fine);
          s.of<DescentParams>().fine_iterations = fine;
          DescentSolver descent(step.b.c);
          const double above = step.energy_change(best, step.solve(descent)) / gain;
          CHECK(above < last + 1e-5);
          last = above;
        }
        CHECK(last < 1e-3);
      }
    }
  }

  TEST_CASE("Wu 2020's schedule takes 48 steps of six iterations and 12 and 12 of one") {
    DescentParams p;
    p.schedule = int(DescentOrder::wu2020);
    const DescentSchedule s = descent_schedule(p, 3, 2, 3);
    REQUIRE(s.turns.size() == 72);
    for (int k = 0; k < 72; ++k) {
      const DescentTurn& t = s.turns[size_t(k)];
      CHECK(t.level == (k < 48 ? 2 : k < 60 ? 1 : 0));
      CHECK(t.alone);
      CHECK(t.iterations == (k < 48 ? 6 : 1));
      CHECK(t.first == (k < 48 ? 6 * k : k < 60 ? k - 48 : 0));  // one Chebyshev iteration on each mesh
      CHECK((t.omega == 1) == (k <= 60));
    }
    CHECK(descent_schedule(p, 2, 2, 3).turns.size() == 60);
    CHECK(descent_schedule(p, 1, 0, 3).turns.size() == 12);
    p.coarse_iterations = 20;
    const DescentSchedule odd = descent_schedule(p, 2, 2, 3);
    REQUIRE(odd.turns.size() == 16);
    CHECK(odd.turns[3].iterations == 2);
  }

  TEST_CASE("with whole cycles a coarse correction and the turn before it are one iteration") {
    DescentParams p;
    p.fine_iterations = 20;
    for (const bool whole : {false, true}) {
      const DescentSchedule s = descent_schedule(p, 3, 6, 3, whole);
      REQUIRE(s.turns.size() == 13);  // six times fine and coarse, then what is left of the fine iterations
      CHECK(s.iterations() == (whole ? 7 : 13));
      size_t at = 0;
      for (int k = 0; k < s.iterations(); ++k) {
        CHECK(s.first_turn(k) == at);
        const bool cycle = whole && k < 6;
        CHECK(s.turns[at].goes_on == cycle);
        at += cycle ? 2 : 1;
      }
      CHECK(s.first_turn(s.iterations()) == s.turns.size());
    }
  }

  TEST_CASE("both schedules lower the energy step by step and end at the same minimum" *
            doctest::test_suite("slow")) {
    for (const int vertices : {250, 2000}) {
      CAPTURE(vertices);
      Scene scene = held_sheet(ElasticModel::springs, BendingModel::quadratic, vertices);
      scene.set("step.solver", "newton");
      // A state that lags: the next step has work for the coarse meshes.
      scene.of<NewtonParams>() = NewtonParams{.steps = 3,
                                              .preconditioner = int(CgPreconditioner::block_jacobi),
                                              .cg_iterations = 80,
                                              .cg_tolerance = 0.03f};
      Run run(scene);
      for (int i = 0; i < 20; ++i) run.sim->step();
      OneStep step(*run.sim);
      Scene& s = step.b.scene;
      converge(s);
      NewtonSolver newton(step.b.c);
      const auto best = step.solve(newton);
      const double gain = step.energy_change(best, step.start_d),
                   moved = largest_difference(best, std::vector<vec3>(best.size(), vec3(0)));
      std::vector<std::vector<vec3>> ends;
      for (const char* schedule : {"alternating", "wu2020"}) {
        CAPTURE(schedule);
        s.set("descent.schedule", schedule);
        s.of<DescentParams>() = DescentParams{.schedule = s.of<DescentParams>().schedule};
        const std::vector<double> above = energies(step, best, gain);
        const size_t n = above.size();
        const double highest = *std::max_element(above.begin(), above.end());
        MESSAGE(std::string(schedule)
                << ", " << vertices
                << " vertices: energy above the minimum, over what the step gains, after the first of " << n
                << " iterations, a third, two and all: " << above[0] << ", " << above[n / 3 - 1] << ", "
                << above[2 * n / 3 - 1] << ", " << above[n - 1] << "; highest " << highest);
        // Momentum may take a step up that later ones take back.
        CHECK(highest < 1);
        CHECK(above[2 * n / 3 - 1] < above[n / 3 - 1]);
        CHECK(above[n - 1] < above[2 * n / 3 - 1]);
        CHECK(above[n - 1] < 0.05);
        s.of<DescentParams>().fine_iterations = 10000;
        DescentSolver descent(step.b.c);
        ends.push_back(step.solve(descent));
      }
      MESSAGE("ends apart " << largest_difference(ends[0], ends[1]) / moved << " of the motion");
      CHECK(largest_difference(ends[0], ends[1]) < 1e-3 * moved);
      CHECK(largest_difference(ends[0], best) < 1e-3 * moved);
    }
  }

  TEST_CASE("schedules are switched while the cloth moves and make the same launches from step to step") {
    for (const char* collision : {"none", "repulsion"}) {
      CAPTURE(collision);
      Scene s = held_sheet(ElasticModel::springs, BendingModel::quadratic, 400);
      s.set("step.collision", collision);
      const auto device = Device::create(DeviceChoice::cpu);
      device->verify_replays = true;
      Simulation sim(s, *device);
      for (const char* schedule : {"wu2020", "alternating", "wu2020"}) {
        CHECK_NOTHROW(sim.apply(SetParam{"descent.schedule", schedule}));
        for (int i = 0; i < 5; ++i) CHECK_NOTHROW(sim.step());
      }
      CHECK(sim.stats().max_stretch < 1.1f);
      CHECK(sim.stats().max_speed < 3);
    }
  }
}
