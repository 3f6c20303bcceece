// What the window knows of its scene, without a display.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>

#include "sim/base/error.h"
#include "sim/scene/text/scene_file.h"
#include "tests/viewer/opened_session.h"
#include "viewer/commands/scene_input.h"

using namespace weft;
using namespace weft::testing;
namespace fs = std::filesystem;

TEST_CASE(
    "a scene that is opened while another one builds is the one that stays, with its own sliders, undo and "
    "file") {
  Opened o;
  o.session.runner().listen(o.gate);
  o.session.open({o.write_scene("First")});
  // a fault of something else, while a scene is on its way
  o.session.runner().post(SetParam{"no.such_key", "1"});
  const std::string second = o.folder.write("Second.toml", scene_called("Second") + "[forces]\nlift = 0.9\n");
  o.gate->await();  // else the first might be passed over
  o.session.open({second});
  o.session.refresh();
  CHECK(o.session.scene().title == "First");  // seen for a moment: it has its sliders too
  CHECK(o.session.input() == std::vector<std::string>{o.folder / "First.toml"});
  o.session.change_camera_path("Camera key", {CameraKey{}});
  o.gate->open();
  CHECK(o.shows("Second"));
  CHECK(o.hears("no.such_key"));
  for (int k = 0; k < 3; ++k) o.session.refresh();
  CHECK(o.session.scene().title == "Second");
  CHECK(o.session.original_text("forces.lift") == "0.9");
  CHECK(o.session.input() == std::vector<std::string>{second});
  CHECK(o.session.scene().camera_path.empty());
  CHECK_FALSE(o.session.history().can_undo());
  CHECK(o.session.save_path() == o.folder / "Second-tuned.toml");
}

TEST_CASE(
    "what is typed opens files and shipped scenes, with bodies and units behind a mesh as on the command "
    "line") {
  Opened o;
  const std::string cloth = o.folder.write("a b.obj", "v 0 100 0\nv 50 100 0\nv 0 150 0\nf 1 2 3\n");
  const std::string body = o.folder.write(
      "body.obj", "v 0 0 0\nv 500 0 0\nv 0 0 500\nv 0 500 0\nf 1 2 3\nf 1 3 4\nf 1 4 2\nf 2 4 3\n");
  o.session.open_line(cloth + " --cloth-scale 0.01 --obstacle " + body + "  --obstacle-scale 0.001 --up z");
  CHECK(o.shows("a b.obj"));
  const Scene& scene = o.session.scene();
  REQUIRE(scene.obstacles.size() == 1);
  CHECK(scene.cloths[0].placement.scale == 0.01f);
  CHECK(scene.obstacles[0].placement.scale == 0.001f);
  CHECK(scene.obstacles[0].placement.rotation == vec3(-90, 0, 0));
  // The command that does the same says all of it, and so does what is loaded again.
  CHECK(o.session.command_line({}).find("--obstacle-scale 0.001 --up z --headless") != std::string::npos);
  CHECK(open_scene(cloth, {body}, units_of_arguments(o.session.input())) == o.session.scene());
  o.session.open_line("drape_table");
  CHECK(o.shows(read_scene(open_scene("drape_table", {}).path).title));
  o.said.clear();
  o.session.open_line(cloth);
  CHECK(o.shows("a b.obj"));
  CHECK(o.session.scene().cloths[0].placement.scale == 1);
  CHECK(o.hears("is the cloth in centimetres? Try --cloth-scale 0.01"));
  for (const char* wrong : {"drape_tabel", "nothing.toml"}) {
    o.said.clear();
    o.session.open_line(wrong);
    CHECK(o.said.size() == 1);
  }
  for (const char* wrong :
       {" --cloth-scale zero", " --cloth-scale", " --up x", " --headless", " --cloth-scale 0"}) {
    CAPTURE(wrong);
    o.said.clear();
    o.session.open_line(cloth + wrong);
    CHECK(o.said.size() == 1);
  }
}

TEST_CASE("nothing is saved under one scene's name while another one is on its way") {
  Opened o;
  o.session.runner().listen(o.gate);
  o.session.open({o.write_scene("First")});
  o.gate->await();  // else the first might be passed over
  o.session.open({o.write_scene("Second")});
  o.session.refresh();
  o.said.clear();
  o.session.save({});
  o.session.save_hands();
  REQUIRE(o.said.size() == 2);
  for (const std::string& words : o.said)
    CHECK(words.find("another scene is being loaded") != std::string::npos);
  CHECK(!fs::exists(o.folder / "First-tuned.toml"));
  o.gate->open();
  CHECK(o.shows("Second"));
  o.session.save({});
  CHECK(read_scene(o.folder / "Second-tuned.toml").title == "Second");
}

TEST_CASE("a scene that cannot be built costs nothing of the one that is opened after it") {
  Opened o;
  o.session.open({o.write_scene("First")});
  CHECK(o.shows("First"));
  o.session.open({o.folder.write("broken.toml", scene_called("Broken") + "[[pin]]\nvertices = [100000]\n")});
  CHECK(o.hears("100000"));
  o.session.open({o.write_scene("Second")});
  CHECK(o.shows("Second"));
  CHECK(o.session.input() == std::vector<std::string>{o.folder / "Second.toml"});
  // Nothing waits for the broken one any more: files are looked after again.
  fs::last_write_time(o.folder / "Second.toml",
                      fs::last_write_time(o.folder / "Second.toml") + std::chrono::seconds(2));
  o.session.refresh();
  o.session.reload_if_saved();
  CHECK(o.hears("changed on disk: loaded again"));
}

TEST_CASE(
    "a recorded run that is opened while a scene builds stays until the scene that was opened after it is "
    "there") {
  Opened o;
  REQUIRE(weft::testing::weft(o.folder, {"small.toml", "--headless", "--device", "cpu", "--frames", "3",
                                         "--quiet", "--cache", "run.weftcache"})
              .status == 0);
  o.session.runner().listen(o.gate);
  o.session.open({o.write_scene("First")});
  o.gate->await();
  o.session.open({o.write_scene("Second")});  // has not begun, and is ended by the third
  o.session.open({o.folder / "run.weftcache"});
  o.session.open({o.write_scene("Third")});
  o.session.refresh();
  CHECK(o.session.playback() != nullptr);
  CHECK(o.session.scene().title == "Small");
  o.gate->open();
  CHECK(o.shows("Third"));
  CHECK(o.session.playback() == nullptr);
  CHECK(o.session.input() == std::vector<std::string>{o.folder / "Third.toml"});
}

TEST_CASE("what is saved from a window takes the place of its own files only, and says where it went") {
  Opened o;
  const std::string tuned = o.folder / "small-tuned.toml", hands = o.folder / "small-tuned-hands.toml";
  std::ofstream(tuned) << "of another window";
  std::ofstream(hands) << "of another window";
  const auto save_both = [&] {
    o.said.clear();
    o.session.save({});
    o.session.save_hands();
    REQUIRE(o.said.size() == 2);
  };
  CHECK(o.session.save_path() == o.folder / "small-tuned-002.toml");
  save_both();
  CHECK(o.said[0].find("small-tuned-002.toml") != std::string::npos);
  CHECK(o.said[1].find("small-tuned-hands-002.toml") != std::string::npos);
  o.session.change("Lift", {{"forces.lift", "0.9"}});
  save_both();  // again: its own
  CHECK(o.said[0].find("small-tuned-002.toml") != std::string::npos);
  CHECK(read_file(tuned) == "of another window");
  CHECK(read_file(hands) == "of another window");
  CHECK(!fs::exists(o.folder / "small-tuned-003.toml"));
  CHECK(!fs::exists(o.folder / "small-tuned-hands-003.toml"));
  CHECK(read_scene(o.folder / "small-tuned-002.toml").forces.lift == 0.9f);

  // A scene that was saved here and is opened: saving goes on in it.
  o.session.open({o.folder / "small-tuned-002.toml"});
  CHECK(wait_for([&] {
    o.session.refresh();
    return o.session.input()[0] == o.folder / "small-tuned-002.toml";
  }));
  CHECK(o.session.save_path() == o.folder / "small-tuned-002.toml");
}

TEST_CASE(
    "a scene that is saved by an editor is loaded again with the overrides and bodies of the start, and with "
    "the file's sliders") {
  Opened o([](WindowOptions& options) {
    options.overrides = {{"forces.lift", "0.25"}};
    const std::string body = fs::path(options.input[0]).replace_filename("body.obj").string();
    std::ofstream(body) << "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 0 -1 0\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1\n";
    options.input.insert(options.input.end(), {"--obstacle", body});
    options.scene = open_scene(options.input[0], {body});
  });
  o.session.change("Drag", {{"forces.drag", "1.5"}});
  const std::string path = o.folder / "small.toml";
  const auto before = fs::last_write_time(path);
  std::ofstream(path) << scene_called("Edited");
  fs::last_write_time(path, before + std::chrono::seconds(2));
  o.session.reload_if_saved();
  CHECK(o.shows("Edited"));
  CHECK(o.hears("own values on the sliders"));
  CHECK(o.session.scene().forces.lift == 0.25f);
  CHECK(o.session.runner().tuned_scene().forces.lift == 0.25f);
  CHECK(o.session.scene().forces.drag == Scene().forces.drag);
  CHECK(o.session.scene().obstacles.size() == 2);
  CHECK(o.session.original_text("forces.lift") == "0.6");
}

TEST_CASE(
    "a scene that was saved to its own file and is loaded again keeps what was saved, and has the body of "
    "the start once") {
  Opened o([](WindowOptions& options) {
    const fs::path tuned = fs::path(options.input[0]).replace_filename("small-tuned.toml"),
                   body = fs::path(tuned).replace_filename("body.obj");
    fs::copy_file(options.input[0], tuned);
    std::ofstream(body) << "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 0 -1 0\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1\n";
    options.overrides = {{"forces.lift", "0.25"}};
    options.input = {tuned.string(), "--obstacle", body.string()};
    options.scene = open_scene(tuned.string(), {body.string()});
  });
  const std::string path = o.folder / "small-tuned.toml";
  o.session.change("Lift", {{"forces.lift", "0.75"}});
  REQUIRE(o.session.save_path() == path);
  o.session.save({});
  CHECK(o.session.input() == std::vector<std::string>{path});
  CHECK(o.session.original_text("forces.lift") == "0.75");
  CHECK(o.session.command_line({}).find("--set") == std::string::npos);
  Scene edited = read_scene(path);
  CHECK(edited.forces.lift == 0.75f);
  CHECK(edited.obstacles.size() == 2);
  edited.title = "Edited";
  const auto before = fs::last_write_time(path);
  save_scene(path, edited);
  fs::last_write_time(path, before + std::chrono::seconds(2));
  o.session.reload_if_saved();
  CHECK(o.shows("Edited"));
  CHECK(o.session.scene().forces.lift == 0.75f);
  CHECK(o.session.scene().obstacles.size() == 2);
}

TEST_CASE("a body that is named beside a scene which has it already is not added a second time") {
  Folder folder;
  const std::string scene =
      folder.write("small.toml", std::string(small_scene()) + "\n[[obstacle]]\nfile = \"body.obj\"\n");
  folder.write("body.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n");
  folder.write("other.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n");
  const size_t own = read_scene(scene).obstacles.size();
  CHECK(open_scene(scene, {folder / "body.obj"}).obstacles.size() == own);
  CHECK(open_scene(scene, {folder / "other.obj"}).obstacles.size() == own + 1);
}

namespace {

/// Pulls and pins in a session, saves the hands, and runs them again in another folder; returns whether the
/// same state comes out.
bool replays(Opened& o, const std::string& hands) {
  Runner& runner = o.session.runner();
  const auto step = [&](int count) {
    const int target = runner.hands().steps + count;
    for (int k = 0; k < count; ++k) runner.step_once();
    return wait_for([&] { return runner.hands().steps == target; });
  };
  if (!step(2)) return false;
  o.session.toggle_pin(1);
  runner.post(GrabBegin{1, 0, {0.3f, 0.3f, 0.4f}, 0});
  runner.post(GrabMove{1, {0.2f, 1.0f, 0.1f}});
  if (!step(5)) return false;
  o.session.refresh();
  o.session.save_hands();
  CHECK(o.said.back().find(hands) != std::string::npos);
  const std::string hash = fmt::format("{:016x}", runner.hash());
  Folder elsewhere;
  const Outcome again =
      weft::testing::weft(elsewhere, {"replay", hands, "--device", "cpu", "--threads", "1", "--quiet"});
  INFO(again.err);
  CHECK(again.hash() == hash);
  return again.hash() == hash;
}

constexpr const char* kSheet =
    "v 0 1 0\nv 1 1 0\nv 0 2 0\nv 1 2 0\nv 0.5 1.5 0.1\nf 1 2 5\nf 2 4 5\nf 4 3 5\nf 3 1 5\n";
constexpr const char* kBody = "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 0 -1 0\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1\n";

/// While it lives, the current folder is another.
struct WorkingFolder {
  fs::path before = fs::current_path();
  explicit WorkingFolder(const std::string& folder) { fs::current_path(folder); }
  ~WorkingFolder() { fs::current_path(before); }
};

}  // namespace

TEST_CASE(
    "hands on meshes that came from no scene file replay: the scene they began with is saved beside them") {
  Folder work;
  const WorkingFolder here(work.path());
  work.write("sheet.obj", kSheet), work.write("body.obj", kBody);
  Opened o([&](WindowOptions& options) {
    options.input = {"sheet.obj", "--obstacle", "body.obj"};
    options.scene = open_scene("sheet.obj", {"body.obj"});
    options.overrides = {{"fabric.stretch_stiffness", "900"}};
  });
  CHECK(replays(o, work / "sheet-tuned-hands.toml"));
  CHECK(fs::exists(work / "sheet-tuned-start.toml"));
}

TEST_CASE("hands on a scene with a body named beside it replay with that body") {
  Opened o([](WindowOptions& options) {
    const std::string body = fs::path(options.input[0]).replace_filename("body.obj").string();
    std::ofstream(body) << kBody;
    options.input.insert(options.input.end(), {"--obstacle", body});
    options.scene = open_scene(options.input[0], {body});
  });
  CHECK(replays(o, o.folder / "small-tuned-hands.toml"));
  CHECK(read_scene(o.folder / "small-tuned-start.toml").obstacles.size() == 2);
}

TEST_CASE("hands on a scene file name that file, and --set is kept in the recording") {
  Opened o([](WindowOptions& options) {
    options.overrides = {{"fabric.stretch_stiffness", "900"}, {"forces.lift", "0.25"}};
  });
  CHECK(replays(o, o.folder / "small-tuned-hands.toml"));
  CHECK_FALSE(fs::exists(o.folder / "small-tuned-start.toml"));
}

TEST_CASE("a text that is saved says in which folder, and a picture that is opened says where it belongs") {
  Opened o;
  const auto before = fs::current_path();
  fs::current_path(o.folder.path());
  o.session.save_text("pattern.json", "{}", "the pattern");
  fs::current_path(before);
  CHECK(o.heard("Saved the pattern to " + (o.folder / "pattern.json")));
  o.session.open({o.folder / "flowers.png"});
  CHECK(o.heard("print = \"flowers.png\""));
}
