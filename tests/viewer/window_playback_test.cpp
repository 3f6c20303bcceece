// A recorded run in the window, worked with mouse and keyboard.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "test_paths.h"
#include "tests/viewer/window_desktop.h"

using namespace weft;
using namespace weft::testing;
using Report = RunningWeft::Report;

namespace {

/// A run of 61 frames, 0.6 s.
void record_run(const Desktop& desktop) {
  write_small_scene(desktop, 300, "Recorded");
  const std::string said =
      desktop.shell(WEFT_PROGRAM " small.toml --headless --frames 60 --quiet --cache run.weftcache 2>&1");
  REQUIRE(said.find("cache: 61 frames") != std::string::npos);
}

int frame_of(const Report& r) { return r["playback"]["frame"]; }
bool shows(const Report& r, int frame) {
  return r.contains("playback") && frame_of(r) == frame && r["step"] == frame;
}

}  // namespace

TEST_CASE("a recorded run plays to its end, steps, scrubs and loops, and each frame is the cached one") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  record_run(desktop);
  RunningWeft weft(desktop, {"run.weftcache", "--size", "1200x760"});
  const Report end =
      weft.wait_until("it plays to its end", [](const Report& r) { return shows(r, 60) && !r["playing"]; });
  CHECK(end["title"] == "Recorded");
  CHECK(end["time"].get<double>() == doctest::Approx(0.6));
  CHECK(end["items"].contains("playback.reason"));
  weft.key("Home");
  const Report first = weft.wait_until("the first frame", [](const Report& r) { return shows(r, 0); });
  CHECK(first["cloth_screen"] != end["cloth_screen"]);
  weft.key("period");
  weft.wait_until("one frame on", [](const Report& r) { return shows(r, 1); });
  weft.key("End");
  weft.wait_until("the last frame",
                  [&](const Report& r) { return shows(r, 60) && r["cloth_screen"] == end["cloth_screen"]; });
  weft.key("comma");
  weft.wait_until("one frame back", [](const Report& r) { return shows(r, 59); });

  // The bar's ends are 6 pixels inside of it; the frame under its middle is the middle one.
  const auto [x, y] = weft.item("timeline", 0.5);
  weft.move_to(x, y);
  weft.press();
  weft.wait_until("the frame under the cursor",
                  [](const Report& r) { return std::abs(frame_of(r) - 30) <= 1; });
  const auto [to, same_y] = weft.item("timeline", 0.0);
  weft.move_to(to + 2, same_y);
  weft.wait_until("scrubbed to the start", [](const Report& r) { return shows(r, 0); });
  weft.release();
  CHECK_FALSE(weft.fresh()["playing"].get<bool>());  // it was paused before

  const auto [loop_x, loop_y] = weft.item("timeline.loop");
  weft.click(loop_x, loop_y);
  weft.wait_until("it loops", [](const Report& r) { return r["playback"]["looping"].get<bool>(); });
  weft.key("space");
  int before = -1;
  bool wrapped = false;
  weft.wait_until("it begins again", [&](const Report& r) {
    wrapped |= r["playing"].get<bool>() && frame_of(r) < before;
    before = frame_of(r);
    return wrapped;
  });
  weft.key("space");
  weft.wait_until("it is paused", [](const Report& r) { return !r["playing"].get<bool>(); });
}

TEST_CASE(
    "a recorded run is coloured, looked around in, filmed and exported, and refuses what needs a "
    "simulation") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  record_run(desktop);
  RunningWeft weft(desktop, {"run.weftcache", "--size", "1200x760", "--paused"});
  weft.wait_until("it is there", [](const Report& r) { return shows(r, 0); });
  weft.key("End");
  weft.wait_until("the last frame", [](const Report& r) { return shows(r, 60); });
  weft.key("2");
  weft.wait_until("stretch", [](const Report& r) { return r["field"] == "stretch"; });
  weft.key("w");
  weft.wait_until("wireframe", [](const Report& r) { return r["wireframe"].get<bool>(); });
  weft.key("4");
  weft.wait_until("the reason", [](const Report& r) {
    return r["message"].get<std::string>().find("has no contacts") != std::string::npos;
  });
  CHECK(weft.fresh()["field"] == "stretch");
  weft.key("ctrl+s");
  weft.wait_until("the refusal", [](const Report& r) {
    return r["message"].get<std::string>().find("nothing is simulated") != std::string::npos;
  });

  // A drag on the cloth looks around: there is nothing to pull.
  const Report before = weft.fresh();
  const double x = before["cloth_screen"][0], y = before["cloth_screen"][1];
  weft.move_to(x, y);
  weft.press();
  for (int i = 1; i <= 6; ++i) weft.move_to(x + 15 * i, y);
  weft.release();
  const Report after = weft.wait_until("the camera has turned", [&](const Report& r) {
    return r["camera"]["yaw"] != before["camera"]["yaw"];
  });
  CHECK(after["handles"].empty());

  weft.key("e");
  weft.wait_until("the export", [](const Report& r) {
    return r["message"].get<std::string>().find("weft-001.glb") != std::string::npos;
  });
  CHECK(std::filesystem::file_size(desktop.file("weft-001.glb")) > 300 * 24);

  weft.key("v");
  weft.wait_until("it records", [](const Report& r) { return r["recording"].get<bool>(); });
  weft.key("space");  // from the start, as it is at its end
  weft.wait_until("it plays", [](const Report& r) { return frame_of(r) < 60; });
  weft.wait_until("it has played", [](const Report& r) { return shows(r, 60) && !r["playing"]; });
  weft.key("v");
  weft.wait_until("it is done", [](const Report& r) {
    return !r["recording"].get<bool>() &&
           r["message"].get<std::string>().find("Recorded") != std::string::npos;
  });
  const std::string length =
      desktop.shell("ffprobe -v error -show_entries format=duration -of csv=p=0 weft-001.mp4");
  CHECK(std::stod(length) > 0.5);
}

TEST_CASE(
    "caption and turntable of the command line act on the video of a recorded run in the window, and without "
    "a video that is told") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  record_run(desktop);
  {
    RunningWeft weft(desktop, {"run.weftcache", "--size", "1200x760", "--turntable", "5"});
    weft.wait_until("it is told", [](const Report& r) {
      return r["message"].get<std::string>().find("press V") != std::string::npos;
    });
  }
  RunningWeft weft(desktop, {"run.weftcache", "--size", "1200x760", "--record", "frames/", "--turntable", "2",
                             "--caption", "Hello", "--show-timings"});
  const double before = weft.wait_until(
      "it records", [](const Report& r) { return r["recording"].get<bool>(); })["camera"]["yaw"];
  weft.wait_until("the camera has turned", [&](const Report& r) {
    return std::abs(std::remainder(r["camera"]["yaw"].get<double>() - before, 360.0)) > 20;
  });
  weft.key("v");
  weft.wait_until("it is done", [](const Report& r) {
    return !r["recording"].get<bool>() &&
           r["message"].get<std::string>().find("Recorded") != std::string::npos;
  });
  const Image frame = read_png(desktop.file("frames/frame_000005.png"));
  const auto dark = [&](int x0, int y0, int x1, int y1) {
    int count = 0;
    for (int y = y0; y < y1; ++y)
      for (int x = x0; x < x1; ++x) count += frame.at(x, y)[1] < 110;
    return double(count) / ((x1 - x0) * (y1 - y0));
  };
  const auto at = [&](double v) { return int(v * frame.height / 720); };
  CHECK(dark(at(24), frame.height - at(55), at(80), frame.height - at(26)) > 0.4);
  CHECK(dark(at(24), at(24), at(100), at(56)) > 0.4);
}

TEST_CASE("a frame-exact video of a recorded run has every frame for its time, however slow the machine") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  record_run(desktop);
  RunningWeft weft(desktop, {"run.weftcache", "--size", "1200x760", "--paused"});
  weft.wait_until("it is there", [](const Report& r) { return shows(r, 0); });
  for (const char* name : {"section.View", "section.Recording", "Frame-exact"}) {
    weft.wait_until(name, [&](const Report& r) { return r["items"].contains(name); });
    const auto [x, y] = weft.item(name);
    weft.click(x, y);
    weft.fresh();
  }
  weft.key("v");
  weft.wait_until("it records", [](const Report& r) { return r["recording"].get<bool>(); });
  weft.key("space");
  weft.wait_until("it has played", [](const Report& r) { return shows(r, 60) && !r["playing"]; });
  weft.key("v");
  weft.wait_until("it is done",
                  [](const Report& r) { return !r["recording"].get<bool>() && !r["finishing"].get<bool>(); });
  // Frames at 0, 0.01, ..., 0.6 s in a video of 50 pictures per second, two steps each: 30 until the last
  // one's time, and that one.
  const std::string pictures = desktop.shell(
      "ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 weft-001.mp4");
  CHECK(std::stoi(pictures) == 31);
}

TEST_CASE("opening a scene ends a recorded run, and opening a recorded run ends the simulation") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  record_run(desktop);
  RunningWeft weft(desktop, {"small.toml", "--size", "1200x760"});
  weft.wait_until("it simulates", [](const Report& r) { return r["step"] > 5; });
  const auto open = [&](const std::string& name) {
    weft.key("ctrl+o");  // selects what is in the field
    weft.fresh();
    weft.xdotool("type " + name);
    weft.fresh();
    weft.key("Return");
    weft.fresh();
  };
  open("run.weftcache");
  weft.wait_until("the recorded run", [](const Report& r) { return shows(r, 0); });
  open("small.toml");
  weft.wait_until("a simulation", [](const Report& r) { return !r.contains("playback"); });
  weft.key("Escape");
  if (desktop.shell("/usr/bin/python3 -c 'import Xlib; print(1)' 2>&1").find("1\n") == 0)
    CHECK(desktop.shell("/usr/bin/python3 " WEFT_TEST_ASSETS
                        "/viewer/drop_file.py Weft run.weftcache 2>&1") == "");
  else open("run.weftcache");
  weft.wait_until("the recorded run was dropped", [](const Report& r) { return shows(r, 0); });
  open("broken.toml");
  weft.wait_until("the fault", [](const Report& r) {
    return r["message"].get<std::string>().find("broken.toml") != std::string::npos;
  });
  CHECK(weft.fresh().contains("playback"));
  open("small.toml");
  const Report simulated =
      weft.wait_until("a simulation again", [](const Report& r) { return !r.contains("playback"); });
  CHECK_FALSE(simulated["items"].contains("playback.reason"));
  weft.key("Escape");
  const auto [x, y] = weft.item("play");
  if (!weft.fresh()["playing"].get<bool>()) weft.click(x, y);
  weft.wait_until("it simulates", [](const Report& r) { return r["step"] > 5; });
}
