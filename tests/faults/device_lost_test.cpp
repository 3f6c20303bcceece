// A device that is lost in the middle of a run. A CPU device that the test loses stands in for the GPU.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

#include "sim/base/error.h"
#include "sim/collision/repulsion/constraints/repulsion_params.h"
#include "sim/files/run_cache.h"
#include "sim/mesh/import/obj.h"
#include "sim/mesh/shapes/shapes.h"
#include "sim/run/runner.h"
#include "sim/scene/text/scene_file.h"
#include "tests/faults/faults.h"
#include "tests/support/wait.h"

using namespace weft;
using namespace weft::testing;
namespace fs = std::filesystem;

namespace {

uint64_t hash_after(const Scene& scene, int steps) {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  Simulation simulation(scene, *device);
  for (int k = 0; k < steps; ++k) simulation.step();
  return simulation.hash();
}

std::string all_messages(Runner& runner) {
  std::string all;
  for (const auto& [level, text] : runner.take_messages()) all += text + "\n";
  return all;
}

/// A cloth from a file, too uneven for vertex repulsion, that starts without it.
Scene uneven_scene(const Folder& folder) {
  const TriMesh grid = make_grid({0.2f, 0.1f}, 0.01f);
  write_obj(folder / "grid.obj", {{"grid", &grid.positions, &grid.triangles}});
  Scene scene;
  Cloth cloth;
  cloth.shape = ClothShape::obj, cloth.file = folder / "grid.obj";
  scene.cloths = {cloth};
  scene.set("step.collision", "bodies");
  return scene;
}

Scene scene_of(const Folder& folder) { return read_scene(folder.write("small.toml", small_scene())); }

}  // namespace

TEST_CASE("a device that is lost says so from then on, and lets its memory go") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  Buffer<int> buffer(*device, "numbers", std::vector<int>{1, 2, 3});
  device->lose_for_test();
  CHECK_THROWS_AS(buffer.download(), DeviceLost);
  CHECK_THROWS_AS(device->synchronize(), DeviceLost);
  CHECK_THROWS_AS(Buffer<int>(*device, "more", 3), DeviceLost);
  buffer = Buffer<int>();
  CHECK(device->bytes_in_use() == 0);
}

TEST_CASE(
    "when the device is lost the window's run continues on the CPU from the last state on the host, to the "
    "same end") {
  Folder folder;
  const Scene scene = scene_of(folder);
  const Injected lost("lost@25:every=10");
  Runner runner(scene, {.device = DeviceChoice::cpu, .threads = 1});
  const auto model = runner.latest()->model_id;
  for (int k = 0; k < 40; ++k) runner.step_once();
  // 25 steps, the 26th fails, back to 20, and the 15 that are still wanted.
  REQUIRE(wait_for([&] { return runner.latest()->step == 35; }));
  const std::string said = all_messages(runner);
  CHECK(said.find("lost in step 26") != std::string::npos);
  CHECK(said.find("continues on the CPU from step 20") != std::string::npos);
  CHECK(runner.hash() == hash_after(scene, 35));
  CHECK(runner.scene_view()->device_note.find("lost in step 26") != std::string::npos);
  CHECK(runner.latest()->model_id == model);  // the window need not begin anew
}

TEST_CASE(
    "a change of device keeps the mesh when repulsion was chosen in mid-run for an uneven cloth, which is "
    "said") {
  Folder folder;
  Runner runner(uneven_scene(folder), {.device = DeviceChoice::cpu, .threads = 1});
  runner.step_once();
  REQUIRE(wait_for([&] { return runner.latest()->step == 1; }));
  runner.take_messages();
  runner.post(SetParam{"step.collision", "repulsion"});
  const uint64_t hash = runner.hash();
  CHECK(all_messages(runner).find("its edges are uneven") != std::string::npos);
  runner.set_device(DeviceChoice::cpu);
  CHECK(runner.hash() == hash);
  CHECK(all_messages(runner) == "");
  // What is saved gives the same mesh again.
  const auto device = Device::create(DeviceChoice::cpu, 1);
  Simulation saved(runner.tuned_scene(), *device);
  CHECK(saved.model().vertex_count() == make_grid({0.2f, 0.1f}, 0.01f).vertex_count());
}

TEST_CASE(
    "a cloth that was made uniform for repulsion stays so on another device when another method was chosen "
    "since") {
  Folder folder;
  Scene scene = uneven_scene(folder);
  scene.set("step.collision", "repulsion");
  Runner runner(scene, {.device = DeviceChoice::cpu, .threads = 1});
  runner.post(SetParam{"step.collision", "bodies"});
  runner.take_messages();
  const uint64_t hash = runner.hash();
  runner.set_device(DeviceChoice::cpu);
  CHECK(runner.hash() == hash);
  CHECK(all_messages(runner) == "");
}

TEST_CASE("a run whose uneven cloth got repulsion in mid-run outlives its device") {
  Folder folder;
  const Injected lost("lost@25:every=10");
  Runner runner(uneven_scene(folder), {.device = DeviceChoice::cpu, .threads = 1});
  runner.post(SetParam{"step.collision", "repulsion"});
  for (int k = 0; k < 40; ++k) runner.step_once();
  REQUIRE(wait_for([&] { return runner.latest()->step == 35; }));
  CHECK(all_messages(runner).find("continues on the CPU from step 20") != std::string::npos);
}

TEST_CASE(
    "a device that is lost after what belongs to a state was changed costs no run: it goes on from the copy, "
    "with the change") {
  Folder folder;
  Scene scene = scene_of(folder);
  using Change = std::pair<std::string, std::string>;
  for (const Change& change : {Change{"step.collision", "two_way"}, Change{"step.collision", "bodies"},
                               Change{"repulsion.body_vertices", "true"}}) {
    CAPTURE(change.second);
    scene.set("step.collision", "repulsion");
    const Injected lost("lost@25:every=10");
    Runner runner(scene, {.device = DeviceChoice::cpu, .threads = 1});
    for (int k = 0; k < 23; ++k) runner.step_once();
    REQUIRE(wait_for([&] { return runner.latest()->step == 23; }));
    runner.post(SetParam{change.first, change.second});
    runner.hash();
    for (int k = 0; k < 12; ++k) runner.step_once();
    // back from 25 to 20, with 10 of the 12 left
    REQUIRE(wait_for([&] { return runner.latest()->step == 30; }));
    const std::string said = all_messages(runner);
    CAPTURE(said);
    CHECK(said.find("continues on the CPU from step 20") != std::string::npos);
    CHECK(said.find("paused") == std::string::npos);
    Scene now = runner.scene_view()->scene;
    const ParamTable table = now.params();
    CHECK(table.find(change.first)->text().find(change.second) != std::string::npos);
    // What was done replays: the change acts from where the run went on.
    const HandRecording hands = runner.hands();
    REQUIRE(hands.commands.size() == 1);
    CHECK(hands.commands[0].step == 20);
  }
}

TEST_CASE(
    "a device that is lost before a change has come to act costs no run, also where a pin was copied with "
    "it") {
  Folder folder;
  Scene scene = scene_of(folder);
  scene.set("step.collision", "repulsion");
  const Injected lost("lost@25:every=10");
  Runner runner(scene, {.device = DeviceChoice::cpu, .threads = 1});
  for (int k = 0; k < 25; ++k) runner.step_once();
  REQUIRE(wait_for([&] { return runner.latest()->step == 25; }));
  runner.post(SetParam{"repulsion.body_vertices", "true"});
  runner.post(PinVertex{40, true});
  runner.hash();
  for (int k = 0; k < 5; ++k) runner.step_once();
  REQUIRE(wait_for([&] { return runner.latest()->step == 30; }));  // the first is lost, and made again
  const std::string said = all_messages(runner);
  CAPTURE(said);
  CHECK(said.find("continues on the CPU from step 25") != std::string::npos);
  CHECK(said.find("paused") == std::string::npos);
  CHECK(runner.scene_view()->scene.of<RepulsionParams>().body_vertices);
  const auto frame = runner.latest();
  CHECK(std::count(frame->pinned.begin(), frame->pinned.end(), 40) == 1);
}

TEST_CASE(
    "a device on which the state cannot be shown is not gone to: the old one goes on, and the reason is "
    "told") {
  Scene scene;  // two sheets that touch, so that there are pairs to tell
  scene.set("step.collision", "repulsion");
  for (int k = 0; k < 2; ++k) {
    Cloth& sheet = scene.cloths.emplace_back();
    sheet.name = k ? "upper" : "lower";
    sheet.size = {0.12f, 0.12f}, sheet.edge = 0.012f;
    sheet.placement.rotation = {-90, 30 * float(k), 0};
    sheet.placement.position = {0, 0.5f + 0.008f * float(k), 0};
  }
  size_t built = 0, shown = 0;
  {
    const auto device = Device::create(DeviceChoice::cpu, 1);
    Simulation simulation(scene, *device);
    simulation.step();
    const auto other = Device::create(DeviceChoice::cpu, 1);
    Simulation moved(scene, *other);
    moved.restore(simulation.snapshot());
    built = other->bytes_in_use();
    FrameRing ring(*other);
    Frame frame;
    fill_frame(moved, "none", ring, true, frame, {.contact_pairs = true});
    shown = other->bytes_in_use();
  }
  REQUIRE(shown > built);  // what tells pairs in contact makes room for itself when it is asked first
  Runner runner(scene, {.device = DeviceChoice::cpu, .threads = 1});
  runner.set_extras({.contact_pairs = true});
  runner.step_once();
  REQUIRE(wait_for([&] { return runner.latest()->step == 1; }));
  const uint64_t hash = runner.hash();
  runner.take_messages();
  {
    const Injected little(fmt::format("memory:bytes={}:estimate=0:times=0", shown - 1));
    runner.set_device(DeviceChoice::cpu);
    CHECK(runner.hash() == hash);
    CHECK(all_messages(runner).find("memory") != std::string::npos);
    runner.step_once();  // the old one has all that it needs
    REQUIRE(wait_for([&] { return runner.latest()->step == 2; }));
  }
  CHECK(all_messages(runner) == "");
}

TEST_CASE("pins, hands and parameters outlive the device, and what was done still replays") {
  Folder folder;
  const Scene scene = scene_of(folder);
  const Injected lost("lost@25:every=10");
  Runner runner(scene, {.device = DeviceChoice::cpu, .threads = 1});
  for (int k = 0; k < 23; ++k) runner.step_once();
  REQUIRE(wait_for([&] { return runner.latest()->step == 23; }));
  runner.post(PinVertex{40, true});
  runner.post(SetParam{"forces.air_damping", "0.7"});
  runner.post(GrabBegin{1, 30, {0.2f, 0.3f, 0.5f}, 0});
  runner.hash();
  for (int k = 0; k < 12; ++k) runner.step_once();
  // lost in step 26, back to 23: two steps were for nothing
  REQUIRE(wait_for([&] { return runner.latest()->step == 33; }));
  const auto frame = runner.latest();
  CHECK(std::count(frame->pinned.begin(), frame->pinned.end(), 40) == 1);
  CHECK(frame->handles.size() == 1);
  CHECK(runner.scene_view()->scene.forces.air_damping == 0.7f);
  const HandRecording hands = runner.hands();
  const auto device = Device::create(DeviceChoice::cpu, 1);
  Simulation again(scene, *device);
  for (size_t next = 0; again.state().step < 33;) {
    for (; next < hands.commands.size() && hands.commands[next].step == again.state().step; ++next)
      again.apply(hands.commands[next].command);
    again.step();
  }
  CHECK(again.hash() == runner.hash());
}

TEST_CASE("a device that is lost between steps answers what was asked, on the CPU") {
  Folder folder;
  const Scene scene = scene_of(folder);
  const Injected lost("lost@0");
  Runner runner(scene, {.device = DeviceChoice::cpu, .threads = 1});
  runner.step_once();  // loses the device ...
  runner.post(PinVertex{40, true});
  CHECK(runner.snapshot().parts.size() > 2);  // ... and the question comes whenever it comes
  // The pin may come before the step or after it, and then shows in a frame of its own.
  CHECK(wait_for([&] {
    const auto frame = runner.latest();
    return frame->step == 1 && std::count(frame->pinned.begin(), frame->pinned.end(), 40) == 1;
  }));
}

TEST_CASE("a headless run that loses its device writes every state once, the same as without the loss") {
  Folder folder;
  folder.write("small.toml", small_scene());
  const auto run = [&](const std::string& name, const Environment& changes) {
    return testing::weft(folder, {"small.toml", "--headless",
                                  "--frames",   "40",
                                  "--device",   "cpu",
                                  "--states",   name,
                                  "--cache",    name + ".weftcache",
                                  "--export",   name + ".usda",
                                  "--csv",      name + ".csv",
                                  "--stats",    name + ".json",
                                  "--trace",    name + ".trace",
                                  "--threads",  "1"},
                         changes);
  };
  const Outcome whole = run("whole", {}), lost = run("holed", {{"WEFT_INJECT", "lost@25:every=10"}});
  REQUIRE(whole.status == 0);
  CHECK(lost.status == 0);
  CHECK(lost.says("The device was lost in step 26"));
  CHECK(lost.says("continues on the CPU from step 20"));
  CHECK(lost.hash() == whole.hash());
  for (int k = 0; k <= 40; ++k) {
    const std::string name = fmt::format("/step_{:06d}.npy", k);
    REQUIRE(read_file(folder / ("holed" + name)) == read_file(folder / ("whole" + name)));
  }
  // but for the command in the header; the names are of one length, so that all lies in the same places
  const auto frames_in = [&](const char* name) {
    const std::string bytes = read_file(folder / name);
    return bytes.substr(bytes.find("FRAM"));
  };
  CHECK(frames_in("holed.weftcache") == frames_in("whole.weftcache"));
  // but for the command, in its third line
  const auto frames_of = [&](const char* name) {
    const std::string text = read_file(folder / name), doc = "    doc = ";
    return text.substr(text.find('\n', text.find(doc)));
  };
  CHECK(frames_of("holed.usda") == frames_of("whole.usda"));
  const std::string table = read_file(folder / "holed.csv");
  CHECK(std::count(table.begin(), table.end(), '\n') == 42);  // its origin, the names, 40 steps
  CHECK(nlohmann::json::parse(read_file(folder / "holed.json"))["steps"] == 40);
  CHECK(nlohmann::json::parse(read_file(folder / "holed.trace")).size() > 40);
}

TEST_CASE("a device that is lost before the first step, or again and again, ends in words") {
  Folder folder;
  folder.write("small.toml", small_scene());
  const Outcome first = testing::weft(folder, {"small.toml", "--headless", "--frames", "5", "--threads", "1"},
                                      {{"WEFT_INJECT", "lost@0"}});
  CHECK(first.status == 0);
  CHECK(first.says("continues on the CPU from step 0"));
  const Outcome always = testing::weft(
      folder, {"small.toml", "--headless", "--frames", "5", "--states", "out", "--save-snapshot", "s"},
      {{"WEFT_INJECT", "lost@3:times=0"}});
  CHECK(always.status == 1);
  CHECK(always.says("error: "));
  CHECK(always.says("the device is lost"));
  CHECK(fs::exists(folder / "out/step_000003.npy"));
}

TEST_CASE("what a test asks for is checked, so that no test passes for a misspelt fault") {
  CHECK_THROWS_AS(set_injected_faults("lots@3"), Error);
  CHECK_THROWS_AS(set_injected_faults("lost@three"), Error);
  CHECK_THROWS_AS(set_injected_faults("nan@3:vertex"), Error);
  CHECK_THROWS_WITH_AS(set_injected_faults("nan@3:verteks=2"), doctest::Contains("did you mean vertex?"),
                       Error);
  CHECK_THROWS_WITH_AS(set_injected_faults("lost@3:vertex=2"), doctest::Contains("no key 'vertex'"), Error);
  CHECK_THROWS_WITH_AS(set_injected_faults("nan@3,lost@5,nan@7"), doctest::Contains("'nan' is given twice"),
                       Error);
  CHECK(!injected("lost"));
  Folder folder;
  const Outcome o = testing::weft(folder, {"list"}, {{"WEFT_INJECT", "lots"}});
  CHECK(o.status == 1);
  CHECK(o.says("did you mean lost?"));
  const Injected twice("nan@4:times=2");
  CHECK(!inject("nan", 3));
  CHECK(inject("nan", 4));
  CHECK(inject("nan", 4));
  CHECK(!inject("nan", 4));
}
