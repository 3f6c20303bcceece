// Scenes that come and go leave nothing behind.
#include <doctest/doctest.h>
#include <malloc.h>

#include <algorithm>

#include <filesystem>

#include "sim/runner.h"
#include "sim/scene/scene_file.h"
#include "tests/runner/process_numbers.h"

using namespace weft;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kOwnAllocator = true;  // keeps what is freed for a while, and gives nothing back
#else
constexpr bool kOwnAllocator = false;
#endif

Scene shipped(const char* name, int vertices) {
  Scene scene = read_scene((std::filesystem::path(assets_folder()) / "scenes" / name).string());
  for (Cloth& c : scene.cloths) c.vertices = vertices, c.edge = 0;
  return scene;
}

/// Cloths of several sizes; bodies that rest, that turn and that bend; a mesh with a distance field would take too long here.
std::vector<Scene> several_scenes() {
  return {shipped("hanging_corners.toml", 500), shipped("drape_table.toml", 4000), shipped("bending_arm.toml", 1500),
          shipped("rotating_sphere.toml", 8000), shipped("bending_arm.toml", 600)};
}

Scene broken_scene() {
  Scene scene;
  scene.cloths.emplace_back().shape = "obj";
  scene.cloths[0].file = "no/such/file.obj";
  return scene;
}

struct Numbers {
  long resident = 0;
  size_t device = 0;
  int threads = 0, files = 0;
};

Numbers numbers_of(Runner& runner) {
  Numbers n;
  n.device = runner.device_bytes_in_use();
  malloc_trim(0);  // what was freed goes back to the system, so that what is resident is what is held
  n.resident = test::resident_bytes();
  n.threads = test::count_entries("task");
  n.files = test::count_entries("fd");
  return n;
}

/// Loads a scene and makes two steps of it.
void visit(Runner& runner, const Scene& scene) {
  runner.load(scene);
  const int before = runner.hands().steps;
  CHECK(before == 0);
  runner.step_once();
  runner.step_once();
  for (int tries = 0; tries < 10000 && runner.hands().steps < 2; ++tries) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  REQUIRE(runner.hands().steps == 2);
}

}  // namespace

TEST_CASE("a hundred scenes one after the other hold no more memory, threads and files than twenty") {
  mallopt(M_ARENA_MAX, 1);  // which thread builds a part of a scene is chance, and holes in many heaps would be too
  const std::vector<Scene> scenes = several_scenes();
  Runner runner(scenes.back(), {.device = DeviceChoice::cpu, .threads = 2});
  Numbers after_twenty, after_sixty;
  for (int k = 0; k < 100; ++k) {
    visit(runner, scenes[size_t(k) % scenes.size()]);
    if (k % 10 == 3) {
      runner.load(broken_scene());
      CHECK(runner.hands().steps == 2);  // the old one is still there
      CHECK(runner.take_messages().size() == 1);
    }
    if (k == 19) after_twenty = numbers_of(runner);
    if (k == 59) after_sixty = numbers_of(runner);
  }
  const Numbers last = numbers_of(runner);  // of the same scene as after twenty and sixty
  MESSAGE("resident: ", after_twenty.resident, " bytes after 20 scenes, ", after_sixty.resident, " after 60, ", last.resident, " after 100; on the device ", last.device);
  CHECK(last.device == after_twenty.device);
  CHECK(last.threads == after_twenty.threads);
  CHECK(last.files == after_twenty.files);
  if (kOwnAllocator) return;
  // Freed memory that cannot go back: of each of glibc's arenas (one per thread that allocates: main, simulator, one of oneTBB's) the
  // top 128 KiB that malloc_trim leaves, and a page at either end of holes of a fragmented heap, 512 KiB. Losing so much as the positions of
  // each scene (2,920 vertices of 12 bytes on average) would be 1.4 MB after 40 scenes, 2.8 MB after 80.
  const long bound = 3 * 128 * 1024 + 512 * 1024;
  // What is lost by each scene is lost after sixty and after a hundred; a heap with more holes at one moment is no loss.
  CHECK(std::min(after_sixty.resident, last.resident) - after_twenty.resident < bound);
}
