#include <doctest/doctest.h>

#include "sim/base/error.h"
#include "sim/scene/text/scene_file.h"
#include "sim/scene/text/viewpoint_table.h"

using namespace weft;

namespace {

const char* kScene = R"(
[[cloth]]
name = "sheet"
[camera]
target = [0, 1, 0]
[[viewpoint]]
name = "front"
target = [0.1, 0.2, 0.3]
distance = 3.5
yaw = 20
pitch = -10
fov = 30
[[viewpoint]]
name = "the collar"
distance = 0.4
)";

}  // namespace

TEST_CASE("viewpoints are read, written and read again as they are") {
  const Scene scene = parse_scene(kScene, "test.toml");
  const auto& list = scene.of<ViewpointList>().list;
  REQUIRE(list.size() == 2);
  CHECK(list[0].name == "front");
  CHECK(list[0].pose.distance == 3.5f);
  CHECK(list[0].pose.fov == 30);
  CHECK(list[1].pose.yaw == CameraPose{}.yaw);
  const Scene again = parse_scene(write_scene(scene), "again.toml");
  CHECK(again.of<ViewpointList>() == scene.of<ViewpointList>());
}

TEST_CASE("a viewpoint takes the place of the camera and its path") {
  Scene scene = parse_scene(kScene, "test.toml");
  scene.camera_path = {{.time = 0}};
  look_from(scene, "front");
  REQUIRE(scene.camera);
  CHECK(*scene.camera == scene.of<ViewpointList>().list[0].pose);
  CHECK(scene.camera_path.empty());
}

TEST_CASE("an unknown viewpoint is refused with the names that there are") {
  Scene scene = parse_scene(kScene, "test.toml");
  CHECK_THROWS_WITH_AS(look_from(scene, "back"), doctest::Contains("front, the collar"), Error);
}

TEST_CASE("viewpoints without a name or with the same name are refused with their line") {
  CHECK_THROWS_WITH_AS(parse_scene("[[viewpoint]]\ndistance = 2\n", "a.toml"),
                       doctest::Contains("needs a name"), Error);
  CHECK_THROWS_WITH_AS(parse_scene("[[viewpoint]]\nname = \"a\"\n[[viewpoint]]\nname = \"a\"\n", "a.toml"),
                       doctest::Contains("two viewpoints"), Error);
}

TEST_CASE("a viewpoint that is kept again replaces the one of its name") {
  const std::vector<Viewpoint> one = with_viewpoint({}, {"front", {}});
  CameraPose other;
  other.yaw = 90;
  const auto two = with_viewpoint(with_viewpoint(one, {"side", {}}), {"front", other});
  REQUIRE(two.size() == 2);
  CHECK(two[0].pose.yaw == 90);
}
