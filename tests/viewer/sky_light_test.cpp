// Light from all around from a Radiance picture.
#include "viewer/render/sky_light.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>

#include "render_studio.h"
#include "sim/base/error.h"
#include "tests/support/folder.h"

using namespace weft;
using testing::Studio;

namespace {

vec3 direction(float u, float v) {
  const float longitude = 2 * kPi * (u - 0.5f);
  return {std::sin(kPi * v) * std::sin(longitude), std::cos(kPi * v),
          -std::sin(kPi * v) * std::cos(longitude)};
}

SkyPicture sky_of(const std::function<vec3(const vec3&)>& radiance) {
  SkyPicture sky{64, 32, {}};
  for (int y = 0; y < sky.height; ++y)
    for (int x = 0; x < sky.width; ++x)
      sky.radiance.push_back(radiance(direction((float(x) + 0.5f) / 64, (float(y) + 0.5f) / 32)));
  return sky;
}

vec3 light_on(const std::array<vec3, 9>& h, const vec3& n) {
  return h[0] + h[1] * n.y + h[2] * n.z + h[3] * n.x + h[4] * (n.x * n.y) + h[5] * (n.y * n.z) +
         h[6] * (3 * n.z * n.z - 1) + h[7] * (n.x * n.z) + h[8] * (n.x * n.x - n.y * n.y);
}

/// Radiance to a file: four bytes a texel, mantissas and a common exponent.
std::string hdr_file(const SkyPicture& sky) {
  std::string text = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y " + std::to_string(sky.height) + " +X " +
                     std::to_string(sky.width) + "\n";
  for (const vec3& c : sky.radiance) {
    int exponent = 0;
    std::frexp(std::max({c.r, c.g, c.b, 1e-30f}), &exponent);
    for (int k = 0; k < 3; ++k) text += char(int(std::ldexp(c[k], 8 - exponent)));
    text += char(exponent + 128);
  }
  return text;
}

}  // namespace

TEST_CASE("an even sky lights every surface evenly, by 1") {
  const auto even = sky_harmonics(sky_of([](const vec3&) { return vec3(7); }));
  for (const vec3& n : {vec3(1, 0, 0), vec3(0, -1, 0), vec3(0, 0, 1), glm::normalize(vec3(1, 2, -3))})
    CHECK(glm::length(light_on(even, n) - vec3(1)) < 2e-3f);
}

TEST_CASE("surfaces are lit from where the sky is bright, as a cosine lobe gathers it") {
  // L = 1 + a . d has irradiance pi (1 + 2/3 a . n), exactly (Ramamoorthi and Hanrahan 2001)
  const vec3 a(0.3f, 0.5f, -0.4f);
  const auto h = sky_harmonics(sky_of([&](const vec3& d) { return vec3(1 + glm::dot(a, d)); }));
  for (const vec3& n : {vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1), glm::normalize(vec3(-1, 2, 3))})
    CHECK(light_on(h, n).g == doctest::Approx(1 + 2.0f / 3 * glm::dot(a, n)).epsilon(5e-3));
  // L = d_x d_y has pi/4 of it
  const auto second = sky_harmonics(sky_of([&](const vec3& d) { return vec3(1 + d.x * d.y); }));
  const vec3 n = glm::normalize(vec3(1, 1, 0));
  CHECK(light_on(second, n).g == doctest::Approx(1 + 0.25f * 0.5f).epsilon(5e-3));
}

TEST_CASE("a sky is read from a Radiance file, and other files are refused by name") {
  testing::Folder folder;
  const SkyPicture sky{2, 1, {vec3(1, 0.5f, 0.25f), vec3(8, 4, 0)}};
  folder.write("sky.hdr", hdr_file(sky));
  const SkyPicture back = read_sky(folder / "sky.hdr");
  CHECK(back.width == 2);
  CHECK(back.height == 1);
  REQUIRE(back.radiance.size() == 2);
  for (int i : {0, 1}) CHECK(glm::length(back.radiance[size_t(i)] - sky.radiance[size_t(i)]) < 0.05f);
  folder.write("text.hdr", "no picture");
  CHECK_THROWS_AS(read_sky(folder / "text.hdr"), Error);
  CHECK_THROWS_AS(read_sky(folder / "missing.hdr"), Error);
  ViewSettings view;
  CHECK_THROWS_AS(set_view(view, "view.light", folder / "missing.hdr"), Error);
  set_view(view, "view.light", folder / "sky.hdr");
  CHECK(view.light == folder / "sky.hdr");
}

TEST_CASE("cloth takes the colour of the sky before it, turned with it, and the far wall shows it") {
  testing::Folder folder;
  // red before the sheet, which faces +z, blue behind it
  folder.write(
      "sky.hdr",
      hdr_file(sky_of([](const vec3& d) { return d.z > 0 ? vec3(1, 0.2f, 0.1f) : vec3(0.1f, 0.2f, 1); })));
  for (const Quality quality : {Quality::low, Quality::high}) {
    CAPTURE(int(quality));
    Studio studio(testing::make_flat_sheet(100));
    studio.settings.quality = int(quality);
    studio.settings.ground = false;
    studio.look(0, 0, 4, {0, 1, 0});
    const vec3 middle(0.1f, 1, 0), beside(-1.6f, 1, 0);
    const vec3 plain = studio.color_at(studio.draw(), middle);
    studio.settings.light = folder / "sky.hdr";
    const Image lit = studio.draw();
    const vec3 red = studio.color_at(lit, middle), wall = studio.color_at(lit, beside);
    CHECK(red.r - red.b > plain.r - plain.b + 15);
    CHECK(wall.b > wall.r + 60);  // one looks along -z
    studio.settings.light_turn = 180;
    const Image turned = studio.draw();
    const vec3 blue = studio.color_at(turned, middle);
    CHECK(blue.b - blue.r > plain.b - plain.r + 15);
    CHECK(studio.color_at(turned, beside).r > studio.color_at(turned, beside).b + 60);
    studio.settings.light_shown = false;
    const vec3 hidden = studio.color_at(studio.draw(), beside);
    CHECK(std::abs(hidden.r - hidden.b) < 20);
    studio.settings.light.clear();
    CHECK(glm::length(studio.color_at(studio.draw(), middle) - plain) < 2);
  }
}
