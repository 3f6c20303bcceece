// Rest shape and start from files of the same vertices, and starts from states of runs.
#include "sim/scene/model/start_file.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>

#include "sim/base/error.h"
#include "sim/run/simulation.h"
#include "sim/scene/model/cloth_mesh.h"
#include "sim/scene/text/scene_file.h"
#include "tests/support/program.h"
#include "tests/support/text.h"

using namespace weft;
using namespace weft::testing;

namespace {

constexpr int kAround = 16, kRows = 12;

/// A sleeve of squares: straight or bent by 80 degrees and wider, its seam vertices doubled where `split`.
std::string sleeve(bool bent, bool split = false) {
  const double length = 0.4, r = bent ? 0.065 : 0.06, turn = 80 * std::acos(-1.0) / 180, big = length / turn;
  const int ring = split ? kAround + 1 : kAround;
  std::string text;
  for (int j = 0; j <= kRows; ++j)
    for (int k = 0; k < ring; ++k) {
      const double s = length * j / kRows - length / 2, a = 2 * std::acos(-1.0) * k / kAround;
      const double x = r * std::cos(a), z = r * std::sin(a), t = s / big;
      if (bent)
        text += fmt::format("v {} {} {}\n", (big + x) * std::cos(t) - big, 1 + (big + x) * std::sin(t), z);
      else text += fmt::format("v {} {} {}\n", x, 1 + s, z);
    }
  for (int j = 0; j < kRows; ++j)
    for (int k = 0; k < kAround; ++k) {
      const int a = j * ring + k + 1, b = j * ring + (split ? k + 1 : (k + 1) % kAround) + 1;
      text += fmt::format("f {} {} {} {}\n", a, b, b + ring, a + ring);
    }
  return text;
}

const char* kScene =
    "[forces]\ngravity = [0, 0, 0]\n[contact]\nground = false\n[[cloth]]\nname = \"sleeve\"\nfile = "
    "\"start.obj\"\n";

double stretch_at_start(const Scene& scene) {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  Simulation sim(scene, *device);
  return double(sim.stats().max_stretch);
}

std::string fault(const Scene& scene) {
  try {
    std::vector<std::string> notices;
    build_cloth_mesh(scene.cloths[0], std::filesystem::path(scene.path).parent_path().string(), notices);
    return "";
  } catch (const Error& e) {
    return e.what();
  }
}

}  // namespace

TEST_CASE("the rest shape comes from another file of the same vertices, also where some are joined") {
  for (const bool split : {false, true}) {
    CAPTURE(split);
    Folder folder;
    folder.write("start.obj", sleeve(true, split)), folder.write("rest.obj", sleeve(false, split));
    Scene scene = read_scene(folder.write("s.toml", std::string(kScene) + "rest = \"rest.obj\"\n"));
    std::vector<std::string> notices;
    const TriMesh m = build_cloth_mesh(scene.cloths[0], folder.path(), notices);
    REQUIRE(m.vertex_count() == (kRows + 1) * kAround);
    ImportReport report;
    const TriMesh start = read_obj(folder / "start.obj", report, 0),
                  rest = read_obj(folder / "rest.obj", report, 0);
    CHECK(m.positions == start.positions);
    CHECK(m.rest == rest.positions);
    // outside of the bend: (L / 80 degrees + r') / (L / 80 degrees), for edges along the sleeve
    CHECK(stretch_at_start(scene) ==
          doctest::Approx(1 + 0.065 * (80 * std::acos(-1.0) / 180) / 0.4).epsilon(0.02));
    scene.cloths[0].rest.file.clear();
    CHECK(stretch_at_start(scene) == doctest::Approx(1));
    // the same through start: the file's shape is the rest shape
    Scene other = read_scene(folder.write(
        "t.toml", fmt::format("[[cloth]]\nname = \"a\"\nfile = \"rest.obj\"\nstart = \"start.obj\"\n"
                              "scale = 2\nposition = [1, 0, 0]\n")));
    const TriMesh posed = build_cloth_mesh(other.cloths[0], folder.path(), notices);
    for (int v = 0; v < posed.vertex_count(); ++v) {
      REQUIRE(glm::distance(posed.positions[size_t(v)], 2.0f * m.positions[size_t(v)] + vec3(1, 0, 0)) <
              1e-6f);
      REQUIRE(glm::distance(posed.rest[size_t(v)], 2.0f * m.rest[size_t(v)]) < 1e-6f);
    }
  }
}

TEST_CASE("material coordinates are metres of the rest shape") {
  Folder folder;
  const auto square = [](float side) {
    return fmt::format(
        "v 0 0 0\nv {0} 0 0\nv {0} {0} 0\nv 0 {0} 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nf 1/1 2/2 3/3 4/4\n",
        side);
  };
  folder.write("start.obj", square(0.3f)), folder.write("rest.obj", square(0.2f));
  const Scene scene = read_scene(folder.write("s.toml", std::string(kScene) + "rest = \"rest.obj\"\n"));
  std::vector<std::string> notices;
  const TriMesh m = build_cloth_mesh(scene.cloths[0], folder.path(), notices);
  CHECK(m.uv_scale.x == doctest::Approx(0.2));
  CHECK(m.uv[2].y == doctest::Approx(0.2));
}

TEST_CASE("files of other vertices or faces are refused with what differs") {
  Folder folder;
  folder.write("start.obj", sleeve(true)), folder.write("split.obj", sleeve(false, true));
  std::string turned = sleeve(false);
  turned.replace(turned.find("f 1 2"), 5, "f 2 1");
  folder.write("turned.obj", turned);
  const auto with = [&](const std::string& line) {
    return fault(read_scene(folder.write("s.toml", kScene + line + "\n")));
  };
  CHECK(
      contains(with("rest = \"split.obj\""), fmt::format("it has {} vertices", (kRows + 1) * (kAround + 1))));
  CHECK(contains(with("rest = \"turned.obj\""), "face 1 (line"));
  CHECK(contains(with("start = \"turned.obj\""), "face 1 (line"));
  CHECK(contains(with("start = \"missing.obj\""), "missing.obj"));
  CHECK_THROWS_AS(parse_scene("[[cloth]]\nstart = \"dressed\"\n", "s.toml"), Error);
  CHECK_THROWS_AS(parse_scene("[[cloth]]\nfile = \"a.obj\"\nstart_step = 3\n", "s.toml"), Error);
}

TEST_CASE("a scene with rest and start is written and read back") {
  const Scene s = parse_scene(
      "[[cloth]]\nname = \"a\"\nfile = \"a.obj\"\nrest = \"r.obj\"\nstart = \"run.weftcache\"\nstart_step = "
      "12\n"
      "[[cloth]]\nname = \"b\"\nstart = \"states/\"\n",
      "s.toml");
  CHECK(s.cloths[0].rest.file == "r.obj");
  CHECK(s.cloths[0].start == "run.weftcache#12");
  CHECK(s.cloths[1].start == "states/");
  Scene again = parse_scene(write_scene(s), "s.toml");
  CHECK(again == s);
}

TEST_CASE("a run starts where a frame of another one was, with its velocities, in every format") {
  Folder folder;
  folder.write("start.obj", sleeve(true, true));
  const std::string scene = "[contact]\nground = false\n[[cloth]]\nname = \"sleeve\"\nfile = \"start.obj\"\n";
  const Outcome run =
      testing::weft(folder, {folder.write("s.toml", scene), "--headless", "--frames", "6", "--export",
                             "k.pc2", "--cache", "k.weftcache", "--states", "states", "--quiet"});
  REQUIRE(run.status == 0);
  REQUIRE(testing::weft(folder, {"s.toml", "--headless", "--frames", "6", "--export", "k.usda", "--quiet"})
              .status == 0);
  REQUIRE(testing::weft(folder, {"s.toml", "--headless", "--frames", "6", "--export", "steps", "--quiet"})
              .status == 0);
  const Scene base = read_scene(folder / "s.toml");
  const auto device = Device::create(DeviceChoice::cpu, 1);
  Simulation sim(base, *device);
  for (int i = 0; i < 4; ++i) sim.step();
  const std::vector<vec3> x = sim.positions(), v = sim.state().velocity.download();
  const char* const starts[] = {"k.weftcache#4", "states#4", "states/step_000004.npy",
                                "k.pc2#4",       "k.usda#4", "steps#4"};
  for (const char* start : starts) {
    CAPTURE(start);
    Scene scene_from = base;
    scene_from.cloths[0].start = start;  // beside the scene
    Simulation from(scene_from, *device);
    CHECK(from.positions() == x);
    float off = 0, speed = 0;
    const std::vector<vec3> own = from.state().velocity.download();
    for (size_t i = 0; i < v.size(); ++i)
      off = std::max(off, glm::distance(own[i], v[i])), speed = std::max(speed, glm::length(v[i]));
    CHECK(speed > 0.3f);
    CHECK(off <
          2e-4f);  // the differences of float32 positions of 1 m over 10 ms: 2 x 6e-8 / 0.01, and damping
    from.step(), from.reset();
    CHECK(from.positions() == x);
    CHECK(glm::distance(from.state().velocity.download()[0], own[0]) == 0);
  }
  // one OBJ file is a pose at rest; the last frame where no step is named
  Scene pose = base;
  pose.cloths[0].start = "steps/step_000004.obj";
  Simulation at_rest(pose, *device);
  CHECK(at_rest.positions() == x);
  CHECK(at_rest.state().velocity.download()[0] == vec3(0));
  pose.cloths[0].start = "k.weftcache";
  Simulation last(pose, *device);
  sim.step(), sim.step();
  CHECK(last.positions() == sim.positions());
  CHECK(last.state().time == 0);
  pose.cloths[0].start = "k.weftcache#7";
  CHECK(contains(fault(pose), "no frame of step 7"));
}

TEST_CASE("a run of another mesh is no start") {
  Folder folder;
  folder.write("start.obj", sleeve(true));
  REQUIRE(testing::weft(folder, {folder.write("small.toml", small_scene()), "--headless", "--frames", "2",
                                 "--cache", "k.weftcache", "--quiet"})
              .status == 0);
  const Outcome o =
      testing::weft(folder, {"start.obj", "--headless", "--frames", "1", "--start", "k.weftcache"});
  CHECK(o.status == 1);
  CHECK(o.says("its vertices are not those of cloth start"));
}

TEST_CASE("snapshots along a run go on with the same bits, and --start takes them up") {
  Folder folder;
  folder.write("small.toml", small_scene());
  const Outcome whole = testing::weft(folder, {"small.toml", "--headless", "--frames", "20",
                                               "--snapshot-every", "0.05", "--save-snapshot", "s.weftsnap"});
  REQUIRE(whole.status == 0);
  CHECK(whole.prints("snapshots: 4"));
  for (const int step : {5, 10, 15, 20})
    CHECK(std::filesystem::exists(folder / fmt::format("s_{:06d}.weftsnap", step)));
  const Outcome rest =
      testing::weft(folder, {"small.toml", "--headless", "--frames", "10", "--start", "s_000010.weftsnap"});
  CHECK(rest.status == 0);
  CHECK(rest.hash() == whole.hash());
  CHECK(testing::weft(folder, {"small.toml", "--headless", "--frames", "10", "--start", "s_000005.weftsnap"})
            .hash() != whole.hash());
  const Outcome window = testing::weft(folder, {"small.toml", "--start", "s_000005.weftsnap"});
  CHECK(window.status == 1);
  CHECK(window.says("add --headless"));
}
