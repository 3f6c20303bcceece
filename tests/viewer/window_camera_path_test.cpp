// Traces, the camera's path and what is burnt into videos, from the window.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "sim/scene/text/scene_file.h"
#include "tests/viewer/window_desktop.h"

using namespace weft;
using namespace weft::testing;
using Report = RunningWeft::Report;

namespace {

/// Clicks what stands still: the table of stages grows in the first steps, and moves what is below it.
void click(RunningWeft& weft, const std::string& item) {
  auto at = weft.item(item);
  for (int still = 0, looks = 0; still < 5 && looks < 100; ++looks) {
    weft.fresh();
    const auto now = weft.item(item);
    still = now == at ? still + 1 : 0;
    at = now;
  }
  weft.click(at.first, at.second);
  weft.fresh();
}

bool says(const Report& r, const std::string& words) {
  return r["message"].get<std::string>().find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("a trace is started and ended by its button, and the message says what opens it") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {write_small_scene(desktop), "--size", "1200x760"});
  weft.wait_until("it runs", [](const Report& r) { return r["step"] > 5; });
  click(weft, "Record trace");
  const int step =
      weft.wait_until("it is traced", [](const Report& r) { return r["tracing"].get<bool>(); })["step"];
  weft.wait_until("it goes on", [&](const Report& r) { return r["step"] > step + 20; });
  click(weft, "End trace");
  weft.wait_until("it is told", [](const Report& r) {
    return !r["tracing"].get<bool>() && says(r, "weft-trace-001.json") && says(r, "perfetto");
  });
  std::ifstream file(desktop.file("weft-trace-001.json"));
  const nlohmann::json trace = nlohmann::json::parse(file);
  int steps = 0, drawn = 0;
  for (const auto& e : trace)
    steps += e["ph"] == "X" && e["name"] == "step", drawn += e["ph"] == "X" && e["name"] == "draw";
  CHECK(steps >= 20);
  CHECK(drawn >= 1);
}

TEST_CASE("keys of the camera's path are added and removed in the window, undone, followed and saved") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {write_small_scene(desktop), "--size", "1200x760", "--paused"});
  weft.fresh();
  for (const char* section : {"section.Timings", "section.View", "section.Camera"}) click(weft, section);
  const auto keys = [](int count) { return [=](const Report& r) { return r["camera_keys"] == count; }; };
  click(weft, "Add key here");
  const Report first = weft.wait_until("there is a key", keys(1));
  click(weft, "Add key here");
  CHECK(weft.fresh()["camera_keys"] == 1);  // at the same time: replaced
  for (int i = 0; i < 10; ++i) weft.key("period");
  weft.wait_until("time has passed", [](const Report& r) { return r["step"] == 10; });
  // Another view.
  weft.move_to(first["viewport"][0].get<double>() + 30, first["viewport"][1].get<double>() + 30);
  weft.press(3);
  weft.fresh();
  weft.xdotool("mousemove_relative 120 20");
  weft.fresh();
  weft.release(3);
  const double yaw = weft.fresh()["camera"]["yaw"];
  CHECK(std::abs(yaw - first["camera"]["yaw"].get<double>()) > 10);
  click(weft, "Add key here");
  weft.wait_until("there are two keys", keys(2));
  weft.key("ctrl+z");
  weft.wait_until("undo takes it away", keys(1));
  weft.key("ctrl+shift+z");
  weft.wait_until("redo brings it back", keys(2));
  weft.key("ctrl+s");
  weft.wait_until("the scene is saved", [](const Report& r) { return says(r, "small-tuned.toml"); });
  const Scene saved = read_scene(desktop.file("small-tuned.toml"));
  REQUIRE(saved.camera_path.size() == 2);
  CHECK(saved.camera_path[0].time == 0);
  CHECK(std::abs(saved.camera_path[1].time - 0.1f) < 1e-6f);

  click(weft, "camera.follow");
  weft.wait_until("it follows", [](const Report& r) { return r["following"].get<bool>(); });
  weft.key("r");
  weft.wait_until("the camera is at its first key", [&](const Report& r) {
    return r["step"] == 0 &&
           std::abs(r["camera"]["yaw"].get<double>() - first["camera"]["yaw"].get<double>()) < 0.01;
  });
  for (int i = 0; i < 10; ++i) weft.key("period");
  weft.wait_until("the camera is at its last key", [&](const Report& r) {
    return r["step"] == 10 && std::abs(r["camera"]["yaw"].get<double>() - yaw) < 0.01;
  });
  weft.move_to(first["viewport"][0].get<double>() + 60, first["viewport"][1].get<double>() + 60);
  weft.press(3);
  weft.fresh();
  weft.xdotool("mousemove_relative 40 0");
  weft.fresh();
  weft.release(3);
  weft.wait_until("a hand on the camera ends it",
                  [](const Report& r) { return !r["following"].get<bool>(); });
  click(weft, "Remove key");
  weft.wait_until("one key is left", keys(1));
}

TEST_CASE("a video of the window turns on its turntable and shows its caption, the window does not") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {write_small_scene(desktop), "--size", "1000x760"});
  weft.wait_until("it runs", [](const Report& r) { return r["step"] > 5; });
  for (const char* section : {"section.Timings", "section.View", "section.Recording"}) click(weft, section);
  click(weft, "recording.path");
  weft.xdotool("type frames/");
  click(weft, "recording.caption");
  weft.xdotool("type Hello");
  weft.key("Tab");
  click(weft, "recording.timings");
  click(weft, "recording.turntable");
  const double before = weft.fresh()["camera"]["yaw"];
  click(weft, "Record");
  weft.wait_until("the camera has turned", [&](const Report& r) {
    return r["recording"].get<bool>() &&
           std::abs(std::remainder(r["camera"]["yaw"].get<double>() - before, 360.0)) > 20;
  });
  const Image window = weft.screenshot();
  const auto viewport = weft.fresh()["viewport"];
  click(weft, "Stop");
  weft.wait_until("it is told",
                  [](const Report& r) { return !r["recording"].get<bool>() && says(r, "Recorded"); });
  const double after = weft.fresh()["camera"]["yaw"];
  weft.fresh();
  CHECK(weft.fresh()["camera"]["yaw"] == after);  // and stands still again
  const Image frame = read_png(desktop.file("frames/frame_000005.png"));
  const auto dark = [](const Image& image, int x0, int y0, int x1, int y1) {
    int count = 0;
    for (int y = y0; y < y1; ++y)
      for (int x = x0; x < x1; ++x) count += image.at(x, y)[1] < 110;
    return double(count) / ((x1 - x0) * (y1 - y0));
  };
  const float scale = float(frame.height) / 720;
  const auto at = [&](double v) { return int(v * scale); };
  CHECK(dark(frame, at(24), frame.height - at(55), at(80), frame.height - at(26)) > 0.4);
  CHECK(dark(frame, at(24), at(24), at(150), at(80)) > 0.4);
  const int left = viewport[0], top = viewport[1];
  CHECK(dark(window, left + at(24), top + at(24), left + at(150), top + at(80)) < 0.1);
}
