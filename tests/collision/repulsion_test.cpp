#include "sim/collision/repulsion/repulsion.h"
#include "sim/solvers/descent/descent_params.h"

#include <algorithm>

#include "sim/scene/text/scene_file.h"
#include "tests/device/for_each_device.h"
#include "tests/physics/scenes.h"
#include "tests/safety/crossings.h"
#include "tests/support/pushed_sheets.h"

using namespace weft;
using namespace weft::repulsion;
using namespace weft::testing;

TEST_SUITE("repulsion") {
  TEST_CASE("the cubic of the barrier joins smoothly, as equation 17 asks") {
    const float e = 3;
    const auto f = [e](float x) { return repulsion::barrier_f<OneRow>(x, e); };
    const auto df = [&](float x) { return repulsion::barrier_slope<OneRow>(x, e) * f(x); };
    CHECK(f(0) == 0);
    CHECK(f(e) == e);
    CHECK(std::abs(df(1e-6f) - 1) < 2e-6f);
    CHECK(std::abs(df(e)) < 1e-6f);
    CHECK(f(2 * e) == e);
    CHECK(df(2 * e) == 0);
    for (float x = 0.1f; x < 2.9f; x += 0.2f)
      CHECK(std::abs(double(f(x + 1e-3f) - f(x - 1e-3f)) / 2e-3 - double(df(x))) < 1e-3);
  }

  TEST_CASE("lengths scale with the mesh, and are the paper's at 4.2 mm") {
    const RepulsionParams p;
    const RepulsionConstants c = repulsion_constants(p, {3.8e-3f, 4.2e-3f, 5.7e-3f});
    CHECK(std::abs(c.bound - 6e-3f) < 1e-6f);
    CHECK(std::abs(c.soft_distance - 8e-3f) < 1e-5f);
    CHECK(std::abs(c.soft_edge - 7.09e-3f) < 1e-5f);
    const RepulsionConstants twice = repulsion_constants(p, {7.6e-3f, 8.4e-3f, 11.4e-3f});
    CHECK(std::abs(twice.soft_distance / c.soft_distance - 2) < 1e-5f);
    // A pair that was not found stays outside of B + B_tight whatever both do.
    CHECK(c.search_radius - 2 * c.budget >= c.distance - 1e-7f);
    CHECK((1 - c.initial_squeeze) * c.search_radius - 2 * c.initial_budget >= c.distance - 1e-7f);
    // Samples in the middles of edges up to 2 L neither.
    RepulsionParams with_samples = p;
    with_samples.resampling = true;
    const RepulsionConstants d = repulsion_constants(with_samples, {3.8e-3f, 4.2e-3f, 5.7e-3f});
    CHECK((1 - d.initial_squeeze) * d.search_radius -
              2 * (d.initial_budget + d.initial_squeeze * 0.5f * d.longest_edge) >=
          d.distance - 1e-7f);
    CHECK(d.initial_budget > 0.1f * d.bound);
  }

  TEST_CASE(
      "sheets that are pushed into each other never come closer than the bound, on the way nor at the end") {
    testing::for_each_device([](Device& device) {
      const Sheets sheets(0.0095f);
      for (const bool soft : {true, false}) {
        RepulsionParams params;
        params.soft_phase = soft;   // without it every step needs the hard phase
        params.rollback_steps = 1;  // every update is checked
        Process process(device, sheets, params);
        const std::vector<vec3> target = pushed_into_each_other(sheets);
        std::vector<vec3> before(size_t(sheets.size()), vec3(0));
        int straight = 0;
        for (int k = 0; k < 60; ++k) {
          const int failed = process.count(kStepsFailed);
          process.advance(target, 1);
          const std::vector<vec3> now = process.u();
          // The way of a step in which the soft phase failed is bent: hard_phase_test.cpp checks its
          // pieces.
          if (process.count(kStepsFailed) == failed) {
            CHECK(least_distance(sheets, before, now) >= double(process.steps.constants().bound));
            ++straight;
          }
          CHECK(least_distance(sheets, now, now) >= double(process.steps.constants().distance) * (1 - 1e-6));
          CHECK(longest_edge(sheets, now) <= double(process.steps.constants().max_edge));
          before = now;
        }
        // They have met, and stopped.
        const double gap = least_distance(sheets, before, before);
        CHECK(gap < double(process.steps.constants().soft_distance) + 1e-4);
        if (soft) CHECK(straight > 40);
        else CHECK(process.count(kStepsFailed) > 0);
      }
    });
  }

  TEST_CASE("with and without rollback both runs keep all distances") {
    testing::for_each_device([](Device& device) {
      const Sheets sheets(0.009f);
      for (const int rollback : {1, 12}) {
        RepulsionParams params;
        params.rollback_steps = rollback;
        params.soft_iterations = 1;  // so that steps fail
        params.penalty = 0.05f;
        Process process(device, sheets, params);
        process.advance(pushed_into_each_other(sheets), 72);
        CHECK(process.count(kStepsFailed) > 0);
        CHECK(process.count(kGroupsRolledBack) > 0);
        const auto u = process.u();
        CHECK(least_distance(sheets, u, u) >= double(process.steps.constants().distance) * (1 - 1e-6));
      }
    });
  }

  TEST_CASE("vertices that end a step deep in a body are brought out, and shallow ones stay where they are") {
    const auto device = Device::create(DeviceChoice::cpu);
    const Sheets sheets(0.012f);
    for (const float depth : {0.0f, 0.3e-3f, 2e-3f}) {
      CAPTURE(depth);
      Process process(*device, sheets, {});
      process.advance(std::vector<vec3>(size_t(sheets.size()), vec3(0)), 12);
      REQUIRE(process.u() == std::vector<vec3>(size_t(sheets.size()), vec3(0)));
      // Half of the lower sheet has a body come from below.
      const auto pushed = [&](int i) { return i < sheets.size() / 2 && sheets.start[size_t(i)].x > 0; };
      const CollisionSteps::FindPlanes::Find planes = [&](Span<const vec3>, Span<const vec3>, float) {
        for (int i = 0; i < sheets.size(); ++i)
          if (pushed(i))
            process.steps.plane_normal()[i] = vec3(0, 1, 0), process.steps.plane_gap()[i] = -depth;
      };
      process.steps.leave_bodies(0.4e-3f, planes);
      const auto u = process.u();
      float least = 1;
      for (int i = 0; i < sheets.size(); ++i)
        if (pushed(i)) least = std::min(least, u[size_t(i)].y);
      if (depth < 0.4e-3f) CHECK(u == std::vector<vec3>(size_t(sheets.size()), vec3(0)));
      else CHECK(least > depth - 1e-5f);
      CHECK(least_distance(sheets, u, u) >= double(process.steps.constants().distance) * (1 - 1e-6));
    }
  }

  TEST_CASE("with the hard phase and the limits off the same push makes sheets cross") {
    const auto device = Device::create(DeviceChoice::cpu);
    const Sheets sheets(0.009f);
    RepulsionParams params;
    params.hard_phase = params.limits = params.soft_phase = false;
    Process process(*device, sheets, params);
    process.advance(pushed_into_each_other(sheets), 18);  // 4.5 mm each: half way through
    const auto u = process.u();
    std::vector<vec3> x;
    for (int i = 0; i < sheets.size(); ++i) x.push_back(sheets.start[size_t(i)] + u[size_t(i)]);
    CHECK(least_distance(sheets, u, u) < double(process.steps.constants().bound));
    CHECK_FALSE(check::find_crossings(std::span<const vec3>(x), {sheets.topology.triangles}).clean());
  }

  TEST_CASE("constraints push further than a step of D where the move limit lets them") {
    testing::for_each_device([](Device& device) {
      const Sheets sheets(0.007f);  // 1 mm closer than layers rest
      for (const float limit : {0.0f, 2.5e-3f}) {
        CAPTURE(limit);
        RepulsionParams params;
        params.move_limit = limit;
        Process process(device, sheets, params);
        const std::vector<vec3> x = process.step(std::vector<vec3>(sheets.start.size(), vec3(0)), 1);
        float furthest = 0;
        for (size_t i = 0; i < x.size(); ++i)
          furthest = std::max(furthest, glm::length(x[i] - sheets.start[i]));
        const float step = process.steps.constants().step_limit;
        CHECK((furthest > 1.2f * step) == (limit > 0));
        process.step(pushed_into_each_other(sheets), 60);
        const std::vector<vec3> u = process.u();
        CHECK(least_distance(sheets, x, u, u) >= double(process.steps.constants().distance) * (1 - 1e-6));
      }
    });
  }

  TEST_CASE(
      "the hard phase goes on until its gradient is small, and tells where its rounds did not suffice") {
    testing::for_each_device([](Device& device) {
      const Sheets sheets(0.009f);
      for (const float end : {1e-12f, 1e3f}) {
        CAPTURE(end);
        RepulsionParams params;
        params.soft_iterations = 1;  // so that steps fail
        params.penalty = 0.05f;
        params.hard_rounds = 4;
        params.hard_end = end;
        Process process(device, sheets, params);
        process.advance(pushed_into_each_other(sheets), 72);
        CHECK(process.count(kStepsFailed) > 0);
        CHECK((process.count(kHardUnsolved) > 0) == (end < 1));
        const auto u = process.u();
        CHECK(least_distance(sheets, u, u) >= double(process.steps.constants().distance) * (1 - 1e-6));
      }
    });
  }

  TEST_CASE("two sheets come to rest about 8 mm apart, and smooth") {
    Scene scene = physics::bare_scene();
    scene.of<DescentParams>() = {};
    scene.contact.ground = true;
    scene.set("step.collision", "repulsion");
    scene.cloths[0].size = {0.1f, 0.1f};
    scene.cloths[0].edge = 0.0042f;
    scene.cloths[0].placement.rotation = {-90, 0, 0};
    scene.cloths[0].placement.position = {0, 0.004f, 0};
    scene.cloths[0].name = "lower";
    scene.cloths.push_back(scene.cloths[0]);
    scene.cloths[1].name = "upper";
    scene.cloths[1].size = {0.06f, 0.06f};
    scene.cloths[1].placement.rotation = {-90, 20, 0};
    scene.cloths[1].placement.position = {0, 0.014f, 0};
    physics::Run run(scene);
    run.settle(1e-3f, 200);
    const auto x = run.sim->positions();
    const ModelPart& upper = run.sim->model().host.parts[1];
    float low = 1, high = -1;
    for (int v = upper.first_vertex; v < upper.first_vertex + upper.vertex_count; ++v)
      low = std::min(low, x[size_t(v)].y), high = std::max(high, x[size_t(v)].y);
    CHECK(low > 6e-3f);
    // Above the lower sheet, which lies on the floor at its contact offset, they repel up to 8 mm away.
    CHECK(high < 8e-3f + run.sim->model().contact.offset.download()[0]);
    CHECK(high - low < 0.8e-3f);
    CHECK(check::find_crossings(std::span<const vec3>(x), {run.sim->model().host.triangles}).clean());
  }

  TEST_CASE("cloth in free fall falls as without self-collision") {
    for (const float dt : {0.01f, 1 / 30.0f}) {
      Scene scene = physics::bare_scene();
      scene.of<DescentParams>() = {};
      scene.step.dt = dt;
      scene.cloths[0].size = {0.1f, 0.1f};
      scene.cloths[0].edge = 0.0042f;
      scene.set("step.collision", "repulsion");
      physics::Run run(scene);
      for (int n = 1; n <= 12; ++n) run.sim->step();
      const double expected = -0.5 * 9.81 * double(dt) * double(dt) * 12 * 13;  // backward Euler
      CHECK(physics::relative_error(double(run.sim->stats().mean_height), expected) < 2e-3);
    }
  }

  TEST_CASE(
      "a step in which nothing is taken again is made of at most 600 launches, also with bodies, initial "
      "motion and resampling" *
      doctest::test_suite("slow")) {
    // Loops count once: on a GPU their iterations are one launch. The first step may be made twice, for lists
    // get their room in it.
    for (const char* file : {"funnel_small.toml", "tie_small.toml"}) {
      CAPTURE(file);
      physics::Run run(read_scene(assets_folder() + "/scenes/wu2020/" + file));
      int counted = 0, most = 0;
      for (int n = 0; n < 12; ++n) {
        run.sim->step();
        if (n == 0 || run.sim->stats().counter("rolled_back") > 0) continue;
        ++counted, most = std::max(most, run.device->profiler().launches());
      }
      CHECK(counted > 8);
      CHECK(most > 300);
      CHECK(most <= 600);
    }
  }

  TEST_CASE("a run with self-collision is the same for any number of threads, and from a snapshot") {
    Scene scene = physics::bare_scene();
    scene.of<DescentParams>() = {};
    scene.contact.ground = true;
    scene.set("step.collision", "repulsion");
    scene.cloths[0].size = {0.12f, 0.12f};
    scene.cloths[0].edge = 0.0042f;
    scene.cloths[0].placement.position = {0, 0.1f, 0};  // falls on its edge and folds
    physics::Run one(scene, 1), two(scene, 2);
    for (int i = 0; i < 25; ++i) one.sim->step(), two.sim->step();
    CHECK(one.sim->hash() == two.sim->hash());
    const Snapshot here = one.sim->snapshot();
    for (int i = 0; i < 10; ++i) one.sim->step();
    const uint64_t hash = one.sim->hash();
    one.sim->restore(here);
    for (int i = 0; i < 10; ++i) one.sim->step();
    CHECK(one.sim->hash() == hash);
  }
}
