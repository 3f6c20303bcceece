// Pictures of a scene, drawn by software OpenGL without a display.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include "render_studio.h"
#include "sim/base/error.h"
#include "sim/scene/solids.h"
#include "sim/scene/strands.h"
#include "test_paths.h"
#include "tests/support/folder.h"
#include "tests/viewer/image_difference.h"
#include "viewer/gl/context.h"
#include "viewer/gl/image.h"
#include "viewer/render/color_scale.h"
#include "viewer/render/renderer.h"

using namespace weft;
using testing::kSize, testing::StillLife, testing::Studio;

namespace {

void for_each_quality(const std::function<void(Quality)>& body) {
  for (const Quality quality : {Quality::low, Quality::high}) {
    CAPTURE(int(quality));
    body(quality);
  }
}

vec3 to_srgb(vec3 linear) {
  for (int c = 0; c < 3; ++c)
    linear[c] =
        linear[c] <= 0.0031308f ? 12.92f * linear[c] : 1.055f * std::pow(linear[c], 1 / 2.4f) - 0.055f;
  return linear;
}

float lightness(const vec3& c) { return (c.r + c.g + c.b) / 3; }

/// Tolerances of the comparison with stored pictures. Measured: llvmpipe with 128-bit vectors or without its
/// shortcuts differs by a mean of at most 0.06 and a share of 0; the least of the wrong pictures below by 1.2
/// and 6 %. The geometric mean of the two leaves room for other versions of Mesa on one side and for smaller
/// faults on the other.
constexpr double kMean = 0.3, kShareOff = 0.005;

bool agrees(const Image& image, const Image& reference) {
  const ImageDifference d = image_difference(image, reference);
  MESSAGE("mean " << d.mean << ", share off " << d.share_off << ", worst " << d.worst);
  return d.mean <= kMean && d.share_off <= kShareOff;
}

}  // namespace

TEST_CASE("software OpenGL gets the cheap picture by itself") {
  Studio studio(testing::make_flat_sheet(100));
  CHECK(studio.renderer.effective_quality(studio.settings) == Quality::low);
  CHECK(studio.renderer.vertex_path() == "mapped memory");
}

TEST_CASE("each side of the cloth has its own colour") {
  Studio studio(testing::make_flat_sheet(400));
  for_each_quality([&](Quality quality) {
    studio.settings.quality = int(quality);
    studio.look(0, 5, 2.5f, {0, 1, 0});
    const vec3 front = studio.color_at(studio.draw(), {0, 1, 0});
    studio.look(180, 5, 2.5f, {0, 1, 0});
    const vec3 back = studio.color_at(studio.draw(), {0, 1, 0});
    // The front is red (0.75, 0.22, 0.20), the back beige (0.86, 0.78, 0.66).
    CHECK(front.r > 1.8f * front.g);
    CHECK(back.g > 0.75f * back.r);
    CHECK(back.b > 0.6f * back.r);
  });
}

TEST_CASE("the cloth has the colour that was chosen, within the light's tint") {
  StillLife life = testing::make_flat_sheet(400);
  life.scene.scene.cloths[0].fabric.front_color = {0.5f, 0.5f, 0.5f};
  Studio studio(life);
  for_each_quality([&](Quality quality) {
    studio.settings.quality = int(quality);
    studio.look(-20, 25, 2.5f, {0, 1, 0});  // from near the light
    const vec3 c = studio.color_at(studio.draw(), {0.2f, 1.1f, 0});
    CHECK(lightness(c) > 85);
    CHECK(lightness(c) < 165);
    CHECK(std::abs(c.r - c.b) < 20);
  });
}

TEST_CASE("cloth darkens the floor on which its shadow falls, and only there") {
  Studio studio(testing::make_flat_sheet(400));
  for_each_quality([&](Quality quality) {
    studio.settings.quality = int(quality);
    studio.look(30, 35, 4, {0.3f, 0.6f, -0.4f});
    // The light comes from (-0.50, 0.92, 0.62): the sheet's centre, 1 m high, shades (0.54, 0, -0.67).
    const vec3 shaded(0.54f, 0, -0.67f), open(-0.6f, 0, 0.5f);
    const Image with = studio.draw();
    studio.settings.shadows = false;
    const Image without = studio.draw();
    studio.settings.shadows = true;
    CHECK(lightness(studio.color_at(with, shaded)) < 0.8f * lightness(studio.color_at(without, shaded)));
    CHECK(lightness(studio.color_at(with, open)) > 0.97f * lightness(studio.color_at(without, open)));
  });
}

TEST_CASE("strands darken the floor on which their shadow falls") {
  StillLife life;
  life.scene.model_id = life.frame.model_id = life.frame.id = 1;
  for (int k = 0; k < 11; ++k) life.frame.positions.push_back({0.1f * float(k - 5), 1, 0});
  life.scene.rest = life.frame.positions;
  life.scene.uv.resize(11), life.frame.normals.resize(11), life.frame.vertex_count = 11;
  for (int k = 0; k < 10; ++k) life.scene.edges.push_back({k, k + 1});
  life.scene.parts = {{.name = "rope", .vertex_count = 11, .kind = PartKind::strands}};
  StrandParams rope;
  rope.skin.thickness = 0.06f;
  life.scene.scene.of<StrandList>().list = {rope};
  Studio studio(life);
  for_each_quality([&](Quality quality) {
    studio.settings.quality = int(quality);
    studio.look(30, 35, 4, {0.3f, 0.6f, -0.4f});
    const vec3 shaded(0.54f, 0, -0.67f), open(0.54f, 0, -0.3f);  // as of a sheet's centre, see above
    const Image with = studio.draw();
    studio.settings.shadows = false;
    const Image without = studio.draw();
    studio.settings.shadows = true;
    CHECK(lightness(studio.color_at(with, shaded)) < 0.9f * lightness(studio.color_at(without, shaded)));
    CHECK(lightness(studio.color_at(with, open)) > 0.97f * lightness(studio.color_at(without, open)));
  });
}

TEST_CASE("the wireframe shows the edges of cells within a solid") {
  StillLife life;
  life.scene.model_id = life.frame.model_id = life.frame.id = 1;
  // a large tetrahedron about a point: with its triangles alone and with its four cells
  life.frame.positions = {
      {-0.5f, 0.5f, 0.4f}, {0.5f, 0.5f, 0.4f}, {0, 1.5f, 0.4f}, {0, 0.8f, -0.6f}, {0, 0.8f, 0.1f}};
  life.scene.rest = life.frame.positions;
  life.scene.triangles = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  life.frame.normals = testing::vertex_normals(life.frame.positions, life.scene.triangles);
  life.frame.normals[4] = vec3(0, 0, 1);
  life.scene.edges = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  life.scene.uv.resize(5), life.frame.vertex_count = 5;
  life.scene.parts = {{.name = "block", .vertex_count = 5, .triangle_count = 4, .kind = PartKind::solid}};
  life.scene.scene.of<SolidList>().list = {SolidParams()};
  const auto drawn = [&](bool cells) {
    life.scene.cells.clear();
    if (cells) life.scene.cells = {{0, 1, 2, 4}, {0, 1, 4, 3}, {1, 2, 4, 3}, {2, 0, 4, 3}};
    Studio studio(life);
    studio.settings.wireframe = true;
    studio.look(0, 5, 3, {0, 0.9f, 0});
    return studio.draw();
  };
  const ImageDifference d = image_difference(drawn(true), drawn(false), 1);
  MESSAGE("share of pixels that differ: ", d.share_off);
  CHECK(d.share_off > 0.0005);
}

TEST_CASE("colouring shows the quantity that the frame holds, and its legend") {
  StillLife life = testing::make_flat_sheet(400);
  for (const vec2& uv : life.scene.uv) life.frame.scalar.push_back(1 + 0.04f * uv.y);
  life.frame.field = "stretch";
  Studio studio(life);
  studio.look(0, 5, 2.5f, {0, 1, 0});
  for_each_quality([&](Quality quality) {
    studio.settings.quality = int(quality);
    studio.settings.colouring = vertex_field("none");
    studio.draw();
    CHECK_FALSE(studio.renderer.legend().visible);
    studio.settings.colouring = vertex_field("stretch");
    const Image image = studio.draw();
    const Legend legend = studio.renderer.legend();
    CHECK(legend.visible);
    CHECK(legend.title == "Stretch");
    CHECK(legend.unit == "%");
    CHECK(legend.max == doctest::Approx(5));  // 4 % occurs
    const vec3 low = studio.color_at(image, {0.1f, 0.56f, 0}),
               high = studio.color_at(image, {0.1f, 1.44f, 0});
    CHECK(low.b > low.r);
    CHECK(high.r > high.b);
    CHECK(lightness(high) > lightness(low) + 20);
    studio.settings.legend = false;
    CHECK(image_difference(image, studio.draw()).worst > 60);
    studio.settings.legend = true;
    // Another quantity was asked for than has arrived: no colours that would lie.
    studio.settings.colouring = vertex_field("speed");
    studio.draw();
    CHECK_FALSE(studio.renderer.legend().visible);
  });
}

TEST_CASE(
    "a coloured vertex has the legend's colour for its value, in light and in shade, or light on request") {
  StillLife life = testing::make_flat_sheet(400);
  for (const vec2& uv : life.scene.uv) life.frame.scalar.push_back(1 + 0.04f * uv.y);
  life.frame.field = "stretch";
  Studio studio(life);
  studio.settings.colouring = vertex_field("stretch");
  studio.settings.colour_max = 4;
  studio.settings.legend = false;
  for_each_quality([&](Quality quality) {
    studio.settings.quality = int(quality);
    for (const ColorMap map : {ColorMap::green, ColorMap::fire, ColorMap::grey}) {
      studio.settings.colour_map = int(map);
      studio.settings.colour_lit = false;
      for (const float pitch : {5.0f, -60.0f, 60.0f}) {  // of the lit side, from below, from above
        studio.look(0, pitch, 2.5f, {0, 1, 0});
        const vec3 seen = studio.color_at(studio.draw(), {0.1f, 1.0f, 0});  // v = 0.5: half of the scale
        // One of the scale's 256 steps, and half a pixel: of 2 * 2.5 m * tan(field of view / 2) / height of
        // the picture, seen at 60 degrees, on a sheet of 1 m.
        const float pixel =
            5 * std::tan(0.5f * glm::radians(studio.camera.pose().fov)) / std::cos(kPi / 3) / float(kSize.y);
        const float off = 1 / 256.0f + 0.5f * pixel;
        const vec3 ends[] = {to_srgb(scale_color(map, 0.5f - off)), to_srgb(scale_color(map, 0.5f + off))};
        for (int c = 0; c < 3; ++c) {
          CHECK(seen[c] >= 255 * std::min(ends[0][c], ends[1][c]) - 1);
          CHECK(seen[c] <= 255 * std::max(ends[0][c], ends[1][c]) + 1);
        }
      }
      studio.look(180, 5, 2.5f, {0, 1, 0});  // the side that the light shines through
      const vec3 plain = studio.color_at(studio.draw(), {0.1f, 1.0f, 0});
      studio.settings.colour_lit = true;
      CHECK(glm::distance(studio.color_at(studio.draw(), {0.1f, 1.0f, 0}), plain) > 5);
    }
  });
}

TEST_CASE("a print is seen upright on the front, faintly on the back, once over the cloth or in repeats") {
  const testing::Folder folder;
  // blue above, and below green left and white right
  Image print{4, 4, std::vector<uint8_t>(4 * 4 * 3, 255)};
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x) {
      uint8_t* rgb = print.rgb.data() + 3 * (4 * y + x);
      if (y < 2) rgb[0] = rgb[1] = 0;
      else if (x < 2) rgb[0] = rgb[2] = 0;
    }
  write_png(folder / "print.png", print);
  StillLife life = testing::make_flat_sheet(400);
  FabricParams& fabric = life.scene.scene.cloths[0].fabric;
  fabric.print = folder / "print.png";
  Studio studio(life);
  const auto blue = [](const vec3& c) { return c.b > c.r + 60 && c.b > c.g + 60; };
  const auto green = [](const vec3& c) { return c.g > c.r + 60 && c.g > c.b + 60; };
  for_each_quality([&](Quality quality) {
    studio.settings = ViewSettings{};
    studio.settings.quality = int(quality);
    fabric.print_size = 0;
    studio.renderer.set_fabrics(life.scene.scene);
    studio.look(0, 0, 2.5f, {0, 1, 0});
    const Image once = studio.draw();
    CHECK(blue(studio.color_at(once, {-0.3f, 1.3f, 0})));
    CHECK(blue(studio.color_at(once, {0.3f, 1.3f, 0})));
    CHECK(green(studio.color_at(once, {-0.3f, 0.7f, 0})));
    CHECK(lightness(studio.color_at(once, {0.3f, 0.7f, 0})) > 180);
    fabric.print_size = 0.5f;
    studio.renderer.set_fabrics(life.scene.scene);
    const Image twice = studio.draw();
    for (const float x : {-0.5f, 0.0f})
      for (const float y : {0.5f, 1.0f}) {
        CAPTURE(x);
        CAPTURE(y);
        CHECK(green(studio.color_at(twice, {x + 0.12f, y + 0.12f, 0})));
        CHECK(blue(studio.color_at(twice, {x + 0.12f, y + 0.38f, 0})));
      }
    studio.look(180, 0, 2.5f, {0, 1, 0});
    const vec3 behind = studio.color_at(studio.draw(), {0.12f - 0.5f, 0.88f, 0});
    fabric.print.clear();
    studio.renderer.set_fabrics(life.scene.scene);
    const vec3 without = studio.color_at(studio.draw(), {0.12f - 0.5f, 0.88f, 0});
    CHECK(glm::distance(behind, without) > 10);
    CHECK_FALSE(blue(behind));
    fabric.print = folder / "print.png";
  });
  fabric.print = folder / "gone.png";  // a warning, and the fabric's colour
  studio.look(0, 0, 2.5f, {0, 1, 0});
  studio.renderer.set_fabrics(life.scene.scene);
  const vec3 plain = studio.color_at(studio.draw(), {-0.3f, 1.3f, 0});
  CHECK(plain.r > plain.b + 60);
}

TEST_CASE("one vertex with a value a hundred times that of the others leaves them their colours") {
  StillLife life = testing::make_flat_sheet(400);
  for (const vec2& uv : life.scene.uv) life.frame.scalar.push_back(1 + 0.04f * uv.y);
  life.frame.scalar[3] = 5;  // 400 %
  life.frame.field = "stretch";
  Studio studio(life);
  studio.settings.colouring = vertex_field("stretch");
  studio.draw();
  CHECK(studio.renderer.legend().max == doctest::Approx(5));
  CHECK(studio.renderer.legend().exceeded);
  studio.settings.colour_percentile = 100;
  studio.draw();
  CHECK(studio.renderer.legend().max == doctest::Approx(500));
  CHECK_FALSE(studio.renderer.legend().exceeded);
}

TEST_CASE("the scale of a fit map is the same for slack and for tight cloth") {
  for (const float most : {0.01f, 0.6f}) {
    StillLife life = testing::make_flat_sheet(400);
    for (const vec2& uv : life.scene.uv) life.frame.scalar.push_back(1 + most * uv.y);
    life.frame.field = "stretch";
    Studio studio(life);
    studio.settings.colouring = vertex_field("stretch");
    studio.settings.colour_fixed = true;
    studio.draw();
    CHECK(studio.renderer.legend().max == doctest::Approx(20));
    CHECK(studio.renderer.legend().exceeded == (most > 0.2f));
    studio.settings.colour_max = 50;
    studio.draw();
    CHECK(studio.renderer.legend().max == doctest::Approx(50));
  }
}

TEST_CASE("cloth that bodies pass through is hatched in orange without a choice, unless that is off") {
  StillLife life = testing::make_flat_sheet(400);
  for (const vec2& uv : life.scene.uv) life.frame.scalar.push_back(uv.y > 0.5f ? 1.0f : 0.0f);
  life.frame.field = "let_through";
  Studio studio(life);
  studio.look(0, 5, 2.5f, {0, 1, 0});
  const auto spread = [&](const Image& image, float height) {
    float low = 255, high = 0;
    for (int i = 0; i < 20; ++i) {
      const float l = lightness(studio.color_at(image, {0.1f + 0.0043f * float(i), height, 0}));
      low = std::min(low, l), high = std::max(high, l);
    }
    return high - low;
  };
  const auto mean = [&](const Image& image, float height) {
    vec3 sum(0);
    for (int i = 0; i < 20; ++i) sum += studio.color_at(image, {0.1f + 0.0043f * float(i), height, 0});
    return sum / 20.0f;
  };
  for_each_quality([&](Quality quality) {
    studio.settings = ViewSettings{};
    studio.settings.quality = int(quality);
    CHECK(studio.settings.needed_field() == "let_through");
    CHECK(studio.settings.asked_field() == "none");
    studio.show(life);
    const Image marked = studio.draw();
    const Legend legend = studio.renderer.legend();
    CHECK(legend.visible);
    CHECK(legend.classes == std::vector<std::string>{"let through by them"});
    studio.settings.show_exceptions = false;
    CHECK(studio.settings.needed_field() == "none");
    const Image plain = studio.draw();
    CHECK_FALSE(studio.renderer.legend().visible);
    const vec3 fabric = mean(plain, 1.4f), orange = mean(marked, 1.4f);
    CHECK(glm::distance(orange, fabric) > 25);
    // Stripes show on a fabric of their own colour as well.
    CHECK(spread(plain, 1.4f) < 10);
    CHECK(spread(marked, 1.4f) > 40);
    CHECK(glm::length(mean(marked, 0.6f) - mean(plain, 0.6f)) < 2);  // cloth that is kept out
    studio.settings.show_exceptions = true;
    StillLife none = life;
    std::fill(none.frame.scalar.begin(), none.frame.scalar.end(), 0.0f);
    studio.show(none);
    CHECK(image_difference(studio.draw(), plain).worst == 0);
    CHECK_FALSE(studio.renderer.legend().visible);
    studio.settings.contact_points = true;
    CHECK(studio.settings.needed_field() == "contact");
  });
}

TEST_CASE("phases have three flat colours with names, and a method without them says so") {
  StillLife life = testing::make_flat_sheet(400);
  for (const vec2& uv : life.scene.uv) life.frame.scalar.push_back(std::min(2.0f, std::floor(3 * uv.y)));
  life.frame.field = "phase";
  Studio studio(life);
  studio.look(0, 5, 2.5f, {0, 1, 0});
  for_each_quality([&](Quality quality) {
    studio.settings = ViewSettings{};
    studio.settings.quality = int(quality);
    studio.show(life);
    const Image fabric = studio.draw();
    studio.settings.colouring = vertex_field("phase");
    const Image image = studio.draw();
    CHECK(studio.renderer.legend().visible);
    CHECK(studio.renderer.legend().classes == std::vector<std::string>{"untouched", "soft", "hard"});
    const vec3 none = studio.color_at(image, {0.1f, 0.65f, 0}),
               soft = studio.color_at(image, {0.1f, 1.0f, 0}), hard = studio.color_at(image, {0.1f, 1.4f, 0});
    CHECK(std::abs(none.r - none.b) < 30);
    CHECK(soft.b > soft.r + 50);
    CHECK(hard.r > hard.b + 50);
    StillLife without = life;
    without.frame.scalar.clear();
    studio.show(without);
    const Image plain = studio.draw();
    CHECK(studio.renderer.legend().visible);
    CHECK(studio.renderer.legend().note.find("none") != std::string::npos);
    CHECK(glm::length(studio.color_at(plain, {0.1f, 1.4f, 0}) - studio.color_at(fabric, {0.1f, 1.4f, 0})) <
          2);
  });
}

TEST_CASE("bounds are shown in millimetres, and where there are none the legend says what has them") {
  StillLife life = testing::make_flat_sheet(400);
  for (const vec2& uv : life.scene.uv) life.frame.scalar.push_back(0.0018f * uv.y);
  life.frame.field = "bound";
  Studio studio(life);
  studio.look(0, 5, 2.5f, {0, 1, 0});
  for_each_quality([&](Quality quality) {
    studio.settings = ViewSettings{};
    studio.settings.quality = int(quality);
    studio.settings.colouring = vertex_field("bound");
    studio.show(life);
    const Image image = studio.draw();
    const Legend legend = studio.renderer.legend();
    CHECK(legend.visible);
    CHECK(legend.unit == "mm");
    CHECK(legend.max == doctest::Approx(2));  // 1.8 mm occurs
    CHECK(lightness(studio.color_at(image, {0.1f, 1.44f, 0})) >
          lightness(studio.color_at(image, {0.1f, 0.56f, 0})) + 20);
    StillLife without = life;
    without.frame.scalar.clear();
    studio.show(without);
    studio.draw();
    CHECK(studio.renderer.legend().note.find("two-way") != std::string::npos);
  });
}

TEST_CASE("a body that took another shape goes back to its own when it is drawn where it should be") {
  StillLife life = testing::make_still_life(400);
  Studio studio(life);
  studio.look(0, 10, 4, {0, 1, 0});
  const Image before = studio.draw();
  auto smaller = std::make_shared<std::vector<vec3>>(life.scene.obstacle_meshes.back().positions);
  for (vec3& p : *smaller) p *= 0.3f;
  life.frame.obstacle_positions.assign(life.frame.obstacles.size(), nullptr);
  life.frame.obstacle_positions.back() = smaller;
  studio.renderer.update(life.frame);
  CHECK(image_difference(before, studio.draw()).worst > 60);
  life.frame.obstacle_positions.back() = nullptr;
  studio.renderer.update(life.frame);
  CHECK(image_difference(before, studio.draw()).worst == 0);
}

TEST_CASE("a sharp edge of a body does not show through the cloth that lies over it") {
  // A sheet over the upper front edge of a box, its vertices on the box and its triangles through the edge.
  StillLife life = testing::make_flat_sheet(900);
  Obstacle box;
  box.shape = ObstacleShape::box;
  box.color = {0.1f, 0.6f, 0.1f};
  life.scene.scene.obstacles.push_back(box);
  life.scene.obstacle_meshes.push_back(make_box({0.9f, 0.46f, 0.46f}));
  const vec3 middle(0, 1, 0);
  life.frame.obstacles.push_back({0, glm::translate(mat4(1), middle)});
  const float rows = std::round(std::sqrt(float(life.frame.vertex_count))), cell = 1 / (rows - 1);
  const float chord = cell / std::sqrt(2.0f);  // of the row of triangles that goes over the edge
  for (size_t v = 0; v < life.frame.positions.size(); ++v) {
    const float along = life.scene.uv[v].y - 0.5f, x = life.scene.uv[v].x - 0.5f;
    const float beyond = std::abs(along) - 0.5f * cell + chord;
    life.frame.positions[v] =
        middle + (along > 0 ? vec3(x, 0.231f, 0.231f - beyond) : vec3(x, 0.231f - beyond, 0.231f));
  }
  life.frame.normals = testing::vertex_normals(life.frame.positions, life.scene.triangles);
  Studio studio(life);
  for_each_quality([&](Quality quality) {
    studio.settings.quality = int(quality);
    studio.look(0, 40, 2, middle + vec3(0, 0.23f, 0.23f));
    const Image image = studio.draw({480, 360});
    int green = 0;
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x) green += image.at(x, y)[1] > image.at(x, y)[0] + 30;
    CHECK(green == 0);
    life.frame.obstacles[0].transform = glm::translate(mat4(1), middle + vec3(0, 0.1f, 0.1f));
    studio.renderer.update(life.frame);
    const Image through = studio.draw({480, 360});  // a body that is in front of the cloth is seen
    int seen = 0;
    for (int y = 0; y < through.height; ++y)
      for (int x = 0; x < through.width; ++x) seen += through.at(x, y)[1] > through.at(x, y)[0] + 30;
    CHECK(seen > 5000);
    life.frame.obstacles[0].transform = glm::translate(mat4(1), middle);
    studio.renderer.update(life.frame);
  });
}

TEST_CASE(
    "contact pairs are lines between their ends, only while they are asked for, each kind in its colour") {
  StillLife life = testing::make_flat_sheet(400);
  const auto nearest = [&](const vec3& at) {
    const auto& x = life.frame.positions;
    return int(std::min_element(
                   x.begin(), x.end(),
                   [&](const vec3& a, const vec3& b) { return glm::length(a - at) < glm::length(b - at); }) -
               x.begin());
  };
  const int a = nearest({-0.3f, 0.8f, 0}), b = nearest({0.3f, 1.2f, 0});
  const vec3 at_a = life.frame.positions[size_t(a)], at_b = life.frame.positions[size_t(b)],
             middle_of_pair = 0.5f * (at_a + at_b);
  life.frame.contact_pairs = {{ContactKind::vertices, at_a, at_b, {a, b}}};
  Studio studio(life);
  studio.look(0, 5, 2.5f, {0, 1, 0});
  for_each_quality([&](Quality quality) {
    studio.settings = ViewSettings{};
    studio.settings.quality = int(quality);
    const Image bare = studio.draw({640, 360});
    studio.settings.contact_pairs = true;
    const Image with = studio.draw({640, 360});
    const vec3 middle = studio.color_at(with, middle_of_pair);
    CHECK(middle.r > middle.g + 60);
    CHECK(middle.b > middle.g + 40);
    CHECK(studio.color_at(with, {-0.3f, 1.2f, 0}) == studio.color_at(bare, {-0.3f, 1.2f, 0}));
  });
  std::vector<vec3> colors;
  for (const ContactKind kind : {ContactKind::vertex_triangle, ContactKind::edge_edge,
                                 ContactKind::vertex_edge, ContactKind::vertex_vertex, ContactKind::body}) {
    life.frame.contact_pairs[0].kind = kind;
    studio.show(life);
    colors.push_back(studio.color_at(studio.draw({640, 360}), middle_of_pair));
  }
  CHECK(colors[0].r > colors[0].g + 60);
  CHECK(colors[1].b > colors[1].r + 60);
  CHECK(colors[2].g > colors[2].r + 40);
  CHECK(colors[2].g > colors[2].b + 40);
  CHECK(colors[3].r > colors[3].g + 60);
  CHECK(colors[4].g > colors[4].b + 60);
  for (size_t k = 0; k < colors.size(); ++k)
    for (size_t m = 0; m < k; ++m) CHECK(glm::length(colors[k] - colors[m]) > 60);
  life.frame.contact_pairs.clear();
  studio.show(life);
  const Image none = studio.draw();
  studio.settings.contact_pairs = false;
  CHECK(image_difference(none, studio.draw(), 1).worst == 0);
}

TEST_CASE(
    "active samples are marked in the middles of their edges, wherever the cloth that is drawn has them, by "
    "kind and only while they are asked for") {
  StillLife life = testing::make_flat_sheet(400);
  const auto edge = [&](const vec3& at) {
    const auto& x = life.frame.positions;
    const auto off = [&](const ivec2& e) {
      return glm::length(0.5f * (x[size_t(e.x)] + x[size_t(e.y)]) - at);
    };
    return *std::min_element(life.scene.edges.begin(), life.scene.edges.end(),
                             [&](const ivec2& a, const ivec2& b) { return off(a) < off(b); });
  };
  const ivec2 guarded = edge({-0.3f, 0.8f, 0}), pushed = edge({0.3f, 1.2f, 0});
  const auto middle = [&](const ivec2& e) {
    return 0.5f * (life.frame.positions[size_t(e.x)] + life.frame.positions[size_t(e.y)]);
  };
  life.frame.active_samples = {{guarded, true}, {pushed, false}};
  Studio studio(life);
  studio.look(0, 5, 2.5f, {0, 1, 0});
  for_each_quality([&](Quality quality) {
    studio.settings = ViewSettings{};
    studio.settings.quality = int(quality);
    const Image bare = studio.draw({640, 360});
    studio.settings.active_samples = true;
    const Image with = studio.draw({640, 360});
    const vec3 green = studio.color_at(with, middle(guarded)), white = studio.color_at(with, middle(pushed));
    CHECK(green.g > green.r + 60);
    CHECK(green.g > green.b + 60);
    CHECK(std::min({white.r, white.g, white.b}) > 150);
    CHECK(studio.color_at(with, {-0.3f, 1.2f, 0}) == studio.color_at(bare, {-0.3f, 1.2f, 0}));
  });
  // The cloth moves: so do they, without another list.
  const vec3 before = middle(guarded);
  for (vec3& p : life.frame.positions) p.x += 0.1f;
  studio.show(life);
  const Image moved = studio.draw({640, 360});
  const vec3 green = studio.color_at(moved, middle(guarded)), left = studio.color_at(moved, before);
  CHECK(green.g > green.r + 60);
  CHECK(left.g < left.r + 60);
  life.frame.active_samples.clear();
  studio.show(life);
  const Image none = studio.draw();
  studio.settings.active_samples = false;
  CHECK(image_difference(none, studio.draw(), 1).worst == 0);
}

TEST_CASE("a still life looks as it did, and wrong pictures are told from it") {
  const StillLife life = testing::make_still_life(2500);
  Studio studio(life);
  for_each_quality([&](Quality quality) {
    studio.settings = ViewSettings{};
    studio.settings.quality = int(quality);
    studio.show(life);
    const std::string path = std::string(WEFT_TEST_ASSETS) + "/viewer/still_life_" +
                             (quality == Quality::low ? "low" : "high") + ".png";
    const Image right = studio.draw();
    if (std::getenv("WEFT_UPDATE_REFERENCES")) write_png(path, right);
    const Image reference = read_png(path);
    CHECK(agrees(right, reference));

    studio.settings.shadows = false;
    CHECK_FALSE(agrees(studio.draw(), reference));
    studio.settings.shadows = true;
    studio.settings.obstacles = false;
    CHECK_FALSE(agrees(studio.draw(), reference));
    studio.settings.obstacles = true;
    studio.settings.exposure = 0.25f;
    CHECK_FALSE(agrees(studio.draw(), reference));
    studio.settings.exposure = 0;
    StillLife turned = life;
    std::swap(turned.scene.scene.cloths[0].fabric.front_color,
              turned.scene.scene.cloths[0].fabric.back_color);
    studio.show(turned);
    CHECK_FALSE(agrees(studio.draw(), reference));
    StillLife moved = life;
    for (vec3& p : moved.frame.positions) p.x += 0.05f;
    studio.show(moved);
    CHECK_FALSE(agrees(studio.draw(), reference));
  });
}

TEST_CASE("the curved surface fills the outline that flat triangles cut off") {
  // A coarse tube's worth of curvature: a half cylinder of radius 0.3 m with 6 columns of triangles, seen
  // from its end.
  StillLife life = testing::make_flat_sheet(60);
  for (size_t v = 0; v < life.frame.positions.size(); ++v) {
    const float angle = kPi * life.scene.uv[v].x;
    const vec3 n(-std::cos(angle), 0, std::sin(angle));
    life.frame.positions[v] = vec3(0, 0.5f + life.scene.uv[v].y, 0) + 0.3f * n;
    life.frame.normals[v] = n;
  }
  Studio studio(life);
  studio.settings.quality = int(Quality::high);
  studio.settings.thickness_scale = 0;
  studio.settings.shadows = false;
  studio.settings.ambient_occlusion = false;
  studio.look(0, 89, 2.2f, {0, 1, 0});
  // The share of the arc's directions in which a pixel just inside of the circle's top edge shows cloth.
  const auto covered = [&] {
    const Image image = studio.draw({720, 720});
    int hits = 0;
    for (int i = 1; i < 60; ++i) {
      const float angle = kPi * float(i) / 60;
      const vec3 c =
          studio.color_at(image, vec3(0, 1.5f, 0) + 0.298f * vec3(-std::cos(angle), 0, std::sin(angle)));
      hits += c.r > 1.25f * c.b;
    }
    return hits;
  };
  studio.settings.subdivision = 1;
  const int flat = covered();
  studio.settings.subdivision = 8;
  const int curved = covered();
  CHECK(flat < 30);
  CHECK(curved > flat + 20);
}

TEST_CASE("what the mouse points at, pins and handles are drawn") {
  StillLife life = testing::make_flat_sheet(400);
  Studio studio(life);
  studio.look(0, 5, 2.5f, {0, 1, 0});
  const Image bare = studio.draw();
  Overlay overlay;
  overlay.hovered_triangle = 0;
  CHECK(image_difference(bare, studio.draw(kSize, overlay), 1).worst > 20);
  overlay = {};
  overlay.brush = BrushCircle{{0, 1, 0}, {0, 0, 1}, 0.2f};
  CHECK(image_difference(bare, studio.draw(kSize, overlay), 1).worst > 20);
  life.frame.pinned = {life.frame.vertex_count / 2};
  studio.renderer.update(life.frame);
  CHECK(image_difference(bare, studio.draw(), 1).worst > 20);
  studio.settings.pins = false;
  CHECK(image_difference(bare, studio.draw(), 1).worst == 0);
  life.frame.handles.push_back({1, false, {0.1f, 1, 0}, {0.3f, 1.2f, 0.3f}, 4});
  studio.renderer.update(life.frame);
  const vec3 target = studio.color_at(studio.draw(), {0.3f, 1.2f, 0.3f});
  CHECK(target.r > 1.5f * target.g);  // at the limit of the force: red
  overlay = {};
  overlay.hovered_triangle = 1 << 30;
  CHECK_NOTHROW(studio.draw(kSize, overlay));
}
