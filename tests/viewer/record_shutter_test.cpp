// When a video's camera looks, and what becomes of several looks.
#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "tests/viewer/image_difference.h"
#include "viewer/gl/context.h"
#include "viewer/gl/image.h"
#include "viewer/interact/turntable.h"
#include "viewer/record/recorder.h"
#include "viewer/record/shutter_clock.h"
#include "viewer/record/timings_caption.h"
#include "viewer/render/caption_painter.h"
#include "viewer/render/motion_blur.h"

using namespace weft;

namespace {

/// A picture of one colour or another left and right of `edge` (pixels), as sRGB numbers.
gl::Framebuffer two_colors(ivec2 size, int edge, const vec3& left, const vec3& right) {
  gl::Framebuffer picture(size, GL_RGBA8, 0);
  std::vector<uint8_t> rgba;
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x)
      for (int c = 0; c < 4; ++c) rgba.push_back(c == 3 ? 255 : uint8_t((x < edge ? left : right)[c]));
  glTextureSubImage2D(picture.color().id(), 0, 0, 0, size.x, size.y, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
  return picture;
}

int level(const Image& image, int x, int y) { return image.at(x, y)[1]; }

}  // namespace

TEST_CASE("with one look per frame the shutter's clock is the frames' clock") {
  for (const double speed : {1.0, 0.3, 4.0}) {
    FrameClock frames(60, 0.5, speed);
    ShutterClock looks(60, 0.5, speed);
    for (int step = 1; step <= 100; ++step) {
      const double next = 0.5 + double(0.01f) * step;
      int count = 0;
      while (const auto look = looks.next_before(next)) {
        ++count;
        CHECK(look->last);
        CHECK(std::abs(look->time - (0.5 + double(look->frame) / 60 * speed)) < 1e-12);
      }
      CHECK(count == frames.frames_before(next));
    }
  }
}

TEST_CASE("the looks of a frame lie evenly in the shutter's time before it and see the states of that time") {
  // 20 frames/s and a shutter of 180 degrees: open for 25 ms before each frame, in which 5 states of 5 ms are
  // current.
  ShutterClock clock(20, 0, 1, 5, 180);
  CHECK(std::abs(clock.open_time() - 0.025) < 1e-15);
  std::map<int64_t, std::vector<int>> states;  // by frame
  for (int state = 0; state < 40; ++state)
    while (const auto look = clock.next_before(0.005 * (state + 1))) {
      states[look->frame].push_back(state);
      CHECK(look->last == (states[look->frame].size() == 5));
    }
  CHECK(states[1] == std::vector<int>{6, 7, 8, 9, 10});
  CHECK(states[2] == std::vector<int>{16, 17, 18, 19, 20});
  CHECK(states[0] == std::vector<int>{0, 0, 0, 0, 0});  // before the start there is nothing else to see
  // With steps longer than that all looks see one state.
  ShutterClock coarse(20, 0, 1, 5, 180);
  states.clear();
  for (int state = 0; state < 4; ++state)
    while (const auto look = coarse.next_before(0.05 * (state + 1))) states[look->frame].push_back(state);
  CHECK(states[2] == std::vector<int>{1, 1, 1, 1, 2});
}

TEST_CASE("the average of equal pictures is that picture") {
  gl::HeadlessContext context{false};
  MotionBlur blur;
  const ivec2 size(256, 4);
  gl::Framebuffer ramp(size, GL_RGBA8, 0);
  std::vector<uint8_t> rgba;
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x)
      for (int c = 0; c < 4; ++c) rgba.push_back(c == 3 ? 255 : uint8_t(c == 1 ? 255 - x : x));
  glTextureSubImage2D(ramp.color().id(), 0, 0, 0, size.x, size.y, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
  const Image before = gl::read_pixels(ramp.id(), size);
  for (const int count : {1, 7, 64}) {
    for (int i = 0; i < count; ++i) blur.add(ramp, 1.0f / float(count));
    const gl::Framebuffer& average = blur.average();
    const ImageDifference d = image_difference(before, gl::read_pixels(average.id(), size), 1, 0);
    CAPTURE(count);
    CHECK(d.worst <= 1);  // every one of the 256 levels; a rounding of the powers may cost one
    CHECK(d.share_off < 0.1);
  }
}

TEST_CASE("what moves smears in linear light") {
  gl::HeadlessContext context{false};
  MotionBlur blur;
  const ivec2 size(16, 4);
  blur.add(two_colors(size, 4, vec3(255), vec3(0)), 0.5f);
  blur.add(two_colors(size, 8, vec3(255), vec3(0)), 0.5f);
  const Image average = gl::read_pixels(blur.average().id(), size);
  CHECK(level(average, 2, 1) == 255);
  CHECK(level(average, 12, 1) == 0);
  // Half of the light is 188 of 255 in sRGB; the mean of the numbers would be 128.
  CHECK(std::abs(level(average, 6, 1) - 188) <= 1);
  // The next average starts anew, also at another size.
  const ivec2 other(8, 8);
  blur.add(two_colors(other, 4, vec3(0), vec3(100)), 1);
  const Image fresh = gl::read_pixels(blur.average().id(), other);
  CHECK(level(fresh, 1, 1) == 0);
  CHECK(std::abs(level(fresh, 6, 1) - 100) <= 1);
}

TEST_CASE("captions can be read on white and on black, grow with the picture and leave the rest alone") {
  gl::HeadlessContext context{false};
  CaptionPainter painter("");
  const auto drawn = [&](ivec2 size, float background, const Captions& captions) {
    const gl::Framebuffer picture = two_colors(size, 0, vec3(background), vec3(background));
    const GLuint burnt = painter.burn(picture.id(), size, captions);
    CHECK((burnt == picture.id()) == captions.empty());
    const Image untouched = gl::read_pixels(picture.id(), size);
    CHECK(level(untouched, size.x / 30, size.y * 29 / 30) == int(background));
    return gl::read_pixels(burnt, size);
  };
  // Pixels of a block that are lighter or darker than the given level.
  const auto share = [](const Image& image, ivec2 min, ivec2 max, auto condition) {
    int count = 0;
    for (int y = min.y; y < max.y; ++y)
      for (int x = min.x; x < max.x; ++x) count += condition(level(image, x, y));
    return double(count) / ((max.x - min.x) * (max.y - min.y));
  };
  for (const float background : {255.0f, 0.0f}) {
    CAPTURE(background);
    const Image image = drawn({640, 360}, background, {"WWWW WWWW", {}});
    const ivec2 from(12, 322), to(70, 346);  // inside the plate at the lower left
    CHECK(share(image, from, to, [](int v) { return v > 180; }) > 0.05);  // letters
    CHECK(share(image, from, to, [](int v) { return v < 100; }) > 0.3);   // plate
    CHECK(share(image, {0, 0}, {640, 300}, [&](int v) { return v != int(background); }) == 0);
  }
  CHECK(drawn({64, 36}, 128, {}).width == 64);
  const auto changed = [&](ivec2 size) {
    return share(drawn(size, 255, {"Caption", "timings"}), {0, 0}, size, [](int v) { return v < 200; });
  };
  CHECK(std::abs(changed({1920, 1080}) / changed({1280, 720}) - 1) < 0.15);
  // Long text is wrapped and stays inside; letters beyond the font are replaced.
  const Image wrapped = drawn(
      {320, 180}, 255,
      {"a long caption of many words that does not fit into one line \xE4\xBD\xA0 of such a small picture",
       {}});
  CHECK(share(wrapped, {316, 0}, {320, 180}, [](int v) { return v != 255; }) == 0);
  CHECK(share(wrapped, {8, 110}, {100, 172}, [](int v) { return v < 100; }) > 0.3);  // several lines high
}

TEST_CASE("the timings of a picture name time, rates, solver and vertices") {
  Scene scene;
  CHECK(timings_text(1.234, 8, scene, 10000) ==
        "t = 1.23 s\n125 steps/s, 8.00 ms per step\nNewton, 10,000 vertices");
  CHECK(timings_text(0, 0, scene, 999) == "t = 0.00 s\nno step yet\nNewton, 999 vertices");
  CHECK(timings_text(0, 250, scene, 1234567) ==
        "t = 0.00 s\n4.0 steps/s, 250.0 ms per step\nNewton, 1,234,567 vertices");
  ShownStepTime shown;
  CHECK(shown.next() == 0);
  shown.add(4);
  CHECK(shown.next() == 4);
  shown.add(8);
  CHECK(shown.next() == 4);  // stays for a moment, so that it can be read
  for (int i = 0; i < 20; ++i) shown.next();
  CHECK(shown.next() == 6);
}

TEST_CASE("a turntable comes back after its period and keeps everything in the picture on the way") {
  const CameraPose pose{{0, 1, 0}, 3, 25, 10, 35};
  CHECK(on_turntable(pose, 3, 0) == pose);
  CHECK(std::abs(on_turntable(pose, 10, 10).yaw - pose.yaw) < 1e-5f);
  CHECK(std::abs(on_turntable(pose, 2.5, 10).yaw - (pose.yaw - 90)) < 1e-4f);
  const Bounds bounds{{-1, 0, -0.1f}, {1, 0.5f, 0.1f}};  // wide from the front, narrow from the side
  const ivec2 size(320, 180);
  const CameraPose around = framed_all_around(pose, bounds, size);
  CHECK(around.yaw == pose.yaw);
  for (double t = 0; t < 10; t += 0.5) {
    const CameraView view = Camera(on_turntable(around, t, 10)).view(size);
    for (int corner = 0; corner < 8; ++corner) {
      const auto p = view.project({corner & 1 ? 1 : -1, corner & 2 ? 0.5f : 0, corner & 4 ? 0.1f : -0.1f});
      REQUIRE(p);
      CHECK(p->x > 0);
      CHECK(p->x < 320);
      CHECK(p->y > 0);
      CHECK(p->y < 180);
    }
  }
}
