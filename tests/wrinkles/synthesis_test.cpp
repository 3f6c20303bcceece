#include "sim/wrinkles/synthesis.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"
#include "sim/wrinkles/certificate.h"
#include "tests/grid/sheets.h"
#include "tests/safety/crossings.h"

namespace {

using namespace weft;
using namespace weft::testing;
using wrinkles::CoarseCloth;
using wrinkles::Synthesis;
using wrinkles::WrinkleSettings;

CoarseCloth sheet(float width, float height, int n, int m) {
  FabricParams fabric;
  fabric.bending_rigidity = 5e-6f, fabric.stretch_stiffness = 1000;
  return {"cloth", rectangle({0, 0}, {width, height}, n, m, {-0.5f * width, -0.5f * height, 0}), fabric};
}

/// A patch of 64 mm in cells of 1 mm with shirring along the middle.
WrinkleSettings shirred() {
  WrinkleSettings s;
  s.params.cell = 1e-3f, s.params.levels = 2, s.params.iterations = 96;
  wrinkles::Gather g;
  g.from = {0, 0.032f}, g.to = {0.064f, 0.032f}, g.s0 = 1.4f, g.radius = 0.02f, g.irregularity = 0.2f;
  s.gathers.push_back(g);
  return s;
}

/// A patch in cells of 2 mm and a gather of all of it, in which layers meet.
std::pair<WrinkleSettings, wrinkles::Gather> gathered_tightly() {
  WrinkleSettings s;
  s.params.cell = 2e-3f, s.params.levels = 2, s.params.iterations = 96, s.params.tether = 1e6f;
  s.params.tether_width = 0.008f;
  wrinkles::Gather g;
  g.kind = "rows", g.radius = 0, g.s0 = 1.9f, g.irregularity = 0.3f, g.grain = 0.01f;
  return {s, g};
}

std::vector<vec3> turned(const std::vector<vec3>& points, const dmat3& turn, const dvec3& shift) {
  std::vector<vec3> out;
  for (const vec3& p : points) out.push_back(vec3(turn * dvec3(p) + shift));
  return out;
}

double largest_height(const std::vector<vec3>& x) {
  double most = 0;
  for (const vec3& p : x) most = std::max(most, std::abs(double(p.z)));
  return most;
}

double rms_difference(const std::vector<vec3>& a, const std::vector<vec3>& b) {
  double sum = 0;
  for (size_t v = 0; v < a.size(); ++v) sum += glm::dot(dvec3(a[v]) - dvec3(b[v]), dvec3(a[v]) - dvec3(b[v]));
  return std::sqrt(sum / double(a.size()));
}

}  // namespace

TEST_CASE("a patch without gathering stays flat and a gathered one folds across the stroke") {
  const auto device = Device::create(DeviceChoice::cpu, 2);
  const CoarseCloth cloth = sheet(0.064f, 0.064f, 8, 8);
  WrinkleSettings s = shirred();
  device->run([&] {
    Synthesis gathered(*device, cloth, s);
    gathered.solve(cloth.mesh.positions);
    const std::vector<vec3> x = gathered.positions();
    CHECK(largest_height(x) > 1e-3);
    // along the stroke the height changes its sign several times, along lines across it seldom
    int along = 0, across = 0;
    const auto& at = gathered.surface().material;
    float before = 0, before_across = 0;
    for (size_t v = 0; v < at.size(); ++v) {
      if (std::abs(at[v].y - 0.032f) < 1e-4f) along += before * x[v].z < 0, before = x[v].z;
      if (std::abs(at[v].x - 0.032f) < 1e-4f) across += before_across * x[v].z < 0, before_across = x[v].z;
    }
    MESSAGE("height ", 1e3 * largest_height(x), " mm, changes of sign ", along, " along and ", across,
            " across the stroke");
    CHECK(along >= 4);
    CHECK(across < along);

    s.gathers.clear();
    Synthesis plain(*device, cloth, s);
    plain.solve(cloth.mesh.positions);
    CHECK(largest_height(plain.positions()) < 0.1 * s.params.cell);
  });
}

TEST_CASE("the same wrinkles come from any number of threads") {
  const CoarseCloth cloth = sheet(0.05f, 0.04f, 6, 5);
  std::vector<std::vector<vec3>> results;
  for (const int threads : {1, 2}) {
    const auto device = Device::create(DeviceChoice::cpu, threads);
    device->run([&] {
      Synthesis s(*device, cloth, shirred());
      s.solve(cloth.mesh.positions);
      s.solve(turned(cloth.mesh.positions, dmat3(1), {0.001, 0, 0.002}));
      results.push_back(s.positions());
    });
  }
  CHECK(results[0] == results[1]);
}

TEST_CASE("wrinkles follow a turning cloth with transfer, and are put on other frames by carry") {
  const auto device = Device::create(DeviceChoice::cpu, 2);
  const CoarseCloth cloth = sheet(0.05f, 0.05f, 6, 6);
  WrinkleSettings s = shirred();
  s.params.iterations = 64;
  const dmat3 turn = dmat3(glm::rotate(glm::dmat4(1), 0.7, glm::normalize(dvec3(1, 2, 3))));
  const dvec3 shift(0.01, 0.02, -0.01);
  device->run([&] {
    Synthesis one(*device, cloth, s);
    one.solve(cloth.mesh.positions);
    const std::vector<vec3> first = one.positions();
    const std::vector<vec3> expected = turned(first, turn, shift),
                            frame = turned(cloth.mesh.positions, turn, shift);
    one.carry(frame);
    CHECK(rms_difference(one.positions(), expected) < 1e-5 * largest_height(first) + 1e-8);
    const std::vector<vec3> carried = one.positions();
    one.carry(cloth.mesh.positions);
    CHECK(rms_difference(one.positions(), first) < 1e-5 * largest_height(first) + 1e-8);
    CHECK(rms_difference(carried, first) > 1e-3);
    Synthesis other(*device, cloth, s);  // has solved nothing
    other.carry(frame, one.wrinkles());
    CHECK(other.positions() == carried);
    CHECK_THROWS_AS(other.carry(frame, std::vector<vec3>(3)), Error);
  });
}

TEST_CASE("what a synthesis needs is told before, and nearly what it takes") {
  const auto device = Device::create(DeviceChoice::cpu, 2);
  const CoarseCloth cloth = sheet(0.15f, 0.1f, 6, 6);
  WrinkleSettings s;
  s.params.cell = 1e-3f;
  const wrinkles::SynthesisNeed need = Synthesis::need(cloth, s);
  CHECK(need.vertices > 149 * 99);
  device->run([&] {
    const size_t before = device->bytes_in_use();
    Synthesis one(*device, cloth, s);
    one.solve(cloth.mesh.positions);
    const double taken = double(device->bytes_in_use() - before);
    MESSAGE(need.bytes_per_vertex(), " bytes a vertex told, ", taken / double(need.vertices), " taken");
    CHECK(need.vertices == one.grid(0).vertex_count());
    CHECK(taken <= 1.02 * double(need.bytes));
    CHECK(taken >= 0.7 * double(need.bytes));
  });
}

TEST_CASE("a flat sheet floats where filling and an inward push, or a push and the tether, are equal") {
  const auto device = Device::create(DeviceChoice::cpu, 2);
  const CoarseCloth cloth = sheet(0.04f, 0.04f, 5, 5);
  WrinkleSettings s;
  s.params.cell = 1e-3f, s.params.levels = 1, s.params.iterations = 1500, s.params.roughness = 0;
  const auto heights = [&] {
    Synthesis one(*device, cloth, s);
    one.solve(cloth.mesh.positions);
    double least = 1, most = -1, mean = 0;
    for (const vec3& p : one.positions())
      least = std::min(least, double(p.z)), most = std::max(most, double(p.z)), mean += double(p.z);
    return dvec3(least, most, mean / double(one.surface().vertex_count()));
  };
  device->run([&] {
    s.params.fill = 1e7f, s.params.thickness = 2e-3f, s.params.push = -2e3f;  // D + push / fill = 1.8 mm
    const dvec3 filled = heights();
    CHECK(std::abs(filled.x - 1.8e-3) < 0.02e-3);
    CHECK(std::abs(filled.y - 1.8e-3) < 0.02e-3);
    s.params.fill = 0, s.params.push = 1e4f, s.params.tether = 1e7f,
    s.params.iterations = 2500;  // push / tether = 1 mm
    const dvec3 pushed = heights();
    MESSAGE("pushed by ", 1e3 * pushed.z, " mm on average");
    CHECK(std::abs(pushed.z - 1e-3) < 0.1e-3);  // of the mean: within a square the sheet is free
  });
}

TEST_CASE("an inflated band between stitched rows is as high as its excess lets it be") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  const float width = 0.02f;
  const CoarseCloth cloth = sheet(0.03f, 3 * width, 5, 9);
  WrinkleSettings s;
  s.params.cell = 1e-3f, s.params.levels = 2, s.params.iterations = 400, s.params.air = 200;
  Gather g;
  g.kind = "rows", g.spacing = width, g.radius = 0, g.s0 = 1, g.s1 = 1.05f, g.stitched = true;
  s.gathers = {g};
  Synthesis one(*device, cloth, s);
  one.solve(cloth.mesh.positions);
  const std::vector<vec3> x = one.positions();
  const std::vector<vec2>& material = one.surface().material;
  // an arc of half angle a and radius r = width / (2 sin a), 1.05 times as long as its chord and stretched
  // by p r / Y
  double a = 0.5;
  for (int k = 0; k < 200; ++k) {
    const double radius = 0.5 * double(width) / std::sin(a);
    a = 1.05 * (1 + 200 * radius / 1000) * std::sin(a) * 0.5 + 0.5 * a;
  }
  const double height = 0.5 * double(width) * std::tan(0.5 * a);
  double stitched = 0, least = 1, most = 0;
  for (size_t v = 0; v < x.size(); ++v) {
    const float row = material[v].y / width, off = row - std::round(row);
    if (std::abs(off) < 0.01f) stitched = std::max(stitched, std::abs(double(x[v].z)));
    if (std::abs(std::abs(off) - 0.5f) < 0.01f)
      least = std::min(least, double(x[v].z)), most = std::max(most, double(x[v].z));
  }
  MESSAGE("bands ", 1e3 * least, " to ", 1e3 * most, " mm high, an arc ", 1e3 * height, "; stitches ",
          1e3 * stitched);
  CHECK(stitched < 1e-6);
  CHECK(least > 0.95 * height);
  CHECK(most < 1.05 * height);
}

TEST_CASE(
    "a quilt is as thick as its filling in the middle of diamonds, thins towards the stitches and is held "
    "there") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  const float spacing = 0.02f, thickness = 1.5e-3f;
  const CoarseCloth cloth = sheet(0.08f, 0.08f, 8, 8);
  WrinkleSettings s;
  s.params.cell = 1e-3f, s.params.levels = 2, s.params.iterations = 400;
  s.params.fill = 1e7f, s.params.thickness = thickness;
  Gather g;
  g.kind = "rows", g.radius = 0, g.s0 = g.s1 = 1.02f;
  s.gathers = {g};
  g.kind = "diamonds", g.angle = 45, g.spacing = spacing, g.radius = 0.5f * spacing, g.s0 = g.s1 = 1,
  g.stitched = true;
  s.gathers.push_back(g);
  Synthesis one(*device, cloth, s);
  one.solve(cloth.mesh.positions);
  const std::vector<vec3> x = one.positions();
  const std::vector<vec2>& material = one.surface().material;
  // along the normals of the lines, in spacings: on a line at whole numbers
  double stitched = 0, middle = 0, quarter = 0;
  int middles = 0, quarters = 0;
  for (size_t v = 0; v < x.size(); ++v) {
    const vec2 m = material[v];
    if (std::min(std::min(m.x, m.y), std::min(0.08f - m.x, 0.08f - m.y)) < 0.012f)
      continue;  // pillows that the edge cuts
    const float a = (m.x - m.y) * std::sqrt(0.5f) / spacing, b = (m.x + m.y) * std::sqrt(0.5f) / spacing;
    const float p = std::abs(a - std::round(a)), q = std::abs(b - std::round(b));
    if (std::min(p, q) < 0.02f) stitched = std::max(stitched, std::abs(double(x[v].z)));
    if (std::min(p, q) > 0.42f) middle += double(x[v].z), ++middles;
    if (std::abs(p - 0.125f) < 0.02f && q > 0.42f) quarter += double(x[v].z), ++quarters;
  }
  REQUIRE(std::min(middles, quarters) > 3);
  middle /= middles * double(thickness), quarter /= quarters * double(thickness);
  MESSAGE("over the filling's thickness: ", middle, " in the middle, ", quarter, " at a quarter; stitches ",
          stitched);
  CHECK(stitched < 1e-6);
  CHECK(std::abs(middle - 1) < 0.1);
  CHECK(std::abs(quarter - 0.44) < 0.15);  // 2 t - t² at t = 1/4
}

TEST_CASE("frames of another mesh and carrying before solving are refused") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  const CoarseCloth cloth = sheet(0.02f, 0.02f, 2, 2);
  WrinkleSettings s;
  s.params.cell = 1e-3f, s.params.levels = 1, s.params.iterations = 1;
  Synthesis one(*device, cloth, s);
  CHECK_THROWS_AS(one.carry(cloth.mesh.positions), Error);
  CHECK_THROWS_AS(one.solve({}), Error);
}

TEST_CASE("wrinkles keep clear of bodies, and enter them where bodies are not regarded") {
  const auto device = Device::create(DeviceChoice::cpu, 2);
  const CoarseCloth cloth = sheet(0.064f, 0.064f, 8, 8);
  // A sheet that lies 1 mm above a ground, and is gathered: folds go up and down.
  Scene scene;
  scene.contact.ground = true;
  scene.contact.ground_height = -0.1f;
  const float height = scene.contact.ground_height + 0.001f;
  std::vector<vec3> coarse;
  for (const vec3& p : cloth.mesh.positions) coarse.push_back({p.x, height, -p.y});
  const auto lowest = [&](bool regarded) {
    float least = 1e30f;
    device->run([&] {
      std::vector<std::string> notices;
      GrowingLists growing(*device);
      Bodies bodies(growing, scene, notices);
      bodies.set_step(scene, 0, 0.01f);
      WrinkleSettings s = shirred();
      s.params.bodies = regarded;
      Synthesis synthesis(*device, cloth, s);
      synthesis.set_bodies(bodies.view());
      synthesis.solve(coarse);
      for (const vec3& p : synthesis.positions()) least = std::min(least, p.y - scene.contact.ground_height);
    });
    return least;
  };
  CHECK(lowest(false) < -0.0005f);
  CHECK(lowest(true) > 0.0009f);  // body_gap, less the packing of normals
}

TEST_CASE("wrinkles that move past a second body keep clear of it, though another was nearest at first") {
  const auto device = Device::create(DeviceChoice::cpu, 2);
  const CoarseCloth cloth = sheet(0.064f, 0.064f, 8, 8);
  // A sheet 1 mm above a ground and 1.2 mm beside a wall, cut longer towards it.
  Scene scene;
  scene.contact.ground = true;
  scene.contact.ground_height = -0.1f;
  Obstacle wall;
  wall.shape = ObstacleShape::box, wall.size = {0.1f, 0.2f, 0.4f},
  wall.placement.position = {0.032f + 0.0012f + 0.05f, -0.1f, 0};
  scene.obstacles.push_back(wall);
  std::vector<vec3> coarse;
  for (const vec3& p : cloth.mesh.positions)
    coarse.push_back({p.x, scene.contact.ground_height + 0.001f, -p.y});
  WrinkleSettings s;
  s.params.cell = 1e-3f, s.params.levels = 2, s.params.iterations = 96;
  Gather g;
  g.kind = "rows", g.radius = 0, g.s0 = 1.5f;
  s.gathers = {g};
  device->run([&] {
    std::vector<std::string> notices;
    GrowingLists growing(*device);
    Bodies bodies(growing, scene, notices);
    bodies.set_step(scene, 0, 0.01f);
    Synthesis synthesis(*device, cloth, s);
    float farthest = -1, lowest = 1;
    const auto look = [&] {
      for (const vec3& p : synthesis.positions())
        farthest = std::max(farthest, p.x), lowest = std::min(lowest, p.y - scene.contact.ground_height);
    };
    synthesis.solve(coarse);
    look();
    CHECK(farthest > 0.0332f);  // it would reach beyond the wall
    synthesis.set_bodies(bodies.view());
    synthesis.forget();
    farthest = -1, lowest = 1;
    synthesis.solve(coarse);
    look();
    MESSAGE("at most ", 1e3 * farthest, " mm of 33.2, ", 1e3 * lowest, " mm above the ground");
    CHECK(farthest < 0.0323f);  // body_gap, less the packing of normals
    CHECK(lowest > 0.0009f);
  });
}

TEST_CASE("momentum goes on where layers meet, and lowers the energy") {
  const auto device = Device::create(DeviceChoice::cpu, 2);
  const CoarseCloth cloth = sheet(0.064f, 0.064f, 8, 8);
  const auto [s, g] = gathered_tightly();
  WrinkleSettings with = s, without = s;
  with.gathers = without.gathers = {g};
  without.params.chebyshev = false;
  const auto finest = [&](const WrinkleSettings& settings) {
    wrinkles::LevelReport report;
    device->run([&] {
      Synthesis synthesis(*device, cloth, settings);
      synthesis.solve(cloth.mesh.positions);
      report = synthesis.report(0);
    });
    return report;
  };
  const wrinkles::LevelReport fast = finest(with), slow = finest(without);
  MESSAGE(fast.accelerated, " of ", fast.iterations, " iterations with momentum, taken back ", fast.returns,
          " times; ", 1e3 * fast.energy, " mJ, without momentum ", 1e3 * slow.energy, " mJ");
  CHECK(fast.accelerated >= fast.iterations / 3);
  CHECK(slow.accelerated == 0);
  CHECK(fast.energy < slow.energy);
}

TEST_CASE("cloth that is gathered tightly does not cross itself in its folds") {
  const auto device = Device::create(DeviceChoice::cpu, 2);
  const CoarseCloth cloth = sheet(0.064f, 0.064f, 8, 8);
  auto [s, g] = gathered_tightly();
  for (const float angle : {0.0f, 30.0f, 45.0f}) {
    CAPTURE(angle);
    g.angle = angle;
    s.gathers = {g};
    Synthesis synthesis(*device, cloth, s);
    synthesis.solve(cloth.mesh.positions);
    const std::vector<vec3> x = synthesis.positions();
    const check::Crossings found =
        check::find_crossings(std::span<const vec3>(x), {synthesis.surface().triangles, -1});
    MESSAGE(found.pairs.size(), " crossings");
    CHECK(found.clean());
  }
}

TEST_CASE(
    "sheets that are pushed together do not pass through each other, however hard, also in transferred "
    "frames") {
  const auto device = Device::create(DeviceChoice::cpu, 2);
  // Two panels of one cloth face each other at 6 mm. The push alone would move each by 3 mm, where the tether
  // holds it.
  CoarseCloth cloth = sheet(0.04f, 0.04f, 4, 4);
  const TriMesh other = rectangle({0.1f, 0}, {0.04f, 0.04f}, 4, 4, {-0.12f, -0.02f, 0.006f});
  const int first = cloth.mesh.vertex_count();
  cloth.mesh.uv.insert(cloth.mesh.uv.end(), other.uv.begin(), other.uv.end());
  cloth.mesh.positions.insert(cloth.mesh.positions.end(), other.positions.begin(), other.positions.end());
  for (const ivec3& t : other.triangles)
    cloth.mesh.triangles.push_back({t.x + first, t.z + first, t.y + first});
  WrinkleSettings s;
  s.params.cell = 2e-3f, s.params.levels = 1, s.params.roughness = 0, s.params.iterations = 400;
  s.params.tether = 1e6f;
  for (const float push : {3e3f, 6e3f, 12e3f, 48e3f})
    device->run([&] {
      CAPTURE(push);
      s.params.push = push;
      Synthesis one(*device, cloth, s);
      for (int frame = 0; frame < 3; ++frame) {
        CAPTURE(frame);
        one.solve(cloth.mesh.positions);
        const std::vector<vec3> x = one.positions();
        CHECK(check::find_crossings(std::span<const vec3>(x), {one.surface().triangles, -1}).clean());
        const double radius = double(s.params.repulsion_radius * s.params.cell);
        const auto middle = [&](size_t v, float left) {  // of the sheet that begins there in the material
          const vec2 at = one.surface().material[v] - vec2(left + 0.02f, 0.02f);
          return std::max(std::abs(at.x), std::abs(at.y)) < 0.012f;
        };
        // Of the upper sheet above the lower one, where they lie over each other. The sheets are free to
        // slide and tilt, and where one has no other beside it the push bends its rim over.
        double least = 1;
        for (size_t v = 0; v < x.size(); ++v) {
          CHECK(std::isfinite(x[v].x + x[v].y + x[v].z));
          CHECK(std::abs(x[v].z) <
                0.006f + 2 * push * 1e-6f);  // the push alone moves a sheet by 3 mm for every 3 kPa
          for (size_t w = 0; middle(v, 0.1f) && w < x.size(); ++w)
            if (middle(w, 0) && glm::length(vec2(x[v]) - vec2(x[w])) < s.params.cell)
              least = std::min(least, double(x[v].z - x[w].z));
        }
        MESSAGE(push << " Pa, frame " << frame << ": " << 1e3 * least << " mm apart");
        CHECK(least > 0.5 * radius);
        CHECK(least < 1.1 * radius);
      }
    });
}
