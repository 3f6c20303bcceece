// Recorded runs: which frame is shown when, and that it is the one in the file.
#include "viewer/commands/playback.h"

#include <doctest/doctest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "sim/base/error.h"
#include "sim/mesh/sides.h"
#include "sim/scene/solids.h"
#include "sim/scene/text/scene_file.h"
#include "tests/support/program.h"
#include "tests/support/skip.h"
#include "tests/viewer/captions.h"
#include "tests/viewer/image_difference.h"
#include "viewer/commands/frame_export.h"
#include "viewer/gl/image.h"

using namespace weft;
using testing::Folder;

namespace {

/// A square that rises by 1 m per second and grows to twice its size in its last frame, above a block that
/// moves once.
std::string write_run(const Folder& folder, int frames = 11, bool rest = true) {
  RunInfo info;
  info.title = "Rising";
  info.dt = 0.1, info.fps = 10;
  const std::vector<vec3> square = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}};
  info.groups.push_back(
      {"sheet", false, 0, 4, {{0, 2, 1}, {0, 3, 2}}, {}, rest ? square : std::vector<vec3>{}});
  info.groups.push_back({"block", true, 4, 3, {{0, 1, 2}}, {}, {}});
  const std::string path = folder / "rising.weftcache";
  RunCacheWriter writer(path, info);
  for (int n = 0; n < frames; ++n) {
    RunFrame f{n, 0.1 * n, {}};
    for (const vec3& p : square)
      f.positions.push_back((n == frames - 1 ? 2.0f : 1.0f) * p + vec3(0, 0.1f * float(n), 0));
    for (int v = 0; v < 3; ++v) f.positions.push_back({float(v), n < 5 ? -1.0f : -2.0f, float(v * v)});
    writer.frame(f);
  }
  writer.finish();
  return path;
}

std::string fault(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a recorded run shows the newest frame whose time has come, and only frames of the file") {
  Folder folder;
  const std::string path = write_run(folder);
  RunCacheReader truth(path);
  Playback run(path);
  CHECK(run.current() == 0);
  CHECK_FALSE(run.advance(1));  // paused
  run.play();
  CHECK_FALSE(run.advance(0.09));
  CHECK(run.advance(0.02));
  CHECK(run.current() == 1);
  run.advance(0.55);
  CHECK(run.current() == 6);
  RunFrame expected;
  for (int f : {3, 0, 10, 6}) {
    run.go_to(f);
    truth.read(f, expected);
    const Frame& shown = *run.frame();
    CHECK(shown.step == f);
    CHECK(shown.time == expected.time);
    REQUIRE(shown.positions.size() == 4);
    CHECK(std::memcmp(shown.positions.data(), expected.positions.data(), 4 * sizeof(vec3)) == 0);
    REQUIRE(shown.obstacle_positions.size() == 1);
    CHECK(std::memcmp(shown.obstacle_positions[0]->data(), expected.positions.data() + 4, 3 * sizeof(vec3)) ==
          0);
    // What is exported from the window is what is shown.
    const RunFrame exported = run_frame_of(*run.view(), shown);
    CHECK(exported.positions == expected.positions);
  }
}

TEST_CASE("at its end a recorded run stops or begins again, and playing from the end starts over") {
  Folder folder;
  Playback run(write_run(folder));
  run.play();
  run.advance(5);
  CHECK(run.current() == 10);
  CHECK_FALSE(run.playing());
  run.play();
  CHECK(run.current() == 0);
  run.set_looping(true);
  run.advance(run.duration() + 0.25);
  CHECK(run.playing());
  CHECK(run.current() == 2);
  run.go_to(99);
  CHECK(run.current() == 10);
  run.go_to(-3);
  CHECK(run.current() == 0);
}

TEST_CASE("speed leaves frames out or shows them longer, and a video of every frame misses none") {
  Folder folder;
  Playback run(write_run(folder));
  run.play();
  run.set_speed(4);
  run.advance(0.11);
  CHECK(run.current() == 4);
  run.go_to(0);
  run.set_speed(0.1);
  for (int i = 0; i < 9; ++i) run.advance(0.1);
  CHECK(run.current() == 0);
  run.advance(0.11);
  CHECK(run.current() == 1);
  run.go_to(0);
  int seen = 1;
  while (run.advance_one()) ++seen;
  CHECK(seen == 11);
  CHECK_FALSE(run.playing());
}

TEST_CASE("stretch and speed are measured on the recorded positions, and what cannot be is said") {
  Folder folder;
  Playback run(write_run(folder));
  run.set_field("speed");
  CHECK(run.frame()->scalar == std::vector<float>(4, 0.0f));
  run.go_to(4);
  // Positions near 0.4 m are rounded to 3e-8 m, and a frame lasts 0.1 s.
  for (float v : run.frame()->scalar) CHECK(std::abs(v - 1) < 1e-6f);
  run.set_field("stretch");
  for (float s : run.frame()->scalar) CHECK(std::abs(s - 1) < 1e-6f);
  run.go_to(10);
  for (float s : run.frame()->scalar) CHECK(std::abs(s - 2) < 1e-6f);
  CHECK(run.why_not("contact").find("no contacts") != std::string::npos);
  run.set_field("contact");
  CHECK(run.frame()->scalar.empty());
  CHECK(run.why_not("phase").find("positions only") != std::string::npos);
  run.set_field("phase");
  CHECK(run.frame()->scalar.empty());
  Playback bare(write_run(folder, 3, false));
  CHECK(bare.why_not("stretch").find("no rest shape") != std::string::npos);
}

TEST_CASE("a damaged frame is told, and the one before it stays") {
  Folder folder;
  const std::string path = write_run(folder);
  std::string bytes = testing::read_file(path);
  bytes[bytes.size() / 2] = char(bytes[bytes.size() / 2] ^ 1);
  { std::ofstream(path, std::ios::binary) << bytes; }
  Playback run(path);
  int damaged = 0;
  for (int f = 1; f < run.frame_count(); ++f) {
    const auto before = run.frame();
    const std::string said = fault([&] { run.go_to(f); });
    if (said.empty()) continue;
    ++damaged;
    CHECK(said.find("the cache is damaged: frame") != std::string::npos);
    CHECK(run.frame() == before);
  }
  CHECK(damaged >= 1);
}

TEST_CASE("a video of a cache shows what a video of the run shows, frame by frame") {
  Folder folder;
  const std::string scene = folder.write("small.toml", testing::small_scene());
  const std::vector<std::string> look = {"--size", "320x240",         "--set",       "view.colouring=stretch",
                                         "--set",  "view.pins=false", "--every-step"};
  const auto weft = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), look.begin(), look.end());
    const testing::Outcome o = testing::weft(folder, arguments);
    CAPTURE(o.err);
    CHECK(o.status == 0);
  };
  weft({scene, "--headless", "--frames", "12", "--cache", "run.weftcache", "--record", "run/"});
  weft({"run.weftcache", "--headless", "--record", "cache/"});
  int differing = 0;
  for (int f = 0; f <= 12; ++f) {
    const Image a = read_png(folder / fmt::format("run/frame_{:06d}.png", f)),
                b = read_png(folder / fmt::format("cache/frame_{:06d}.png", f));
    REQUIRE(a.rgb.size() == b.rgb.size());
    int worst = 0;
    for (size_t i = 0; i < a.rgb.size(); ++i) {
      worst = std::max(worst, std::abs(int(a.rgb[i]) - int(b.rgb[i])));
      differing += a.rgb[i] != b.rgb[i];
    }
    CHECK(worst <= 2);  // normals are summed in another order, which may tip the rounding of a colour
  }
  CHECK(differing < 13 * 320 * 240 * 3 / 1000);
}

TEST_CASE("what makes no sense for a recorded run is refused in words") {
  Folder folder;
  write_run(folder);
  const auto says = [&](std::vector<std::string> arguments, const std::string& words) {
    arguments.insert(arguments.begin(), "rising.weftcache");
    const testing::Outcome o = testing::weft(folder, arguments);
    CAPTURE(o.err);
    CHECK(o.status == 1);
    CHECK(o.says(words));
  };
  says({"--headless"}, "can be shown or recorded as video");
  says({"--headless", "--frames", "3"}, "is not simulated");
  says({"--headless", "--record", "a.mp4", "--set", "step.dt=0.005"}, "only parameters of the picture");
  for (const std::vector<std::string>& option :
       std::vector<std::vector<std::string>>{{"--motion-blur", "4"}, {"--shutter", "90"}}) {
    std::vector<std::string> arguments{"--headless", "--record", "pictures/"};
    arguments.insert(arguments.end(), option.begin(), option.end());
    says(arguments, option[0]);
  }
}

TEST_CASE("a video of a recorded run turns on its turntable, and shows caption, time and vertices") {
  Folder folder;
  write_run(folder);
  const auto film = [&](const std::string& out, std::vector<std::string> more) {
    std::vector<std::string> all{"rising.weftcache", "--headless", "--quiet", "--record",
                                 out + "/",          "--fps",      "20",      "--size",
                                 "640x360"};
    all.insert(all.end(), more.begin(), more.end());
    const testing::Outcome o = testing::weft(folder, all);
    CAPTURE(o.err);
    CHECK(o.status == 0);
    std::vector<Image> pictures;
    for (int n = 0; n < 22; ++n)
      pictures.push_back(read_png(folder / fmt::format("{}/frame_{:06d}.png", out, n)));
    return pictures;
  };
  const auto mean = [](const Image& a, const Image& b) { return image_difference(a, b).mean; };
  const auto slow = film("slow", {"--turntable", "1000000"}), fast = film("fast", {"--turntable", "0.4"});
  CHECK(mean(slow[0], fast[0]) < 0.01);
  CHECK(mean(slow[0], slow[1]) < 0.01);  // one state
  CHECK(mean(fast[0], fast[1]) > 0.3);   // from two sides
  CHECK(mean(slow[2], fast[2]) > 0.3);
  CHECK(mean(slow[8], fast[8]) < 0.1);  // once around
  const auto plain = film("plain", {}),
             written = film("written", {"--caption", "Silk on a ball", "--show-timings"});
  CHECK(testing::share_darkened(written[1], plain[1], 12, 325, 100, 345) > 0.4);
  CHECK(testing::share_darkened(written[1], plain[1], 12, 12, 70, 30) > 0.4);
  CHECK(testing::share_darkened(written[1], plain[1], 250, 60, 640, 300) == 0);
}

TEST_CASE(
    "what a cloth's corners have of texture coordinates is exported from a recorded run that is shown") {
  Folder folder;
  RunInfo info;
  info.title = "Seams";
  info.groups.push_back({"sheet", false, 0, 4, {{0, 1, 2}, {0, 2, 3}}, {}, {}});
  info.groups[0].corners = {{{0, 0}, {1, 0}, {1, 1}, {0.5f, 0.5f}}, {{0, 1, 2}, {3, 2, -1}}};
  {
    RunCacheWriter writer(folder / "seams.weftcache", info);
    writer.frame({0, 0, {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}}});
    writer.finish();
  }
  Playback run(folder / "seams.weftcache");
  const RunInfo shown = run_info_of(*run.view());
  CHECK(shown.groups[0].corners.values == info.groups[0].corners.values);
  CHECK(shown.groups[0].corners.of_triangle == info.groups[0].corners.of_triangle);
}

TEST_CASE("solids and strands of a recorded run are shown and exported as they were simulated") {
  Folder folder;
  RunInfo info;
  info.title = "Kinds";
  RunGroup solid{"block", false, 0, 5, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}, {}, {}};
  solid.cells = {{0, 1, 2, 4}, {0, 1, 4, 3}, {0, 4, 2, 3}, {1, 2, 3, 4}};  // point 4 lies within
  RunGroup hair{"hair", false, 5, 4, {}, {}, {}};
  hair.lines = {{0, 1}, {2, 1}, {2, 3}}, hair.width = 0.01f;
  info.groups = {solid, hair};
  {
    RunCacheWriter writer(folder / "kinds.weftcache", info);
    RunFrame frame{0, 0, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.2f, 0.2f, 0.2f}}};
    for (int v = 0; v < 4; ++v) frame.positions.push_back({2, 0.1f * float(v), 0});
    writer.frame(frame), writer.finish();
  }
  Playback run(folder / "kinds.weftcache");
  const SceneView& view = *run.view();
  REQUIRE(view.parts.size() == 2);
  CHECK(view.parts[0].kind == PartKind::solid);
  CHECK(view.parts[1].kind == PartKind::strands);
  CHECK(find_edge(view.edges, 6, 7) >= 0);  // of the second line, the ends ascending
  CHECK(surface_of(view.scene, 1).thickness == 0.01f);
  const RunInfo shown = run_info_of(view);
  CHECK(shown.groups[0].cells == solid.cells);
  CHECK(shown.groups[1].lines == hair.lines);
  CHECK(shown.groups[1].width == hair.width);
}

TEST_CASE("a recorded run as an animated picture lasts as long as the run") {
  if (!testing::on_path("ffmpeg") || !testing::on_path("ffprobe")) {
    testing::skip("ffmpeg is not installed");
    return;
  }
  Folder folder;
  folder.write("small.toml", testing::small_scene());
  REQUIRE(testing::weft(folder, {"small.toml", "--headless", "--frames", "20", "--cache", "run.weftcache"})
              .status == 0);
  const auto facts = [&](const std::string& file) {
    return testing::Program(folder, "/usr/bin/env",
                            {"ffprobe", "-v", "error", "-count_frames", "-show_entries",
                             "stream=width,height,r_frame_rate,nb_read_frames", "-of", "csv=p=0", file})
        .wait()
        .out;
  };
  REQUIRE(testing::weft(folder, {"run.weftcache", "--headless", "--record", "a.gif"}).status == 0);
  CHECK(facts("a.gif") == "640,360,25/1,6\n");  // at 0, 0.04, ..., 0.2 s, as a GIF of the run itself
  const testing::Outcome fast = testing::weft(
      folder, {"run.weftcache", "--headless", "--record", "b.gif", "--size", "64x48", "--fps", "100"});
  REQUIRE(fast.status == 0);
  CHECK(fast.says("at most 50 pictures per second"));
  CHECK(facts("b.gif") == "64,48,50/1,11\n");
}
