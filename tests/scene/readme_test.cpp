#include <doctest/doctest.h>

#include <filesystem>

#include "sim/base/file.h"
#include "sim/scene/command.h"
#include "sim/scene/scene_file.h"
#include "test_paths.h"

using namespace weft;

namespace {

/// The n-th TOML block of the README that describes the formats.
std::string example(int n) {
  const std::string text = read_text_file(std::string(WEFT_TEST_ASSETS) + "/../sim/scene/README.md", "a text");
  size_t at = 0;
  for (int i = 0; i <= n; ++i) {
    at = text.find("```toml\n", at);
    REQUIRE(at != text.npos);
    at += 8;
  }
  return text.substr(at, text.find("```", at) - at);
}

}  // namespace

TEST_CASE("the example of the scene format is a scene") {
  const Scene scene = parse_scene(example(0), "README.md");
  CHECK(scene.cloths.size() == 2);
  CHECK(scene.pins.size() == 1);
  CHECK(scene.obstacles.size() == 4);
  CHECK(scene.obstacles[2].deforms());
  CHECK(scene.obstacles[3].bones.size() == 2);
  CHECK(scene.drags.size() == 1);
  CHECK(scene.end.size() == 1);
  CHECK(scene.cloths[0].fabric.areal_density == 0.2f);
  CHECK(scene.pins[0].motion.keys.size() == 2);
  CHECK(scene.camera_path.size() == 2);
}

TEST_CASE("the example of the scene format names every parameter of its tables") {
  const std::string text = example(0);
  Scene scene = parse_scene(text, "README.md");
  const ParamTable table = scene.params();
  for (const ParamRef& ref : table.refs()) {
    const std::string group = ref.key().substr(0, ref.key().find('.'));
    if (group != "step" && group != "forces" && group != "drag" && group != "descent" && group != "newton" && group != "contact" && group != "repulsion" && group != "two_way") continue;
    CAPTURE(ref.key());
    const size_t begin = text.find("[" + group + "]"), end = text.find("\n[", begin);
    CHECK(text.substr(begin, end - begin).find("\n" + ref.info().key + " = ") != text.npos);
  }
}

TEST_CASE("the example of a recording of user input is one") {
  const std::string path = (std::filesystem::temp_directory_path() / "weft_readme_hands.toml").string();
  write_text_file(path, example(1));
  CHECK(read_hands(path).commands.size() == 9);
  std::filesystem::remove(path);
}
