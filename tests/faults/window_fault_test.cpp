// Faults around the window: disks, names, signals, other windows.
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <thread>

#include "sim/base/error.h"
#include "sim/scene/text/scene_file.h"
#include "test_paths.h"
#include "tests/faults/faults.h"
#include "tests/support/skip.h"
#include "tests/support/wait.h"
#include "tests/viewer/image_difference.h"
#include "tests/viewer/render_scene.h"
#include "tests/viewer/window_desktop.h"
#include "viewer/gl/context.h"
#include "viewer/gl/image.h"
#include "viewer/render/renderer.h"
#include "viewer/render/vertex_stream.h"
#include "viewer/session/window_session.h"
#include "viewer/session/window_settings.h"

using namespace weft;
using namespace weft::testing;
using Report = RunningWeft::Report;
namespace fs = std::filesystem;

namespace {

/// Exit status of a child that is told to end; 1000 + signal where a signal ended it.
int end(pid_t process, int signal) {
  kill(process, signal);
  int status = 0;
  const bool ended = wait_for([&] { return waitpid(process, &status, WNOHANG) == process; });
  if (!ended) kill(process, SIGKILL), waitpid(process, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

int packets(const Folder& folder, const std::string& video) {
  const Outcome probed = Program(folder, "/usr/bin/env",
                                 {"ffprobe", "-v", "error", "-count_packets", "-select_streams", "v",
                                  "-show_entries", "stream=nb_read_packets", "-of", "csv=p=0", video})
                             .wait();
  return probed.status == 0 ? std::atoi(probed.out.c_str()) : 0;
}

Report report_of(const std::string& path) {
  std::ifstream file(path);
  return file ? Report::parse(file, nullptr, false) : Report();
}

}  // namespace

TEST_CASE(
    "vertices that OpenGL cannot share with the GPU go through host memory, and the status bar says so") {
  gl::HeadlessContext context;
  const std::vector<vec3> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  Frame frame;
  frame.positions = frame.normals = points;
  frame.vertex_count = 3;
  CHECK(make_vertex_stream(frame)->path() == "mapped memory");
  // As of a GPU, which there may be: but OpenGL is not on it, or this memory is not.
  frame.device_positions = frame.device_normals = points.data();
  const auto stream = make_vertex_stream(frame);
  REQUIRE(stream);
  CHECK(stream->path() == "CUDA through host memory");
  CHECK(stream->why_not != "");
  CHECK(stream->why_not.find('\n') == std::string::npos);
  frame.positions.clear();
  CHECK(make_vertex_stream(frame) == nullptr);  // neither here nor there: the picture before stays
}

TEST_CASE(
    "pictures are the same to the pixel whether vertices are shared, refused for OpenGL's device or at "
    "registration, or fail to be copied in the midst of a run") {
  gl::HeadlessContext context(false);
  StillLife life = make_flat_sheet(400);
  const auto claim = [&] {
    life.frame.device_positions = life.frame.positions.data(),
    life.frame.device_normals = life.frame.normals.data();
  };
  Camera camera;
  const auto draw = [&](Renderer& renderer, float bend) {
    for (vec3& p : life.frame.positions) p.z = bend * p.x * p.x;
    renderer.update(life.frame);
    renderer.draw(camera.view({320, 240}), ViewSettings{}, {});
    return gl::read_pixels(renderer.picture()->id(), renderer.picture()->size());
  };
  const float bends[] = {0, 0.3f, -0.3f, 0.6f};
  std::vector<Image> right;
  {
    Renderer renderer;
    renderer.set_scene(life.scene);
    renderer.update(life.frame);
    camera.frame(renderer.bounds(), {320, 240});
    for (const float bend : bends) right.push_back(draw(renderer, bend));
    CHECK(renderer.vertex_path() == "mapped memory");
    CHECK(image_difference(right[0], right[1], 1).worst > 60);
  }
  claim();
  struct Fault {
    const char *name, *words;
    size_t from;  // the picture before which it comes
  };
  for (const Fault& fault : {Fault{"share", "", 9},
                             {"share,interop", "different GPUs", 0},
                             {"share,interop:stage=1", "sharing a vertex buffer", 0},
                             {"share,interop:stage=2", "mapping", 0},
                             {"share,interop:stage=2:times=2", "mapping", 2}}) {
    CAPTURE(fault.name);
    CAPTURE(fault.from);
    const Injected sharing("share");
    Renderer renderer;
    renderer.set_scene(life.scene);
    for (size_t k = 0; k < right.size(); ++k) {
      if (k == fault.from) set_injected_faults(fault.name);
      CHECK(image_difference(draw(renderer, bends[k]), right[k], 1).worst == 0);
      CHECK(renderer.vertex_path() == (k < fault.from ? "shared host memory" : "CUDA through host memory"));
      CHECK((renderer.why_not_shared() == "") == (k < fault.from));
    }
    CHECK(renderer.why_not_shared().find(fault.words) != std::string::npos);
  }
}

TEST_CASE("a window whose vertex buffers cannot be registered says so in the status bar and runs on") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  const std::string scene = write_small_scene(desktop);
  for (const auto& [faults, path, why] :
       {std::tuple("share", "shared host memory", ""),
        std::tuple("share,interop:stage=1", "CUDA through host memory", "sharing a vertex buffer"),
        std::tuple("share,interop", "CUDA through host memory", "different GPUs")}) {
    CAPTURE(faults);
    setenv("WEFT_INJECT", faults, 1);
    RunningWeft weft(desktop, {scene, "--size", "900x600"});
    unsetenv("WEFT_INJECT");
    const Report r = weft.wait_until("it runs", [](const Report& r) { return r["step"] > 5; });
    CHECK(r["vertex_path"] == path);
    const std::string said = r["why_not_shared"];
    CHECK((said == "") == (std::string(why) == ""));
    CHECK(said.find(why) != std::string::npos);
    const int step = r["step"];
    weft.wait_until("it goes on", [&](const Report& r) { return r["step"] > step + 5; });
  }
}

TEST_CASE("a scene file that breaks while it is shown leaves the old scene, and the repaired one is taken") {
  Folder folder;
  const std::string path = folder.write("scene.toml", small_scene());
  WindowOptions options;
  options.scene = read_scene(path);
  options.input = {path};
  options.device = DeviceChoice::cpu;
  std::vector<std::string> said;
  Session session(options, 1, [&](LogLevel, const std::string& text) { said.push_back(text); });
  const auto rewrite = [&](const std::string& text) {
    // Times of files may be coarse: the test says itself that the file is newer.
    const auto before = fs::last_write_time(path);
    std::ofstream(path) << text;
    fs::last_write_time(path, before + std::chrono::seconds(2));
    session.reload_if_saved();
  };
  const auto heard = [&](const std::string& words) {
    return wait_for([&] {
      session.refresh();
      return std::any_of(said.begin(), said.end(),
                         [&](const std::string& s) { return s.find(words) != std::string::npos; });
    });
  };
  const std::string good = small_scene();
  const auto vertices = session.view().rest.size();
  // Not TOML; a key that there is not; a value out of its range; a mesh that is missing; a pin that holds
  // nothing.
  const std::vector<std::pair<std::string, std::string>> faults{
      {good + "\nbroken = \"no end\n", "scene.toml:20"},
      {good + "[steps]\ndt = 0.01\n", "steps"},
      {good + "[step]\ndt = -1\n", "scene.toml:20"},
      {good + "[[cloth]]\nname = \"second\"\nshape = \"obj\"\nfile = \"missing.obj\"\n", "missing.obj"},
      {good + "[[pin]]\nvertices = [100000]\n", "100000"},
      {"", "empty"}};
  for (const auto& [text, words] : faults) {
    CAPTURE(words);
    said.clear();
    rewrite(text);
    CHECK(heard(words));
    CHECK(session.scene().title == "Small");
    CHECK(session.view().rest.size() == vertices);
    session.play();
    const int step = session.frame().step;
    CHECK(wait_for([&] { return session.refresh().frame && session.frame().step > step; }));
  }
  std::string mended = good;
  mended.replace(mended.find("Small"), 5, "Mended");
  rewrite(mended);
  CHECK(wait_for([&] {
    session.refresh();
    return session.scene().title == "Mended";
  }));
}

TEST_CASE("settings of two windows: each keeps what it changed, neither the other's") {
  Folder folder;
  const std::string path = folder / "weft/window.ini";
  WindowSettings first(path), second(path);
  first.set("column.left", 300.0f), first.set("pace", 1.0f);
  second.set("column.right", 400.0f), second.set("pace", 2.0f);
  first.save();
  second.save();
  const WindowSettings after(path);
  CHECK(after.number("column.left", 0) == 300);
  CHECK(after.number("column.right", 0) == 400);
  CHECK(after.number("pace", 0) == 2);  // both changed it: the later one stays
  CHECK(first.why_not_kept() == "");
  int files = 0;
  for (const auto& entry : fs::directory_iterator(folder / "weft")) files += entry.is_regular_file();
  CHECK(files == 1);
}

TEST_CASE("a folder for settings that cannot be written is told once, and costs nothing else") {
  Folder folder;
  CHECK(WindowSettings("/proc/weft/window.ini").why_not_kept() != "");
  CHECK(WindowSettings(folder.write("file", "x") + "/window.ini").why_not_kept() != "");
  CHECK(WindowSettings("").why_not_kept() == "there is no home folder");
  WindowSettings settings("/proc/weft/window.ini");
  settings.set("column.left", 300.0f);
  settings.save();
  CHECK(settings.number("column.left", 0) == 300);
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  std::ofstream(desktop.file("weft")) << "in the way of the folder";
  const pid_t window = desktop.start({WEFT_PROGRAM, write_small_scene(desktop), "--scale", "1",
                                      "--test-report", desktop.file("report.json")});
  std::string heard;
  CHECK(wait_for([&] {
    const Report r = report_of(desktop.file("report.json"));
    if (!r.is_object()) return false;
    heard += r["message"].get<std::string>();
    return r["step"] > 5;
  }));
  CHECK(heard.find("settings cannot be saved") != std::string::npos);
  CHECK(end(window, SIGTERM) == 128 + SIGTERM);
}

TEST_CASE("two windows run side by side, and a signal to each completes its video") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  const std::string scene = write_small_scene(desktop, 300);
  pid_t windows[2];
  for (int k = 0; k < 2; ++k)
    windows[k] = desktop.start({WEFT_PROGRAM, scene, "--scale", "1", "--size", "400x300", "--record",
                                fmt::format("{}.mp4", k), "--test-report",
                                desktop.file(fmt::format("report-{}.json", k))});
  for (int k = 0; k < 2; ++k)
    CHECK(wait_for([&] {
      const Report r = report_of(desktop.file(fmt::format("report-{}.json", k)));
      return r.is_object() && r["step"] > 40;
    }));
  std::this_thread::sleep_for(std::chrono::seconds(1));
  Folder folder;
  const int signals[2] = {SIGINT, SIGTERM};
  for (int k = 0; k < 2; ++k) {
    CHECK(end(windows[k], signals[k]) == 128 + signals[k]);
    CHECK(packets(folder, desktop.file(fmt::format("{}.mp4", k))) > 10);
    CHECK(!fs::exists(desktop.file(fmt::format("{}.mp4.part", k))));
  }
}

TEST_CASE(
    "a disk that fills while the window records ends the recording with a message, and the simulation goes "
    "on") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  const TinyDisk disk(100);
  if (!disk.mounted()) {
    testing::skip("a disk of its own cannot be mounted");
    return;
  }
  const std::string scene = write_small_scene(desktop, 1500);
  RunningWeft weft(desktop, {scene, "--size", "800x600", "--record", disk / "a.mp4", "--turntable", "2"});
  const int step = weft.wait_until(
      "the fault is told",
      [](const Report& r) {
        const std::string said = r["message"];
        return said.find("Recording stopped") != std::string::npos &&
               said.find("No space left on device") != std::string::npos;
      },
      120)["step"];
  weft.wait_until("the simulation goes on", [&](const Report& r) { return r["step"] > step + 20; });
}

TEST_CASE("names of fifty thousand letters neither crash the window nor blow it up") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  const std::string longest(50000, 'n');
  std::string words;
  while (words.size() < 50000) words += "silk \xe7\xb5\xb9 ";
  std::ofstream(desktop.file("long.toml"))
      << "title = \"" << words << "\"\ndescription = \"" << words << "\"\n[[cloth]]\nname = \"" << longest
      << "\"\nvertices = 200\n[[cloth]]\nname = \"b\"\nvertices = 200\nposition = [0, 1, "
         "0]\n[[obstacle]]\nname = \"o"
      << longest << "\"\nshape = \"sphere\"\nposition = [0, -3, 0]\n";
  RunningWeft weft(desktop, {desktop.file("long.toml"), "--size", "1000x700"});
  const Report r = weft.wait_until("it runs", [](const Report& r) { return r["step"] > 5; });
  CHECK(r["viewport"][2] > 300);
  CHECK(r["viewport"][3] > 500);
  for (const auto& [name, rect] : r["items"].items()) {
    CAPTURE(name);
    CHECK(rect[0].get<double>() + rect[2].get<double>() <= 1001);
    if (name.rfind("splitter", 0) != 0) CHECK(rect[3].get<double>() < 400);
  }
  weft.key("ctrl+s");
  weft.wait_until("it is saved", [](const Report& r) {
    return r["message"].get<std::string>().find("Saved") != std::string::npos;
  });
  CHECK(weft.running());
}
