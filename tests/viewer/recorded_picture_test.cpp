// What is recorded in a size of its own.
#include "viewer/window/recorded_picture.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "render_studio.h"
#include "tests/support/folder.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE(
    "a picture of four or sixteen samples a pixel is the mean of them, in the size that was asked for") {
  Studio studio(make_flat_sheet(400));
  studio.settings.legend = false;
  RecordedPicture recorded;
  const ivec2 size(160, 90);
  for (const int samples : {1, 2, 4}) {
    CAPTURE(samples);
    const Image large = studio.draw(samples * size);
    const gl::Framebuffer& small =
        recorded.draw(studio.renderer, studio.camera, studio.settings, {}, size, samples);
    REQUIRE(small.size() == size);
    const Image image = gl::read_pixels(small.id(), size);
    int worst = 0;
    for (int y = 0; y < size.y; ++y)
      for (int x = 0; x < size.x; ++x)
        for (int c = 0; c < 3; ++c) {
          int sum = 0;
          for (int k = 0; k < samples * samples; ++k)
            sum += large.at(samples * x + k % samples, samples * y + k / samples)[c];
          const double mean = double(sum) / double(samples * samples);
          worst = std::max(worst, int(std::abs(mean - double(image.at(x, y)[c])) + 0.5));
        }
    CHECK(worst <= 2);  // each halving rounds once, llvmpipe's filter by less than one
  }
}

TEST_CASE("a transparent picture covers the cloth, and nothing beside it") {
  Studio studio(make_flat_sheet(400));
  studio.look(0, 5, 2.5f, {0, 1, 0});
  for (const Quality quality : {Quality::low, Quality::high}) {
    CAPTURE(int(quality));
    studio.settings.quality = int(quality);
    Overlay marks;
    marks.transparent = true;
    studio.draw(kSize, marks);
    const std::vector<uint8_t> rgba = gl::read_pixels_with_alpha(studio.renderer.picture()->id(), kSize);
    const auto at = [&](int x, int y) { return &rgba[4 * (size_t(y) * size_t(kSize.x) + size_t(x))]; };
    const auto center = studio.camera.view(kSize).project({0.1f, 1, 0});
    REQUIRE(center);
    const uint8_t* cloth = at(int(center->x), int(center->y));
    CHECK(cloth[3] == 255);
    CHECK(cloth[0] + cloth[1] + cloth[2] > 100);
    for (const ivec2& corner : {ivec2(2, 2), ivec2(kSize.x - 3, 2), ivec2(2, kSize.y - 3)})
      CHECK(at(corner.x, corner.y)[3] == 0);
  }
}

TEST_CASE("half covered pixels of a transparent file have the colour of what covers them") {
  Folder folder;
  const std::string path = folder / "half.png";
  write_transparent_png(path, ivec2(1, 1), {50, 100, 0, 128});
  const Image image = read_png(path);
  CHECK(int(image.at(0, 0)[0]) == 99);
  CHECK(int(image.at(0, 0)[1]) == 199);
  CHECK(int(image.at(0, 0)[2]) == 0);
}
