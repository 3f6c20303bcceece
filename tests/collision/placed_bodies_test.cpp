// Bodies that cloth holds back, for those who look at states of a run.
#include "sim/collision/bodies/placed_bodies.h"

#include <doctest/doctest.h>

#include "sim/base/error.h"

using namespace weft;

namespace {

/// A ball that rises by 0.1 m in a second.
Scene rising_ball() {
  Scene s;
  s.contact.ground = false;
  Obstacle ball;
  ball.size.x = 0.05f;
  ball.motion.keys = {{0, vec3(0)}, {1, vec3(0, 0.1f, 0)}};
  s.obstacles.push_back(ball);
  return s;
}

float distance(const BodiesView& bodies, const vec3& at) {
  const BodyPose& pose = bodies.pose[0];
  vec3 direction;
  return bodies.shape[0].distance(pose.deforming < 0 ? pose.local_at_end(at) : at, direction);
}

}  // namespace

TEST_CASE("a body that cloth holds back is where it really is, and back in its scripted place afterwards") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  device->run([&] {
    PlacedBodies bodies(*device, rising_ball());
    const vec3 above(0, 0.112f, 0);
    CHECK(std::abs(distance(bodies.at(1, {}), above) + 0.038f) < 1e-6f);
    // The ball's mesh 0.04 m behind. Its vertices lie on the ball.
    std::vector<std::string> notices;
    GrowingLists growing(*device);
    Bodies other(growing, rising_ball(), notices);
    std::vector<vec3> behind;
    for (const vec3& p : other.meshes()[0].positions) behind.push_back(p + vec3(0, 0.06f, 0));
    const BodyPlaces places = {std::make_shared<const std::vector<vec3>>(behind)};

    CHECK(std::abs(distance(bodies.at(1, places), above) - 0.002f) < 2e-4f);  // a field of the mesh of a ball
    CHECK(std::abs(distance(bodies.at(1, {}), above) + 0.038f) < 1e-6f);
    CHECK_THROWS_AS(bodies.at(1, {std::make_shared<const std::vector<vec3>>(3)}), Error);
  });
}

TEST_CASE("places count as lagging beyond a distance from the script alone") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  device->run([&] {
    PlacedBodies bodies(*device, rising_ball());
    std::vector<std::string> notices;
    GrowingLists growing(*device);
    Bodies other(growing, rising_ball(), notices);
    const auto at = [&](float height) {
      std::vector<vec3> out;
      for (const vec3& p : other.meshes()[0].positions) out.push_back(p + vec3(0, height, 0));
      return BodyPlaces{std::make_shared<const std::vector<vec3>>(out)};
    };
    CHECK(bodies.lagging(1, at(0.1f), 1e-4f)[0] == nullptr);
    CHECK(bodies.lagging(1, at(0.099f), 1e-4f)[0] != nullptr);
    CHECK(bodies.lagging(0.5, at(0.05f), 1e-4f)[0] == nullptr);
    CHECK(bodies.lagging(1, {nullptr}, 1e-4f)[0] == nullptr);
  });
}
