#include "tests/solvers/newton_fixture.h"

#include <map>

#include "tests/energies/differences.h"

using namespace weft;
using namespace weft::testing;

namespace {

constexpr ElasticModel kElastic[] = {ElasticModel::springs, ElasticModel::finite_elements,
                                     ElasticModel::stvk};
constexpr BendingModel kBending[] = {BendingModel::quadratic, BendingModel::dihedral, BendingModel::meshless};

/// Displacements that stretch the sheet by a share and disturb it.
std::vector<vec3> stretched(Bench& b, float share, float disturbance) {
  std::vector<vec3> d = b.noise(disturbance);
  const vec3 origin = b.start[0];
  for (size_t v = 0; v < d.size(); ++v) d[v] += share * (b.start[v] - origin);
  return d;
}

void set_terms(Bench& b) {
  std::vector<Sym3> w(static_cast<size_t>(b.vertices()));
  for (auto& s : w) s.add_identity(2), s.add_outer(5, vec3(0.6f, 0, 0.8f));
  b.c.anchor_weight.upload(w);
  b.c.anchor_force.upload(b.noise(0.1f));
  b.c.inertia.upload(b.noise(0.01f));
}

/// Some stencils between random vertices.
std::vector<ContactStencil> random_stencils(Bench& b, int count) {
  std::vector<ContactStencil> list(static_cast<size_t>(count));
  for (auto& s : list) {
    for (int i = 0; i < 4; ++i) s.vertex[i] = int(b.random() % uint64_t(b.vertices()));
    s.weight = {1, -0.2f, -0.3f, -0.5f};
    if (b.random() % 3 == 0) s.vertex[3] = -1, s.weight = {1, -0.4f, -0.6f, 0};
    const vec3 normal = glm::normalize(vec3(b.uniform(1), b.uniform(1), 1.1f));
    s.stiffness.add_outer(300 + b.uniform(200), normal);
    s.stiffness.add_identity(50 + b.uniform(50));
    s.gap = b.uniform(1e-3f) * normal;
    s.force = 0.1f * vec3(b.uniform(1), b.uniform(1), b.uniform(1));
  }
  return list;
}

void set_stencils(Bench& b, const std::vector<ContactStencil>& list, int capacity) {
  b.c.stencils.reserve(capacity);
  b.device->upload(b.c.stencils.list().data, list.data(), list.size() * sizeof(ContactStencil));
  const int count = int(list.size());
  b.device->upload(b.c.stencils.count().data, &count, sizeof count);
  b.c.stencils.link();
}

double largest(const std::vector<vec3>& v) {
  double most = 0;
  for (auto& x : v) most = std::max(most, double(glm::length(x)));
  return most;
}

}  // namespace

TEST_CASE("forces of a Newton step are the derivative of the energy that its line search takes") {
  for (const ElasticModel elastic : kElastic)
    for (const BendingModel bending : kBending) {
      CAPTURE(int(elastic));
      CAPTURE(int(bending));
      Scene scene = small_sheet(elastic, bending);
      scene.cloths[0].fabric.strain_limit = 0.05f;
      Bench b(scene);
      set_terms(b);
      set_stencils(b, random_stencils(b, 20), 32);
      const std::vector<vec3> d = stretched(b, 0.02f, 1e-3f), p = stretched(b, 0.01f, 1e-3f);
      const double after = inner(b.forces(along(d, 1, p)), p), before = inner(b.forces(d), p);
      // phi(s) = E(d + s p) - E(d) - s dE.p; its slope at 1 is that by which dE.p has grown.
      const double slope = fourth_order(
          [&](double s) { return b.beyond_slope(along(std::vector<vec3>(p.size(), vec3(0)), 1 + s, p)); },
          0.1);
      MESSAGE("slope beyond the first " << slope << ", of forces " << before - after);
      // Float32 sums of energies: 1e-6 of them, over 0.1; and what the fourth order leaves out.
      CHECK(std::abs(slope - (before - after)) < 2e-4 * std::abs(before - after));
    }
}

TEST_CASE("the Hessian of a Newton step is that of the energy where nothing needs projection") {
  for (const ElasticModel elastic : kElastic) {
    CAPTURE(int(elastic));
    Bench b(small_sheet(elastic, BendingModel::quadratic));
    set_terms(b);
    set_stencils(b, random_stencils(b, 20), 20);
    const std::vector<vec3> d = stretched(b, 0.15f, 3e-4f), p = b.noise(1);
    const double h = 1e-4;
    const auto low = b.forces(along(d, -h, p)), high = b.forces(along(d, h, p));
    b.forces(d);
    const auto q = b.product(p);
    double worst = 0;
    for (size_t v = 0; v < q.size(); ++v)
      worst = std::max(worst, double(glm::length((low[v] - high[v]) / float(2 * h) - q[v])));
    MESSAGE("largest difference " << worst << " of " << largest(q));
    // Differences of float32 forces of some newtons over 2e-4 m, and the third derivative.
    CHECK(worst < 2e-3 * largest(q));
  }
}

TEST_CASE("flat cloth with dihedral hinges has the exact Hessian too") {
  Bench b(small_sheet(ElasticModel::springs, BendingModel::dihedral));
  std::vector<vec3> d = stretched(b, 0.1f, 0), p = b.noise(1);
  const double h = 1e-4;
  const auto low = b.forces(along(d, -h, p)), high = b.forces(along(d, h, p));
  b.forces(d);
  const auto q = b.product(p);
  double worst = 0;
  for (size_t v = 0; v < q.size(); ++v)
    worst = std::max(worst, double(glm::length((low[v] - high[v]) / float(2 * h) - q[v])));
  MESSAGE("largest difference " << worst << " of " << largest(q));
  CHECK(worst < 2e-3 * largest(q));
}

TEST_CASE("the projected Hessian has no negative direction in crumpled cloth") {
  for (const ElasticModel elastic : kElastic)
    for (const BendingModel bending : kBending) {
      CAPTURE(int(elastic));
      CAPTURE(int(bending));
      Bench b(small_sheet(elastic, bending, 30));
      b.c.dt = 1e3f;  // no inertia to speak of
      b.forces(stretched(b, -0.3f, 0.01f));
      const size_t n = 3 * size_t(b.vertices());
      std::vector<std::vector<double>> h(n, std::vector<double>(n));
      for (size_t j = 0; j < n; ++j) {
        std::vector<vec3> unit(size_t(b.vertices()), vec3(0));
        unit[j / 3][int(j % 3)] = 1;
        const auto column = b.product(unit);
        for (size_t i = 0; i < n; ++i) h[i][j] = double(column[i / 3][int(i % 3)]);
      }
      double skew = 0;
      for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < i; ++j)
          skew = std::max(skew, std::abs(h[i][j] - h[j][i])), h[i][j] = h[j][i] = 0.5 * (h[i][j] + h[j][i]);
      const auto [low, most] = eigenvalue_range(h);
      MESSAGE("eigenvalues from " << low << " to " << most << ", asymmetry " << skew);
      CHECK(low > -1e-5 * most);  // float32 blocks
      CHECK(skew < 1e-5 * most);
    }
}

TEST_CASE("each vertex finds its contact stencils") {
  Bench b(small_sheet(ElasticModel::springs, BendingModel::quadratic));
  const auto list = random_stencils(b, 50);
  set_stencils(b, list, 64);
  const auto brute = [&](int v) {
    std::vector<int> found;
    for (int s = 0; s < int(list.size()); ++s)
      for (int i = 0; i < 4; ++i)
        if (list[size_t(s)].vertex[i] == v) found.push_back(4 * s + i);
    return found;
  };
  const StencilsView view = b.c.stencils.view();
  for (int v = 0; v < b.vertices(); ++v)
    CHECK(std::vector<int>(view.entry.data + view.start[v], view.entry.data + view.start[v + 1]) == brute(v));
  b.c.stencils.clear();
  for (int v = 0; v < b.vertices(); ++v) CHECK(view.start[v] == view.start[v + 1]);
}

TEST_CASE("a strong stencil brings a vertex to its distance from a triangle") {
  Scene scene = small_sheet(ElasticModel::springs, BendingModel::quadratic);
  scene.cloths[0].fabric.stretch_stiffness = scene.cloths[0].fabric.weft_stiffness = 1;
  Bench b(scene);
  ContactStencil s;
  s.vertex = {5, 20, 21, 33};
  s.weight = {1, -0.2f, -0.3f, -0.5f};
  s.stiffness.add_outer(1e4f, {0, 0, 1});
  s.gap = {0, 0, 2e-3f};
  set_stencils(b, {s}, 4);
  b.forces(std::vector<vec3>(size_t(b.vertices()), vec3(0)));
  b.cg.prepare(500);
  b.cg.start(b.system);
  b.cg.run(b.system, 500, 1e-6f);
  const double reached = double(moved(s, b.cg.solution()).z);
  CHECK(reached == doctest::Approx(2e-3).epsilon(1e-3));
  // Forces within a stencil balance: nothing else pulls, so that momentum stays, as far as float32 knows the
  // forces. The spring pulls with stiffness times gap at weights that add up to 2 over both sides, and each
  // of these is rounded.
  const auto mass = b.model.host_mass;
  const double h = double(b.c.dt), force = 2 * 1e4 * 2e-3, rounding = force * std::pow(2, -24) * h * h;
  double sum = 0;
  for (int v = 0; v < b.vertices(); ++v) sum += double(mass[size_t(v)] * b.cg.solution()[v].z);
  CHECK(std::abs(sum) < rounding);
}

TEST_CASE("the error of conjugate gradients falls in every iteration until float32 ends it") {
  for (const ElasticModel elastic : {ElasticModel::springs, ElasticModel::finite_elements}) {
    Bench b(small_sheet(elastic, BendingModel::quadratic));
    set_terms(b);
    set_stencils(b, random_stencils(b, 20), 20);
    b.forces(stretched(b, 0.05f, 1e-3f));
    const int most = 400;
    b.cg.prepare(most);
    b.cg.start(b.system);
    b.cg.run(b.system, most, 0);
    const Buffer<vec3> exact(*b.device, "test",
                             std::vector<vec3>(b.cg.solution().begin(), b.cg.solution().end()));
    const auto host = exact.download();
    double last = 1e30, first = 0;
    for (int k = 1; k < 120; k += k < 40 ? 1 : 8) {
      b.cg.start(b.system);
      b.cg.run(b.system, k, 0);
      std::vector<vec3> error(static_cast<size_t>(b.vertices()));
      for (size_t v = 0; v < error.size(); ++v) error[v] = b.cg.solution()[int(v)] - host[v];
      const double norm = std::sqrt(inner(error, b.product(error)));
      if (k == 1) first = norm;
      if (k % 8 == 0) MESSAGE("iteration " << k << ": error in the energy norm " << norm);
      CHECK(norm < std::max(last, 1e-5 * first) * 1.0001);
      last = norm;
    }
    CHECK(last < 1e-3 * first);
  }
}

TEST_CASE("conjugate gradients give the same bits for any number of threads and stop where they are told") {
  std::vector<vec3> first;
  for (const int threads : {1, 2, 3}) {
    Bench b(small_sheet(ElasticModel::finite_elements, BendingModel::dihedral, 3000), threads);
    set_terms(b);
    set_stencils(b, random_stencils(b, 300), 300);
    b.forces(stretched(b, 0.05f, 1e-4f));
    b.cg.prepare(200);
    b.cg.start(b.system);
    b.cg.run(b.system, 200, 0.05f);
    const std::vector<vec3> u(b.cg.solution().begin(), b.cg.solution().end());
    const auto rz = b.cg.residuals();
    int taken = 0;
    while (taken + 1 < int(rz.size()) && rz[size_t(taken) + 1] > 0 && rz[size_t(taken)] > 0.0025f * rz[0])
      ++taken;
    MESSAGE(taken << " iterations; r.z fell to " << rz[size_t(taken)] / rz[0] << " of what it was");
    CHECK(rz[size_t(taken)] <= 0.0025f * rz[0]);
    CHECK(rz[size_t(taken)] > 1e-6f * rz[0]);  // and not further
    if (first.empty()) first = u;
    CHECK(u == first);
  }
}

TEST_CASE("conjugate gradients end where rounding has made r . z zero, whatever regions have left") {
  const float left[] = {1, 1}, curvature = 1, after = 1e-9f;
  const newton::CgProgress second{1, 1};
  for (const float rounded : {0.0f, 1e-36f}) {
    const float rz[] = {1e-9f, rounded};
    const newton::CgView cg{.rz = {rz, 2},
                            .left = {left, 2},
                            .pq = {&curvature, 1},
                            .next = {&after, 1},
                            .at = {&second, 1},
                            .iterations = 9,
                            .tolerance = 0.1f};
    CHECK(cg.active(0));
    CHECK_FALSE(cg.active(1));
    CHECK(cg.alpha() == 0);
    CHECK(cg.beta() == 0);  // 0 / 0 would make the whole direction no number
  }
}
