// The closest rest shapes of elements, against shapes that a random search finds.
#include "membrane_element.h"
#include "sim/energies/corotated_triangle.h"
#include "sim/energies/dihedral_hinge.h"
#include "sim/energies/stvk_triangle.h"
#include "sim/energies/thread_lock.h"
#include "tests/solvers/quadratic_hinge.h"

using namespace weft;
using namespace weft::testing;

namespace {

template <class E>
typename TestElement<E>::Points projected(const TestElement<E>& e, const typename TestElement<E>::Points& x) {
  const auto p = E::project(e.edges(x), e.rest, e.material);
  auto y = x;
  P middle(0), mean(0);
  for (int i = 1; i < e.N; ++i) {
    y[size_t(i)] = x[0] + P(p[i - 1].x, p[i - 1].y, p[i - 1].z);
    middle += x[size_t(i)] - x[0], mean += y[size_t(i)] - x[0];
  }
  for (P& q : y)
    q += (middle - mean) / double(e.N);  // edges leave the place open: the same centre is the nearest
  return y;
}

/// Sum of the squared distances of the points, m².
template <class Points>
double by_points(const Points& x, const Points& y) {
  double sum = 0;
  for (size_t i = 0; i < x.size(); ++i) sum += glm::dot(x[i] - y[i], x[i] - y[i]);
  return sum;
}
/// |F - R|².
template <class E>
double by_strain(const TestElement<E>& e, const typename TestElement<E>::Points& x,
                 const typename TestElement<E>::Points& y) {
  const auto f = deformation_gradient(e.edges(x), e.rest), g = deformation_gradient(e.edges(y), e.rest);
  const auto d1 = f.f1 - g.f1, d2 = f.f2 - g.f2;
  return dot(d1, d1) + dot(d2, d2);
}

/// A projection costs no energy, stays where it is when projected again, and no rest shape that a random
/// search from it finds is nearer. `size`: of the element, m; `reach`: of the search's steps, in sizes.
template <class E, class Distance>
void check_closest(const TestElement<E>& e, const typename TestElement<E>::Points& x, double size,
                   Random& random, const Distance& distance, double reach = 0.3) {
  const auto y = projected(e, x), again = projected(e, y);
  double stiffest = 0;
  for (const auto& row : e.hessian(y))
    for (const double h : row) stiffest = std::max(stiffest, std::abs(h));
  CHECK(e.energy(y) <= 1e-8 * stiffest * size * size);
  CHECK(by_points(y, again) <= 1e-8 * size * size);
  auto best = y;
  double scale = reach * size;
  for (int k = 0; k < 400; ++k) {
    auto tried = best;
    for (P& p : tried) p += random.point(scale);
    tried = projected(e, tried);
    if (distance(x, tried) < distance(x, best)) best = tried;
    else scale = std::max(0.97 * scale, 1e-3 * reach * size);
  }
  CHECK(distance(x, y) <= distance(x, best) + 1e-6 * size * size);
}

template <class E>
std::array<P, size_t(E::kPoints)> any_points(Random& random) {
  std::array<P, size_t(E::kPoints)> x;
  for (P& p : x) p = random.point();
  return x;
}

}  // namespace

TEST_CASE(
    "the closest rest shape of a spring is an edge of its length, and of a lock one that is not longer") {
  Random random(1);
  const TestElement<Spring> spring{{0.7}, {300}};
  const TestElement<ThreadLock> lock{{0.7}, {300, 1.05}};
  for (int i = 0; i < 20; ++i) {
    const auto x = any_points<Spring>(random);
    check_closest(spring, x, 0.7, random, by_points<std::array<P, 2>>);
    check_closest(lock, x, 0.7, random, by_points<std::array<P, 2>>);
    // E is k/2 times the squared distance of the edges.
    const auto p = Spring::project(spring.edges(x), spring.rest, spring.material);
    const Vec3<double> gap = p[0] - spring.edges(x)[0];
    CHECK(spring.energy(x) == doctest::Approx(150 * dot(gap, gap)));
  }
  const auto p = Spring::project<double>({{{0, 0, 0}}}, spring.rest, spring.material);
  CHECK(p[0].x == 0.7);  // no direction: some edge of that length
}

TEST_CASE("the closest rest shape of a triangle is the rest triangle in its nearest rotation") {
  Random random(2);
  const Membrane<CorotatedTriangle> corotated({1000 / 2.6, 1000 * 0.3 / 0.91});
  const Membrane<StvkTriangle> woven(StvkTriangle::orthotropic<double>(1000, 400, 60, 0.25));
  for (int i = 0; i < 20; ++i) {
    const auto x = any_points<CorotatedTriangle>(random);
    check_closest(corotated, x, 1, random,
                  [&](const auto& a, const auto& b) { return by_strain(corotated, a, b); });
    check_closest(woven, x, 1, random, [&](const auto& a, const auto& b) { return by_strain(woven, a, b); });
    const auto y = projected(corotated, x);
    CHECK(glm::distance(y[1], y[0]) == doctest::Approx(glm::length(corotated.rest_edges[0])));
    CHECK(glm::distance(y[2], y[0]) == doctest::Approx(glm::length(corotated.rest_edges[1])));
  }
}

TEST_CASE("the closest rest shape of a hinge has its rest angle or no curvature") {
  Random random(3);
  const TestElement<DihedralHinge> dihedral{{0.3, 1.25}, {2}};
  const TestElement<QuadraticHinge> quadratic{{-0.4, -0.9, 0.6, 0.7, 1.25}, {2}};
  for (int i = 0; i < 20; ++i) {
    check_closest(quadratic, any_points<QuadraticHinge>(random), 1, random, by_points<std::array<P, 4>>);
    const double angle = random.uniform(-1.2, 1.8);
    const std::array<P, 4> x = {P(0), P(1, 0, 0), P(0.4, random.uniform(0.4, 1), 0),
                                P(0.7, -0.7 * std::cos(angle), -0.7 * std::sin(angle))};
    check_closest(dihedral, x, 1, random, by_points<std::array<P, 4>>, 0.02);
    // Iterations converge linearly, the slower the further the angle is from rest.
    CHECK(std::abs(hinge_angle(dihedral.edges(projected(dihedral, x))).theta - 0.3) < 1e-4);
  }
}
