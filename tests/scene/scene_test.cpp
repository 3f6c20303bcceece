#include "sim/scene/scene.h"
#include "sim/solvers/descent/descent_params.h"

#include <doctest/doctest.h>

#include "sim/base/error.h"
#include "tests/support/two_cloths.h"

using namespace weft;

namespace {}  // namespace

TEST_CASE("a parameter is set by its full key") {
  Scene scene = testing::two_cloths("flag", "sail");
  scene.set("step.dt", "0.002");
  scene.set("forces.wind", "1,2,3");
  scene.set("contact.friction", "0.7");
  scene.set("descent.fine_iterations", "3");
  scene.set("drag.force_limit", "9");
  scene.set("step.elastic_model", "finite_elements");
  CHECK(scene.step.dt == 0.002f);
  CHECK(scene.forces.wind == vec3(1, 2, 3));
  CHECK(scene.contact.friction == 0.7f);
  CHECK(scene.of<DescentParams>().fine_iterations == 3);
  CHECK(scene.drag.force_limit == 9);
  CHECK(scene.step.elastic_model == int(ElasticModel::finite_elements));
}

TEST_CASE("fabric sets every cloth, a cloth's name only that one") {
  Scene scene = testing::two_cloths("flag", "sail");
  scene.set("fabric.areal_density", "0.3");
  CHECK(scene.cloths[0].fabric.areal_density == 0.3f);
  CHECK(scene.cloths[1].fabric.areal_density == 0.3f);
  scene.set("sail.areal_density", "0.4");
  CHECK(scene.cloths[0].fabric.areal_density == 0.3f);
  CHECK(scene.cloths[1].fabric.areal_density == 0.4f);
  CHECK(scene.params().find("fabric.areal_density")->text() == "0.3");
}

TEST_CASE("a refused value leaves every cloth as it was") {
  Scene scene = testing::two_cloths("flag", "sail");
  const Scene before = scene;
  for (const char* bad : {"nan", "inf", "-1", "heavy", ""}) {
    CHECK_THROWS_AS(scene.set("fabric.areal_density", bad), Error);
    CHECK_THROWS_AS(scene.set("step.dt", bad), Error);
  }
  CHECK_THROWS_AS(scene.set("step.dt", "0"), Error);
  CHECK_THROWS_AS(scene.set("step.dt", "100"), Error);
  CHECK(scene == before);
}

TEST_CASE("an unknown key names the nearest one") {
  Scene scene = testing::two_cloths("flag", "sail");
  try {
    scene.set("forces.gravty", "0,0,0");
    FAIL("accepted");
  } catch (const Error& e) {
    CHECK(e.what_to_do.find("forces.gravity") != std::string::npos);
  }
}

TEST_CASE("a scene without cloth still has its other parameters") {
  Scene scene;
  scene.set("step.dt", "0.005");
  CHECK_THROWS_AS(scene.set("fabric.areal_density", "0.3"), Error);
}
