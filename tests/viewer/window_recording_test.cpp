// Videos of the window: their names, their rate, and what the window does while a file is completed.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "test_paths.h"
#include "tests/viewer/window_desktop.h"

using namespace weft;
using namespace weft::testing;
using Report = RunningWeft::Report;
namespace fs = std::filesystem;

namespace {

bool says(const Report& r, const std::string& words) {
  return r["message"].get<std::string>().find(words) != std::string::npos;
}
bool idle(const Report& r) { return !r["recording"].get<bool>() && !r["finishing"].get<bool>(); }

std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// For programs that are started meanwhile, this folder's programs stand before all others.
struct FirstOnPath {
  std::string before = std::getenv("PATH");
  explicit FirstOnPath(const std::string& folder) { setenv("PATH", (folder + ":" + before).c_str(), 1); }
  ~FirstOnPath() { setenv("PATH", before.c_str(), 1); }
};

}  // namespace

TEST_CASE(
    "--record may replace an older video, the next ones go beside it, and --fps and --crf hold for them") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  std::ofstream(desktop.file("take.mp4")) << "of last week";
  RunningWeft weft(desktop, {write_small_scene(desktop, 300), "--size", "600x450", "--record", "take.mp4",
                             "--fps", "24", "--crf", "41"});
  const auto record_on = [&](const Report& start) {
    const int step = start["step"];
    weft.wait_until("it goes on", [&](const Report& r) { return r["step"] > step + 30; });
    weft.key("v");
  };
  record_on(weft.wait_until("it records", [](const Report& r) { return r["recording"].get<bool>(); }));
  weft.wait_until("it is told",
                  [](const Report& r) { return idle(r) && says(r, "Recorded") && says(r, "take.mp4"); });
  const std::string first = content(desktop.file("take.mp4"));
  CHECK(first.find("crf=41") != std::string::npos);  // the encoder notes its settings
  CHECK(desktop.shell("ffprobe -v error -show_entries stream=r_frame_rate -of csv=p=0 take.mp4") == "24/1\n");

  weft.key("v");
  weft.wait_until("the other name is told", [](const Report& r) {
    return says(r, "take.mp4 already exists: recording to take-002.mp4");
  });
  record_on(weft.wait_until("it records", [](const Report& r) {
    return r["recording"].get<bool>() && r["recording_path"] == "take-002.mp4";
  }));
  weft.wait_until("it is told",
                  [](const Report& r) { return idle(r) && says(r, "Recorded") && says(r, "take-002.mp4"); });
  CHECK(content(desktop.file("take.mp4")) == first);
  CHECK(desktop.shell("ffprobe -v error -show_entries stream=r_frame_rate -of csv=p=0 take-002.mp4") ==
        "24/1\n");
}

TEST_CASE("the window lives on while a video is completed, and another can be recorded meanwhile") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  const std::string real = desktop.shell("command -v ffmpeg");
  fs::create_directory(desktop.file("bin"));
  // An ffmpeg that completes no file before it is told to.
  std::ofstream(desktop.file("bin/ffmpeg"))
      << "#!/bin/sh\ncase \"$*\" in *+faststart*) while [ ! -e " << desktop.file("go")
      << " ]; do sleep 0.05; done;; esac\nexec " << real.substr(0, real.find('\n')) << " \"$@\"\n";
  fs::permissions(desktop.file("bin/ffmpeg"), fs::perms::owner_all);
  const FirstOnPath path(desktop.file("bin"));
  RunningWeft weft(desktop, {write_small_scene(desktop, 300), "--size", "600x450"});
  for (const std::string name : {"weft-001.mp4", "weft-002.mp4"}) {
    weft.key("v");
    const int step = weft.wait_until("it records", [&](const Report& r) {
      return r["recording"].get<bool>() && says({{"message", r["recording_path"]}}, name);
    })["step"];
    weft.wait_until("it goes on", [&](const Report& r) { return r["step"] > step + 30; });
    weft.key("v");
    const int stopped = weft.wait_until("it completes the file", [](const Report& r) {
      return !r["recording"].get<bool>() && r["finishing"].get<bool>();
    })["step"];
    weft.wait_until("it goes on meanwhile",
                    [&](const Report& r) { return r["step"] > stopped + 30 && r["finishing"].get<bool>(); });
    CHECK(!fs::exists(desktop.file(name)));
  }
  std::ofstream(desktop.file("go")) << "";
  weft.wait_until("it is told", [](const Report& r) { return idle(r) && says(r, "Recorded"); });
  for (const std::string name : {"weft-001.mp4", "weft-002.mp4"}) {
    CHECK(std::stoi(desktop.shell(
              "ffprobe -v error -count_packets -show_entries stream=nb_read_packets -of csv=p=0 " + name)) >
          5);
    CHECK(!fs::exists(desktop.file(name + ".part")));
  }
}

TEST_CASE("what only a video without a window can do is refused with a window, in words") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  const std::string scene = write_small_scene(desktop, 300);
  for (const std::string option : {"--speed 0.5", "--every-step", "--motion-blur 4", "--shutter 90"}) {
    CAPTURE(option);
    const std::string said = desktop.shell(std::string(WEFT_PROGRAM) + " " + scene + " --record x.mp4 " +
                                           option + " 2>&1; echo status $?");
    CHECK(said.find(option.substr(0, option.find(' ')) + " belongs to videos of runs without a window") !=
          std::string::npos);
    CHECK(said.find("add --headless") != std::string::npos);
    CHECK(said.find("status 1") != std::string::npos);
  }
}

TEST_CASE("a tick makes videos of the window transparent and a name that cannot be so is refused in words") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {write_small_scene(desktop, 300), "--size", "1300x1000"});
  const auto click = [&](const std::string& name) {
    weft.fresh();
    const auto [x, y] = weft.item(name);
    weft.move_to(x, y);
    weft.fresh();
    weft.click(x, y);
  };
  weft.wait_until("it runs", [](const Report& r) { return r["step"] > 3; });
  for (const char* section : {"section.Scene", "section.Simulation", "section.Timings", "section.View"})
    if (weft.fresh()["items"].contains(section)) click(section);
  if (!weft.fresh()["items"].contains("recording.transparent")) click("section.Recording");
  click("recording.transparent");
  weft.key("v");
  const int step = weft.wait_until("it records", [](const Report& r) {
    return r["recording"].get<bool>() && r["recording_path"].get<std::string>().ends_with("weft-001.mov");
  })["step"];
  weft.wait_until("it goes on", [&](const Report& r) { return r["step"] > step + 20; });
  weft.key("v");
  weft.wait_until(
      "it is told", [](const Report& r) { return idle(r) && says(r, "Recorded"); }, 60);
  desktop.shell("ffmpeg -v error -i weft-001.mov -frames:v 1 -vf alphaextract,format=gray alpha.png");
  const Image alpha = read_png(desktop.file("alpha.png"));
  CHECK(int(alpha.at(3, 3)[0]) <= 1);
  int most = 0;
  for (int y = 0; y < alpha.height; ++y)
    for (int x = 0; x < alpha.width; ++x) most = std::max(most, int(alpha.at(x, y)[0]));
  CHECK(most >= 254);
  click("recording.path");
  weft.xdotool("type take.mp4");
  weft.key("Return");
  weft.fresh();
  click("Record");
  weft.wait_until("it is refused", [](const Report& r) {
    return !r["recording"].get<bool>() && says(r, "a .mp4 video has no transparency");
  });
}
