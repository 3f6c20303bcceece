// Energies of tetrahedra: derivatives, small strains, shapes that are flat or inside out.
#include "element_checks.h"
#include "sim/energies/corotated_tetrahedron.h"
#include "sim/energies/stable_tetrahedron.h"
#include "sim/energies/stvk_tetrahedron.h"

using namespace weft;
using namespace weft::testing;

namespace {

using Points = std::array<P, 4>;

/// Points of a well-shaped cell at rest, m.
const Points kRest = {P(0.1, 0, 0), P(1.2, 0.1, -0.1), P(0.3, 0.9, 0.2), P(0.2, 0.3, 1.1)};

template <class E>
struct Tetrahedron : TestElement<E> {
  explicit Tetrahedron(const Points& at, double young = 1000, double poisson = 0.3) {
    this->rest = precise(at);
    const double mu = young / (2 * (1 + poisson)),
                 lame = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
    const bool stable = std::is_same_v<E, StableTetrahedron>;
    this->material = {mu, stable ? lame + mu : lame};
  }
  /// As E::rest_of, in double precision.
  static TetRest<double> precise(const Points& at) {
    const P a = at[1] - at[0], b = at[2] - at[0], c = at[3] - at[0];
    const double det = glm::dot(glm::cross(a, b), c);
    const auto row = [&](const P& g) { return Vec3<double>{g.x / det, g.y / det, g.z / det}; };
    return {row(glm::cross(b, c)), row(glm::cross(c, a)), row(glm::cross(a, b)), det / 6};
  }
};

Points deformed(const glm::dmat3& f, const P& by = P(0)) {
  Points x;
  for (size_t i = 0; i < 4; ++i) x[i] = f * kRest[i] + by;
  return x;
}

/// U diag(s) Vᵀ with random rotations.
glm::dmat3 with_stretches(Random& random, const P& s) {
  return random.rotation() * glm::dmat3(s.x, 0, 0, 0, s.y, 0, 0, 0, s.z) * glm::transpose(random.rotation());
}

template <class E>
void check_derivatives(Random& random) {
  const Tetrahedron<E> e(kRest);
  for (int i = 0; i < 40; ++i) {
    const P s(random.uniform(0.4, 1.8), random.uniform(0.4, 1.8), random.uniform(0.4, 1.8));
    const Points x = deformed(with_stretches(random, s), random.point());
    check_gradient(e, x, 0.5);
    check_projection(e, x);
    check_rigid_motion(e, x, random.rotation(), random.point());
    check_numbers(e, x, 3e-5);
  }
}

/// Energy per volume of a small strain that is symmetric.
double linear_density(const glm::dmat3& strain, double young, double poisson) {
  const double mu = young / (2 * (1 + poisson)), lame = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
  const double trace = strain[0][0] + strain[1][1] + strain[2][2];
  double squared = 0;
  for (int i = 0; i < 3; ++i) squared += glm::dot(strain[i], strain[i]);
  return mu * squared + 0.5 * lame * trace * trace;
}

template <class E>
void check_small_strains(Random& random) {
  const Tetrahedron<E> e(kRest, 1000, 0.3);
  for (int i = 0; i < 20; ++i) {
    glm::dmat3 strain(0);
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b <= a; ++b) strain[a][b] = strain[b][a] = random.uniform(-1e-5, 1e-5);
    const double expected = linear_density(strain, 1000, 0.3);
    const double found = e.energy(deformed(random.rotation() * (glm::dmat3(1) + strain))) / e.rest.volume;
    CHECK(std::abs(found / expected - 1) < 1e-3);
  }
}

/// The projection of a symmetric matrix onto positive semidefinite ones has its positive eigenvalues.
template <class E>
void check_positive_part(Random& random, const P& s) {
  // Both projections agree where the b_i are orthonormal.
  const Points corner = {P(0), P(1, 0, 0), P(0, 1, 0), P(0, 0, 1)};
  const Tetrahedron<E> unit(corner);
  const glm::dmat3 f = with_stretches(random, s);
  Points x = corner;
  for (P& p : x) p = f * p;
  const auto block = [](const Dense& h) {  // points 1 to 3 are F's columns
    Dense out(9, std::vector<double>(9));
    for (size_t a = 0; a < 9; ++a)
      for (size_t b = 0; b < 9; ++b) out[a][b] = h[a + 3][b + 3];
    return out;
  };
  std::vector<double> exact = eigenvalues(block(unit.differenced(x, 0.5))),
                      kept = eigenvalues(block(unit.hessian(x)));
  for (double& v : exact) v = std::max(v, 0.0);
  std::sort(exact.begin(), exact.end()), std::sort(kept.begin(), kept.end());
  for (size_t k = 0; k < 9; ++k) CHECK(std::abs(exact[k] - kept[k]) < 1e-5 * exact.back());
}

}  // namespace

TEST_CASE("a tetrahedron's gradient is the derivative of its energy") {
  Random random(1);
  check_derivatives<StableTetrahedron>(random);
  check_derivatives<StvkTetrahedron>(random);
  check_derivatives<CorotatedTetrahedron>(random);
}

TEST_CASE("a tetrahedron's projected Hessian is the exact one where that has no negative direction") {
  Random random(2);
  // slightly stretched in all directions: tension alone
  for (int i = 0; i < 40; ++i) {
    const P s(random.uniform(1.01, 1.1), random.uniform(1.01, 1.1), random.uniform(1.01, 1.1));
    const Points x = deformed(with_stretches(random, s), random.point());
    check_exact_hessian(Tetrahedron<StvkTetrahedron>(kRest), x, 0.5);
    check_exact_hessian(Tetrahedron<StableTetrahedron>(kRest), x, 0.5);
    check_exact_hessian(Tetrahedron<CorotatedTetrahedron>(kRest), x, 0.5);
  }
}

TEST_CASE("a tetrahedron's projection keeps each positive eigenvalue of the exact Hessian") {
  Random random(3);
  for (int i = 0; i < 40; ++i) {
    const P s(random.uniform(0.3, 2), random.uniform(0.3, 2), random.uniform(-0.6, 2));
    check_positive_part<StableTetrahedron>(random, s);
    // the polar factor turns fast where two stretches nearly sum to 0: differences need some distance
    const P away(s.x, s.y, std::max(s.z, 0.2 - std::min(s.x, s.y)));
    check_positive_part<CorotatedTetrahedron>(random, away);
  }
}

TEST_CASE("tetrahedra resist small strains as linear elasticity says and rotations not at all") {
  Random random(4);
  check_small_strains<StableTetrahedron>(random);
  check_small_strains<StvkTetrahedron>(random);
  check_small_strains<CorotatedTetrahedron>(random);
  // no projected stiffness against turning either: what a rotation moves costs nothing to second order
  const Tetrahedron<StableTetrahedron> e(kRest);
  const Dense h = e.hessian(kRest);
  for (int axis = 0; axis < 3; ++axis) {
    P w(0);
    w[axis] = 1;
    std::vector<double> u;
    for (const P& p : kRest) {
      const P turned = glm::cross(w, p);
      u.insert(u.end(), {turned.x, turned.y, turned.z});
    }
    double cost = 0, most = eigenvalue_range(h)[1], size = 0;
    for (size_t i = 0; i < 12; ++i)
      for (size_t j = 0; j < 12; ++j) cost += u[i] * h[i][j] * u[j];
    for (const double v : u) size += v * v;
    CHECK(std::abs(cost) < 1e-9 * most * size);
  }
}

TEST_CASE("a stable tetrahedron pulls back from being flat or inside out or a point") {
  const Tetrahedron<StableTetrahedron> e(kRest);
  Random random(5);
  for (const double s : {0.3, 0.0, -0.5, -1.0}) {
    const glm::dmat3 turn = random.rotation();
    const auto shape = [&](double third) {
      return deformed(turn * glm::dmat3(1, 0, 0, 0, 1, 0, 0, 0, third));
    };
    CHECK(e.energy(shape(s)) > e.energy(shape(s + 0.01)));
    check_projection(e, shape(s));
    check_numbers(e, shape(s), 1e-4);
  }
  check_projection(e, deformed(glm::dmat3(0)));
  check_numbers(e, deformed(glm::dmat3(0)), 1e-4);
}

TEST_CASE("a tetrahedron's bound is no less than its own blocks at rest") {
  check_bound(Tetrahedron<StableTetrahedron>(kRest), kRest);
  check_bound(Tetrahedron<StvkTetrahedron>(kRest), kRest);
  check_bound(Tetrahedron<CorotatedTetrahedron>(kRest), kRest);
}

TEST_CASE("a step of the constant matrix lowers the energy of a co-rotated tetrahedron") {
  // E(x + u) <= E(x) + g . u + w/2 V |du B|², w = 2 mu + 3 lambda, whatever u, also where x is stretched
  Random random(7);
  const Tetrahedron<CorotatedTetrahedron> e(kRest);
  const double weight = CorotatedTetrahedron::stiffest<double>(e.material) * e.rest.volume;
  for (int i = 0; i < 200; ++i) {
    const P s(random.uniform(0.5, 1.6), random.uniform(0.5, 1.6), random.uniform(0.5, 1.6));
    const Points x = deformed(with_stretches(random, s));
    const auto g = e.gradient(x);
    Points to = x;
    double slope = 0;
    for (size_t p = 0; p < 4; ++p) {
      const P u = random.uniform(0.001, 0.5) * random.point();
      to[p] += u, slope += glm::dot(g[p], u);
    }
    const auto f0 = tet_deformation(e.edges(x), e.rest), f1 = tet_deformation(e.edges(to), e.rest);
    const Vec3<double> d[3] = {f1.x - f0.x, f1.y - f0.y, f1.z - f0.z};
    const double squared = dot(d[0], d[0]) + dot(d[1], d[1]) + dot(d[2], d[2]);
    CHECK(e.energy(to) <= e.energy(x) + slope + 0.5 * weight * squared + 1e-9 * weight);
  }
}

TEST_CASE("a co-rotated tetrahedron pulls back from being flat or inside out or a point") {
  const Tetrahedron<CorotatedTetrahedron> e(kRest);
  Random random(8);
  for (const double s : {0.3, 0.0, -0.5}) {
    const glm::dmat3 turn = random.rotation();
    const auto shape = [&](double third) {
      return deformed(turn * glm::dmat3(1, 0, 0, 0, 1.1, 0, 0, 0, third));
    };
    CHECK(e.energy(shape(s)) > e.energy(shape(s + 0.01)));
    check_projection(e, shape(s));
    check_numbers(e, shape(s), 1e-4);
  }
  check_projection(e, deformed(glm::dmat3(0)));
  check_finite(e, deformed(glm::dmat3(0)));
}

TEST_CASE("the closest rest shape of a tetrahedron is its rest shape turned") {
  Random random(6);
  const Tetrahedron<StableTetrahedron> e(kRest);
  for (int i = 0; i < 20; ++i) {
    const glm::dmat3 turn = random.rotation();
    const P s(random.uniform(0.5, 2), random.uniform(0.5, 2), random.uniform(0.5, 2));
    const glm::dmat3 axes = random.rotation();
    const glm::dmat3 stretch = axes * glm::dmat3(s.x, 0, 0, 0, s.y, 0, 0, 0, s.z) * glm::transpose(axes);
    const Points x = deformed(turn * stretch), wanted = deformed(turn);
    const auto found = StableTetrahedron::project(e.edges(x), e.rest, e.material);
    for (int p = 1; p < 4; ++p) {
      const P edge = wanted[size_t(p)] - wanted[0];
      CHECK(glm::distance(edge, P(found[p - 1].x, found[p - 1].y, found[p - 1].z)) < 1e-9);
    }
  }
}
