// Every way to make a step that the tables of methods and parameters offer, one choice away from the
// defaults, and a small cloth that has all of them at work. A new entry of a table is a new variant without
// another line.
#pragma once
#include <cmath>
#include <cstring>
#include <set>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "sim/base/hash.h"
#include "sim/device/buffer.h"
#include "sim/methods/method_table.h"
#include "sim/run/simulation.h"
#include "sim/scene/scene.h"

namespace weft::testing {

/// About `vertices` that hang from a corner and meet a sphere, the ground and themselves.
inline Scene cornered_cloth(int vertices) {
  Scene scene;
  Cloth cloth;
  cloth.size = {0.4f, 0.4f};
  cloth.vertices = vertices;
  cloth.placement.position = {0, 0.35f, 0};
  cloth.placement.rotation = {-80, 0, 0};
  scene.cloths.push_back(cloth);
  Pin pin;
  pin.where = "top_left";
  scene.pins.push_back(pin);
  Obstacle sphere;
  sphere.placement.position = {0, 0.22f, 0};
  scene.obstacles.push_back(sphere);
  scene.forces.wind = {0, 0, 3};
  return scene;
}

/// A solver, a collision method and at most one parameter that is not at its default.
struct Variant {
  const SolverEntry* solver;
  const CollisionEntry* collision;
  std::string key, value;
  std::string name() const {
    return solver->name + " with " + collision->name + (key.empty() ? "" : ", " + key + " = " + value);
  }
  Scene scene(int vertices) const {
    Scene s = cornered_cloth(vertices);
    if (solver->refuses) s.cloths[0].pattern = "square";
    s.set("step.solver", solver->name);
    s.set("step.collision", collision->name);
    if (!key.empty()) s.set(key, value);
    return s;
  }
};

/// Other values of a parameter that may have kernels of their own: each choice; the other of two; what is off
/// by default (0) at a tenth of its range; the far end of a short range of whole numbers. None for a
/// quantity.
inline std::vector<std::string> other_values(const ParamRef& p) {
  std::vector<std::string> all;
  if (!p.info().choices.empty()) {
    all = p.info().choices;
  } else if (std::holds_alternative<bool*>(p.pointer())) {
    all = {"true", "false"};
  } else if (!std::holds_alternative<vec3*>(p.pointer())) {
    const bool whole = std::holds_alternative<int*>(p.pointer());
    const double tenth = 0.1 * (p.info().max - p.info().min);
    if (p.default_text() == "0" && p.info().min == 0)
      all.push_back(whole ? std::to_string(std::max(1, int(tenth))) : std::to_string(tenth));
    else if (whole && p.info().max - p.info().min < 16)
      for (const double end : {p.info().min, p.info().max}) all.push_back(std::to_string(int(end)));
  }
  std::erase_if(all, [&](const std::string& v) {
    return p.default_text() == v || p.default_text() == "\"" + v + "\"";
  });
  return all;
}

/// All that work: pairs with their defaults, models and fabric with every solver, each method's own
/// parameters (of collision methods: with Newton's method, which takes stencils, and one that takes anchors).
inline std::vector<Variant> every_variant() {
  std::vector<Variant> all;
  Scene defaults;
  const ParamTable params = defaults.params();
  const CollisionEntry& bodies = collision_methods().at(size_t(defaults.step.collision));
  const std::vector<const SolverEntry*> kinds = {&solvers().at(0), &solvers().at(1)};
  const auto add = [&](const SolverEntry& s, const CollisionEntry& c, const std::string& key,
                       const std::string& value) {
    const Variant v{&s, &c, key, value};
    if (why_not(s, v.scene(100)).empty()) all.push_back(v);
  };
  for (const SolverEntry& s : solvers())
    for (const CollisionEntry& c : collision_methods()) add(s, c, "", "");
  for (const ParamRef& p : params.refs()) {
    const std::string group = p.key().substr(0, p.key().find('.'));
    const bool model = group == "step" && p.key() != "step.solver" && p.key() != "step.collision";
    for (const std::string& value : other_values(p)) {
      for (const SolverEntry& s : solvers())
        if (model || group == "forces" || group == "fabric" || s.params.name == group)
          add(s, bodies, p.key(), value);
      for (const CollisionEntry& c : collision_methods())
        if (c.params.name == group)
          for (const SolverEntry* s : kinds) add(*s, c, p.key(), value);
    }
  }
  return all;
}

template <class T>
uint64_t hash_of(const std::vector<T>& values, uint64_t seed) {
  static_assert(std::has_unique_object_representations_v<T> || std::is_same_v<T, float> ||
                std::is_same_v<T, vec3>);
  return values.empty() ? seed : hash_combine(seed, hash_bytes(values.data(), values.size() * sizeof(T)));
}

/// What the view is shown of a state: normals, every scalar, pairs, numbers. Between steps.
inline uint64_t shown_hash(Simulation& sim) {
  const auto down = [&](auto span) {
    std::vector<std::remove_cv_t<std::remove_reference_t<decltype(span[0])>>> values(size_t(span.size));
    if (span.size > 0) sim.device().download(values.data(), span.data, values.size() * sizeof values[0]);
    return values;
  };
  uint64_t hash = hash_of(down(sim.device_normals()), sim.hash());
  for (const VertexField& field : vertex_fields()) hash = hash_of(down(sim.device_field(field.name)), hash);
  for (const ContactPair& p : sim.contact_pairs(1000)) hash = hash_of(std::vector<vec3>{p.a, p.b}, hash);
  for (const ActiveSample& a : sim.active_samples(1000))
    hash = hash_of(std::vector<int>{a.ends.x, a.ends.y}, hash);
  for (const Counter& c : sim.stats().counters) hash = hash_of(std::vector<float>{float(c.value)}, hash);
  return hash;
}

/// State and what is shown of it after `steps` steps; a hand pulls from the middle on.
inline uint64_t hash_after(const Scene& scene, Device& device, int steps) {
  Simulation sim(scene, device);
  for (int i = 0; i < steps; ++i) {
    if (i == steps / 2)
      sim.apply(GrabBegin{1, sim.model().vertex_count() / 2, vec3(0.3f, 0.3f, 0.4f), 0.02f});
    if (i > steps / 2) sim.apply(GrabMove{1, vec3(0.05f, 0.35f, 0.01f * float(i))});
    sim.step();
  }
  return shown_hash(sim);
}

}  // namespace weft::testing
