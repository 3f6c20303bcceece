// Cloth without thickness, against bodies.
#include "tests/physics/scenes.h"

using namespace weft;
using namespace weft::physics;

TEST_SUITE("physics") {
  TEST_CASE("cloth without thickness meets a ball and the ground like cloth of a tenth of a millimetre") {
    for (const char* collision : {"bodies", "repulsion", "two_way"}) {
      std::vector<vec3> end[2];
      for (const float thickness : {0.0f, 1e-4f}) {
        Scene s;
        s.set("step.collision", collision);
        Cloth c;
        c.vertices = 400;
        c.size = {0.3f, 0.3f};
        c.placement = {{0, 0.21f, 0}, {-90, 0, 0}, 1};
        c.fabric.thickness = thickness;
        s.cloths.push_back(c);
        Obstacle o;
        o.name = "ball", o.shape = ObstacleShape::sphere, o.size = {0.1f, 0.1f, 0.1f};
        o.placement.position = {0, 0.1f, 0};
        s.obstacles.push_back(o);
        Run run(s, 1);
        for (int i = 0; i < 60; ++i) run.sim->step();
        CAPTURE(collision);
        CHECK(run.sim->stats().min_height > -1e-4f);
        CHECK(run.sim->stats().max_penetration < 1e-3f);
        end[thickness > 0] = run.sim->positions();
      }
      CHECK(end[0] == end[1]);
    }
  }
}
