#include "sim/scene/text/scene_file.h"
#include "tests/physics/scenes.h"
#include "tests/physics/uneven_sheet.h"

using namespace weft;
using namespace weft::physics;

TEST_SUITE("physics") {
  TEST_CASE("free fall under backward Euler is exact to rounding") {
    // v_n = -g n h, so x_n = -g h^2 n (n + 1) / 2 for every vertex.
    Scene s = bare_scene();
    s.cloths[0].vertices = 1000;
    s.cloths[0].placement.position = {0.3f, 10, 0.2f};
    s.cloths[0].placement.rotation = {-60, 20, 0};
    Run run(s);
    const auto start = run.sim->positions();
    const int n = 50;
    for (int i = 0; i < n; ++i) run.sim->step();
    const auto end = run.sim->positions();
    const double h = double(s.step.dt), fall = 9.81 * h * h * n * (n + 1) / 2;
    double worst = 0;
    for (size_t v = 0; v < start.size(); ++v) {
      worst = std::max(worst, std::abs(double(start[v].y) - fall - double(end[v].y)));
      worst =
          std::max({worst, std::abs(double(start[v].x) - end[v].x), std::abs(double(start[v].z) - end[v].z)});
    }
    // Each step rounds a position of 8 to 16 m by up to 4.8e-7 m: 50 steps, 2.4e-5 m. It rounds the
    // displacement and the velocity of up to 5 m/s by 2.4e-7 of a metre per second each, which the following
    // steps carry on:
    // 2 * 50 * 51 / 2 * 0.01 s * 2.4e-7 = 6.1e-6 m. Together 3.0e-5 m.
    CHECK(worst < 3.0e-5);
    CHECK(run.sim->stats().max_stretch == doctest::Approx(1).epsilon(1e-4));
  }

  TEST_CASE("the middle of a spinning sheet with an uneven mesh flies on its parabola with every method" *
            doctest::test_suite("full")) {
    for (const std::string collision : {"none", "bodies", "repulsion", "two_way", "impact_zones", "ndb"}) {
      CAPTURE(collision);
      Scene s;
      s.set("step.collision", collision);
      s.forces.lift = s.forces.drag = s.forces.air_damping = 0;
      s.contact.ground = false;
      s.cloths.push_back(uneven_cloth());
      Pin pin = pin_of_all();
      pin.release_time = 0.2f;
      pin.motion.keys = {{0, vec3(0), vec3(0)}, {1, vec3(2, 3, 0), vec3(0)}};
      pin.motion.spin_axis = {0.436436f, 0.872872f, 0.218218f};
      pin.motion.spin_rate = 180;
      s.pins.push_back(pin);
      Run run(s);
      const std::vector<float>& mass = run.sim->model().mass.download();
      const auto middle = [&] {
        dvec3 sum(0);
        double all = 0;
        const auto p = run.sim->positions();
        for (size_t v = 0; v < p.size(); ++v) sum += double(mass[v]) * dvec3(p[v]), all += double(mass[v]);
        return sum / all;
      };
      const double h = double(s.step.dt);
      while (run.sim->stats().time < 0.2 - 0.5 * h) run.sim->step();
      const dvec3 before = middle();
      run.sim->step();
      const dvec3 start = middle(), speed = (start - before) / h;
      const int n = int(1 / h);
      for (int i = 0; i < n; ++i) run.sim->step();
      const dvec3 expected = start + n * h * speed - dvec3(0, 9.81 * h * h * n * (n + 1) / 2, 0);
      const double off = glm::length(middle() - expected);
      MESSAGE(collision << ": " << 1e6 * off << " um off after " << n * h << " s");
      // Positions of up to 4 m round by 1.2e-7 m in each of 100 steps, speeds of up to 8 m/s by 2.4e-7, which
      // later steps carry on: 1.2e-5 + 0.01 * 5050 * 2.4e-7 = 2.4e-5 m. The speed at the start is measured
      // over one step, from two means that round by 3e-8 m: 100 times 6e-8 m.
      CHECK(off < 3e-5);
    }
  }

  TEST_CASE(
      "the upper edge of a sheet that is let fall on its lower one falls nearly freely while the sheet "
      "folds") {
    for (const float h : {1.0f / 30, 1.0f / 60, 1.0f / 120}) {
      CAPTURE(h);
      Scene s;
      Cloth c;
      c.fabric = read_fabric("wool");
      c.unevenness = 0.02f;
      c.size = {0.24f, 0.55f};
      c.edge = 0.0153f;
      c.placement.position = {0, 0.295f, 0};
      c.placement.rotation = {1.5f, 0, 0};
      s.cloths.push_back(c);
      s.step.dt = h;
      s.set("step.collision", "two_way");
      Run run(s);
      const double start = double(run.sim->stats().max_height);
      const int n = int(0.25f / h + 0.5f);
      for (int i = 0; i < n; ++i) run.sim->step();
      const double h2 = double(h) * double(h), free = 9.81 * h2 * n * (n + 1) / 2;
      MESSAGE("steps of " << h << " s: falls by " << start - double(run.sim->stats().max_height)
                          << " m, freely by " << free);
      // Thin cloth holds nothing upright; the share that is missing is what moves sideways in the folds.
      CHECK(start - double(run.sim->stats().max_height) > 0.85 * free);
      CHECK(start - double(run.sim->stats().max_height) < 1.01 * free);
    }
  }
}
