// Bodies that leave cloth no room.
#include "sim/collision/surface/no_room.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "sim/collision/surface/closing_bodies.h"
#include "sim/device/device.h"
#include "sim/methods/collision_handler.h"
#include "sim/run/simulation.h"
#include "tests/support/folder.h"

using namespace weft;

namespace {

/// A square of so many cells a side, 10 cm wide, at a height, that faces up or down.
void add_square(std::vector<vec3>& x, std::vector<ivec3>& t, int cells, float height, bool up) {
  const int first = int(x.size()), side = cells + 1;
  for (int j = 0; j < side; ++j)
    for (int i = 0; i < side; ++i)
      x.emplace_back(0.1f * (float(i) / float(cells) - 0.5f), height,
                     0.1f * (float(j) / float(cells) - 0.5f));
  for (int j = 0; j < cells; ++j)
    for (int i = 0; i < cells; ++i) {
      const int a = first + j * side + i, b = a + 1, c = a + side, d = c + 1;
      for (const ivec3& f : {ivec3(a, c, b), ivec3(b, c, d)}) t.push_back(up ? f : ivec3(f.x, f.z, f.y));
    }
}

/// Cloth at 0, in `layers` layers 1 mm apart; a lower body that faces up and an upper one that faces down.
struct Pinch {
  std::vector<vec3> now, wanted;
  std::vector<ivec3> triangles;
  int cloth_points = 0, cloth_triangles = 0, upper = 0;
  Pinch(int layers, float gap, float wanted_gap) {
    for (int k = 0; k < layers; ++k) add_square(now, triangles, 7, 0.001f * float(k), true);
    cloth_points = int(now.size()), cloth_triangles = int(triangles.size());
    add_square(now, triangles, 8, -0.001f, true);
    upper = int(now.size());
    add_square(now, triangles, 8, -0.001f + gap, false);
    wanted = now;
    for (size_t i = size_t(upper); i < now.size(); ++i) wanted[i].y = -0.001f + wanted_gap;
  }
  HeldBodies held() const { return {triangles, cloth_points, cloth_triangles, now, wanted, {}, 0.0013f}; }
  int middle() const { return upper + 4 * 9 + 4; }
};

/// Two boxes that close on a sheet pinned at two sides, overlap by 10 mm, and open again.
Scene closing(const std::string& method) {
  Scene scene;
  scene.set("step.collision", method);
  scene.contact.ground = false;
  scene.step.dt = 0.01f;
  Cloth& cloth = scene.cloths.emplace_back();
  cloth.size = {0.2f, 0.2f}, cloth.edge = 0.012f;
  cloth.placement.rotation = {-90, 0, 0};
  Pin& pin = scene.pins.emplace_back();
  pin.where = "left";
  scene.pins.emplace_back().where = "right";
  for (const float side : {-1.0f, 1.0f}) {
    Obstacle& box = scene.obstacles.emplace_back();
    box.name = side < 0 ? "lower" : "upper";
    box.shape = ObstacleShape::box, box.size = {0.06f, 0.04f, 0.06f};
    box.placement.position = {0, 0.03f * side, 0};
    const vec3 way(0, -0.015f * side, 0);
    box.motion.keys = {
        {0, vec3(0), vec3(0)}, {0.2f, way, vec3(0)}, {0.3f, way, vec3(0)}, {0.5f, vec3(0), vec3(0)}};
  }
  return scene;
}

}  // namespace

TEST_CASE("bodies leave cloth no room where they come nearer than the least that its layers need") {
  for (const int layers : {1, 2, 3}) {
    const float needed = 0.0013f * float(layers + 1);
    for (const float wanted : {kLeastRoom * needed - 0.0001f, kLeastRoom * needed + 0.0001f, -0.01f}) {
      CAPTURE(layers);
      CAPTURE(wanted);
      const Pinch p(layers, 0.008f, wanted);
      const auto found = places_without_room(p.held(), {p.middle()}, 64);
      REQUIRE(int(found.size()) == (wanted < kLeastRoom * needed ? 6 : 0));  // the triangles at the point
      if (found.empty()) continue;
      CHECK(found[0].triangle >= p.cloth_triangles + 128);
      CHECK(found[0].at.y == doctest::Approx(-0.001f + wanted));
      CHECK(found[0].room == doctest::Approx(wanted).epsilon(1e-3));
      CHECK(found[0].needed == doctest::Approx(needed));
    }
  }
  const Pinch bare(0, 0.005f, -0.01f);
  CHECK(places_without_room(bare.held(), {bare.middle()}, 64).empty());
  // a crack that cloth lies in, of a body that moves as a whole
  Pinch crack(1, 0.002f, 0.002f);
  for (size_t i = size_t(crack.cloth_points); i < crack.now.size(); ++i) crack.wanted[i].x += 0.003f;
  CHECK(places_without_room(crack.held(), {crack.middle()}, 64).empty());
}

TEST_CASE("cloth that a body has passed through lies behind it, other cloth does not") {
  const Pinch p(1, 0.005f, -0.004f);
  const HeldBodies h = p.held();
  std::vector<int> all;
  for (int i = p.upper; i < int(p.now.size()); ++i) all.push_back(i);
  CHECK(pressing_part(h, {p.middle()}, 1.0f) == all);
  const auto near = pressing_part(h, {p.middle()}, 0.0126f);
  CHECK(near.size() > 1);
  CHECK(near.size() < 10);
  // the body came down to 5 mm below the cloth, by 9 mm
  const auto count = [](const Behind& b) { return std::count(b.points.begin(), b.points.end(), 1); };
  CHECK(behind(h, all, {}, 0.009f).deepest == doctest::Approx(0.005));
  CHECK(count(behind(h, all, {}, 0.009f)) == p.cloth_points);
  CHECK(count(behind(h, all, {}, 0.004f)) == 0);  // further than the body went: it was there before
  CHECK(count(behind(h, all, std::vector<int>(p.now.size(), 1), 0.0f)) == p.cloth_points);
  // another body in front of it, nearer than the one behind which it lies
  std::vector<int> both = all;
  for (int i = p.cloth_points; i < p.upper; ++i) both.push_back(i);
  std::sort(both.begin(), both.end());
  CHECK(count(behind(h, both, {}, 0.009f)) == p.cloth_points);
  const Pinch open(1, 0.005f, 0.003f);
  CHECK(count(behind(open.held(), all, {}, 0.009f)) == 0);
}

TEST_CASE("cloth behind a body goes with it, and comes out where nothing else is in front") {
  Pinch p(1, 0.005f, -0.004f);
  for (size_t i = size_t(p.upper); i < p.now.size(); ++i) p.now[i].y = -0.005f;  // 5 mm below the cloth
  const vec3 motion(0.003f, -0.001f, 0.002f);
  for (size_t i = 0; i < p.now.size(); ++i) p.wanted[i] = p.now[i] + (int(i) < p.upper ? vec3(0) : motion);
  std::vector<int> upper, both, all(p.now.size(), 1);
  for (int i = p.cloth_points; i < int(p.now.size()); ++i) both.push_back(i);
  for (int i = p.upper; i < int(p.now.size()); ++i) upper.push_back(i);
  const auto check = [&](const std::vector<Carried>& of, const vec3& right) {
    REQUIRE(int(of.size()) == p.cloth_points);
    for (const Carried& v : of) {
      CHECK(glm::length(v.normal - vec3(0, -1, 0)) < 1e-5f);
      CHECK(glm::length(v.way - right) < 1e-7f);
    }
  };
  const auto free = [](const std::vector<Carried>& of) {
    return std::all_of(of.begin(), of.end(), [](const Carried& v) { return v.normal == vec3(0); });
  };
  // on the lower body, which is in front of the upper one: it lies there
  CHECK(free(carried(p.held(), upper, all, 0.002f)));
  CHECK(free(carried(p.held(), both, all, 0.002f)));
  CHECK(free(carried(p.held(), upper, std::vector<int>(p.now.size(), 0), 1)));
  // inside the lower body, too: with the upper one
  Pinch deep = p;
  for (int v = 0; v < p.cloth_points; ++v) deep.now[size_t(v)].y = deep.wanted[size_t(v)].y = -0.002f;
  check(carried(deep.held(), upper, all, 0.002f), motion);
  // the lower body is out of the way
  for (size_t i = size_t(p.cloth_points); i < size_t(p.upper); ++i) p.now[i].y = p.wanted[i].y = -0.02f;
  check(carried(p.held(), upper, all, 0.002f), motion + vec3(0, -0.002f, 0));
  check(carried(p.held(), upper, all, 1.0f), motion + vec3(0, -0.0063f, 0));  // to the layer's distance
}

TEST_CASE("cloth between two surfaces is found with the room that it has and will have") {
  Pinch p(1, 0.004f, 0.001f);
  for (size_t i = size_t(p.cloth_points); i < size_t(p.upper); ++i) p.wanted[i].y -= 0.0005f;
  const std::vector<Between> found = cloth_between(p.held(), 0.0035f);
  REQUIRE(int(found.size()) == p.cloth_points);
  for (int v = 0; v < p.cloth_points; ++v) {
    const Between& b = found[size_t(v)];
    CHECK(b.vertex == v);
    CHECK(b.first < p.cloth_triangles + 128);  // 1 mm below; the other 3 mm above
    CHECK(b.second >= p.cloth_triangles + 128);
    CHECK(b.now == doctest::Approx(0.004f));
    CHECK(b.wanted == doctest::Approx(0.0015f));
    CHECK(b.motion[1].y == doctest::Approx(-0.003f));
    CHECK(b.layers == 1);
  }
  for (const Between& b : cloth_between(Pinch(3, 0.006f, 0.001f).held(), 0.0055f)) CHECK(b.layers >= 3);
  CHECK(cloth_between(p.held(), 0.0025f).empty());                        // the upper one is out of reach
  for (int v = 0; v < p.cloth_points; ++v) p.now[size_t(v)].y = -0.002f;  // behind the lower one
  CHECK(cloth_between(p.held(), 0.0035f).empty());
}

TEST_CASE("layers between two surfaces are those of a search through all triangles") {
  Pinch p(4, 0.006f, 0.001f);
  std::mt19937 random(5);
  std::uniform_real_distribution<float> noise(-3e-4f, 3e-4f);
  for (int v = 0; v < p.cloth_points; ++v)
    p.now[size_t(v)] += vec3(10 * noise(random), noise(random), 10 * noise(random));
  for (vec3& x : p.now) x += vec3(0.013f, 1.237f, -2.021f);  // where cells end
  const HeldBodies h = p.held();
  int several = 0;
  for (const Between& b : cloth_between(h, 0.0055f)) {
    if (b.first < 0) continue;
    const ivec3& c = h.triangles[size_t(b.first)];
    const vec3 &at = p.now[size_t(b.vertex)], &q = p.now[size_t(c.x)];
    const vec3 n = glm::normalize(glm::cross(p.now[size_t(c.y)] - q, p.now[size_t(c.z)] - q));
    const float far = glm::dot(at - q, n);
    int layers = 1;
    for (size_t t = 0; t < size_t(p.cloth_triangles); ++t) {
      const ivec3& f = h.triangles[t];
      if (f.x == b.vertex || f.y == b.vertex || f.z == b.vertex) continue;
      const float s = along_line(p.now, f, at, n);
      layers += s > -far && s < b.now - far;
    }
    CHECK(b.layers == layers);
    several += layers > 2;
  }
  CHECK(several > 100);
}

TEST_CASE("bodies that overlap about cloth are where their script has them, and leave it whole") {
  const auto device = Device::create(DeviceChoice::cpu, 0);
  for (const char* method : {"two_way", "ndb", "impact_zones"}) {
    const std::string name = method;
    CAPTURE(name);
    Simulation sim(closing(method), *device);
    float lag = 0, stretch = 1;
    int through = 0, steps = 0;
    for (int k = 0; k < 70; ++k) {
      sim.step();
      const StepStats stats = sim.stats();
      lag = std::max(lag, stats.body_lag), stretch = std::max(stretch, stats.max_stretch);
      through = std::max(through, stats.let_through), steps += stats.collision_steps;
      const Span<const float> shown = sim.device_field("let_through");
      CHECK(std::count(shown.data, shown.data + shown.size, 1.0f) == stats.let_through);
      CHECK((sim.promises().bodies == Protection::none) ==
            !sim.collision_remarks(stats)[0].ends_with("body."));
    }
    MESSAGE(name << ": lag " << 1e3f * lag << " mm, stretch " << stretch << ", " << through
                 << " vertices let through, " << steps << " steps");
    CHECK(lag < 0.0003f);  // 0.2 activation distances and rounding
    CHECK(through > 10);
    CHECK(stretch < 1.15f);
    CHECK(sim.stats().let_through == 0);  // the boxes are open again
    CHECK(sim.device_field("let_through").empty());
    CHECK(sim.stats().max_penetration < 1e-4f);
    for (const vec3& x : sim.positions()) CHECK(std::abs(x.y) < 0.01f);

    Scene waiting = closing(method);
    waiting.contact.bodies_wait = true;
    Simulation machine(waiting, *device);
    for (int k = 0; k < 25; ++k) machine.step();
    CHECK(machine.stats().body_lag > 0.003f);
    CHECK(machine.stats().let_through == 0);
  }
}

/// A sheet pinned at its sides, and one body that deforms: at the left two jaws of it overlap by 10 mm about
/// the sheet, while at the right a third part rises 5 mm further than the pinned side lets it.
Scene jaws_and_pusher(const testing::Folder& folder) {
  std::string text;
  std::vector<vec3> start, end;
  const auto add_box = [&](const vec3& middle, const vec3& half, float up) {
    const size_t first = start.size() + 1;
    for (int k = 0; k < 8; ++k) {
      const vec3 p = middle + half * vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
      start.push_back(p), end.push_back(p + vec3(0, up, 0));
      text += fmt::format("v {} {} {}\n", p.x, p.y, p.z);
    }
    for (const ivec4& f : {ivec4(0, 2, 3, 1), ivec4(4, 5, 7, 6), ivec4(0, 1, 5, 4), ivec4(2, 6, 7, 3),
                           ivec4(0, 4, 6, 2), ivec4(1, 3, 7, 5)})
      text += fmt::format("f {} {} {} {}\n", size_t(f.x) + first, size_t(f.y) + first, size_t(f.z) + first,
                          size_t(f.w) + first);
  };
  add_box({-0.04f, -0.03f, 0}, vec3(0.02f), 0.015f);
  add_box({-0.04f, 0.03f, 0}, vec3(0.02f), -0.015f);
  add_box({0.1f, -0.03f, 0}, vec3(0.02f), 0.015f);
  Scene scene;
  scene.set("step.collision", "two_way");
  scene.contact.ground = false;
  scene.step.dt = 0.01f;
  Cloth& cloth = scene.cloths.emplace_back();
  cloth.size = {0.2f, 0.2f}, cloth.edge = 0.012f;
  cloth.placement.rotation = {-90, 0, 0};
  scene.pins.emplace_back().where = "left";
  scene.pins.emplace_back().where = "right";
  Obstacle& body = scene.obstacles.emplace_back();
  body.name = "jaws", body.shape = ObstacleShape::mesh;
  body.file = folder.write("jaws.obj", text), body.fps = 100;
  std::vector<std::vector<vec3>> frames;
  for (int k = 0; k <= 20; ++k) {
    frames.push_back(start);
    for (size_t i = 0; i < start.size(); ++i) frames.back()[i] += float(k) / 20 * (end[i] - start[i]);
  }
  body.frames = std::make_shared<const std::vector<std::vector<vec3>>>(std::move(frames));
  return scene;
}

TEST_CASE("a body that deforms passes through cloth only where it leaves it no room, and waits elsewhere") {
  const auto device = Device::create(DeviceChoice::cpu, 0);
  const testing::Folder folder;
  Simulation sim(jaws_and_pusher(folder), *device);
  int through = 0;
  float lag = 0, deepest = 0;
  for (int k = 0; k < 30; ++k) {
    sim.step();
    through = std::max(through, sim.stats().let_through);
    lag = std::max(lag, sim.stats().body_lag), deepest = std::max(deepest, sim.stats().max_penetration);
    const Span<const float> shown = sim.device_field("let_through");
    const std::vector<vec3> x = sim.positions();
    for (int v = 0; v < shown.size; ++v)
      if (shown[v] > 0) CHECK(x[size_t(v)].x < 0.03f);
  }
  MESSAGE(through << " vertices let through, the body waits " << 1e3f * lag << " mm, deepest "
                  << 1e3f * deepest);
  CHECK(through > 10);
  CHECK(deepest > 0.003f);  // of the 10 mm by which the jaws overlap
  CHECK(deepest < 0.012f);
  CHECK(lag > 0.004f);  // at the pins
  CHECK(lag < 0.006f);
}

/// A hanging strip; pads close on it to 1 mm from both sides, and then its pin is let go.
Scene gripped(const std::string& method) {
  Scene scene;
  scene.set("step.collision", method);
  scene.step.dt = 0.01f;
  scene.contact.ground = false, scene.contact.friction = 0.6f;
  Cloth& cloth = scene.cloths.emplace_back();
  cloth.size = {0.12f, 0.3f}, cloth.edge = 0.012f;
  cloth.placement.position = {0, 0.85f, 0};
  Pin& pin = scene.pins.emplace_back();
  pin.where = "top", pin.release_time = 0.6f;
  for (const float side : {1.0f, -1.0f}) {
    Obstacle& pad = scene.obstacles.emplace_back();
    pad.name = side > 0 ? "front" : "back", pad.shape = ObstacleShape::box, pad.size = {0.1f, 0.06f, 0.02f};
    pad.placement.position = {0, 0.96f, 0.02f * side};
    pad.motion.keys = {{.time = 0.1}, {.time = 0.4, .position = {0, 0, -0.0095f * side}}};
  }
  return scene;
}

TEST_CASE("pads that stop a millimetre apart hold cloth between them by friction") {
  const auto device = Device::create(DeviceChoice::cpu, 0);
  for (const char* method : {"two_way", "impact_zones"}) {
    const std::string name = method;
    CAPTURE(name);
    Simulation sim(gripped(method), *device);
    const auto mean = [&] {
      double sum = 0;
      for (const vec3& x : sim.positions()) sum += double(x.y);
      return sum / double(sim.positions().size());
    };
    float stretch = 1, lag = 0;
    int through = 0, most = 0;
    double before = 0;
    for (int k = 0; k < 160; ++k) {
      if (k == 60) before = mean();
      sim.step();
      const StepStats stats = sim.stats();
      stretch = std::max(stretch, stats.max_stretch), lag = std::max(lag, stats.body_lag);
      through = std::max(through, stats.let_through), most = std::max(most, stats.collision_steps);
    }
    MESSAGE(name << ": fell by " << 1e3 * (before - mean()) << " mm, stretch " << stretch << ", lag "
                 << 1e3f * lag << " mm, " << through << " let through, at most " << most << " steps");
    CHECK(through == 0);
    CHECK(std::abs(before - mean()) < 0.003);
    CHECK(sim.stats().max_stretch < 1.01f);
  }
}

TEST_CASE("a run goes on with the same bits from a snapshot while bodies pass through cloth") {
  const auto device = Device::create(DeviceChoice::cpu, 0);
  for (const char* method : {"two_way", "ndb", "impact_zones"}) {
    const std::string name = method;
    CAPTURE(name);
    Simulation sim(closing(method), *device);
    std::vector<Snapshot> kept;
    std::vector<int> at;
    std::vector<uint64_t> hash{sim.hash()};
    for (int k = 1; k <= 50; ++k) {
      sim.step();
      hash.push_back(sim.hash());
      if (k % 8 == 4) kept.push_back(sim.snapshot()), at.push_back(k);
    }
    for (size_t i = 0; i < kept.size(); ++i) {
      CAPTURE(at[i]);
      Simulation again(closing(method), *device);
      again.restore(kept[i]);
      CHECK(again.hash() == hash[size_t(at[i])]);
      for (int k = at[i] + 1; k <= std::min(at[i] + 12, 50); ++k) {
        again.step();
        CAPTURE(k);
        REQUIRE(again.hash() == hash[size_t(k)]);
      }
    }
  }
}

TEST_CASE("pins that would pass through each other stop, are told of, and take few forward steps") {
  const auto device = Device::create(DeviceChoice::cpu, 0);
  Scene scene;
  scene.set("step.collision", "two_way");
  scene.contact.ground = false;
  scene.step.dt = 0.01f;
  for (const char* name : {"upper", "lower"}) {
    Cloth& cloth = scene.cloths.emplace_back();
    cloth.name = name;
    cloth.size = {0.2f, 0.2f}, cloth.edge = 0.02f;
    cloth.placement.rotation = {-90, 0, 0};
    if (cloth.name == "upper") cloth.placement.position = {0, 0.02f, 0};
    Pin& pin = scene.pins.emplace_back();
    pin.cloth = name, pin.where = "boundary";
    if (cloth.name == "upper") pin.motion.keys = {{0, vec3(0), vec3(0)}, {0.3f, {0, -0.05f, 0}, vec3(0)}};
  }
  Simulation sim(scene, *device);
  int most = 0;
  for (int k = 0; k < 40; ++k) {
    sim.step();
    most = std::max(most, sim.stats().collision_steps);
  }
  MESSAGE(most << " forward steps at most, pins " << 1e3f * sim.stats().pin_lag << " mm short");
  CHECK(most < 60);
  CHECK(sim.stats().pin_lag > 0.02f);
  bool told = false;
  for (const std::string& words : sim.collision_remarks(sim.stats()))
    told |= words.starts_with("Pinned vertices lag");
  CHECK(told);
  for (const vec3& x : sim.positions()) CHECK(std::abs(x.y) < 0.03f);
}
