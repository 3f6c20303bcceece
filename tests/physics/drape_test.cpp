// The drape coefficient: what a cloth covers from above, and what the fabrics are known for.
#include <limits>

#include "sim/mesh/shapes/shapes.h"
#include "sim/run/silhouette.h"
#include "sim/scene/text/scene_file.h"
#include "tests/physics/scenes.h"

using namespace weft;
using namespace weft::physics;

TEST_SUITE("physics") {
  TEST_CASE("the silhouette of a cloth is its area seen from above, folds counted once") {
    const TriMesh disc = make_disc(0.3f, 0.01f);
    double area = 0;
    for (const ivec3& t : disc.triangles) {
      const vec3 a = disc.positions[size_t(t.y)] - disc.positions[size_t(t.x)],
                 b = disc.positions[size_t(t.z)] - disc.positions[size_t(t.x)];
      area += 0.5 * double(glm::length(glm::cross(a, b)));
    }
    std::vector<vec3> flat, tilted, folded;
    for (const vec3& p : disc.positions) {
      flat.push_back({p.x + 3, 0.2f, -p.y});
      tilted.push_back({p.x, 0.8f * p.y, 0.6f * p.y});
      folded.push_back({std::abs(p.x), p.x < 0 ? 0.01f : 0.0f, p.y});
    }
    CHECK(relative_error(silhouette_area(flat, disc.triangles), area) < 1e-3);
    CHECK(relative_error(silhouette_area(tilted, disc.triangles), 0.6 * area) < 2e-3);
    // a row of triangles lies across the fold
    CHECK(relative_error(silhouette_area(folded, disc.triangles), 0.5 * area) < 2e-2);
    CHECK(silhouette_area({vec3(1), vec3(1), vec3(1)}, {ivec3(0, 1, 2)}) == 0);
  }

  TEST_CASE("the drape coefficient is 1 of a flat disc and 0 of one whose free ring hangs straight down") {
    const TriMesh disc = make_disc(0.3f, 0.3f / 2 / 20 * 1.1f);  // 20 rings
    std::vector<vec3> flat, down;
    std::vector<int> pinned;
    for (const vec3& p : disc.positions) {
      const float r = glm::length(p);
      pinned.push_back(r < 0.0901f);
      flat.push_back({p.x, 0, p.y});
      const float inside = r > 0.09f ? 0.09f / r : 1;
      down.push_back({inside * p.x, -(1 - inside) * r, inside * p.y});
    }
    CHECK(std::abs(drape_coefficient(disc.positions, flat, disc.triangles, pinned) - 1) < 2e-3);
    CHECK(std::abs(drape_coefficient(disc.positions, down, disc.triangles, pinned)) < 2e-3);
    CHECK(std::isnan(
        drape_coefficient(disc.positions, flat, disc.triangles, std::vector<int>(disc.positions.size(), 1))));
  }

  TEST_CASE("a scene that names the drape coefficient measures it, others do not") {
    Scene s = read_scene(assets_folder() + "/scenes/drape_test.toml");
    s.cloths[0].vertices = 331;
    Run run(s, 1);
    run.sim->step();
    CHECK(std::abs(double(run.sim->stats().drape_coefficient) - 1) < 0.02);  // it has hardly begun to fall
    s.end.clear();
    Run silent(s, 1);
    silent.sim->step();
    CHECK(std::isnan(silent.sim->stats().drape_coefficient));
  }
}

TEST_SUITE("full") {
  // Measured bands: docs/fabrics.md.
  TEST_CASE("every fabric drapes within its published band on discs of 1000 vertices") {
    const struct {
      const char* fabric;
      float low, high;
    } bands[] = {{"silk", 0.20f, 0.40f},  {"cotton", 0.60f, 0.76f},  {"wool", 0.40f, 0.70f},
                 {"denim", 0.70f, 0.90f}, {"leather", 0.47f, 0.70f}, {"denim_11oz", 0.70f, 0.90f}};
    for (const auto& band : bands) {
      Scene s = read_scene(assets_folder() + "/scenes/drape_test.toml");
      s.cloths[0].fabric = read_fabric(band.fabric);
      Run run(s);
      for (int i = 0; i < 240; ++i) run.sim->step();
      const float measured = run.sim->stats().drape_coefficient;
      MESSAGE(band.fabric << " " << 100 * measured << " %");
      CHECK(measured > band.low);
      CHECK(measured < band.high);
    }
  }
}
