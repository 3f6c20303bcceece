// A cloth, a step's work arrays and the linear system of a Newton step, without a simulation around them.
#pragma once
#include <doctest/doctest.h>

#include <memory>
#include <random>

#include "sim/collision/bodies/bodies.h"
#include "sim/solvers/newton/conjugate_gradients.h"
#include "sim/solvers/newton/line_search.h"

namespace weft::testing {

struct Bench {
  std::unique_ptr<Device> device;
  Scene scene;
  std::vector<vec3> start;
  Model model;
  State state;
  GrowingLists lists;
  Bodies bodies;
  StepContext c;
  NewtonSystem system;
  ConjugateGradients cg;
  LineSearch search;
  std::mt19937_64 random{7};

  explicit Bench(Scene s, int threads = 0)
      : device(Device::create(DeviceChoice::cpu, threads)),
        scene(std::move(s)),
        model(scene, *device, start),
        state(*device, model.vertex_count()),
        lists(*device),
        bodies(lists, scene, model.notices),
        c(lists, model, state, scene, bodies),
        system((state.position.upload(start), c)),
        cg(*device, system.padded()),
        search(*device) {
    c.dt = 0.01f;
  }
  int vertices() const { return model.vertex_count(); }
  float uniform(float size) { return std::uniform_real_distribution<float>(-size, size)(random); }
  std::vector<vec3> noise(float size) {
    std::vector<vec3> v(static_cast<size_t>(vertices()));
    for (auto& x : v) x = vec3(uniform(size), uniform(size), uniform(size));
    return v;
  }
  /// Padded, on the device; 0 in kinematic rows.
  Buffer<vec3> padded(std::vector<vec3> v) {
    const auto kinematic = c.kinematic.download();
    for (size_t i = 0; i < v.size(); ++i)
      if (kinematic[i]) v[i] = vec3(0);
    v.resize(size_t(system.padded()), vec3(0));
    return Buffer<vec3>(*device, "test", v);
  }
  /// Forces at d.
  std::vector<vec3> forces(const std::vector<vec3>& d) {
    c.displacement.upload(d);
    system.prepare(c);
    system.begin_step(c);
    system.assemble(c);
    std::vector<vec3> r(static_cast<size_t>(vertices()));
    device->download(r.data(), system.residual().data, r.size() * sizeof(vec3));
    return r;
  }
  /// H p of what was assembled last.
  std::vector<vec3> product(const std::vector<vec3>& p) {
    const Buffer<vec3> in = padded(p);
    Buffer<vec3> out(*device, "test", system.padded());
    Buffer<float> inner(*device, "test", system.padded());
    system.multiply(in.span(), out.span(), inner.span());
    std::vector<vec3> q = out.download();
    q.resize(p.size());
    return q;
  }
  /// E(d + p) - E(d) - dE/dd . p at what was assembled last.
  double beyond_slope(const std::vector<vec3>& p) {
    search.prepare(c, system);
    const Buffer<vec3> way = padded(p);
    search.evaluate(c, system, way.span(), 0);
    return double(search.sums()[0]);
  }
};

inline double inner(const std::vector<vec3>& a, const std::vector<vec3>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += glm::dot(glm::dvec3(a[i]), glm::dvec3(b[i]));
  return sum;
}
inline std::vector<vec3> along(const std::vector<vec3>& a, double s, const std::vector<vec3>& b) {
  std::vector<vec3> r(a.size());
  for (size_t i = 0; i < a.size(); ++i) r[i] = a[i] + float(s) * b[i];
  return r;
}

/// A small sheet of imaginary cloth with an orthotropic weave and two kinematic corners' worth of parameters.
inline Scene small_sheet(ElasticModel elastic, BendingModel bending, int vertices = 60) {
  Scene s;
  s.step.elastic_model = int(elastic);
  s.step.bending_model = int(bending);
  Cloth& c = s.cloths.emplace_back();
  c.size = {0.1f, 0.1f};
  c.vertices = vertices;
  c.unevenness = 0;
  c.fabric.stretch_stiffness = 400;
  c.fabric.weft_stiffness = 250;
  c.fabric.shear_stiffness = 90;
  c.fabric.bending_rigidity = 1e-3f;
  return s;
}

}  // namespace weft::testing
