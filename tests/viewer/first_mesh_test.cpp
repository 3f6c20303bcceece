// How fine the default scene is, from what a step takes; nothing is measured here.
#include "viewer/session/first_mesh.h"

#include <doctest/doctest.h>

#include "sim/scene/text/scene_file.h"
#include "tests/support/program.h"
#include "viewer/commands/scene_input.h"

using namespace weft;
using namespace weft::testing;

namespace {

WindowOptions of_default_scene() {
  WindowOptions options;
  options.scene = read_scene(default_scene_path());
  options.device = DeviceChoice::cpu;
  return options;
}

/// Says what a step takes, and counts how often it is asked.
struct Measured {
  double seconds = 0;
  int times = 0;
  MeasureScene ask() {
    return [this](const Scene&, DeviceChoice, int) { return ++times, seconds; };
  }
};

int vertices(const WindowOptions& options) { return options.scene.cloths.front().vertices; }

}  // namespace

TEST_CASE("a cloth has all its vertices where its steps take less time than they simulate, else fewer") {
  CHECK(fitting_vertices(10000, 0.010, 0.0167) == 10000);
  CHECK(fitting_vertices(10000, 0.0145, 0.0167) == 9500);  // something is left for the picture
  CHECK(fitting_vertices(10000, 0.030, 0.0167) == 4500);
  CHECK(fitting_vertices(10000, 0.060, 0.0167) == 2000);
  CHECK(fitting_vertices(10000, 5, 0.0167) == 1000);
  CHECK(fitting_vertices(600, 5, 0.0167) == 600);
  CHECK(fitting_vertices(10000, 0, 0.0167) == 10000);
}

TEST_CASE("the first start measures how fine the default scene's cloth may be, later ones remember it") {
  const Folder folder;
  Measured slow{0.030};
  {
    WindowSettings settings(folder / "window.ini");
    const WindowOptions first = with_fitting_mesh(of_default_scene(), settings, 1, slow.ask());
    CHECK(vertices(first) == 4500);
    CHECK(first.input == std::vector<std::string>{"--vertices", "4500"});
  }
  WindowSettings settings(folder / "window.ini");
  CHECK(vertices(with_fitting_mesh(of_default_scene(), settings, 1, slow.ask())) == 4500);
  CHECK(slow.times == 1);
  with_fitting_mesh(of_default_scene(), settings, 2, slow.ask());  // other threads are another device
  CHECK(slow.times == 2);

  Measured quick{0.005};
  settings.set("first_scene.vertices", std::string("many"));
  const WindowOptions whole = with_fitting_mesh(of_default_scene(), settings, 2, quick.ask());
  CHECK(quick.times == 1);
  CHECK(vertices(whole) == 10000);
  CHECK(whole.input.empty());
}

TEST_CASE("nothing is measured for other scenes, for a number of vertices that was asked for, and afresh") {
  WindowSettings settings("");
  Measured slow{0.030};
  WindowOptions named = of_default_scene();
  named.input = {"flag"};
  WindowOptions asked = of_default_scene();
  asked.input = vertices_argument(7000), set_vertices(asked.scene, 7000);
  WindowOptions fresh = of_default_scene();
  fresh.fresh = true;
  for (const WindowOptions& options : {named, asked, fresh})
    CHECK(vertices(with_fitting_mesh(options, settings, 1, slow.ask())) == vertices(options));
  CHECK(slow.times == 0);
}

TEST_CASE("a number of vertices is an argument, and what is none is refused") {
  CHECK(vertices_of_arguments(vertices_argument(2500)) == 2500);
  CHECK(vertices_of_arguments({"a.toml", "--up", "z"}) == 0);
  CHECK(vertices_of_arguments({"--vertices"}) == 0);
  CHECK_THROWS_WITH(vertices_of_arguments({"--vertices", "3"}),
                    doctest::Contains("is no number of vertices"));
  CHECK_THROWS_WITH(vertices_of_arguments({"--vertices", "5k"}),
                    doctest::Contains("is no number of vertices"));
}
