// The scenes that come with the program, and those that are made around a mesh.
#include <doctest/doctest.h>

#include <algorithm>

#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/scene/method_info.h"
#include "sim/scene/model/cloth_mesh.h"
#include "sim/scene/solids.h"
#include "sim/scene/text/scene_file.h"

using namespace weft;
namespace fs = std::filesystem;

namespace {

/// What every scene that ships must say of itself.
void check_words(const std::string& path) {
  CAPTURE(path);
  const Scene scene = read_scene(path);
  CHECK(scene.title != Scene{}.title);
  CHECK_FALSE(scene.description.empty());
  CHECK_FALSE(scene.end.empty());
  CHECK(scene.camera.has_value());
  CHECK(part_count(scene) > 0);
  CHECK(parse_scene(write_scene(scene), path) == scene);
}

void check_meshes(const std::string& path) {
  CAPTURE(path);
  const Scene scene = read_scene(path);
  std::vector<std::string> notices;
  for (const Cloth& c : scene.cloths)
    CHECK(build_cloth_mesh(c, fs::path(path).parent_path().string(), notices).vertex_count() > 100);
  for (const Obstacle& o : scene.obstacles)
    CHECK(build_obstacle_mesh(o, fs::path(path).parent_path().string(), notices).triangle_count() > 0);
  // Garments may have three sheets in a seam, of which they tell.
  if (std::any_of(scene.cloths.begin(), scene.cloths.end(),
                  [](const Cloth& c) { return c.rest.shape == "texture"; }))
    std::erase_if(notices, [](const std::string& n) { return n.find("edges of more than two") != n.npos; });
  CHECK(notices.empty());
}

}  // namespace

TEST_CASE("an OBJ becomes a scene that frames it") {
  const fs::path folder = fs::temp_directory_path() / "weft_obj_scene";
  fs::create_directories(folder);
  const std::string shirt = (folder / "my shirt.obj").string(), body = (folder / "body.obj").string();
  write_text_file(shirt, "v 0 1 0\nv 1 1 0\nv 0 2 0\nf 1 2 3\n");
  write_text_file(body, "v 0 0 0\nv 1 0 0\nv 0 1 1\nf 1 2 3\n");
  const Scene alone = scene_from_obj(shirt, {}), dressed = scene_from_obj(shirt, {body});
  CHECK(alone.cloths[0].name == "my_shirt");
  CHECK(alone.cloths[0].fabric == read_fabric("cotton"));
  CHECK(alone.obstacles.empty());
  CHECK(alone.contact.ground);
  REQUIRE(alone.camera);
  CHECK(alone.camera->target == vec3(0.5f, 1.5f, 0));
  REQUIRE(dressed.obstacles.size() == 1);
  CHECK(dressed.obstacles[0].shape == ObstacleShape::mesh);
  CHECK(dressed.camera->target == vec3(0.5f, 1, 0.5f));
  CHECK(parse_scene(write_scene(dressed), "") == dressed);
  write_text_file(body, "v 0 -1 0\nv 1 0 0\nv 0 1 1\nf 1 2 3\n");
  const Scene low = scene_from_obj(shirt, {body});
  CHECK(low.contact.ground);
  CHECK(low.contact.ground_height == -1);  // the body stands on the floor
  CHECK_THROWS_AS(scene_from_obj((folder / "none.obj").string(), {}), Error);
  fs::remove_all(folder);
}

TEST_CASE("every shipped scene reads, and says what it is and what must be true at its end") {
  const auto paths = builtin_scenes();
  CHECK(paths.size() >= 80);
  for (const std::string& path : paths) check_words(path);
}

TEST_CASE(
    "every paper has a preset whose settings a scene takes, and an unknown one is told with the nearest") {
  std::vector<std::string> names;
  for (const PaperPreset& preset : paper_presets()) {
    CAPTURE(preset.name);
    names.push_back(preset.name);
    CHECK(preset.title.find("as published") != std::string::npos);
    CHECK(!preset.description.empty());
    Scene scene;
    for (const auto& [key, value] : preset.settings) scene.set(key, value);
    CHECK(scene != Scene());
    CHECK_FALSE(has_settings(Scene(), preset));
    for (const PaperPreset& other : paper_presets())
      CHECK(has_settings(scene, other) == (other.name == preset.name));
  }
  CHECK(names == std::vector<std::string>{"lan2024", "tang2018", "wang2021", "wang2023", "wu2020"});
  CHECK_THROWS_WITH_AS(paper_preset("wang2013"), doctest::Contains("did you mean wang2023?"), Error);
}

TEST_CASE("shipped scenes without uniform patterns build their meshes" * doctest::test_suite("slow")) {
  int built = 0;
  for (const std::string& path : builtin_scenes()) {
    const Scene scene = read_scene(path);  // uniform patterns take seconds
    if (std::any_of(scene.cloths.begin(), scene.cloths.end(),
                    [](const Cloth& c) { return c.pattern == "uniform"; }))
      continue;
    check_meshes(path), ++built;
  }
  CHECK(built >= 40);
}

TEST_CASE(
    "every shipped scene reads and builds its meshes and holds its pins and says what must be true at its "
    "end" *
    doctest::test_suite("full")) {
  for (const std::string& path : builtin_scenes()) check_words(path), check_meshes(path);
}

TEST_CASE(
    "the default scene hangs about 10000 vertices of cotton by two corners beside a sphere and a table") {
  const Scene scene = read_scene(default_scene_path());
  std::vector<std::string> notices;
  CHECK(std::abs(build_cloth_mesh(scene.cloths[0], "", notices).vertex_count() - 10000) < 300);
  CHECK(scene.cloths[0].fabric_name == "cotton");
  CHECK(scene.pins.size() == 2);
  CHECK(scene.obstacles.size() >= 2);
  CHECK(collision_names()[size_t(scene.step.collision)] == "two_way");
}
