// Pictures of the last state: --record NAME.png.
#include <doctest/doctest.h>

#include <filesystem>

#include "tests/support/program.h"
#include "tests/viewer/captions.h"
#include "viewer/gl/image.h"
#include "viewer/record/read_picture.h"

using namespace weft;
using namespace weft::testing;
namespace fs = std::filesystem;

namespace {

/// Mean distance of two pictures, 0 to 255.
double apart(const Image& a, const Image& b) {
  REQUIRE(a.rgb.size() == b.rgb.size());
  double sum = 0;
  for (size_t i = 0; i < a.rgb.size(); ++i) sum += std::abs(int(a.rgb[i]) - int(b.rgb[i]));
  return sum / double(a.rgb.size());
}

}  // namespace

TEST_CASE("squares of pixels become the mean of their light, and of their alpha") {
  // black and white in equal parts have half of white's light, which is 188 in sRGB
  const ReadPicture plain{{2, 2}, 3, {0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 255, 255}};
  CHECK(averaged(plain, 2).pixels == std::vector<uint8_t>{188, 188, 188});
  // half of the square is covered: the colour stays, multiplied by an alpha of one half
  const ReadPicture picture{{4, 2}, 4, {215, 50, 62, 255, 0, 0, 0, 0, 100, 20, 30, 128, 0, 0, 0, 0,
                                        215, 50, 62, 255, 0, 0, 0, 0, 100, 20, 30, 128, 0, 0, 0, 0}};
  const ReadPicture half = averaged(picture, 2);
  CHECK(half.size == ivec2(2, 1));
  CHECK(half.pixels == std::vector<uint8_t>{108, 25, 31, 128, 50, 10, 15, 64});
  CHECK(averaged(picture, 1).pixels == picture.pixels);
}

TEST_CASE("a picture of the last state is that of the video's last frame, at any size and smoother") {
  Folder folder;
  const std::string scene = folder.write(
      "small.toml", std::string(small_scene()) + "\n[camera]\ntarget = [0, 0.5, 0]\ndistance = 2\n");
  const auto run = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments = {scene, "--headless", "--frames", "8", "--size", "160x90",
                                          // the map of shadows is fitted to all states that were drawn
                                          "--set", "view.shadows=false"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome o = testing::weft(folder, arguments);
    REQUIRE_MESSAGE(o.status == 0, o.err);
    return o;
  };
  const Outcome o = run({"--record", "last.png"});
  CHECK(o.prints("picture: "));
  run({"--record", "frames/", "--every-step"});
  const Image last = read_png(folder / "last.png");
  CHECK(last.width == 160);
  CHECK(apart(last, read_png(folder / "frames/frame_000008.png")) == 0);
  CHECK(apart(last, read_png(folder / "frames/frame_000000.png")) > 0.01);
  run({"--record", "smooth.png", "--supersample", "4"});
  const Image smooth = read_png(folder / "smooth.png");
  CHECK(smooth.width == 160);
  CHECK(apart(last, smooth) > 0);
  CHECK(apart(last, smooth) < 8);
  run({"--record", "clear.png", "--transparent"});
  CHECK(fs::file_size(folder / "clear.png") > 100);
}

TEST_CASE("a recorded run and compared runs end in a picture too, seen from a viewpoint by its name") {
  Folder folder;
  const std::string scene =
      folder.write("small.toml", std::string(small_scene()) +
                                     "\n[[viewpoint]]\nname = \"above\"\npitch = -80\ndistance = 2\n");
  REQUIRE(testing::weft(folder, {scene, "--headless", "--frames", "6", "--cache", "run.weftcache", "--record",
                                 "a.png", "--size", "160x90", "--viewpoint", "above"})
              .status == 0);
  REQUIRE(testing::weft(folder, {"run.weftcache", "--headless", "--record", "b.png", "--size", "160x90",
                                 "--viewpoint", "above"})
              .status == 0);
  REQUIRE(testing::weft(folder, {"run.weftcache", "--headless", "--record", "c.png", "--size", "160x90"})
              .status == 0);
  const Image direct = read_png(folder / "a.png");
  CHECK(apart(direct, read_png(folder / "b.png")) < 1);
  CHECK(apart(direct, read_png(folder / "c.png")) > 0.3);
  const Outcome o = testing::weft(
      folder, {"compare", scene, "--lane", "solver=newton", "--lane", "solver=descent", "--seconds", "0.05",
               "--record", "two.png", "--size", "320x90", "--viewpoint", "above"});
  REQUIRE_MESSAGE(o.status == 0, o.err);
  CHECK(read_png(folder / "two.png").width == 320);
  const Outcome unknown = testing::weft(
      folder, {scene, "--headless", "--frames", "1", "--record", "d.png", "--viewpoint", "below"});
  CHECK(unknown.status != 0);
  CHECK(unknown.says("above"));
}

TEST_CASE("a picture that is too large for OpenGL, or whose folder is not there, is refused in words") {
  Folder folder;
  const std::string scene = folder.write("small.toml", small_scene());
  const Outcome large = testing::weft(folder, {scene, "--headless", "--frames", "1", "--record", "a.png",
                                               "--size", "16000x9000", "--supersample", "8"});
  CHECK(large.status != 0);
  CHECK(large.says("less --supersample"));
  const Outcome lost =
      testing::weft(folder, {scene, "--headless", "--frames", "1", "--record", "no/such/a.png"});
  CHECK(lost.status != 0);
  CHECK(lost.says("no/such/a.png"));
}
