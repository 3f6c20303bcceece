// The picture that lights a scene: saved with it, and taken along from one window to the next.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "sim/scene/light.h"
#include "sim/scene/text/scene_file.h"
#include "tests/support/folder.h"
#include "tests/viewer/window_desktop.h"
#include "viewer/session/light_choice.h"

using namespace weft;
using namespace weft::testing;
using Report = RunningWeft::Report;

namespace {

/// An orange sky, 4 x 2 pixels.
void write_sky(const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  file << "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 2 +X 4\n";
  for (int i = 0; i < 8; ++i) file << char(200) << char(90) << char(20) << char(129);
}

ViewSettings lit_by(const std::string& picture) {
  ViewSettings view;
  view.light = picture;
  return view;
}

}  // namespace

TEST_CASE("a light that a scene brings goes with it and one of the window stays") {
  Folder folder;
  write_sky(folder / "sky.hdr"), write_sky(folder / "own.hdr");
  Scene with, without;
  with.path = without.path = folder / "scene.toml";
  with.of<SceneLight>() = {"sky.hdr", 2, 90, false};
  LightChoice choice;
  ViewSettings view = lit_by(folder / "own.hdr");
  choice.adopt(view, without);
  CHECK(view.light == folder / "own.hdr");
  choice.adopt(view, with);
  CHECK(view.light == folder / "sky.hdr");
  CHECK(view.light_strength == 2);
  CHECK(view.light_turn == 90);
  CHECK_FALSE(view.light_shown);
  choice.adopt(view, with);  // once more
  choice.adopt(view, without);
  CHECK(view.light == folder / "own.hdr");
  CHECK(view.light_strength == 1);
  choice.adopt(view, with);
  view.light_turn = 45;  // by hand: it is the window's own now
  choice.adopt(view, without);
  CHECK(view.light == folder / "sky.hdr");
  CHECK(view.light_turn == 45);
}

TEST_CASE("a saved scene names the picture beside it by its name alone and reads it back") {
  Folder folder;
  write_sky(folder / "sky.hdr");
  Scene scene;
  scene.path = folder / "scene.toml";
  keep_light(scene, lit_by(folder / "sky.hdr"));
  std::filesystem::create_directory(folder / "later");
  save_scene(folder / "scene.toml", scene);
  CHECK(read_scene(folder / "scene.toml").of<SceneLight>().picture == "sky.hdr");
  const Scene read = read_scene(folder / "scene.toml");
  save_scene(folder / "later/scene.toml", read);
  const Scene moved = read_scene(folder / "later/scene.toml");
  CHECK(moved.of<SceneLight>().picture == "../sky.hdr");
  ViewSettings view;
  CHECK(set_scene_light(view, moved));
  CHECK(view.light == folder / "sky.hdr");
  // its name in the file stays as it was written
  Scene kept = moved;
  keep_light(kept, view);
  CHECK(kept.of<SceneLight>() == moved.of<SceneLight>());
  keep_light(kept, ViewSettings{});
  CHECK(kept.of<SceneLight>() == SceneLight{});
}

TEST_CASE(
    "a sky that lights the window is saved by Ctrl-S and lights the saved scene, and can be taken away") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  write_sky(desktop.file("sky.hdr"));
  write_small_scene(desktop, 300);
  const auto wall = [](RunningWeft& weft) {
    const Report r = weft.fresh();
    const Image image = weft.screenshot();
    const auto* c =
        image.at(int(r["viewport"][0].get<double>()) + 30, int(r["viewport"][1].get<double>()) + 60);
    return int(c[0]) - int(c[2]);  // red less blue
  };
  {
    RunningWeft weft(desktop, {"small.toml", "--size", "1100x760", "--paused", "--set", "view.light=sky.hdr",
                               "--set", "view.light_turn=30"});
    weft.wait_until("the sky is there", [](const Report& r) { return r["light"][0] != ""; });
    CHECK(wall(weft) > 60);
    weft.key("ctrl+s");
    weft.wait_until("it says where it saved", [](const Report& r) {
      return r["message"].get<std::string>().find("small-tuned.toml") != std::string::npos;
    });
  }
  const Scene saved = read_scene(desktop.file("small-tuned.toml"));
  CHECK(saved.of<SceneLight>().picture == "sky.hdr");
  CHECK(saved.of<SceneLight>().turn == 30);
  RunningWeft weft(desktop, {"small-tuned.toml", "--size", "1100x1000", "--paused"});
  weft.wait_until("its sky is there",
                  [&](const Report& r) { return r["light"][0] == desktop.file("sky.hdr"); });
  CHECK(weft.fresh()["light"][1] == 30);
  CHECK(wall(weft) > 60);
  write_small_scene(desktop, 400);
  weft.key("ctrl+k");
  weft.key("Escape");
}
