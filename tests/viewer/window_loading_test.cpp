// What is done by hand while another scene is on its way.
#include <filesystem>
#include <fstream>

#include "tests/viewer/opened_session.h"

using namespace weft;
using namespace weft::testing;
namespace fs = std::filesystem;

namespace {

/// Grabs the middle of the first triangle, wherever it is seen.
void grab(Session& session) {
  const CameraView view = Camera().view({800, 600});
  PickHit hit;
  hit.triangle = 0;
  hit.barycentric = {0.3f, 0.3f, 0.4f};
  hit.point = view.unproject({400, 300}, 2);
  session.drag().begin(hit, {view, {400, 300}}, 0);
}

std::string text_of(const Session& session, const std::string& key) {
  return session.params().find(key)->text();
}

}  // namespace

TEST_CASE(
    "what is done by hand while a scene is built is refused in words, and reaches neither that scene nor the "
    "one before") {
  Opened o;
  o.session.change("Lift", {{"forces.lift", "0.9"}});  // something to undo
  o.session.runner().listen(o.gate);
  o.session.open({o.write_scene("Second")});
  o.gate->await();
  const auto refused = [&](const std::function<void()>& act) {
    o.said.clear();
    act();
    return o.said.size() == 1 && o.said[0].find("another scene is being loaded") != std::string::npos;
  };
  CHECK(refused([&] { o.session.change("Drag", {{"forces.drag", "1.5"}}); }));
  CHECK(refused([&] { o.session.toggle_pin(1); }));
  CHECK(refused([&] { o.session.undo(); }));
  CHECK(refused([&] { o.session.redo(); }));
  CHECK(refused([&] { o.session.change_camera_path("Key", {CameraKey{}}); }));
  CHECK(refused([&] { grab(o.session); }));
  CHECK(refused([&] {  // a whole drag: one message
    o.session.begin_edit("forces.drag");
    for (const char* value : {"1.1", "1.2", "1.3"}) o.session.edit("forces.drag", value);
    o.session.end_edit();
  }));
  CHECK_FALSE(o.session.drag().dragging());
  CHECK(text_of(o.session, "forces.lift") == "0.9");
  CHECK(o.session.history().can_undo());
  o.gate->open();
  REQUIRE(o.shows("Second"));
  CHECK(o.session.runner().hands().commands.empty());
  CHECK(o.session.runner().tuned_scene().forces.drag == Scene().forces.drag);
  CHECK(o.session.runner().tuned_scene().pins.size() == 2);
  // And now that it is there, all of it works.
  o.session.change("Drag", {{"forces.drag", "1.5"}});
  o.session.toggle_pin(1);
  grab(o.session);
  CHECK(o.session.drag().dragging());
  CHECK(o.session.runner().hands().commands.size() == 4);
}

TEST_CASE(
    "a handle that reached a scene of which the window did not know yet is let go with the model before") {
  Opened o;
  o.session.runner().load(read_scene(o.write_scene("Second")));  // as when a parameter builds the model anew
  grab(o.session);
  REQUIRE(o.session.runner().hands().commands.size() == 2);  // it reached the new one
  CHECK(wait_for([&] { return o.session.refresh().model; }));
  CHECK(o.session.drag().handles().empty());
  const auto commands = o.session.runner().hands().commands;
  REQUIRE(commands.size() == 3);
  CHECK(std::holds_alternative<GrabEnd>(commands.back().command));
  CHECK(wait_for([&] {
    o.session.refresh();
    return o.session.frame().handles.empty();
  }));
}

TEST_CASE("a scene that is saved by an editor moves the camera only where its own camera was changed") {
  const std::string look = "[camera]\ntarget = [0, 1, 0]\ndistance = 2\nyaw = 10\npitch = 5\n";
  Opened o([&](WindowOptions& options) {
    std::ofstream(options.input[0]) << small_scene() << look;
    options.scene = read_scene(options.input[0]);
  });
  const std::string path = o.folder / "small.toml";
  // Whether the camera should look anew, once the file with this text is shown.
  const auto moves = [&](const std::string& title, const std::string& camera) {
    const auto before = fs::last_write_time(path);
    std::ofstream(path) << scene_called(title) << camera;
    fs::last_write_time(path, before + std::chrono::seconds(2));
    o.session.reload_if_saved();
    bool camera_news = false;
    CHECK(wait_for([&] {
      camera_news |= o.session.refresh().camera;
      return o.session.scene().title == title;
    }));
    return camera_news;
  };
  CHECK_FALSE(moves("Edited", look));
  CHECK(moves("Turned", "[camera]\ntarget = [0, 1, 0]\ndistance = 2\nyaw = 30\npitch = 5\n"));
  CHECK(moves("Bare", ""));
  CHECK_FALSE(moves("Bare still", ""));
  // What a person opens is checked, also where it is the same file.
  o.session.open({path});
  CHECK(wait_for([&] { return o.session.refresh().camera; }));
}

TEST_CASE("a current folder that was deleted costs only what would be written there, and is told") {
  Opened o(
      [](WindowOptions& options) { options.scene = read_scene(default_scene_path()), options.input = {}; });
  const fs::path before = fs::current_path();
  {
    Folder gone;
    fs::current_path(gone.path());
  }
  CHECK_NOTHROW(o.session.save_path());
  CHECK_NOTHROW(o.session.save({}));
  CHECK_NOTHROW(o.session.save_hands());
  CHECK_NOTHROW(o.session.export_shown(".obj"));
  fs::current_path(before);
  REQUIRE(o.said.size() >= 3);
  CHECK(o.heard("cannot be written"));
  for (const std::string& words : o.said) CHECK(words.find("Saved") == std::string::npos);
}
