// Which settings a case is run with, and how they get into a scene.
#include <cmath>

#include "sim/scene/method_info.h"
#include "sim/solvers/newton/newton_params.h"
#include "tests/physics/physics_table/case.h"

namespace weft::physics {
namespace {

const std::vector<std::string> kStretch = {"springs", "finite_elements", "st_venant_kirchhoff"};
const std::vector<std::string> kBending = {"quadratic", "dihedral", "meshless"};

bool keeps_layers_apart(const std::string& method) {
  return method == "repulsion" || method == "two_way" || method == "ndb" || method == "impact_zones";
}

}  // namespace

float resting_height(const std::string& method, bool on_cloth) {
  if (method == "two_way" || method == "impact_zones") return 0.0013f;
  if (method == "ndb") return 0.001f;
  return on_cloth && method == "repulsion" ? 0.022f : 0.00025f;
}

double Quantity::error() const {
  switch (kind) {
    case relative: return std::abs(measured / theory - 1);
    case absolute: return std::abs(measured - theory);
    default: return measured - theory;
  }
}
bool Quantity::holds() const { return error() <= limit; }

void choose(Scene& scene, const Setting& setting) {
  scene.step.dt = setting.dt;
  if (!setting.defaults) {
    scene.set("step.solver", setting.solver);
    scene.set("step.elastic_model", setting.stretch);
    scene.set("step.bending_model", setting.bending);
  }
  if (setting.method != collision_names()[size_t(scene.step.collision)])
    scene.set("step.collision", setting.method);
}

Setting default_setting(float dt, bool layers) {
  const StepParams step;
  Setting s;
  s.defaults = true;
  s.dt = dt;
  s.solver = solver_names()[size_t(step.solver)];
  s.method = collision_names()[size_t(step.collision)];
  if (layers && !keeps_layers_apart(s.method)) s.method = "two_way";
  s.stretch = kStretch[size_t(step.elastic_model)];
  s.bending = kBending[size_t(step.bending_model)];
  return s;
}

std::vector<Setting> settings_of(const Case& c) {
  std::vector<Setting> all;
  for (const float dt : c.axes.dts) all.push_back(default_setting(dt, c.axes.layers));
  const auto add = [&](const std::string& stretch, const std::string& bending, float dt) {
    for (const std::string solver : {"newton", "descent"})
      for (const std::string& method : c.axes.methods)
        if (!c.axes.layers || keeps_layers_apart(method))
          all.push_back({false, solver, method, stretch, bending, dt});
  };
  for (const float dt : c.axes.dts) add(kStretch[0], kBending[0], dt);
  if (!c.axes.models) return all;
  for (size_t k = 1; k < kStretch.size(); ++k) add(kStretch[k], kBending[0], 1.0f / 60);
  for (size_t k = 1; k < kBending.size(); ++k) add(kStretch[0], kBending[k], 1.0f / 60);
  return all;
}

std::vector<Case> all_cases() {
  std::vector<Case> all;
  for (const auto& some : {sliding_cases(), motion_cases(), rest_cases(), shape_cases()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

double& seconds_at_rest() {
  static double seconds = 10;
  return seconds;
}

Scene solved(Scene scene) {
  scene.set("step.solver", "newton");
  scene.of<NewtonParams>() = {};
  scene.of<NewtonParams>().steps = 80;
  scene.of<NewtonParams>().tolerance = 1e-6f;
  scene.of<NewtonParams>().cg_iterations = 400;
  scene.of<NewtonParams>().cg_tolerance = 1e-3f;
  return scene;
}

Pin pin_where(const Scene& scene, const std::function<bool(const vec3&)>& chosen) {
  Measured start(scene);
  Pin pin;
  for (size_t v = 0; v < start.positions().size(); ++v)
    if (chosen(start.positions()[v])) pin.vertices.push_back(int(v));
  return pin;
}

Scene bare_cotton() {
  Scene s;
  s.forces.lift = s.forces.drag = s.forces.air_damping = 0;
  s.contact.ground = false;
  return s;
}

Cloth flat_cloth(const std::string& name, float side, float edge, float x, float height) {
  Cloth c;
  c.name = name;
  c.size = {side, side};
  c.edge = edge;
  c.placement.position = {x, height, 0};
  c.placement.rotation = {-90, 0, 0};
  c.unevenness = 0;
  c.fabric.internal_damping = 0;
  return c;
}

Pin pin_all(const std::string& cloth) {
  Pin pin;
  pin.cloth = cloth;
  pin.box = Bounds{vec3(-100), vec3(100)};
  return pin;
}

}  // namespace weft::physics
