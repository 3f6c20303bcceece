// A solver and a collision method that only this file knows: one entry each, and everything that reads the
// tables knows them.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "sim/base/file.h"
#include "sim/methods/method_table.h"
#include "sim/run/simulation.h"
#include "sim/scene/model/memory_need.h"
#include "sim/scene/scene_names.h"
#include "sim/scene/text/scene_file.h"
#include "tests/runner/small_scene.h"
#include "viewer/render/view_settings.h"

using namespace weft;
using testing::small_scene;

namespace {

struct DummyParams {
  bool operator==(const DummyParams&) const = default;
  float pull = 1;
  void describe(ParamVisitor& v) {
    v(pull,
      {.key = "pull", .label = "Pull", .unit = "m", .min = 0, .max = 2, .help = "How far each step moves."});
  }
};
struct DummyContactParams {
  bool operator==(const DummyContactParams&) const = default;
  int depth = 3;
  void describe(ParamVisitor& v) {
    v(depth, {.key = "depth", .label = "Depth", .min = 0, .max = 9, .help = "A number."});
  }
};

/// Moves every vertex by `pull` along x in each step.
class DummySolver final : public DynamicsSolver {
 public:
  int iterations(const StepContext&) const override { return 1; }
  void begin_step(StepContext&) override {}
  void iterate(StepContext& c, int) override {
    const std::vector<vec3> d(size_t(c.model.vertex_count()), vec3(c.scene.of<DummyParams>().pull, 0, 0));
    c.displacement.upload(d);
  }
  void gradient(StepContext&, Span<vec3>) override {}
};
/// Colours vertices by their number, counts its steps, and keeps its calls in order.
class DummyContact final : public CollisionHandler {
 public:
  explicit DummyContact(StepContext& c) : number_(c.device, "numbers", c.model.vertex_count()) {
    std::vector<float> numbers(size_t(number_.size()));
    std::iota(numbers.begin(), numbers.end(), 0.0f);
    number_.upload(numbers);
  }
  Guarantee guarantee() const override { return {}; }
  Schedule plan(int iterations) override {
    calls.clear();
    calls.push_back(fmt::format("plan {}", iterations));
    return schedule;
  }
  void before_iteration(StepContext&, int k) override { calls.push_back(fmt::format("before {}", k)); }
  void after_iteration(StepContext&, bool round_ends) override {
    calls.push_back(round_ends ? "after, round ends" : "after");
  }
  void end_round(StepContext&, int round) override { calls.push_back(fmt::format("end {}", round)); }
  void end_step(StepContext&) override { ++steps_; }
  Span<const float> field(StepContext&, std::string_view name) override {
    return name == "vertex_number" ? number_.span() : Span<float>();
  }
  CollisionNumbers numbers(StepContext&) override {
    CollisionNumbers n;
    n.counters = {{"dummy_steps", double(steps_)}};
    return n;
  }
  static inline std::vector<std::string> calls;
  static inline Schedule schedule;

 private:
  Buffer<float> number_;
  int steps_ = 0;
};

SolverEntry dummy_solver() {
  SolverEntry e;
  e.name = "dummy", e.label = "Dummy", e.help = "Moves all vertices by the same way.";
  e.params = param_group<DummyParams>("dummy", "Dummy");
  e.bytes_per_vertex = [](const Scene& s) { return 1e4 * double(s.of<DummyParams>().pull); };
  e.make = [](const StepContext&) { return std::make_unique<DummySolver>(); };
  return e;
}
CollisionEntry dummy_contact() {
  CollisionEntry e;
  e.name = "dummy_contact", e.label = "Dummy contact", e.help = "Does nothing.";
  e.params = param_group<DummyContactParams>("dummy_contact", "Dummy contact");
  e.fields = {{.name = "vertex_number", .label = "Number", .unit = "k", .factor = 1e-3f, .missing = "dummy"}};
  e.counters = {{"dummy_steps", "Steps", "That were made."}};
  e.make = [](StepContext& c) { return std::make_unique<DummyContact>(c); };
  return e;
}

}  // namespace

TEST_CASE("a listed method is known by name to choices, keys, panels' groups and scene files") {
  const std::vector<std::string> before = solver_names();
  CHECK(std::count(before.begin(), before.end(), "dummy") == 0);
  const ListedMethod solver(dummy_solver()), contact(dummy_contact());
  Scene scene = small_scene();
  scene.set("step.solver", "dummy");
  scene.set("step.collision", "dummy_contact");
  scene.set("dummy.pull", "0.5");
  CHECK(scene.of<DummyParams>().pull == 0.5f);
  CHECK_THROWS_WITH(scene.set("dummy.pull", "7"), doctest::Contains("0 to 2 m"));
  CHECK_FALSE(is_cloth_name("dummy"));

  const std::string text = write_scene(scene);
  CAPTURE(text);
  CHECK(text.find("[dummy]\npull = 0.5") != std::string::npos);
  CHECK(text.find("[dummy_contact]") == std::string::npos);  // has its defaults
  const Scene back = parse_scene(text, "");
  CHECK(back.of<DummyParams>().pull == 0.5f);
  CHECK(back.step.solver == scene.step.solver);

  const auto groups = method_groups();
  CHECK(std::any_of(groups.begin(), groups.end(),
                    [](const ParamGroup& g) { return g.title == "Dummy contact"; }));
  CHECK(has_part("dummy", solvers().back(), collision_methods().back()));
  CHECK_FALSE(has_part("dummy", solvers().front(), collision_methods().back()));
  CHECK(estimated_bytes(scene, 1000, 0) - estimated_bytes(small_scene(), 1000, 0) > size_t(1e6));
}

TEST_CASE("a listed solver makes the steps of a scene that names it") {
  const ListedMethod solver(dummy_solver()), contact(dummy_contact());
  Scene scene = small_scene();
  scene.pins.clear();
  scene.set("step.solver", "dummy");
  scene.set("step.collision", "dummy_contact");
  const auto device = Device::create(DeviceChoice::cpu, 1);
  Simulation simulation(scene, *device);
  const std::vector<vec3> before = simulation.positions();
  simulation.step();
  simulation.apply(SetParam{"dummy.pull", "0.25"});
  simulation.step();
  const std::vector<vec3> after = simulation.positions();
  for (size_t v = 0; v < before.size(); ++v) CHECK(std::abs(after[v].x - before[v].x - 1.25f) < 1e-5f);
}

TEST_CASE("a listed method brings a colour of the cloth and a counter, by its own entry alone") {
  const ListedMethod contact(dummy_contact());
  ViewSettings view;
  ParamTable table;
  table.add("view", view);
  table.find("view.colouring")->set_text("vertex_number");
  CHECK(view.needed_field() == "vertex_number");
  Scene scene =
      parse_scene(write_scene(small_scene()) + "\n[[end]]\nquantity = \"dummy_steps\"\nmin = 2\n", "");
  scene.set("step.collision", "dummy_contact");
  const auto device = Device::create(DeviceChoice::cpu, 1);
  Simulation simulation(scene, *device);
  const Span<const float> on_device = simulation.device_field("vertex_number");
  REQUIRE(on_device.size == simulation.model().vertex_count());
  CHECK(on_device.data[on_device.size - 1] == float(on_device.size - 1));
  simulation.step();
  CHECK(simulation.stats().counter("dummy_steps") == 1);
  CHECK(simulation.stats().all().back() == std::pair<std::string, double>("dummy_steps", 1));
  CHECK(simulation.failed_end_conditions().size() == 1);
  simulation.step();
  CHECK(simulation.failed_end_conditions().empty());
  simulation.apply(SetParam{"step.collision", "two_way"});
  CHECK(simulation.device_field("vertex_number").empty());
  CHECK(simulation.stats().counter("dummy_steps") == 0);
  CHECK_THROWS_WITH(simulation.device_field("nonsense"), doctest::Contains("no colouring of that name"));
}

TEST_CASE("what methods report is what their entries list, each name once") {
  const auto device = Device::create(DeviceChoice::cpu, 0);
  std::set<std::string> of_stats;
  for (const auto& [name, value] : StepStats{}.all()) of_stats.insert(name);
  const std::string page = read_text_file(assets_folder() + "/../docs/command-line.md", "a page");
  for (const CollisionEntry& method : collision_methods()) {
    CAPTURE(method.name);
    std::set<std::string> listed;
    for (const CounterInfo& i : method.counters) {
      CAPTURE(i.name);
      CHECK(of_stats.count(i.name) == 0);
      CHECK(listed.insert(i.name).second);
      CHECK(page.find("`" + i.name + "`") != std::string::npos);
      CHECK_FALSE(i.label.empty());
      CHECK_FALSE(i.help.empty());
    }
    if (!method.steps.failed.empty()) CHECK(listed.count(method.steps.failed) == 1);
    Scene scene = small_scene();
    scene.set("step.collision", method.name);
    Simulation simulation(scene, *device);
    simulation.step();
    std::set<std::string> counted;
    for (const Counter& c : simulation.stats().counters) counted.insert(c.name);
    CHECK(counted == listed);
    for (const VertexField& f : vertex_fields()) {
      CAPTURE(f.name);
      const bool own = std::any_of(method.fields.begin(), method.fields.end(),
                                   [&](const VertexField& m) { return m.name == f.name; });
      const bool of_all = f.missing.empty() && f.name != "none";
      // bounds are those of the exit by planes, which ndb has as a choice
      if (method.name == "ndb" && f.name == "bound") continue;
      if (f.name == "let_through") continue;  // empty while no body passes through cloth
      CHECK(simulation.device_field(f.name).empty() == !(own || of_all));
    }
  }
}

TEST_CASE("iterations are made in the rounds that the method asks for, without contact in the free ones") {
  const ListedMethod contact(dummy_contact());
  Scene scene = small_scene();
  scene.set("step.solver", "projective");
  scene.set("projective.iterations", "6");
  scene.set("step.collision", "dummy_contact");
  const auto device = Device::create(DeviceChoice::cpu, 1);
  Simulation simulation(scene, *device);
  DummyContact::schedule = {.free = 2, .ends = {3, 5}};
  simulation.step();
  CHECK(DummyContact::calls == std::vector<std::string>{"plan 6", "end 0", "before 2", "after", "before 3",
                                                        "after, round ends", "end 1", "before 4", "after",
                                                        "before 5", "end 2"});
  const Buffer<int> never(*device, "flag", std::vector<int>{0});
  DummyContact::schedule = {.ends = {0, 2}, .goes_on = never.span()};
  simulation.step();
  CHECK(std::count(DummyContact::calls.begin(), DummyContact::calls.end(), "end 0") == 0);
  DummyContact::schedule = {.iterate = never.span()};
  simulation.step();
  CHECK(DummyContact::calls == std::vector<std::string>{"plan 6", "before 0", "after", "after", "after",
                                                        "after", "after", "before 5"});
  DummyContact::schedule = {};
}

TEST_CASE("copies of a scene have parameters of their own, and compare by value") {
  Scene a = small_scene();
  Scene b = a;
  CHECK(a == b);
  b.set("newton.steps", "3");
  CHECK_FALSE(a == b);
  const ParamTable table = a.params();
  a = b;
  CHECK(a == b);
  CHECK(table.find("newton.steps")->text() == "3");  // tables stay valid where a scene is assigned to
  a = Scene(small_scene());
  CHECK(table.find("newton.steps")->is_default());
}

TEST_CASE("presets set parameters of their solver, and the first is that of a new scene") {
  int presets = 0;
  for (const SolverEntry& solver : solvers())
    for (const MethodPreset& preset : solver.presets) {
      Scene scene;
      for (const auto& [key, value] : preset.settings) {
        CHECK(key.substr(0, key.find('.')) == solver.params.name);
        scene.set(key, value);
      }
      const bool as_new = scene.methods == Scene().methods;
      CHECK(as_new == (&preset == &solver.presets.front()));
      CHECK(preset.label.size() > 0);
      ++presets;
    }
  CHECK(presets > 0);
}
