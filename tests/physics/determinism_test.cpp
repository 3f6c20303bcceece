#include "tests/physics/scenes.h"

using namespace weft;
using namespace weft::physics;

namespace {

/// A cloth pinned at two corners that a drag pulls onto a sphere: every part of the state is in play.
Scene busy_scene(ElasticModel model, int vertices = 2000) {
  Scene s;
  s.step.elastic_model = int(model);
  Cloth& c = s.cloths.emplace_back();
  c.size = {0.5f, 0.5f};
  c.vertices = vertices;
  c.placement.position = {0, 0.8f, 0};
  Obstacle& o = s.obstacles.emplace_back();
  o.size = vec3(0.15f);
  o.placement.position = {0, 0.6f, 0.2f};
  s.pins.push_back(pin_where(s, [](const vec3& p) { return p.y > 1.0499f && std::abs(p.x) > 0.2499f; }));
  s.drags.push_back({"",
                     {0.5f, 0.0f},
                     0.2f,
                     1.5f,
                     {{0, vec3(0)}, {0.6f, vec3(0.1f, 0.3f, 0.4f)}, {1.2f, vec3(0, 0, -0.3f)}}});
  s.forces.wind = {0.5f, 0, 1};
  return s;
}

/// A second with as many threads.
uint64_t hash_after(int vertices, int threads, ElasticModel model) {
  Run run(busy_scene(model, vertices), threads);
  for (int i = 0; i < 100; ++i) run.sim->step();
  return run.sim->hash();
}

}  // namespace

TEST_SUITE("physics") {
  TEST_CASE("equal runs of few vertices end in equal bits, for one thread and for two") {
    for (const ElasticModel model : {ElasticModel::springs, ElasticModel::finite_elements}) {
      const uint64_t first = hash_after(700, 1, model);
      if (model == ElasticModel::springs) CHECK(hash_after(700, 1, model) == first);
      CHECK(hash_after(700, 2, model) == first);
    }
  }

  TEST_CASE("a restored state runs on to the same bits") {
    Run run(busy_scene(ElasticModel::springs, 700));
    run.sim->apply(GrabBegin{3, 100, vec3(0.2f, 0.3f, 0.5f), 0.05f});
    for (int i = 0; i < 50; ++i) {
      if (i == 20) run.sim->apply(PinVertex{40, true});
      run.sim->apply(GrabMove{3, vec3(0.2f, 0.9f, 0.01f * float(i))});
      run.sim->step();
    }
    const Snapshot at50 = run.sim->snapshot();
    for (int i = 0; i < 50; ++i) run.sim->step();
    const uint64_t first = run.sim->hash();
    run.sim->restore(at50);
    CHECK(run.sim->hash() != first);
    for (int i = 0; i < 50; ++i) run.sim->step();
    CHECK(run.sim->hash() == first);
  }

  TEST_CASE("one bit of difference at the start changes the hash") {
    Scene s = busy_scene(ElasticModel::springs);
    Run a(s);
    s.cloths[0].placement.position.y = std::nextafter(0.8f, 1.0f);
    Run b(s);
    CHECK(a.sim->hash() != b.sim->hash());
  }
}

TEST_SUITE("full") {
  TEST_CASE("equal runs end in equal bits for one thread and for two") {
    for (const ElasticModel model : {ElasticModel::springs, ElasticModel::finite_elements}) {
      const uint64_t first = hash_after(2000, 1, model);
      CHECK(hash_after(2000, 1, model) == first);
      CHECK(hash_after(2000, 1, model) == first);
      CHECK(hash_after(2000, 2, model) == first);
    }
  }
}
