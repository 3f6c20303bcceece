// Videos of headless runs, and what happens without a display.
#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "tests/viewer/program.h"

using namespace weft;
using namespace weft::test;
namespace fs = std::filesystem;

namespace {

/// Facts of a video by ffprobe: "width,height,frames".
std::string probe(const Folder& folder, const std::string& video) {
  Program ffprobe(folder, "/usr/bin/ffprobe", {"-v", "error", "-count_frames", "-show_entries", "stream=width,height,nb_read_frames", "-of", "csv=p=0", video});
  std::string facts = ffprobe.wait().out;
  while (!facts.empty() && facts.back() == '\n') facts.pop_back();
  return facts;
}

bool no_ffmpeg() {
  const bool missing = !fs::exists("/usr/bin/ffmpeg") || !fs::exists("/usr/bin/ffprobe");
  if (missing) MESSAGE("skipped: ffmpeg is not installed");
  return missing;
}

const Environment kNoDisplay = {{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}};

}  // namespace

TEST_CASE("a video shows simulated time at its own rate, or every step once") {
  if (no_ffmpeg()) return;
  Folder folder;
  const std::string scene = folder.write("small.toml", small_scene());
  const Outcome o = test::weft(folder, {scene, "--headless", "--seconds", "0.2", "--record", "a.mp4", "--size", "160x90"});
  REQUIRE(o.status == 0);
  CHECK(probe(folder, "a.mp4") == "160,90,13");  // frames at 0, 1/60, ..., 12/60 s: the last falls on the last state
  REQUIRE(test::weft(folder, {scene, "--headless", "--seconds", "0.2", "--record", "b.mp4", "--size", "160x90", "--every-step"}).status == 0);
  CHECK(probe(folder, "b.mp4") == "160,90,21");
  REQUIRE(test::weft(folder, {scene, "--headless", "--seconds", "0.1", "--record", "c.mp4", "--size", "160x90", "--speed", "0.2", "--fps", "30"}).status == 0);
  CHECK(probe(folder, "c.mp4") == "160,90,17");
}

TEST_CASE("without ffmpeg a recorded run leaves numbered pictures and says so") {
  Folder folder;
  const std::string scene = folder.write("small.toml", small_scene());
  const Outcome o = test::weft(folder, {scene, "--headless", "--frames", "3", "--every-step", "--record", "a.mp4", "--size", "64x48"}, {{"PATH", "/nowhere"}});
  CHECK(o.status == 0);
  CHECK(o.says("ffmpeg is not installed"));
  CHECK(fs::exists(folder / "a_frames/frame_000003.png"));
  CHECK(!fs::exists(folder / "a.mp4"));
}

TEST_CASE("when the encoder fails, the run goes on to its end and says what went wrong") {
  Folder folder;
  const std::string scene = folder.write("small.toml", small_scene());
  const std::string failing = folder.write("ffmpeg", "#!/bin/sh\necho 'disk is full' >&2\nexit 1\n");
  fs::permissions(failing, fs::perms::owner_all);
  const Outcome o = test::weft(folder, {scene, "--headless", "--frames", "20", "--record", "a.mp4", "--size", "320x240", "--states", "out"},
                         {{"PATH", folder.path() + ":/usr/bin:/bin"}});
  CHECK(o.status == 1);
  CHECK(o.says("recording stopped"));
  CHECK(o.says("disk is full"));
  CHECK(fs::exists(folder / "out/step_000020.npy"));
  CHECK(o.hash().size() == 16);
}

TEST_CASE("Ctrl-C ends a run with a video that can be played") {
  if (no_ffmpeg()) return;
  Folder folder;
  const std::string scene = folder.write("small.toml", small_scene());
  Program program(folder, WEFT_PROGRAM, {scene, "--headless", "--seconds", "10000", "--record", "a.mp4", "--size", "64x48", "--states", "out"});
  const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (!fs::exists(folder / "out/step_000030.npy") && std::chrono::steady_clock::now() < limit) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  REQUIRE(fs::exists(folder / "out/step_000030.npy"));
  kill(program.id(), SIGINT);
  const Outcome o = program.wait();
  CHECK(o.status == 130);
  CHECK(o.prints("stopped early"));
  CHECK(o.prints("a.mp4"));
  const std::string facts = probe(folder, "a.mp4");
  CHECK(facts.rfind("64,48,", 0) == 0);
  CHECK(std::stoi(facts.substr(6)) >= 18);
}

TEST_CASE("without a display the demonstration is recorded, and the reason is told") {
  if (no_ffmpeg()) return;
  Folder folder;
  const std::string scene = folder.write("small.toml", small_scene());
  const Outcome o = test::weft(folder, {scene, "--seconds", "0.1", "--size", "160x90"}, kNoDisplay);
  CHECK(o.status == 0);
  CHECK(o.says("no window can be opened here"));
  CHECK(o.says("DISPLAY"));
  CHECK(o.prints("weft-demo.mp4"));
  CHECK(probe(folder, "weft-demo.mp4") == "160,90,7");
}

TEST_CASE("a display that does not answer is no reason to give up") {
  if (no_ffmpeg()) return;
  Folder folder;
  const std::string scene = folder.write("small.toml", small_scene());
  const Outcome o = test::weft(folder, {scene, "--seconds", "0.05", "--size", "64x48"}, {{"DISPLAY", ":54321"}, {"WAYLAND_DISPLAY", ""}});
  CHECK(o.status == 0);
  CHECK(o.says("the display cannot be used"));
  CHECK(fs::exists(folder / "weft-demo.mp4"));
}

TEST_CASE("without a display a run that was asked for results gives them") {
  Folder folder;
  const std::string scene = folder.write("small.toml", small_scene());
  const Outcome o = test::weft(folder, {scene, "--frames", "2", "--states", "out"}, kNoDisplay);
  CHECK(o.status == 0);
  CHECK(o.says("as with --headless"));
  CHECK(fs::exists(folder / "out/step_000002.npy"));
  CHECK(!fs::exists(folder / "weft-demo.mp4"));
}
