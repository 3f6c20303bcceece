#include "viewer/record/recorder.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <thread>

#include "sim/base/error.h"
#include "tests/support/folder.h"
#include "tests/support/skip.h"
#include "viewer/gl/image.h"
#include "viewer/record/encoder_process.h"

namespace fs = std::filesystem;
using namespace weft;
using testing::Folder;

namespace {

bool no_ffmpeg() {
  if (!program_available("ffmpeg")) testing::skip("ffmpeg is not installed");
  return !program_available("ffmpeg");
}

/// A grey picture, of which a video keeps the level.
std::vector<uint8_t> grey(int width, int height, int level) {
  return std::vector<uint8_t>(size_t(width * height * 3), uint8_t(level));
}
PictureView view(const std::vector<uint8_t>& rgb, int width, int height) {
  return {width, height, 3, rgb.data(), false};
}

std::string output_of(const std::string& command) {
  std::string text;
  std::FILE* pipe = popen(command.c_str(), "r");
  char block[4096];
  for (size_t n; (n = fread(block, 1, sizeof(block), pipe)) > 0;) text.append(block, n);
  pclose(pipe);
  return text;
}

/// Mean level of every frame of a video.
std::vector<int> levels_of(const std::string& video) {
  const std::string raw =
      output_of("ffmpeg -v error -i '" + video + "' -vf scale=1:1 -f rawvideo -pix_fmt gray - 2>&1");
  return std::vector<int>(reinterpret_cast<const unsigned char*>(raw.data()),
                          reinterpret_cast<const unsigned char*>(raw.data()) + raw.size());
}

std::string write_script(const Folder& folder, const std::string& text) {
  const std::string path = folder / "encoder";
  std::ofstream(path) << "#!/bin/sh\n" << text;
  fs::permissions(path, fs::perms::owner_all);
  return path;
}

}  // namespace

TEST_CASE("a video frame shows the newest state whose time it has reached") {
  FrameClock clock(60);
  std::vector<int> counts;
  for (int step = 1; step <= 100; ++step) counts.push_back(clock.frames_before(double(0.01f) * step));
  // 100 states a second shown at 60 frames a second: frame n shows state floor(100 n / 60).
  std::vector<int> expected(100, 0);
  for (int frame = 0; frame < 60; ++frame) ++expected[size_t(frame * 100 / 60)];
  CHECK(counts == expected);
  CHECK(clock.frames() == 60);
}

TEST_CASE("a state that lasts several video frames is shown as often, also in slow motion") {
  FrameClock coarse(60);
  CHECK(coarse.frames_before(0.05) == 3);
  CHECK(coarse.frames_before(0.10) == 3);
  FrameClock slow(60, 2.0, 0.1);
  CHECK(slow.frames_before(2.01) == 6);
  CHECK(slow.frames_before(2.01) == 0);
}

TEST_CASE("a video holds every picture for as many frames as was asked") {
  if (no_ffmpeg()) return;
  Folder folder;
  const auto dark = grey(64, 48, 40), light = grey(64, 48, 200);
  Recorder recorder({.path = folder / "a.mp4", .width = 64, .height = 48, .fps = 30});
  for (int k = 0; k < 20; ++k) CHECK(recorder.add(view(k % 2 ? light : dark, 64, 48), 3));
  CHECK(recorder.finish());
  CHECK(recorder.stop_reason().empty());
  CHECK(recorder.seconds() == doctest::Approx(2.0));
  const auto levels = levels_of(folder / "a.mp4");
  REQUIRE(levels.size() == 60);
  for (size_t k = 0; k < 60; ++k) CHECK(std::abs(levels[k] - (k / 3 % 2 ? 200 : 40)) <= 4);
  CHECK(!fs::exists(folder / "a.mp4.part"));
  const std::string facts =
      output_of("ffprobe -v error -show_entries stream=codec_name,pix_fmt,width,height -of csv=p=0 '" +
                (folder / "a.mp4") + "'");
  CHECK(facts == "h264,64,48,yuv420p\n");
}

TEST_CASE("the index of a video stands in front of its pictures") {
  if (no_ffmpeg()) return;
  Folder folder;
  Recorder recorder({.path = folder / "a.mp4", .width = 32, .height = 32});
  const auto picture = grey(32, 32, 90);
  for (int k = 0; k < 10; ++k) recorder.add(view(picture, 32, 32));
  CHECK(recorder.finish());
  std::ifstream in(folder / "a.mp4", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  CHECK(bytes.find("moov") < bytes.find("mdat"));
}

TEST_CASE("an odd size is recorded with one more row and column") {
  if (no_ffmpeg()) return;
  Folder folder;
  Recorder recorder({.path = folder / "odd.mp4", .width = 63, .height = 47});
  const auto picture = grey(63, 47, 90);
  recorder.add(view(picture, 63, 47), 5);
  CHECK(recorder.finish());
  CHECK(output_of("ffprobe -v error -show_entries stream=width,height -of csv=p=0 '" + (folder / "odd.mp4") +
                  "'") == "64,48\n");
}

TEST_CASE("a picture of another size is fitted in with black borders") {
  Folder folder;
  Recorder recorder({.path = folder / "frames/", .width = 40, .height = 20});
  const auto square = grey(10, 10, 255);
  recorder.add(view(square, 10, 10));
  CHECK(recorder.finish());
  const Image image = read_png(folder / "frames/frame_000000.png");
  REQUIRE(image.width == 40);
  REQUIRE(image.height == 20);
  for (int x = 0; x < 40; ++x) CHECK(int(*image.at(x, 10)) == (x >= 10 && x < 30 ? 255 : 0));
}

TEST_CASE("pictures read from OpenGL, bottom row first and with alpha, come out upright") {
  Folder folder;
  const uint8_t pixels[] = {1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0, 10, 11, 12, 0};
  save_png(folder / "a.png", {2, 2, 4, pixels, true});
  const Image image = read_png(folder / "a.png");
  CHECK(image.rgb == std::vector<uint8_t>{7, 8, 9, 10, 11, 12, 1, 2, 3, 4, 5, 6});
}

TEST_CASE("live recording keeps to the wall clock") {
  if (no_ffmpeg()) return;
  Folder folder;
  Recorder recorder({.path = folder / "live.mp4", .width = 32, .height = 32, .fps = 10, .queue_length = 100});
  const auto dark = grey(32, 32, 40), light = grey(32, 32, 200);
  CHECK(recorder.add_live(view(dark, 32, 32), 0.0));
  CHECK(!recorder.wants_live(0.05));                    // frame 0 has its picture
  CHECK(recorder.add_live(view(light, 32, 32), 0.05));  // so this one is not used
  CHECK(recorder.add_live(view(light, 32, 32), 0.72));  // frames 1 to 6 repeat the first picture
  CHECK(recorder.add_live(view(dark, 32, 32), 0.95));
  CHECK(recorder.finish());
  std::vector<int> is_light;
  for (const int level : levels_of(folder / "live.mp4")) is_light.push_back(level > 120);
  CHECK(is_light == std::vector<int>{0, 0, 0, 0, 0, 0, 0, 1, 1, 0});
}

TEST_CASE("while the encoder lags, live recording drops pictures and never waits") {
  Folder folder;
  const std::string stuck = write_script(folder, "sleep 1\ncat > /dev/null\n");
  Recorder recorder(
      {.path = folder / "a.mp4", .width = 640, .height = 480, .fps = 10, .queue_length = 2, .ffmpeg = stuck});
  const auto picture = grey(640, 480, 90);
  for (int k = 0; k < 30; ++k) recorder.add_live(view(picture, 640, 480), 0.1 * k);
  CHECK(recorder.pictures_dropped() > 0);
  // Frames of dropped pictures are repeats of earlier ones: at most those after the last picture taken are
  // missing.
  CHECK(recorder.frames_added() + recorder.pictures_dropped() >= 30);
}

TEST_CASE("without ffmpeg a video becomes numbered PNG files, and this is said") {
  Folder folder;
  Recorder recorder({.path = folder / "a.mp4", .width = 8, .height = 8, .ffmpeg = "no-such-encoder"});
  CHECK(fs::is_directory(recorder.path()));
  CHECK(recorder.notice().find("ffmpeg is not installed") != std::string::npos);
  CHECK(recorder.notice().find(recorder.path()) != std::string::npos);
  const auto picture = grey(8, 8, 70);
  CHECK(recorder.add(view(picture, 8, 8), 3));
  CHECK(recorder.finish());
  CHECK(fs::exists(recorder.path() + "/frame_000002.png"));
  CHECK(!fs::exists(recorder.path() + "/frame_000003.png"));
}

TEST_CASE("an encoder that fails stops the recording with its last words") {
  Folder folder;
  const std::string failing = write_script(
      folder, "head -c 100000 > /dev/null\necho 'av_write_frame: No space left on device' >&2\nexit 1\n");
  Recorder recorder({.path = folder / "a.mp4", .width = 640, .height = 480, .ffmpeg = failing});
  const auto picture = grey(640, 480, 90);
  for (int k = 0; k < 1000 && recorder.add(view(picture, 640, 480)); ++k) {}
  CHECK(!recorder.active());
  CHECK(!recorder.add(view(picture, 640, 480)));
  CHECK(!recorder.finish());
  CHECK(recorder.stop_reason().find("No space left on device") != std::string::npos);
  CHECK(recorder.stop_reason().find("exit status 1") != std::string::npos);
}

TEST_CASE("what was encoded before ffmpeg was killed can be played") {
  if (no_ffmpeg()) return;
  Folder folder;
  // Stands between the recorder and the real encoder so that this test can kill exactly the encoder that it
  // started.
  const std::string encoder =
      write_script(folder, "echo $$ >> " + (folder / "ids") + "\nexec ffmpeg \"$@\"\n");
  Recorder recorder({.path = folder / "a.mp4", .width = 320, .height = 240, .fps = 10, .ffmpeg = encoder});
  std::vector<uint8_t> picture = grey(320, 240, 0);
  bool killed = false;
  for (int k = 0; k < 3000 && recorder.active(); ++k) {
    // hard to compress: output flows
    for (size_t i = 0; i < picture.size(); ++i) picture[i] = uint8_t(i * 7 + size_t(k) * 13);
    recorder.add(view(picture, 320, 240));
    if (killed || k < 200) continue;
    int id = 0;
    std::ifstream ids(folder / "ids");
    for (int next; ids >> next;) id = next;  // the first was asked for its encoders
    REQUIRE(id > 0);
    killed = ::kill(id, SIGKILL) == 0;
  }
  CHECK(killed);
  CHECK(!recorder.finish());
  CHECK(recorder.stop_reason().find("killed by signal 9") != std::string::npos);
  CHECK(recorder.stop_reason().find("a.mp4") != std::string::npos);
  CHECK(levels_of(folder / "a.mp4").size() > 20);
}

TEST_CASE("a recording that got no picture leaves the video that was there") {
  if (no_ffmpeg()) return;
  Folder folder;
  std::ofstream(folder / "a.mp4") << "old";
  {
    Recorder recorder({.path = folder / "a.mp4", .width = 32, .height = 32});
    CHECK(!recorder.finish());
    CHECK(recorder.stop_reason() == "no picture was recorded");
  }
  std::ifstream in(folder / "a.mp4");
  CHECK(std::string(std::istreambuf_iterator<char>(in), {}) == "old");
  CHECK(!fs::exists(folder / "a.mp4.part"));
}

TEST_CASE("an ffmpeg that vanishes while it records leaves a video that can be played") {
  if (no_ffmpeg()) return;
  Folder folder;
  // Removes itself once it is asked to encode into the part: nothing can be started afterwards.
  const std::string encoder = write_script(
      folder, "for last; do :; done\ncase \"$last\" in *.part) rm \"$0\";; esac\nexec ffmpeg \"$@\"\n");
  Recorder recorder({.path = folder / "a.mp4", .width = 32, .height = 32, .fps = 10, .ffmpeg = encoder});
  const auto picture = grey(32, 32, 90);
  recorder.add(view(picture, 32, 32), 10);
  recorder.finish();
  CHECK(!fs::exists(encoder));
  CHECK(levels_of(folder / "a.mp4").size() == 10);
}

TEST_CASE("a picture that cannot be written is an error that says why") {
  Folder folder;
  const Image image{1, 1, {1, 2, 3}};
  CHECK_THROWS_WITH_AS(write_png(folder / "missing/a.png", image), doctest::Contains("missing/a.png"), Error);
  CHECK_THROWS_WITH_AS(write_png("/dev/full", image), doctest::Contains("No space left on device"), Error);
}

TEST_CASE("a recording that cannot be written is refused at its start") {
  Folder folder;
  const Recorder::Options unwritable{.path = folder / "missing/a.mp4", .width = 8, .height = 8};
  if (program_available("ffmpeg")) CHECK_THROWS_AS(Recorder{unwritable}, Error);
  const Recorder::Options unknown{.path = folder / "a.avi", .width = 8, .height = 8};
  CHECK_THROWS_WITH_AS(Recorder{unknown}, doctest::Contains(".mp4"), Error);
  const Recorder::Options nothing{.path = folder / "a.mp4", .width = 0, .height = 8};
  CHECK_THROWS_AS(Recorder{nothing}, Error);
}

TEST_CASE("the next free name counts on from those that are there") {
  Folder folder;
  CHECK(next_free_path(folder.path(), "weft", ".png") == folder / "weft-001.png");
  std::ofstream(folder / "weft-001.png") << "";
  CHECK(next_free_path(folder.path(), "weft", ".png") == folder / "weft-002.png");
}

TEST_CASE("a part or a folder of pictures takes a video's name as the video itself does") {
  Folder folder;
  std::ofstream(folder / "weft-001.mp4.part") << "x";
  fs::create_directory(folder / "weft-002_frames");
  std::ofstream(folder / "weft-003.mp4") << "x";
  CHECK(next_free_path(folder.path(), "weft", ".mp4") == folder / "weft-004.mp4");
  CHECK(next_free_path(folder.path(), "weft", ".png") == folder / "weft-001.png");
}

TEST_CASE("a name that only seems free is passed over") {
  if (no_ffmpeg()) return;
  Folder folder;
  // looks as if it were not there, and cannot be made
  fs::create_symlink(folder / "nowhere", folder / "a.mp4.part");
  const Recorder recorder({.path = folder / "a.mp4", .next_free = true, .width = 8, .height = 8});
  CHECK(recorder.path() == folder / "a-002.mp4");
}

TEST_CASE("two recorders that begin with one name write two videos") {
  if (no_ffmpeg()) return;
  Folder folder;
  const auto dark = grey(64, 48, 40), light = grey(64, 48, 200);
  const Recorder::Options options{
      .path = folder / "weft-001.mp4", .next_free = true, .width = 64, .height = 48};
  std::vector<std::unique_ptr<Recorder>> made(2);
  {  // at the same moment
    std::thread other([&] { made[1] = std::make_unique<Recorder>(options); });
    made[0] = std::make_unique<Recorder>(options);
    other.join();
  }
  made[0]->add(view(dark, 64, 48), 5);
  made[1]->add(view(light, 64, 48), 7);
  CHECK(made[0]->finish());
  CHECK(made[1]->finish());
  CHECK(made[0]->path() != made[1]->path());
  CHECK(levels_of(made[0]->path()).size() == 5);
  CHECK(levels_of(made[1]->path()).size() == 7);
  CHECK(fs::exists(folder / "weft-001.mp4"));
  CHECK(fs::exists(folder / "weft-002.mp4"));
  Recorder third(options);
  CHECK(third.path() == folder / "weft-003.mp4");
  CHECK(third.notice() ==
        (folder / "weft-001.mp4") + " already exists: recording to " + (folder / "weft-003.mp4"));
}

TEST_CASE("the part that a killed recording left is never written over") {
  if (no_ffmpeg()) return;
  Folder folder;
  const auto picture = grey(64, 48, 90);
  const auto content = [](const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return std::string((std::istreambuf_iterator<char>(in)), {});
  };
  for (const std::string name : {"a.mp4", "a.gif"}) {
    CAPTURE(name);
    std::ofstream((folder / name) + ".part") << "what was recorded";
    Recorder next({.path = folder / name, .next_free = true, .width = 64, .height = 48, .fps = 20});
    CHECK(next.path() == (folder / "a-002") + fs::path(name).extension().string());
    next.add(view(picture, 64, 48), 5);
    CHECK(next.finish());
    // Who names a file means it; the part is still another's.
    Recorder same({.path = folder / name, .width = 64, .height = 48, .fps = 20});
    CHECK(same.notice().find(name + ".part already exists") != std::string::npos);
    same.add(view(picture, 64, 48), 5);
    CHECK(same.finish());
    CHECK(levels_of(folder / name).size() == 5);
    CHECK(levels_of(next.path()).size() == 5);
    CHECK(content((folder / name) + ".part") == "what was recorded");
    CHECK(!fs::exists((folder / name) + ".2.part"));
  }
}

TEST_CASE("without ffmpeg every recording has a folder of its own, and so has every one to a folder") {
  Folder folder;
  const auto picture = grey(8, 8, 70);
  const auto record = [&](const std::string& path, int frames) {
    Recorder recorder(
        {.path = path, .next_free = true, .width = 8, .height = 8, .ffmpeg = "no-such-encoder"});
    recorder.add(view(picture, 8, 8), frames);
    CHECK(recorder.finish());
    return recorder.path();
  };
  CHECK(record(folder / "weft-001.mp4", 3) == folder / "weft-001_frames");
  CHECK(record(folder / "weft-001.mp4", 1) == folder / "weft-002_frames");
  fs::create_directory(folder / "empty");
  CHECK(record(folder / "empty", 2) == folder / "empty/");  // nothing in it is lost
  CHECK(record(folder / "empty/", 1) == folder / "empty-002/");
  CHECK(fs::exists(folder / "weft-001_frames/frame_000002.png"));
  CHECK(!fs::exists(folder / "weft-002_frames/frame_000001.png"));
  CHECK(fs::exists(folder / "empty/frame_000001.png"));
}
