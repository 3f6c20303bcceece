#include "viewer/commands/catalogue.h"

#include <doctest/doctest.h>

#include <map>

#include "sim/scene/assets.h"
#include "viewer/commands/scene_input.h"
#include "viewer/gl/image.h"

using namespace weft;

TEST_CASE("every scene and garment that ships is in one section, under a title of its own, with a picture") {
  std::map<std::string, int> titles, paths;
  for (const CatalogueSection& section : read_catalogue()) {
    CHECK(!section.title.empty());
    CHECK(section.title != "More");  // assets/sections.toml names all
    for (const CatalogueItem& item : section.items) {
      CAPTURE(item.name);
      ++titles[item.title], ++paths[item.path];
      CHECK(!item.description.empty());
      CHECK(shipped_file(item.name) == item.path);
      REQUIRE(!item.picture.empty());
      const Image picture = read_png(item.picture);
      CHECK(picture.width == 144);
      CHECK(picture.height == 96);
    }
  }
  CHECK(paths.size() == builtin_scenes().size() + builtin_garments().size());
  for (const auto& [title, count] : titles) {
    CAPTURE(title);
    CHECK(count == 1);
  }
  for (const auto& [path, count] : paths) CHECK(count == 1);
}

TEST_CASE("a garment opens by its name, with or without its ending, and is dressed") {
  for (const char* name : {"tshirt", "tshirt.json"}) {
    const Scene scene = open_scene(name, {});
    REQUIRE(scene.cloths.size() == 1);
    CHECK(scene.cloths[0].start == "dressed");
    REQUIRE(scene.obstacles.size() == 1);
    CHECK(scene.obstacles[0].shape == ObstacleShape::mannequin);
  }
  CHECK(shipped_file("tshrt").empty());
}
