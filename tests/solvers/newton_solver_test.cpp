#include <algorithm>

#include "tests/physics/strips.h"

using namespace weft;
using namespace weft::physics;

namespace {

/// Newton's method as a reference.
void converge(Scene& s) {
  s.set("step.solver", "newton");
  s.newton.steps = 60;
  s.newton.tolerance = 1e-5f;
  s.newton.cg_iterations = 3000;
  s.newton.cg_tolerance = 1e-3f;
}

double largest_difference(const std::vector<vec3>& a, const std::vector<vec3>& b) {
  double most = 0;
  for (size_t i = 0; i < a.size(); ++i) most = std::max(most, double(glm::length(a[i] - b[i])));
  return most;
}

/// A sheet held at two corners, that swings and folds.
Scene held_sheet(ElasticModel elastic, BendingModel bending, int vertices) {
  Scene s = bare_scene();
  s.step.elastic_model = int(elastic);
  s.step.bending_model = int(bending);
  Cloth& c = s.cloths[0];
  c.size = {0.3f, 0.3f};
  c.vertices = vertices;
  c.unevenness = 0.002f;
  c.placement.position = {0, 1, 0};
  c.placement.rotation = {-90, 0, 0};
  c.fabric.stretch_stiffness = 500;
  c.fabric.bending_rigidity = 2e-5f;
  s.pins.push_back(pin_where(s, [](const vec3& p) { return p.z < -0.1499f && std::abs(p.x) > 0.149f; }));
  return s;
}

}  // namespace

TEST_SUITE("solvers") {
  TEST_CASE("a step of Newton's method ends where a step of descent ends after very many iterations") {
    for (const ElasticModel elastic : {ElasticModel::springs, ElasticModel::finite_elements, ElasticModel::stvk})
      for (const bool woven : {false, true}) {
        if (woven && elastic == ElasticModel::finite_elements) continue;  // isotropic by construction
        Scene s = held_sheet(elastic, BendingModel::quadratic, 250);
        if (woven) s.cloths[0].fabric.weft_stiffness = 150, s.cloths[0].fabric.shear_stiffness = 60;
        Run run(s);
        for (int i = 0; i < 10; ++i) run.sim->step();
        const Snapshot here = run.sim->snapshot();
        const auto before = run.sim->positions();
        run.sim->apply(SetParam{"descent.fine_iterations", "20000"});
        run.sim->step();
        const auto descent = run.sim->positions();
        Scene n = run.sim->scene();
        converge(n);
        Run newton(n);
        newton.sim->restore(here);
        newton.sim->step();
        const double moved = largest_difference(before, descent), apart = largest_difference(newton.sim->positions(), descent);
        MESSAGE("elastic model " << int(elastic) << (woven ? ", woven" : "") << ": moved " << 1e3 * moved << " mm, solvers apart " << 1e3 * apart << " mm");
        CHECK(apart < 1e-3 * moved);
      }
  }
}
