#include "sim/energies/spring.h"

#include "differences.h"

using namespace weft;
using namespace weft::testing;

namespace {

constexpr double kStiffness = 300, kRest = 0.7;

ElementHessian<double, 2> both_ends(const Block3<double>& h) {
  ElementHessian<double, 2> r;
  r.block[0][0] = r.block[1][1] = h;
  r.block[0][1] = r.block[1][0] = -h;
  return r;
}

}  // namespace

TEST_CASE("a spring's gradient and Hessian are the derivatives of its energy") {
  Random random(1);
  for (int i = 0; i < 60; ++i) {
    const double length = i % 3 == 0 ? kRest : i % 3 == 1 ? 1e-3 : random.uniform(0.1, 3.0);  // at rest, collapsed, any
    const std::array<P, 2> x = {random.point(), P(0)};
    const std::array<P, 2> y = {x[0], x[0] + length * glm::normalize(random.point())};
    check_derivatives<2>(
        y, length, [](const auto& p) { return spring_energy<double>(p[1] - p[0], kStiffness, kRest); },
        [](const auto& p) {
          const P g = spring_gradient<double>(p[1] - p[0], kStiffness, kRest);
          return std::array<P, 2>{-g, g};
        },
        [](const auto& p) { return both_ends(spring_hessian<double>(p[1] - p[0], kStiffness, kRest)); });
  }
}

TEST_CASE("a spring at rest pulls with no force and one stretched by a tenth with k times the change") {
  CHECK(glm::length(spring_gradient<double>(P(0, kRest, 0), kStiffness, kRest)) < 1e-12);
  const P g = spring_gradient<double>(P(0, 1.1 * kRest, 0), kStiffness, kRest);
  CHECK(g.y == doctest::Approx(kStiffness * 0.1 * kRest));
  CHECK(spring_energy<double>(P(0, 1.1 * kRest, 0), kStiffness, kRest) == doctest::Approx(0.5 * 300 * 0.07 * 0.07));
}

TEST_CASE("a spring's projected Hessian has no negative eigenvalue and leaves a stretched spring's alone") {
  Random random(2);
  for (int i = 0; i < 60; ++i) {
    const P d = random.uniform(0.01, 2.0) * glm::normalize(random.point());
    const auto exact = dense(both_ends(spring_hessian<double>(d, kStiffness, kRest)));
    const auto projected = dense(both_ends(spring_hessian_psd<double>(d, kStiffness, kRest)));
    CHECK(eigenvalue_range(projected)[0] > -1e-12 * kStiffness);
    if (glm::length(d) > kRest)
      CHECK(frobenius(exact, projected) < 1e-12 * kStiffness);
    else
      CHECK(frobenius(exact, projected) > 0);
  }
}

TEST_CASE("a spring without length has finite derivatives in both precisions") {
  CHECK(spring_gradient<float>(vec3(0), 1e5f, 0.01f) == vec3(0));
  CHECK(spring_hessian<float>(vec3(0), 1e5f, 0.01f) == mat3(1e5f));
  CHECK(spring_hessian_psd<double>(P(0), 10.0, 0.0) == glm::dmat3(10.0));
  CHECK(spring_gradient<float>(vec3(1e-20f, 0, 0), 1e5f, 0.01f) == vec3(0));
}

TEST_CASE("float32 and double agree about a spring to the rounding of its length") {
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    const vec3 d = vec3(random.point(0.02));
    const P exact = spring_gradient<double>(P(d), 1000.0, double(0.01f));
    // The length carries a few ulps (6e-8 each) of itself, and so does each product.
    CHECK(glm::length(P(spring_gradient<float>(d, 1000.0f, 0.01f)) - exact) <
          4 * 6e-8 * 1000 * (glm::length(P(d)) + 0.01));
  }
}
