// Bodies that are moved by hand while a scene runs.
#include "sim/run/moved_bodies.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "sim/base/error.h"
#include "sim/files/frame_source.h"
#include "sim/files/frame_writer.h"
#include "sim/run/simulation.h"
#include "sim/run/simulation_run.h"
#include "sim/scene/model/cloth_mesh.h"
#include "sim/scene/motion.h"
#include "sim/scene/text/scene_file.h"
#include "tests/support/folder.h"
#include "tests/support/pinned_sheet.h"

using namespace weft;

namespace {

Scene ball_below_sheet(const std::string& collision, const std::string& motion = {}) {
  return parse_scene(testing::pinned_sheet(collision, "0.01") + R"(
[[obstacle]]
name = "ball"
radius = 0.1
position = [0, 0.3, 0]
)" + motion,
                     "ball.toml");
}

vec3 ball_at(const Simulation& s) { return vec3(s.obstacles()[0].transform * vec4(0, 0, 0, 1)); }

void steps(Simulation& s, int count) {
  for (int i = 0; i < count; ++i) s.step();
}

/// A sheet over a ball of arrays, which is driven, and a crate beside it.
Scene driven_ball(const std::string& collision) {
  Scene scene = ball_below_sheet(collision,
                                 "[[obstacle]]\nname = \"crate\"\nshape = \"box\"\n"
                                 "size = [0.1, 0.1, 0.1]\nposition = [0.6, 0.3, 0]\n");
  std::vector<std::string> notices;
  const TriMesh ball = build_obstacle_mesh(scene.obstacles[0], "", notices);
  scene.obstacles[0].frames = std::make_shared<const std::vector<std::vector<vec3>>>(1, ball.positions);
  return scene;
}

/// The driven ball, raised and swollen.
std::vector<vec3> raised(const Scene& scene, float by) {
  std::vector<vec3> there = scene.obstacles[0].frames->at(0);
  for (vec3& p : there) p = p * (1 + by) + vec3(0, by, 0);
  return there;
}

/// A step that turns a crate and raises a ball.
void drive(Simulation& s, const Scene& scene, int step) {
  s.pose_body("ball", raised(scene, 0.01f * float(step)), s.state().time + 0.02);
  const double c = std::cos(0.01 * step), i = std::sin(0.01 * step);
  s.place_body("crate", glm::dmat4(c, 0, -i, 0, 0, 1, 0, 0, i, 0, c, 0, 0.003 * step, 0, 0, 1),
               s.state().time + 0.02);
  s.step();
}

}  // namespace

TEST_CASE("a body that is moved by hand goes there at the speed limit, and back after a reset") {
  const auto device = Device::create(DeviceChoice::cpu);
  Simulation s(ball_below_sheet("bodies"), *device);
  const float limit = s.scene().drag.speed_limit, dt = s.scene().step.dt;
  s.apply(MoveBody{"ball", {0, 0.3f, 0}, {0.5f, 0, 0}, {0, 90, 0}});
  CHECK(ball_at(s) == vec3(0, 0.3f, 0));  // in steps only
  vec3 before = ball_at(s);
  for (int i = 0; i < 60; ++i) {
    s.step();
    CHECK(glm::length(ball_at(s) - before) <= limit * dt * 1.001f);
    before = ball_at(s);
  }
  CHECK(glm::length(ball_at(s) - vec3(0.5f, 0.3f, 0)) < 1e-6f);
  CHECK(glm::length(vec3(s.scene_to_save().obstacles[0].placement.position) - vec3(0.5f, 0.3f, 0)) < 1e-6f);
  CHECK_THROWS_AS(s.apply(MoveBody{"bull", {}, {}, {}}), Error);
  CHECK_THROWS_AS(s.apply(MoveBody{"ball", {}, vec3(1e30f), {}}), Error);
  s.reset();
  CHECK(ball_at(s) == vec3(0, 0.3f, 0));
  CHECK(s.scene_to_save().obstacles == ball_below_sheet("bodies").obstacles);
}

TEST_CASE("a script goes on while a hand moves its body") {
  const auto device = Device::create(DeviceChoice::cpu);
  const std::string motion = "[obstacle.motion]\nkeys = [{ time = 0 }, { time = 1, position = [0, 0, 1] }]\n";
  Simulation s(ball_below_sheet("bodies", motion), *device);
  s.apply(MoveBody{"ball", {0, 0.3f, 0}, {0.2f, -0.1f, 0}, {}});
  steps(s, 50);
  CHECK(glm::length(ball_at(s) - vec3(0.2f, 0.2f, 0.5f)) < 1e-5f);
}

TEST_CASE("a hand pushes a body into the cloth and the cloth goes with it, whatever keeps them apart") {
  for (const char* collision : {"bodies", "two_way", "impact_zones", "ndb", "repulsion"}) {
    CAPTURE(collision);
    const auto device = Device::create(DeviceChoice::cpu);
    Simulation s(ball_below_sheet(collision), *device);
    s.apply(MoveBody{"ball", {0, 0.3f, 0}, {0, 0.17f, 0}, {}});
    steps(s, 60);
    // The sheet was 0.2 m above the ball's centre, and sags: it lies on the ball now, everywhere outside.
    float highest = 0, nearest = 1;
    for (const vec3& p : s.positions()) {
      highest = std::max(highest, p.y);
      nearest = std::min(nearest, glm::length(p - ball_at(s)));
    }
    CHECK(highest > 0.56f);
    CHECK(nearest > 0.0985f);
  }
}

TEST_CASE("moves by hand are part of the state and of the recording") {
  const auto device = Device::create(DeviceChoice::cpu);
  Simulation s(ball_below_sheet("two_way"), *device);
  const uint64_t untouched = s.hash();
  s.apply(MoveBody{"ball", {0, 0.3f, 0}, {0, 0.4f, 0}, {0, 0, 30}});
  CHECK(s.hash() != untouched);
  steps(s, 5);
  const Snapshot middle = s.snapshot();
  const uint64_t then = s.hash();
  steps(s, 5);
  const uint64_t end = s.hash();
  s.restore(middle);
  CHECK(s.hash() == then);
  steps(s, 5);
  CHECK(s.hash() == end);
  Simulation other(ball_below_sheet("two_way"), *device);  // on another device, or in another run
  other.restore(middle);
  CHECK(glm::length(ball_at(other) - ball_at(s)) > 1e-3f);
  steps(other, 5);
  CHECK(other.hash() == end);
  Simulation again(ball_below_sheet("two_way"), *device);
  for (const TimedCommand& c : s.recorded()) again.apply(c.command);
  steps(again, 10);
  CHECK(again.hash() == end);
}

TEST_CASE("a pin on a body goes along where a hand moves it") {
  const auto device = Device::create(DeviceChoice::cpu);
  Scene scene = ball_below_sheet("bodies");
  scene.pins[0].body = "ball";
  Simulation s(scene, *device);
  const int v = s.pinned_vertices().front();
  const vec3 before = s.positions()[size_t(v)];
  s.apply(MoveBody{"ball", {0, 0.3f, 0}, {0.1f, 0.1f, 0}, {}});
  steps(s, 30);
  CHECK(glm::length(s.positions()[size_t(v)] - (before + vec3(0.1f, 0.1f, 0))) < 1e-5f);
}

TEST_CASE("vertices that are fastened as one are pulled by one handle at their middle") {
  const auto device = Device::create(DeviceChoice::cpu);
  Scene scene = ball_below_sheet("bodies");
  scene.obstacles.clear(), scene.pins.clear();
  scene.drag.force_limit = 20;
  Simulation s(scene, *device);
  const std::vector<vec3> x = s.positions();
  std::vector<int> row;
  vec3 middle(0);
  for (size_t v = 0; v < x.size(); ++v)
    if (x[v].x > 0.2f) row.push_back(int(v)), middle += x[v];
  middle /= float(row.size());
  s.apply(GrabVertices{1, row});
  CHECK(glm::length(s.handles()[0].point - middle) < 1e-5f);
  s.apply(GrabMove{1, middle + vec3(0, 0.3f, 0)});
  steps(s, 100);
  CHECK(s.handles()[0].point.y > middle.y + 0.2f);
  CHECK_THROWS_AS(s.apply(GrabVertices{2, {}}), Error);
  CHECK_THROWS_AS(s.apply(GrabVertices{2, {3, 3}}), Error);
  CHECK_THROWS_AS(s.apply(GrabVertices{2, {int(x.size())}}), Error);
}

TEST_CASE(
    "poses that a program gives are reached in straight lines at their times, and later ones give way") {
  GivenPoses poses;
  std::vector<vec3> x;
  CHECK_FALSE(poses.at(1, x));
  poses.add({1, {vec3(0)}}, {2, {vec3(4, 0, 0)}});
  poses.add({1, {vec3(0)}}, {4, {vec3(4, 2, 0)}});
  CHECK_FALSE(poses.at(0.5, x));  // before anybody gave one
  for (const auto& [time, place] : std::vector<std::pair<double, vec3>>{{1, {0, 0, 0}},
                                                                        {1.25, {1, 0, 0}},
                                                                        {2, {4, 0, 0}},
                                                                        {3, {4, 1, 0}},
                                                                        {4, {4, 2, 0}},
                                                                        {9, {4, 2, 0}}}) {
    REQUIRE(poses.at(time, x));
    CHECK(x[0] == place);
  }
  poses.add({1.5, {vec3(2, 0, 0)}}, {2.5, {vec3(2, 1, 0)}});
  REQUIRE(poses.at(2, x));
  CHECK(x[0] == vec3(4, 0, 0));  // an earlier pose stays
  REQUIRE(poses.at(3, x));
  CHECK(x[0] == vec3(2, 1, 0));
  CHECK_FALSE(poses.at(1.4, x));
}

TEST_CASE("poses that a program gives are in the recording, in its file, and in a copy of the scene") {
  const auto device = Device::create(DeviceChoice::cpu);
  const Scene scene = driven_ball("two_way");
  Simulation s(scene, *device);
  for (int step = 1; step <= 12; ++step) drive(s, scene, step);
  REQUIRE(s.recorded().size() == 24);
  const testing::Folder folder;
  Scene without_file = scene;
  without_file.path.clear();
  write_hands(folder / "hands.toml", recording_of(without_file, 12, s.recorded()));
  for (const std::vector<TimedCommand>& commands :
       {s.recorded(), read_hands(folder / "hands.toml").commands}) {
    Simulation again(scene, *device);
    auto next = commands.begin();
    for (int step = 0; step < 12; ++step) {
      for (; next != commands.end() && next->step <= step; ++next) again.apply(next->command);
      again.step();
    }
    CHECK(again.hash() == s.hash());
  }
  steps(s, 3);  // the last poses are reached
  Simulation copy(s.scene_to_save(), *device);
  const auto now = s.obstacles(), there = copy.obstacles();
  for (size_t v = 0; v < now[0].deformed->size(); ++v)
    REQUIRE(glm::length((*now[0].deformed)[v] - (*there[0].deformed)[v]) < 1e-6f);
  for (const vec3& p : s.obstacle_meshes()[1].positions)
    REQUIRE(glm::length(vec3((now[1].transform - there[1].transform) * vec4(p, 1))) < 1e-5f);
  s.set_recorded(false);
  s.pose_body("ball", raised(scene, 0.13f), s.state().time + 0.02);
  CHECK(s.recorded().empty());
}

TEST_CASE("a recorded run has bodies where a program put them at each step") {
  const auto device = Device::create(DeviceChoice::cpu);
  const Scene scene = driven_ball("bodies");
  Simulation s(scene, *device);
  const testing::Folder folder;
  const std::string cache = folder / "run.weftcache";
  std::vector<std::vector<vec3>> ball;  // m
  {
    const auto writer = make_frame_writer(cache, run_info_of(s));
    RunFrame frame;
    for (int step = 1; step <= 6; ++step) {
      s.pose_body("ball", ball.emplace_back(raised(scene, 0.01f * float(step))), 0.01 * step);
      for (vec3& p : ball.back()) p += vec3(0, 0.3f, 0);
      s.place_body("crate", glm::dmat4(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.003 * step, 0, 0, 1),
                   0.01 * step);
      s.step();
      read_state(s, frame), writer->frame(frame);
    }
    writer->finish();
  }
  const auto played = open_frame_source(cache);
  REQUIRE(played->frame_count() == 6);
  const RunGroup &ball_group = played->info().groups.at(1), &crate = played->info().groups.at(2);
  for (int f = 0; f < 6; ++f) {
    RunFrame frame;
    played->read(f, frame);
    for (size_t v = 0; v < ball[0].size(); ++v)
      REQUIRE(glm::length(frame.positions[size_t(ball_group.first) + v] - ball[size_t(f)][v]) < 1e-5f);
    vec3 mean(0);
    for (int v = 0; v < crate.count; ++v)
      mean += frame.positions[size_t(crate.first + v)] / float(crate.count);
    CHECK(glm::length(mean - vec3(0.6f + 0.003f * float(f + 1), 0.3f, 0)) < 1e-5f);
  }
}

TEST_CASE("a snapshot with any part damaged is restored or changes nothing") {
  const auto device = Device::create(DeviceChoice::cpu);
  for (const char* collision : {"two_way", "repulsion"}) {
    CAPTURE(collision);
    const Scene scene = driven_ball(collision);
    Simulation s(scene, *device), spared(scene, *device);
    const auto prepare = [&](Simulation& sim) {
      for (int step = 1; step <= 3; ++step) drive(sim, scene, step);
      sim.apply(GrabBegin{3, 2, {0.25f, 0.25f, 0.5f}, 0.05f});
      sim.apply(PinVertex{sim.model().vertex_count() / 2, true});
      drive(sim, scene, 4);
    };
    prepare(s);
    const Snapshot whole = s.snapshot();
    drive(s, scene, 5);
    prepare(spared);
    drive(spared, scene, 5);
    const uint64_t before = s.hash();
    REQUIRE(before == spared.hash());
    int refused = 0;
    const auto try_out = [&](size_t part, const std::function<void(std::vector<unsigned char>&)>& spoil) {
      Snapshot damaged = whole;
      spoil(damaged.parts[part].second);
      try {
        s.restore(damaged);
      } catch (const Error&) {
        ++refused;
        CHECK(s.hash() == before);
        return;
      }
      s.restore(whole), drive(s, scene, 5);
    };
    bool given = false, moved = false;
    for (size_t part = 0; part < whole.parts.size(); ++part) {
      const std::string& name = whole.parts[part].first;
      CAPTURE(name);
      given |= name == "given poses", moved |= name == "moved bodies";
      const int so_far = refused;
      const size_t size = whole.parts[part].second.size();
      try_out(part, [](auto& bytes) { bytes.push_back(1); });
      if (size == 0) continue;
      try_out(part, [](auto& bytes) { bytes.pop_back(); });
      try_out(part, [](auto& bytes) { std::fill(bytes.begin(), bytes.end(), 0xff); });
      for (const size_t at : {size_t(0), size / 2, size - 1})
        try_out(part, [&](auto& bytes) { bytes[at] ^= 0xff; });
      CHECK(refused > so_far);
    }
    CHECK((given && moved));
    REQUIRE(s.hash() == before);
    drive(s, scene, 6), drive(spared, scene, 6);
    CHECK(s.hash() == spared.hash());
  }
}

TEST_CASE("a snapshot whose given poses are damaged is refused") {
  const auto device = Device::create(DeviceChoice::cpu);
  Scene scene = ball_below_sheet("bodies");
  std::vector<std::string> notices;
  const TriMesh box = build_obstacle_mesh(scene.obstacles[0], "", notices);
  Obstacle& o = scene.obstacles[0];
  o.frames = std::make_shared<const std::vector<std::vector<vec3>>>(1, box.positions);
  Simulation s(scene, *device);
  std::vector<vec3> there = box.positions;
  for (vec3& p : there) p.y += 0.01f;
  s.pose_body("ball", there, 0.05);
  const Snapshot whole = s.snapshot();
  const auto part = std::find_if(whole.parts.begin(), whole.parts.end(),
                                 [](const auto& p) { return p.first == "given poses"; });
  REQUIRE(part != whole.parts.end());
  const size_t at = size_t(part - whole.parts.begin());
  const auto refused = [&](const std::function<void(std::vector<unsigned char>&)>& spoil) {
    Snapshot damaged = whole;
    spoil(damaged.parts[at].second);
    CHECK_THROWS_AS(s.restore(damaged), Error);
  };
  refused([](auto& bytes) { bytes.pop_back(); });
  refused([](auto& bytes) { bytes[0] = 9; });  // a body that is not there
  refused([](auto& bytes) { std::fill(bytes.begin() + 16, bytes.begin() + 40, 0xff); });  // not finite
  s.restore(whole);
  steps(s, 5);
  CHECK(glm::length((*s.obstacles()[0].deformed)[0] - vec3(0, 0.3f, 0) - there[0]) < 1e-6f);
}
