#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include "sim/base/file.h"
#include "sim/garment/pattern.h"
#include "sim/scene/command.h"
#include "sim/scene/model/body_clips.h"
#include "sim/scene/text/scene_file.h"
#include "test_paths.h"

using namespace weft;

namespace {

const std::string kRoot = std::string(WEFT_TEST_ASSETS) + "/..";

/// The n-th TOML block of a page; by default of the one that describes the formats.
std::string example(int n, const std::string& page = "sim/scene/README.md") {
  const std::string text = read_text_file(kRoot + "/" + page, "a text");
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
  CHECK(scene.cloths.size() == 3);
  CHECK(scene.cloths[2].sewing_pattern->panels[0].darts.size() == 1);
  CHECK(scene.pins.size() == 1);
  CHECK(scene.obstacles.size() == 6);
  CHECK(scene.obstacles[2].deforms());
  CHECK(scene.obstacles[3].bones.size() == 2);
  CHECK(scene.obstacles[4].mannequin.clips.size() == 3);
  CHECK(scene.obstacles[4].deforms());
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
    if (group == "fabric" || group == "contact_radius" ||   // keys of parts
        ref.info().key.find('.') != ref.info().key.npos ||  // an entry of a list
        scene.cloths.end() != std::find_if(scene.cloths.begin(), scene.cloths.end(),
                                           [&](const Cloth& c) { return c.name == group; }))
      continue;
    CAPTURE(ref.key());
    const size_t begin = text.find("[" + group + "]"), end = text.find("\n[", begin);
    CHECK(text.substr(begin, end - begin).find("\n" + ref.info().key + " = ") != text.npos);
  }
}

TEST_CASE("the example of the scene format names every measure of a mannequin") {
  const std::string text = example(0);
  const size_t begin = text.find("\n[obstacle.mannequin]") + 1, end = text.find("\n[", begin);
  MannequinParams params;
  ParamTable table;
  table.add("mannequin", params);
  for (const ParamRef& ref : table.refs()) {
    CAPTURE(ref.key());
    CHECK(text.substr(begin, end - begin).find("\n" + ref.info().key + " = ") != text.npos);
  }
}

TEST_CASE("the example of a clip of the mannequin is one") {
  const Clip clip = parse_clip(example(0, "sim/mannequin/README.md"), "README.md");
  CHECK(clip.steps.size() == 2);
  CHECK(clip.joints.size() == 1);
}

TEST_CASE("the example of a recording of user input is one") {
  const std::string path = (std::filesystem::temp_directory_path() / "weft_readme_hands.toml").string();
  write_text_file(path, example(1));
  CHECK(read_hands(path).commands.size() == 12);
  std::filesystem::remove(path);
}

TEST_CASE("the examples of README.md and of the page on scenes are scenes") {
  const Scene first = parse_scene(example(0, "README.md"), "README.md");
  CHECK(first.cloths.size() == 1);
  CHECK(first.obstacles.size() == 1);
  const Scene flag = parse_scene(example(0, "docs/scenes.md"), "docs/scenes.md");
  CHECK(flag.cloths[0].name == "flag");
  CHECK(flag.pins.size() == 1);
  CHECK(flag.camera_path.size() == 2);
  CHECK(flag.end.size() == 1);
}

TEST_CASE("README.md is short, and links between pages lead to files") {
  static const std::regex link("\\]\\(([^)#\\s]+)[^)]*\\)");
  int links = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kRoot)) {
    const std::filesystem::path page = entry.path();
    const std::string place = std::filesystem::relative(page, kRoot).generic_string();
    if (page.extension() != ".md" || place.rfind("build", 0) == 0) continue;
    const std::string text = read_text_file(page.string(), "a text");
    if (place == "README.md") CHECK(std::count(text.begin(), text.end(), '\n') <= 200);
    for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it) {
      const std::string target = (*it)[1];
      if (target.find("://") != target.npos) continue;
      CAPTURE(place);
      CAPTURE(target);
      CHECK(std::filesystem::exists(page.parent_path() / target));
      ++links;
    }
  }
  CHECK(links > 20);
}
