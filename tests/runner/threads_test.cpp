// A Runner that several threads work at once, as a window, its recorder and a script may. The thread
// sanitizer runs this too (tsan.sh).
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <thread>

#include "sim/run/runner.h"

using namespace weft;

namespace {

/// A cloth that a drag pulls onto a ball.
Scene busy_scene(int vertices) {
  Scene scene;
  Cloth& cloth = scene.cloths.emplace_back();
  cloth.vertices = vertices;
  cloth.size = {0.5f, 0.5f};
  cloth.placement.position = {0, 0.8f, 0};
  scene.pins.emplace_back().where = "top_left";
  Obstacle& ball = scene.obstacles.emplace_back();
  ball.placement.position = {0, 0.6f, 0.1f};
  scene.drags.push_back({"", {0.5f, 0}, 0, 1, {{0, vec3(0)}, {1, vec3(0.1f, 0.2f, 0.3f)}}});
  return scene;
}

Scene broken_scene() {
  Scene scene;
  scene.cloths.emplace_back().shape = ClothShape::obj;
  scene.cloths[0].file = "no/such/file.obj";
  return scene;
}

constexpr const char* kCollision[] = {"two_way", "repulsion", "bodies"};

void grab_and_pin(Runner& runner) {
  for (int k = 0; k < 200; ++k) {
    runner.post(GrabBegin{k % 3, 5 + k % 20, {0.3f, 0.3f, 0.4f}, 0.02f});
    runner.post(GrabMove{k % 3, {0.001f * float(k), 0.9f, 0}});
    if (k % 4 == 3) runner.post(GrabEnd{k % 3});
    runner.post(PinVertex{k % 40, k % 2 == 0});
    if (k % 5 == 0) runner.post(SetParam{"fabric.stretch_stiffness", k % 2 ? "900" : "1800"});
    if (k % 40 == 17)
      runner.post(SetParam{"step.collision", kCollision[size_t(k / 40) % std::size(kCollision)]});
    if (k % 50 == 49) runner.reset();
    std::this_thread::yield();
  }
}

/// What a window's buttons do.
void play_and_load(Runner& runner) {
  for (int k = 0; k < 60; ++k) {
    runner.play();
    runner.set_pace(k % 2 ? Pace::fastest : Pace::real_time);
    runner.set_field(k % 3 ? "speed" : "contact");
    runner.set_extras({.contact_pairs = k % 4 < 2, .active_samples = k % 8 < 4});
    if (k % 10 == 4) runner.set_frame_exact(true);
    if (k % 10 == 8) runner.set_frame_exact(false);
    if (k % 7 == 0) runner.pause();
    if (k % 6 == 0) runner.step_once();
    if (k % 15 == 7) runner.load(k % 2 ? busy_scene(200 + k) : broken_scene());
    if (k % 20 == 11) runner.set_device(DeviceChoice::cpu);
    if (k % 12 == 5) {
      const Snapshot now = runner.snapshot();
      runner.restore(now);
    }
    if (k % 9 == 0) runner.hash();
    if (k % 8 == 0) runner.hands();
    if (k % 8 == 1) runner.tuned_scene();
    runner.take_messages();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

/// A reader that keeps the last few frames. Returns how many of them were not whole.
int read_frames(Runner& runner, const std::atomic<bool>& done) {
  std::vector<std::shared_ptr<const Frame>> kept(4);
  uint64_t last = 0;
  int faults = 0;
  for (size_t n = 0; !done; ++n) {
    const auto frame = runner.latest();
    const auto view = runner.scene_view();
    faults += frame->id < last;
    last = frame->id;
    faults += int(frame->positions.size()) != frame->vertex_count ||
              frame->normals.size() != frame->positions.size();
    if (frame->model_id == view->model_id) faults += view->rest.size() != frame->positions.size();
    float sum = 0;
    for (const vec3& p : frame->positions) sum += p.x + p.y + p.z;
    for (const ContactPair& p : frame->contact_pairs) sum += p.a.x + p.a.y + p.a.z + p.b.x + p.b.y + p.b.z;
    faults += int(frame->contact_pairs.size()) > kMostPairs;
    for (const ActiveSample& s : frame->active_samples)
      faults += std::max(s.ends.x, s.ends.y) >= frame->vertex_count;
    faults += !std::isfinite(sum);
    runner.release_frame(frame->id);
    kept[n % kept.size()] = frame;  // let go of on this thread
  }
  return faults;
}

class CountingListener final : public RunListener {
 public:
  void published(const StepStats&) override { ++published_; }
  void step_ended(long, Time, Time) override {}
  void stages(long, Time, const std::vector<StageSpan>&, bool) override {}
  int count() const { return published_; }

 private:
  std::atomic<int> published_{0};
};

}  // namespace

TEST_CASE("a runner that four threads work at once stays whole, and so does every frame") {
  Runner runner(busy_scene(400), {.device = DeviceChoice::cpu, .threads = 2});
  const auto listener = std::make_shared<CountingListener>();
  runner.listen(listener);
  std::atomic<bool> done{false};
  std::atomic<int> faults{0};
  std::thread first_reader([&] { faults += read_frames(runner, done); });
  std::thread second_reader([&] { faults += read_frames(runner, done); });
  std::thread hands([&] { grab_and_pin(runner); });
  play_and_load(runner);
  hands.join();
  done = true;
  first_reader.join();
  second_reader.join();
  CHECK(faults == 0);
  CHECK(listener->count() > 0);
  runner.set_frame_exact(false);
  runner.hash();  // it still answers
}
