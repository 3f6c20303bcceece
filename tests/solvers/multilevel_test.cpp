#include <array>
#include <cmath>

#include "sim/plugin/plugin_list.h"
#include "sim/run/simulation.h"
#include "sim/scene/grains.h"
#include "tests/solvers/newton_fixture.h"

using namespace weft;
using namespace weft::testing;

namespace {

constexpr ElasticModel kElastic[] = {ElasticModel::springs, ElasticModel::finite_elements,
                                     ElasticModel::stvk};
constexpr BendingModel kBending[] = {BendingModel::quadratic, BendingModel::dihedral, BendingModel::meshless};

/// Cotton of the given number of vertices: stiff along its threads, next to nothing across.
Scene cotton_sheet(ElasticModel elastic, BendingModel bending, int vertices) {
  Scene s = small_sheet(elastic, bending, vertices);
  s.cloths[0].size = {0.4f, 0.4f};
  s.cloths[0].fabric = FabricParams();
  return s;
}

/// Displacements that throw the sheet into waves and shorten it, with a little noise.
std::vector<vec3> crumpled(Bench& b) {
  std::vector<vec3> d = b.noise(2e-4f);
  for (size_t v = 0; v < d.size(); ++v) {
    const vec3 x = b.start[v] - b.start[0];
    d[v] += vec3(-0.1f * x.x, 0.02f * std::sin(60 * x.x) * std::cos(25 * x.y),
                 0.02f * std::sin(45 * x.y + 30 * x.x)) -
            0.08f * x;
  }
  return d;
}

/// A quarter of the vertices are held towards something, half of these firmly in one direction.
void hold_some(Bench& b) {
  std::vector<Sym3> w(size_t(b.vertices()));
  for (size_t v = 0; v < w.size(); ++v) {
    if (v % 4 == 0) w[v].add_identity(2);
    if (v % 8 == 0) w[v].add_outer(3e4f, glm::normalize(vec3(0.3f, 1, 0.2f)));
  }
  b.c.anchor_weight.upload(w);
}

void pin_corners(Bench& b) {
  std::vector<int> pinned(size_t(b.vertices()), 0);
  for (int v = 0; v < 12; ++v) pinned[size_t(v)] = 1;
  b.c.kinematic.upload(pinned);
}

std::vector<vec3> cycle(Bench& b, MultilevelPreconditioner& m, const std::vector<vec3>& r) {
  const Buffer<vec3> in = b.padded(r);
  Buffer<vec3> out(*b.device, "test", b.system.padded());
  Buffer<float> inner(*b.device, "test", b.system.padded());
  m.apply(b.system, in.span(), out.span(), inner.span());
  std::vector<vec3> z = out.download();
  double sum = 0;
  for (const float share : inner.download()) sum += share;
  z.resize(r.size());
  CHECK(sum == doctest::Approx(weft::testing::inner(in.download(), out.download())).epsilon(1e-4));
  return z;
}

std::vector<vec3> coarse_product(Bench& b, MultilevelPreconditioner& m, int level, std::vector<vec3> u) {
  const int rows = m.level_rows(level), padded = padded_rows(rows);
  u.resize(size_t(padded), vec3(0));
  const Buffer<vec3> in(*b.device, "test", u);
  Buffer<vec3> out(*b.device, "test", padded);
  Buffer<float> inner(*b.device, "test", padded);
  launch(*b.device, "test", rows,
         newton::Multiply<true>{m.level(level), in.span(), out.span(), inner.span()});
  std::vector<vec3> q = out.download();
  q.resize(size_t(rows));
  return q;
}

std::vector<vec3> noise(Bench& b, int count) {
  std::vector<vec3> v(static_cast<size_t>(count));
  for (auto& x : v) x = vec3(b.uniform(1), b.uniform(1), b.uniform(1));
  return v;
}

/// P u by the interpolation as it is stored.
std::vector<vec3> interpolated(const linear::TransferView& p, const std::vector<vec3>& u) {
  std::vector<vec3> out(size_t(p.start.size) - 1, vec3(0));
  for (size_t i = 0; i < out.size(); ++i)
    for (int o = p.start[int(i)]; o < p.start[int(i) + 1]; ++o)
      out[i] += p.weight[o] * u[size_t(p.column[o])];
  return out;
}

/// E = k/2 (n_1 . u_1 + n_2 . u_2 + n_3 . u_3)² of each triangle, u from rest, the n summing to 0: blocks
/// that are not symmetric.
class JoinedEnergy final : public HostEnergy {
 public:
  JoinedEnergy(std::shared_ptr<const HostMesh> mesh, double k) : mesh_(std::move(mesh)), k_(k) {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> any(-1, 1);
    for (size_t t = 0; t < mesh_->triangles.size(); t += 3) {
      std::array<dvec3, 3>& n = n_.emplace_back();
      n[0] = {any(random), any(random), any(random)}, n[1] = {any(random), any(random), any(random)};
      n[2] = -n[0] - n[1];
    }
  }
  int points() const override { return 3; }
  const std::vector<int>& elements() const override { return mesh_->triangles; }
  bool definite() const override { return true; }
  double evaluate(std::span<const double> x, std::span<const double>, std::span<double> gradient,
                  std::span<double> hessian) override {
    double energy = 0;
    for (size_t e = 0; e < n_.size(); ++e) {
      double sum = 0;
      const auto place = [&](int i) { return size_t(3 * mesh_->triangles[3 * e + size_t(i / 3)] + i % 3); };
      const auto n = [&](int i) { return n_[e][size_t(i / 3)][i % 3]; };
      for (int i = 0; i < 9; ++i) sum += n(i) * (x[place(i)] - mesh_->rest[place(i)]);
      energy += 0.5 * k_ * sum * sum;
      for (int i = 0; i < 9; ++i) {
        if (!gradient.empty()) gradient[place(i)] += k_ * sum * n(i);
        for (int j = 0; j < 9 && !hessian.empty(); ++j)
          hessian[81 * e + size_t(9 * i + j)] = k_ * n(i) * n(j);
      }
    }
    return energy;
  }

 private:
  std::shared_ptr<const HostMesh> mesh_;
  double k_;
  std::vector<std::array<dvec3, 3>> n_;
};

class JoinedPlugin final : public HostPlugin {
 public:
  explicit JoinedPlugin(double k) : k_(k) {}
  const std::string& name() const override { return name_; }
  std::string origin() const override { return "test"; }
  const std::vector<HostParameter>& parameters() const override { return none_; }
  bool has_energy() const override { return true; }
  bool has_filter() const override { return false; }
  std::unique_ptr<HostEnergy> energy(std::shared_ptr<const HostMesh> mesh) const override {
    return std::make_unique<JoinedEnergy>(std::move(mesh), k_);
  }
  std::unique_ptr<HostFilter> filter(std::shared_ptr<const HostMesh>) const override { return nullptr; }

 private:
  double k_;
  std::string name_ = "joined";
  std::vector<HostParameter> none_;
};

struct Solved {
  std::vector<vec3> u;
  int iterations = 0;
};
/// `iterations`: until r . P⁻¹ r is below 1e-6 of what it was.
Solved solve(Bench& b, MultilevelPreconditioner* m, int most, float tolerance = 1e-3f) {
  b.cg.prepare(most);
  b.cg.start(b.system, m);
  b.cg.run(b.system, most, tolerance);
  Solved s;
  s.u.resize(size_t(b.vertices()));
  b.device->download(s.u.data(), b.cg.solution().data, s.u.size() * sizeof(vec3));
  const std::vector<float> rz = b.cg.residuals();
  while (s.iterations < most && rz[size_t(s.iterations)] > 1e-6f * rz[0]) ++s.iterations;
  return s;
}

/// A sheet that hangs by its corners and swings, ready to be solved.
void swing(Bench& b, const std::vector<vec3>& at) {
  pin_corners(b);
  b.c.dt = 1.0f / 60;
  std::vector<vec3> target(size_t(b.vertices()), vec3(0, -0.0027f, 0));
  b.c.inertia.upload(target);
  b.forces(at);
}

/// P^T A P is held against products on the finer level.
void check_coarse_operators(ElasticModel elastic, BendingModel bending, double plugged) {
  CAPTURE(int(elastic));
  CAPTURE(int(bending));
  CAPTURE(plugged);
  Scene scene = cotton_sheet(elastic, bending, 900);
  if (plugged > 0) scene.of<PluginList>().add(std::make_shared<JoinedPlugin>(plugged));
  Bench b(scene);
  hold_some(b);
  b.forces(crumpled(b));
  MultilevelPreconditioner m(*b.device);
  m.prepare(b.c, b.system);
  REQUIRE(m.levels() >= 2);
  m.assemble(b.system);
  for (int level = 0; level < m.levels(); ++level) {
    const std::vector<vec3> u = noise(b, m.level_rows(level)), v = noise(b, m.level_rows(level));
    const std::vector<vec3> fine_u = interpolated(m.interpolation(level), u),
                            fine_v = interpolated(m.interpolation(level), v);
    const std::vector<vec3> product =
        level == 0 ? b.product(fine_u) : coarse_product(b, m, level - 1, fine_u);
    const double expected = inner(fine_v, product), found = inner(v, coarse_product(b, m, level, u));
    const double size =
        std::sqrt(inner(fine_u, product) *
                  inner(fine_v, level == 0 ? b.product(fine_v) : coarse_product(b, m, level - 1, fine_v)));
    // Sums of float32 products; measured: 1e-7 at most.
    CHECK(std::abs(found - expected) < 2e-6 * size);
  }
}

}  // namespace

TEST_CASE("coarse operators are what the full mesh's operator makes of interpolated displacements") {
  for (const double plugged : {0.0, 1e4})  // N/m, of a plug-in
    for (const ElasticModel elastic : kElastic)
      for (const BendingModel bending : kBending) check_coarse_operators(elastic, bending, plugged);
}

TEST_CASE("stiff plug-ins take hardly more iterations than the cloth alone") {
  const auto iterations = [](double plugged, bool multilevel) {
    Scene scene = cotton_sheet(ElasticModel::springs, BendingModel::quadratic, 2500);
    if (plugged > 0) scene.of<PluginList>().add(std::make_shared<JoinedPlugin>(plugged));
    Bench b(scene);
    swing(b, b.noise(1e-5f));
    MultilevelPreconditioner m(*b.device);
    m.prepare(b.c, b.system);
    m.assemble(b.system);
    return solve(b, multilevel ? &m : nullptr, 2000).iterations;
  };
  const int alone = iterations(0, true), jacobi = iterations(3e3, false), plugged = iterations(3e3, true);
  MESSAGE("cloth alone " << alone << ", with a plug-in " << plugged << ", by block Jacobi " << jacobi);
  CHECK(plugged < 3 * alone);
  CHECK(plugged < jacobi / 3);
}

TEST_CASE(
    "a V-cycle is symmetric and positive, with stiff contact, pins and stencils too, and leaves pinned "
    "vertices where they are") {
  for (const ElasticModel elastic : kElastic)
    for (const BendingModel bending : kBending) {
      CAPTURE(int(elastic));
      CAPTURE(int(bending));
      Bench b(cotton_sheet(elastic, bending, 900));
      hold_some(b);
      pin_corners(b);
      b.c.stencils.reserve(8);
      ContactStencil stencil{{20, 200, 300, 400}, {1, -0.2f, -0.3f, -0.5f}, {}, {0, 0, 1e-3f}, vec3(0)};
      stencil.stiffness.add_outer(3e4f, {0, 0, 1});
      b.device->upload(b.c.stencils.list().data, &stencil, sizeof stencil);
      const int one = 1;
      b.device->upload(b.c.stencils.count().data, &one, sizeof one);
      b.c.stencils.link();
      b.forces(crumpled(b));
      MultilevelPreconditioner m(*b.device);
      m.prepare(b.c, b.system);
      m.assemble(b.system);
      for (int i = 0; i < 4; ++i) {
        std::vector<vec3> r = b.noise(1), s = b.noise(1);
        // Smooth and rough ones: what is smooth is left to the coarsest level.
        if (i % 2)
          for (size_t v = 0; v < r.size(); ++v)
            r[v] = vec3(1, 0.5f, -0.3f) + 0.1f * r[v], s[v] = vec3(0, b.start[v].x, 1);
        for (int v = 0; v < 12; ++v) r[size_t(v)] = s[size_t(v)] = vec3(0);
        const std::vector<vec3> mr = cycle(b, m, r), ms = cycle(b, m, s);
        const double rr = inner(r, mr), ss = inner(s, ms);
        CHECK(rr > 0);
        CHECK(ss > 0);
        CHECK(std::abs(inner(s, mr) - inner(r, ms)) < 1e-4 * std::sqrt(rr * ss));
        for (int v = 0; v < 12; ++v) CHECK(mr[size_t(v)] == vec3(0));
      }
      // Conjugate gradients turn to whatever direction M were negative in.
      b.c.inertia.upload(b.noise(0.01f));
      b.forces(crumpled(b));
      b.cg.prepare(60);
      b.cg.start(b.system, &m);
      b.cg.run(b.system, 60, 0);
      for (const float rz : b.cg.residuals()) CHECK(rz > 0);
    }
}

TEST_CASE("no eigenvalue of any level lies beyond what its smoothing is made for") {
  for (const ElasticModel elastic : kElastic)
    for (const BendingModel bending : kBending) {
      CAPTURE(int(elastic));
      CAPTURE(int(bending));
      Bench b(cotton_sheet(elastic, bending, 2500));
      hold_some(b);
      b.forces(crumpled(b));
      MultilevelPreconditioner m(*b.device);
      m.prepare(b.c, b.system);
      m.assemble(b.system);
      REQUIRE(m.levels() >= 2);
      const auto highest = [](std::vector<vec3> u, const Span<float>& blocks, const auto& product) {
        double found = 0;
        for (int k = 0; k < 100; ++k) {
          const std::vector<vec3> q = product(u);
          double above = 0, below = 0;
          for (size_t i = 0; i < q.size(); ++i) {
            const Vec3<float> z =
                blocks::times_sym3<OneRow>(&blocks[interleaved(int(i), 0, 6)], {q[i].x, q[i].y, q[i].z});
            above += double(glm::dot(q[i], vec3(z.x, z.y, z.z)));
            below += double(glm::dot(q[i], u[i]));
            u[i] = vec3(z.x, z.y, z.z);
          }
          found = above / below;
          const double size = std::sqrt(inner(u, u));
          for (auto& x : u) x = x / float(size);
        }
        return found;
      };
      const double full = highest(b.noise(1), b.system.view().preconditioner,
                                  [&](const std::vector<vec3>& u) { return b.product(u); });
      MESSAGE("full mesh: " << full);
      CHECK(full < 4);  // elements join at most four vertices
      for (int level = 0; level < m.levels(); ++level) {
        const double found =
            highest(noise(b, m.level_rows(level)), m.level(level).preconditioner,
                    [&](const std::vector<vec3>& u) { return coarse_product(b, m, level, u); });
        MESSAGE("level " << level << ": " << found);
        CHECK(found < 2.0001);
        CHECK(found > 1);  // and not so far below that the iterations would be wasted
      }
    }
}

TEST_CASE(
    "what is added for the negative part of a coupling makes up for it, and where nothing is negative it is "
    "nothing") {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> uniform(-1, 1);
  const auto energy = [](const float(&m)[6], const glm::dvec3& v) {
    return m[0] * v.x * v.x + m[3] * v.y * v.y + m[5] * v.z * v.z +
           2 * (m[1] * v.x * v.y + m[2] * v.x * v.z + m[4] * v.y * v.z);
  };
  double slack = 0;
  for (int i = 0; i < 20000; ++i) {
    float m[6], more[6] = {0, 0, 0, 0, 0, 0};
    for (float& x : m) x = uniform(random);
    const float a = uniform(random), b = uniform(random), c = uniform(random),
                sign = i % 4 == 1 ? 1.0f : -1.0f;
    const float outer[6] = {sign * a * a, sign * a * b, sign * a * c,
                            sign * b * b, sign * b * c, sign * c * c};
    if (i % 4 == 1 || i % 4 == 2) std::copy(outer, outer + 6, m);  // of rank one
    if (i % 4 == 3) m[1] = m[2] = m[4] = 0, m[3] = m[0];           // with a double eigenvalue
    double size = 1e-6;
    for (const float x : m) size = std::max(size, std::abs(double(x)));
    newton::add_negative_twice(m, more);
    for (int k = 0; k < 8; ++k) {
      const glm::dvec3 v = glm::normalize(glm::dvec3(uniform(random), uniform(random), uniform(random)));
      CHECK(energy(m, v) + energy(more, v) > -1e-3 * size);  // m + 2 m⁻ is positive semidefinite
      CHECK(energy(more, v) > -1e-3 * size);
      if (i % 4 == 1) CHECK(energy(more, v) < 1e-3 * size);  // m is: nothing is added
      if (i % 4 == 2) slack = std::max(slack, energy(more, v) + 2 * energy(m, v));
    }
  }
  CHECK(slack < 1e-2);  // of a negative matrix of rank one just twice itself
}

TEST_CASE(
    "conjugate gradients find the same with both preconditioners, and coarser meshes keep their number from "
    "growing with the mesh") {
  int iterations[2][2];
  const int vertices[2] = {600, 9600};
  for (int size = 0; size < 2; ++size) {
    Bench b(cotton_sheet(ElasticModel::springs, BendingModel::quadratic, vertices[size]));
    swing(b, crumpled(b));
    const Solved jacobi = solve(b, nullptr, 8000, 1e-6f);
    MultilevelPreconditioner m(*b.device);
    m.prepare(b.c, b.system);
    m.assemble(b.system);
    const Solved multilevel = solve(b, &m, 200, 1e-6f);
    iterations[size][0] = jacobi.iterations;
    iterations[size][1] = multilevel.iterations;
    const double apart =
        std::sqrt(inner(along(jacobi.u, -1, multilevel.u), along(jacobi.u, -1, multilevel.u)) /
                  inner(jacobi.u, jacobi.u));
    MESSAGE(vertices[size] << " vertices: block Jacobi " << jacobi.iterations << " iterations, multilevel "
                           << multilevel.iterations << ", apart " << apart);
    CHECK(apart < 0.02);
  }
  CHECK(iterations[1][0] > 2.5 * iterations[0][0]);  // sixteen times the vertices: four times as far
  CHECK(iterations[1][1] < 1.7 * iterations[0][1]);
  CHECK(iterations[1][1] * 8 < iterations[1][0]);
}

TEST_CASE("grains are on no coarser mesh, and two cloths take no more iterations on the coarsest than one") {
  const Scene one = cotton_sheet(ElasticModel::springs, BendingModel::quadratic, 900);
  Scene grains = one, two = one;
  GrainParams& sand = grains.of<GrainList>().list.emplace_back();
  sand.size = vec3(0.15f), sand.placement.position.z = 1;
  two.cloths.push_back(one.cloths[0]);
  two.cloths[1].name = "second", two.cloths[1].placement.position.z = 1;
  Bench b(one), with(grains), pair(two);
  MultilevelPreconditioner m(*b.device), m_with(*with.device), m_pair(*pair.device);
  m.prepare(b.c, b.system), m_with.prepare(with.c, with.system), m_pair.prepare(pair.c, pair.system);
  REQUIRE(with.vertices() > b.vertices() + 300);
  REQUIRE(m_with.levels() == m.levels());
  for (int l = 0; l < m.levels(); ++l) CHECK(m_with.level_rows(l) == m.level_rows(l));
  CHECK(m_with.coarsest_iterations() == m.coarsest_iterations());
  const double of_one = m_pair.level_rows(m_pair.levels() - 1) / 2.0;
  CHECK(m_pair.coarsest_iterations() == 2 * int(std::ceil(std::sqrt(of_one))));
  // and the system is solved as it is without coarser meshes
  swing(with, crumpled(with));
  const Solved jacobi = solve(with, nullptr, 8000, 1e-6f);
  m_with.assemble(with.system);
  const Solved multilevel = solve(with, &m_with, 200, 1e-6f);
  const std::vector<vec3> apart = along(jacobi.u, -1, multilevel.u);
  MESSAGE("iterations: ", jacobi.iterations, " and ", multilevel.iterations);
  CHECK(std::sqrt(inner(apart, apart) / inner(jacobi.u, jacobi.u)) < 0.02);
  CHECK(multilevel.iterations * 3 < jacobi.iterations);
}

TEST_CASE("the multilevel preconditioner gives the same bits for any number of threads") {
  std::vector<vec3> first;
  for (const int threads : {1, 2, 5}) {
    Bench b(cotton_sheet(ElasticModel::finite_elements, BendingModel::quadratic, 3000), threads);
    swing(b, crumpled(b));
    MultilevelPreconditioner m(*b.device);
    m.prepare(b.c, b.system);
    m.assemble(b.system);
    const Solved s = solve(b, &m, 20);
    if (first.empty()) first = s.u;
    CHECK(first == s.u);
  }
}

TEST_CASE("the preconditioner and the bending model are switched while the cloth moves") {
  Scene s = cotton_sheet(ElasticModel::springs, BendingModel::quadratic, 900);
  s.set("step.solver", "newton");
  const auto device = Device::create(DeviceChoice::cpu);
  device->verify_replays = true;
  Simulation sim(s, *device);
  const size_t with = (sim.step(), device->bytes_in_use());
  for (const auto& [key, value] :
       std::initializer_list<std::pair<const char*, const char*>>{{"newton.preconditioner", "block_jacobi"},
                                                                  {"step.bending_model", "meshless"},
                                                                  {"newton.preconditioner", "multilevel"},
                                                                  {"step.bending_model", "quadratic"}}) {
    sim.apply(SetParam{key, value});
    for (int i = 0; i < 3; ++i) CHECK_NOTHROW(sim.step());
    if (std::string(value) == "block_jacobi") CHECK(device->bytes_in_use() < with);
  }
  for (const vec3& x : sim.positions()) CHECK(glm::length(x) < 10);
}

TEST_CASE("a mesh that is too small for coarser ones is solved without") {
  Bench b(small_sheet(ElasticModel::springs, BendingModel::quadratic, 60));
  MultilevelPreconditioner m(*b.device);
  m.prepare(b.c, b.system);
  CHECK(m.empty());
}
