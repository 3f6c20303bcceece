// A solver and a collision method that only this file knows: one entry each, and everything that reads the
// tables knows them.
#include <doctest/doctest.h>

#include <algorithm>

#include "sim/methods/method_table.h"
#include "sim/run/simulation.h"
#include "sim/scene/model/memory_need.h"
#include "sim/scene/scene_names.h"
#include "sim/scene/text/scene_file.h"
#include "tests/runner/small_scene.h"

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
  unsigned consumes() const override { return kAnchors; }
  int iterations(const StepContext&) const override { return 1; }
  void begin_step(StepContext&) override {}
  void iterate(StepContext& c, int) override {
    const std::vector<vec3> d(size_t(c.model.vertex_count()), vec3(c.scene.of<DummyParams>().pull, 0, 0));
    c.displacement.upload(d);
  }
  void gradient(StepContext&, Span<vec3>) override {}
};
class DummyContact final : public CollisionHandler {
 public:
  Guarantee guarantee() const override { return {}; }
  unsigned emits() const override { return 0; }
};

SolverEntry dummy_solver() {
  SolverEntry e;
  e.name = "dummy", e.label = "Dummy", e.help = "Moves all vertices by the same way.";
  e.params = param_group<DummyParams>("dummy", "Dummy");
  e.bytes_per_vertex = [](const Scene& s) { return 1e4 * double(s.of<DummyParams>().pull); };
  e.consumes = kAnchors;
  e.make = [](const StepContext&) { return std::make_unique<DummySolver>(); };
  return e;
}
CollisionEntry dummy_contact() {
  CollisionEntry e;
  e.name = "dummy_contact", e.label = "Dummy contact", e.help = "Does nothing.";
  e.params = param_group<DummyContactParams>("dummy_contact", "Dummy contact");
  e.make = [](StepContext&) { return std::make_unique<DummyContact>(); };
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
