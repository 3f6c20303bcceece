// A scene that takes long to build, and whoever does not want to wait for it.
#include <doctest/doctest.h>

#include <chrono>
#include <thread>

#include "sim/base/error.h"
#include "sim/base/work_watch.h"
#include "sim/mesh/import/obj.h"
#include "sim/mesh/shapes/shapes.h"
#include "sim/run/runner.h"
#include "tests/support/folder.h"

using namespace weft;

namespace {

using Clock = std::chrono::steady_clock;

/// A ball of 10,000 vertices that is remeshed to a hundred times as many: minutes.
Scene slow_scene(const testing::Folder& folder) {
  const TriMesh ball = make_sphere(0.5f, 5);
  write_obj(folder / "ball.obj", {{"ball", &ball.positions, &ball.triangles, mat4(1), "cloth"}});
  Scene scene;
  Cloth cloth;
  cloth.shape = ClothShape::obj, cloth.file = folder / "ball.obj", cloth.remesh_edge = 0.002f;
  scene.cloths.push_back(cloth);
  return scene;
}

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

TEST_CASE("whoever waits for the first scene can give it up, and one that is loaded ends with its runner") {
  const testing::Folder folder;
  const Scene slow = slow_scene(folder);
  Runner::Options options;
  options.device = DeviceChoice::cpu, options.threads = 1;
  auto begin = Clock::now();
  {
    const WorkWatch watch([&] { return seconds_since(begin) > 0.3; });
    CHECK_THROWS_AS(Runner(slow, options), Interrupted);
  }
  CHECK(seconds_since(begin) < 15);  // a tenth of a second of processor time; machines are busy
  Scene small;
  small.cloths.push_back({});
  small.cloths.back().vertices = 100;
  {
    Runner runner(small, options);
    runner.load(slow);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    begin = Clock::now();
  }
  CHECK(seconds_since(begin) < 15);
}
