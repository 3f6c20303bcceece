// Videos of headless runs, and what happens without a display.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "test_paths.h"
#include "tests/support/program.h"
#include "tests/support/skip.h"
#include "tests/viewer/captions.h"
#include "tests/viewer/image_difference.h"
#include "viewer/gl/image.h"

using namespace weft;
using namespace weft::testing;
namespace fs = std::filesystem;

namespace {

/// Facts of a video by ffprobe: "width,height,frames".
std::string probe(const Folder& folder, const std::string& video) {
  Program ffprobe(folder, "/usr/bin/ffprobe",
                  {"-v", "error", "-count_frames", "-show_entries", "stream=width,height,nb_read_frames",
                   "-of", "csv=p=0", video});
  std::string facts = ffprobe.wait().out;
  while (!facts.empty() && facts.back() == '\n') facts.pop_back();
  return facts;
}

bool no_ffmpeg() {
  const bool missing = !fs::exists("/usr/bin/ffmpeg") || !fs::exists("/usr/bin/ffprobe");
  if (missing) testing::skip("ffmpeg is not installed");
  return missing;
}

const Environment kNoDisplay = {{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}};

}  // namespace

TEST_CASE("a video shows simulated time at its own rate, or every step once") {
  if (no_ffmpeg()) return;
  Folder folder;
  const std::string scene = folder.write("small.toml", small_scene());
  const Outcome o = testing::weft(folder, {scene, "--headless", "--device", "cpu", "--seconds", "0.2",
                                           "--record", "a.mp4", "--size", "160x90"});
  REQUIRE(o.status == 0);
  CHECK(o.prints("vertices through mapped memory"));  // on a GPU that draws too: through CUDA interop
  // frames at 0, 1/50, ..., 10/50 s, two steps each: the last falls on the last state
  CHECK(probe(folder, "a.mp4") == "160,90,11");
  CHECK(!o.says("judders"));
  const Outcome uneven = testing::weft(folder, {scene, "--headless", "--seconds", "0.2", "--record", "u.mp4",
                                                "--size", "160x90", "--fps", "60"});
  REQUIRE(uneven.status == 0);
  CHECK(probe(folder, "u.mp4") == "160,90,13");
  CHECK(uneven.says("judders a little: at 60 frames/s frames advance by 1 or 2 steps"));
  CHECK(uneven.says("--fps 50"));
  REQUIRE(testing::weft(folder, {scene, "--headless", "--seconds", "0.2", "--record", "b.mp4", "--size",
                                 "160x90", "--every-step"})
              .status == 0);
  CHECK(probe(folder, "b.mp4") == "160,90,21");
  REQUIRE(testing::weft(folder, {scene, "--headless", "--seconds", "0.1", "--record", "c.mp4", "--size",
                                 "160x90", "--speed", "0.2", "--fps", "30"})
              .status == 0);
  CHECK(probe(folder, "c.mp4") == "160,90,17");
}

TEST_CASE("a body at constant speed advances by the same way from frame to frame, simulated and recorded") {
  Folder folder;
  const std::string scene = folder.write("roll.toml", R"(duration = 0.5
[step]
dt = 0.01
[contact]
ground_height = -1
[camera]
target = [0, 0.5, 0]
distance = 3
yaw = 0
pitch = 0
[[cloth]]
size = [0.1, 0.1]
vertices = 50
position = [0, 1.15, 0]
[[pin]]
where = "top"
[[obstacle]]
shape = "sphere"
radius = 0.12
position = [-0.6, 0.4, 0]
color = [1.0, 0.0, 0.0]
motion = { keys = [{ time = 0 }, { time = 0.5, position = [1.2, 0, 0] }] }
)");
  // Mean column of the red pixels: the ball's middle, to parts of a pixel.
  const auto middles = [&](const std::string& name) {
    std::vector<double> found;
    for (int n = 0; fs::exists(folder / fmt::format("{}/frame_{:06}.png", name, n)); ++n) {
      const Image image = read_png(folder / fmt::format("{}/frame_{:06}.png", name, n));
      double sum = 0, count = 0;
      for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
          const uint8_t* p = &image.rgb[size_t(3 * (y * image.width + x))];
          if (p[0] > 60 && p[0] > 2 * p[1]) sum += x, ++count;
        }
      REQUIRE(count > 50);
      found.push_back(sum / count);
    }
    return found;
  };
  const std::vector<std::string> film = {"--headless", "--size", "320x180", "--set", "view.shadows=false"};
  const auto record = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), film.begin(), film.end());
    const Outcome o = testing::weft(folder, arguments);
    CAPTURE(o.err);
    REQUIRE(o.status == 0);
  };
  record({scene, "--cache", "run.weftcache", "--record", "direct/"});
  record({"run.weftcache", "--record", "cached/"});
  record({scene, "--fps", "60", "--record", "uneven/"});
  const auto spread = [&](const std::string& name) {
    const std::vector<double> x = middles(name);
    REQUIRE(x.size() > 20);
    double least = 1e9, most = 0;
    for (size_t n = 6; n + 5 < x.size(); ++n)
      least = std::min(least, x[n + 1] - x[n]), most = std::max(most, x[n + 1] - x[n]);
    return most / least;
  };
  CHECK(spread("direct") < 1.3);
  CHECK(spread("cached") < 1.3);
  CHECK(spread("uneven") > 1.6);  // one and two steps by turns
}

TEST_CASE("without ffmpeg a recorded run leaves numbered pictures and says so") {
  Folder folder;
  const std::string scene = folder.write("small.toml", small_scene());
  const Outcome o = testing::weft(
      folder, {scene, "--headless", "--frames", "3", "--every-step", "--record", "a.mp4", "--size", "64x48"},
      {{"PATH", "/nowhere"}});
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
  const Outcome o = testing::weft(
      folder,
      {scene, "--headless", "--frames", "20", "--record", "a.mp4", "--size", "320x240", "--states", "out"},
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
  Program program(
      folder, WEFT_PROGRAM,
      {scene, "--headless", "--seconds", "10000", "--record", "a.mp4", "--size", "64x48", "--states", "out"});
  const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (!fs::exists(folder / "out/step_000030.npy") && std::chrono::steady_clock::now() < limit)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  REQUIRE(fs::exists(folder / "out/step_000030.npy"));
  kill(program.id(), SIGINT);
  const Outcome o = program.wait();
  CHECK(o.status == 130);
  CHECK(o.prints("stopped early"));
  CHECK(o.prints("a.mp4"));
  const std::string facts = probe(folder, "a.mp4");
  CHECK(facts.rfind("64,48,", 0) == 0);
  CHECK(std::stoi(facts.substr(6)) >= 15);  // of two steps each
}

TEST_CASE("without a display the demonstration is recorded, and the reason is told") {
  if (no_ffmpeg()) return;
  Folder folder;
  const std::string scene = folder.write("small.toml", small_scene());
  const Outcome o = testing::weft(folder, {scene, "--seconds", "0.1", "--size", "160x90"}, kNoDisplay);
  CHECK(o.status == 0);
  CHECK(o.says("no window can be opened here"));
  CHECK(o.says("DISPLAY"));
  CHECK(o.prints("weft-demo.mp4"));
  CHECK(probe(folder, "weft-demo.mp4") == "160,90,6");
}

TEST_CASE("a display that does not answer is no reason to give up") {
  if (no_ffmpeg()) return;
  Folder folder;
  const std::string scene = folder.write("small.toml", small_scene());
  const Outcome o = testing::weft(folder, {scene, "--seconds", "0.05", "--size", "64x48"},
                                  {{"DISPLAY", ":54321"}, {"WAYLAND_DISPLAY", ""}});
  CHECK(o.status == 0);
  CHECK(o.says("the display cannot be used"));
  CHECK(fs::exists(folder / "weft-demo.mp4"));
}

TEST_CASE("without a display a run that was asked for results gives them") {
  Folder folder;
  const std::string scene = folder.write("small.toml", small_scene());
  const Outcome o = testing::weft(folder, {scene, "--frames", "2", "--states", "out"}, kNoDisplay);
  CHECK(o.status == 0);
  CHECK(o.says("as with --headless"));
  CHECK(fs::exists(folder / "out/step_000002.npy"));
  CHECK(!fs::exists(folder / "weft-demo.mp4"));
}

namespace {

/// "codec,width,height,rate,frames"
std::string stream(const Folder& folder, const std::string& video) {
  Program ffprobe(folder, "/usr/bin/ffprobe",
                  {"-v", "error", "-count_frames", "-show_entries",
                   "stream=codec_name,width,height,r_frame_rate,nb_read_frames", "-of", "csv=p=0", video});
  std::string facts = ffprobe.wait().out;
  while (!facts.empty() && facts.back() == '\n') facts.pop_back();
  return facts;
}

/// The pictures of a run as PNG files.
std::vector<Image> pictures(const Folder& folder, std::vector<std::string> arguments) {
  fs::remove_all(folder / "pictures");
  arguments.insert(arguments.end(), {"--headless", "--record", "pictures/"});
  const Outcome o = testing::weft(folder, arguments);
  CAPTURE(o.err);
  REQUIRE(o.status == 0);
  std::vector<Image> out;
  for (int i = 0; fs::exists(folder / fmt::format("pictures/frame_{:06d}.png", i)); ++i)
    out.push_back(read_png(folder / fmt::format("pictures/frame_{:06d}.png", i)));
  return out;
}

}  // namespace

TEST_CASE("a name in .gif or .webm gives an animation or a VP9 video") {
  if (no_ffmpeg()) return;
  Folder folder;
  const std::string scene = folder.write("small.toml", small_scene());
  const auto record = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {scene, "--headless", "--seconds", "0.2"});
    const Outcome o = testing::weft(folder, arguments);
    CAPTURE(o.err);
    CHECK(o.status == 0);
    return o;
  };
  record({"--record", "a.gif"});
  CHECK(stream(folder, "a.gif") == "gif,640,360,25/1,6");  // at 0, 0.04, ..., 0.2 s
  CHECK(!fs::exists(folder / "a.gif.part"));
  const Outcome large = record({"--record", "b.gif", "--size", "2000x1000", "--fps", "100"});
  CHECK(large.says("at most 50 pictures per second"));
  CHECK(large.says("2000x1000 becomes 1280x640"));
  CHECK(stream(folder, "b.gif") == "gif,1280,640,50/1,11");
  record({"--record", "c.webm", "--size", "160x90"});
  CHECK(stream(folder, "c.webm") == "vp9,160,90,50/1,11");
  const Outcome other = testing::weft(folder, {scene, "--headless", "--frames", "2", "--record", "d.avi"});
  CHECK(other.status == 1);
  CHECK(other.says(".mp4, .webm or .gif"));
}

TEST_CASE("a video may have a name that ffmpeg would take for an option or a protocol") {
  if (no_ffmpeg()) return;
  Folder folder;
  const std::string scene = folder.write("small.toml", small_scene());
  for (const char* name : {"-x.mp4", "12:30.mp4", "12:30.gif", "50%d.webm"}) {
    CAPTURE(name);
    const Outcome o = testing::weft(folder, {scene, "--headless", "--frames", "2", "--every-step", "--size",
                                             "64x48", std::string("--record=") + name});
    CAPTURE(o.err);
    CHECK(o.status == 0);
    CHECK(o.prints(std::string("video: ") + name));
    CHECK(probe(folder, folder / name) == "64,48,3");
    CHECK(!fs::exists(folder / (std::string(name) + ".part")));
  }
}

TEST_CASE("an ffmpeg that lacks the encoder is named before the run begins") {
  Folder folder;
  const std::string scene = folder.write("small.toml", small_scene());
  const std::string poor =
      folder.write("ffmpeg", "#!/bin/sh\necho \"Unknown encoder 'libvpx-vp9'\" >&2\nexit 1\n");
  fs::permissions(poor, fs::perms::owner_all);
  const Outcome o =
      testing::weft(folder, {scene, "--headless", "--frames", "20", "--record", "a.webm", "--size", "64x48"},
                    {{"PATH", folder.path() + ":/usr/bin:/bin"}});
  CHECK(o.status == 1);
  CHECK(o.says("this ffmpeg cannot write VP9"));
  CHECK(o.hash().empty());
  CHECK(!fs::exists(folder / "a.webm.part"));
}

TEST_CASE("a video in 4K is one of 3840 x 2160") {
  if (no_ffmpeg()) return;
  Folder folder;
  const std::string scene = folder.write("small.toml", small_scene());
  REQUIRE(testing::weft(folder, {scene, "--headless", "--frames", "2", "--every-step", "--record", "a.mp4",
                                 "--size", "3840x2160"})
              .status == 0);
  CHECK(probe(folder, "a.mp4") == "3840,2160,3");
}

TEST_CASE("a turntable and a camera path turn what does not move, and frames between states differ") {
  Folder folder;
  // Nothing moves: a sheet without weight.
  const std::string still =
      "duration = 1\n[forces]\ngravity = [0, 0, 0]\n[step]\ndt = 0.05\n[[cloth]]\nvertices = 100\nposition = "
      "[0.0, 1.0, 0.0]\n";
  const std::string scene = folder.write("still.toml", still);
  const auto difference = [](const Image& a, const Image& b) { return image_difference(a, b).mean; };
  const auto fixed = pictures(folder, {scene, "--seconds", "0.4", "--fps", "60", "--size", "160x90"});
  REQUIRE(fixed.size() == 27);  // the last state is current until 0.45 s
  CHECK(difference(fixed[0], fixed[20]) < 0.1);
  const auto turned =
      pictures(folder, {scene, "--seconds", "0.4", "--fps", "60", "--size", "160x90", "--turntable", "0.4"});
  REQUIRE(turned.size() == 27);
  CHECK(difference(turned[0], turned[1]) > 0.3);  // states are 3 frames apart, the camera is not
  CHECK(difference(turned[0], turned[12]) > 1);
  CHECK(difference(turned[0], turned[24]) < 0.3);  // once around
  const std::string path =
      folder.write("path.toml", still +
                                    "[camera]\nkeys = [{ time = 0.1, position = [0, 1, 3], target = [0, 1, "
                                    "0] }, { time = 0.3, position = [2, 1.5, 2] }]\n");
  const auto moved = pictures(folder, {path, "--seconds", "0.4", "--fps", "60", "--size", "160x90"});
  REQUIRE(moved.size() == 27);
  CHECK(difference(moved[0], moved[6]) < 0.1);  // before the first key
  CHECK(difference(moved[11], moved[12]) > 0.3);
  CHECK(difference(moved[18], moved[24]) < 0.1);  // after the last
  CHECK(difference(moved[0], moved[24]) > 1);
}

TEST_CASE("motion blur leaves what rests and smears what moves, and says when there are too few states") {
  Folder folder;
  // A sheet that falls, beside a ball that rests.
  const std::string scene =
      folder.write("fall.toml",
                   "duration = 1\n[step]\ndt = 0.002\n[camera]\ntarget = [0, 1, 0]\nyaw = 0\npitch = "
                   "0\n[[cloth]]\nvertices = 200\nsize = [0.4, 0.4]\nposition = [-0.4, 1.3, 0]\n"
                   "[[obstacle]]\nshape = \"sphere\"\nradius = 0.2\nposition = [0.5, 1.0, 0]\n");
  const std::vector<std::string> run = {
      scene, "--seconds", "0.2", "--fps", "20", "--size", "320x180", "--set", "view.shadows=false"};
  auto blurred_run = run;
  blurred_run.insert(blurred_run.end(), {"--motion-blur", "8", "--shutter", "360"});
  const auto sharp = pictures(folder, run), blurred = pictures(folder, blurred_run);
  REQUIRE(sharp.size() == 5);
  REQUIRE(blurred.size() == 5);
  const auto part = [](const Image& image, int from, int to) {
    Image out{to - from, image.height, {}};
    for (int y = 0; y < image.height; ++y)
      out.rgb.insert(out.rgb.end(), image.at(from, y), image.at(from, y) + 3 * (to - from));
    return out;
  };
  const ImageDifference resting =
      image_difference(part(sharp[4], 180, 320), part(blurred[4], 180, 320), 1, 0);
  CHECK(resting.worst <= 1);
  // In the last 0.05 s the sheet falls by 8.6 cm, some 10 pixels: its two edges, 45 pixels wide, smear over
  // 900 of 28800 pixels, of which a half differ by more than the tolerance at least.
  CHECK(image_difference(part(sharp[4], 0, 160), part(blurred[4], 0, 160), 1, 12).share_off > 0.01);
  const Outcome few =
      testing::weft(folder, {scene, "--headless", "--frames", "4", "--record", "few/", "--size", "64x48",
                             "--motion-blur", "16", "--set", "step.dt=0.01"});
  CHECK(few.status == 0);
  CHECK(few.says("motion blur: the shutter is open for 10 ms"));
  CHECK(testing::weft(folder, {scene, "--headless", "--motion-blur", "4", "--every-step", "--record", "x/"})
            .status == 2);
}

TEST_CASE("caption and timings are burnt into their corners") {
  Folder folder;
  const std::string scene = folder.write("small.toml", small_scene());
  const std::vector<std::string> run = {scene, "--frames", "2", "--every-step", "--size", "640x360"};
  auto with = run;
  with.insert(with.end(), {"--caption", "Silk on a ball", "--show-timings"});
  const auto plain = pictures(folder, run), written = pictures(folder, with);
  REQUIRE(plain.size() == 3);
  REQUIRE(written.size() == 3);
  CHECK(share_darkened(written[1], plain[1], 12, 325, 100, 345) > 0.4);
  CHECK(share_darkened(written[1], plain[1], 12, 12, 100, 45) > 0.4);
  CHECK(share_darkened(written[1], plain[1], 250, 60, 640, 300) == 0);
}

TEST_CASE(
    "a transparent video shows the cloth alone as ProRes and VP9 and PNG files and other kinds are refused") {
  if (no_ffmpeg()) return;
  Folder folder;
  const std::string scene = folder.write("small.toml", small_scene());
  const auto record = [&](const std::string& to, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {scene, "--headless", "--seconds", "0.05",         "--record",
                                          to,    "--size",     "161x90",    "--transparent"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return testing::weft(folder, arguments);
  };
  /// Alpha of a picture as a grey one.
  const auto alpha_of = [&](const std::string& file, const std::vector<std::string>& decoder) {
    std::vector<std::string> arguments = {"-v", "error", "-y"};
    arguments.insert(arguments.end(), decoder.begin(), decoder.end());
    arguments.insert(arguments.end(),
                     {"-i", file, "-frames:v", "1", "-vf", "alphaextract,format=gray", "alpha.png"});
    Program ffmpeg(folder, "/usr/bin/ffmpeg", arguments);
    REQUIRE(ffmpeg.wait().status == 0);
    return read_png(folder / "alpha.png");
  };
  const auto check = [](const Image& alpha) {
    REQUIRE(alpha.width >= 161);
    int most = 0;
    for (int y = 0; y < 90; ++y)
      for (int x = 0; x < 161; ++x) most = std::max(most, int(alpha.at(x, y)[0]));
    CHECK(most >= 254);
    for (const ivec2& corner : {ivec2(1, 1), ivec2(158, 1), ivec2(1, 88)})
      CHECK(int(alpha.at(corner.x, corner.y)[0]) <= 1);
  };
  const Outcome mov = record("a.mov");
  CAPTURE(mov.err);
  REQUIRE(mov.status == 0);
  check(alpha_of("a.mov", {}));
  REQUIRE(record("a.webm").status == 0);
  check(alpha_of("a.webm", {"-c:v", "libvpx-vp9"}));
  REQUIRE(record("frames/").status == 0);
  check(alpha_of("frames/frame_000000.png", {}));
  REQUIRE(record("blurred/", {"--motion-blur", "2", "--shutter", "360", "--fps", "20"}).status == 0);
  check(alpha_of("blurred/frame_000000.png", {}));
  for (const std::string kind : {".mp4", ".gif"}) {
    const Outcome refused = record("a" + kind);
    CHECK(refused.status == 1);
    CHECK(refused.says("a " + kind + " video has no transparency"));
    CHECK(refused.says(".mov (ProRes 4444)"));
    CHECK(!fs::exists(folder / ("a" + kind)));
  }
}
