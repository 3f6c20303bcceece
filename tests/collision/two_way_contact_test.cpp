// Contact constraints of two-way collision handling: derivatives, and what a visit does.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "sim/collision/contact_terms/merit_kernels.h"
#include "sim/collision/free_path/bound_kernels.h"
#include "sim/collision/free_path/contact.h"

using namespace weft;
using namespace weft::two_way;

namespace {

constexpr float kActivation = 1e-3f;

/// The volume form as the paper writes it, in double: six times the volume over what it is at distance delta,
/// less 1, times delta.
double volume(const vec3 x[4], bool vertex_triangle, double plane_area) {
  const dvec3 p[4] = {dvec3(x[0]), dvec3(x[1]), dvec3(x[2]), dvec3(x[3])};
  const double six = vertex_triangle ? glm::dot(p[0] - p[1], glm::cross(p[2] - p[1], p[3] - p[1]))
                                     : glm::dot(p[0] - p[2], glm::cross(p[1] - p[0], p[3] - p[2]));
  return std::abs(six) / plane_area;
}

double area_of(const vec3 x[4], bool vertex_triangle) {
  const dvec3 p[4] = {dvec3(x[0]), dvec3(x[1]), dvec3(x[2]), dvec3(x[3])};
  return glm::length(vertex_triangle ? glm::cross(p[2] - p[1], p[3] - p[1])
                                     : glm::cross(p[1] - p[0], p[3] - p[2]));
}

/// A pair with its closest points inside both primitives, some tenths of a millimetre apart.
void random_pair(std::mt19937& random, bool vertex_triangle, vec3 x[4]) {
  std::uniform_real_distribution<float> any(-1, 1);
  const auto noise = [&] { return 1e-3f * vec3(any(random), any(random), any(random)); };
  const float gap = 2e-4f + 4e-4f * (any(random) + 1);
  if (vertex_triangle) {
    x[1] = vec3(0, 0, 0) + noise(), x[2] = vec3(8e-3f, 0, 0) + noise(), x[3] = vec3(0, 8e-3f, 0) + noise();
    const vec3 n = glm::normalize(glm::cross(x[2] - x[1], x[3] - x[1]));
    x[0] = 0.4f * x[1] + 0.3f * x[2] + 0.3f * x[3] + gap * (any(random) > 0 ? n : -n);
  } else {
    x[0] = vec3(-4e-3f, 0, 0) + noise(), x[1] = vec3(4e-3f, 0, 0) + noise(),
    x[2] = vec3(0, -4e-3f, 0) + noise(), x[3] = vec3(0, 4e-3f, 0) + noise();
    const vec3 n = glm::normalize(glm::cross(x[1] - x[0], x[3] - x[2]));
    const float shift = (any(random) > 0 ? gap : -gap) - glm::dot(x[2] - x[0], n);
    for (int k : {2, 3}) x[k] += shift * n;
  }
}

Contact contact_of(const vec3 x[4], bool vertex_triangle, bool by_volume) {
  const auto closest = vertex_triangle ? closest_vertex_triangle(x[0], x[1], x[2], x[3])
                                       : closest_edge_edge(x[0], x[1], x[2], x[3]);
  return make_contact({0, 1, 2, 3}, x, closest, vertex_triangle, by_volume, kActivation);
}

}  // namespace

TEST_CASE("gradients of contact volumes are those of the volume over the present area") {
  std::mt19937 random(3);
  for (int trial = 0; trial < 400; ++trial) {
    const bool vertex_triangle = trial % 2;
    vec3 x[4];
    random_pair(random, vertex_triangle, x);
    const Contact c = contact_of(x, vertex_triangle, true);
    const double area = area_of(x, vertex_triangle);
    CHECK(double(c.value) + double(kActivation) ==
          doctest::Approx(volume(x, vertex_triangle, area)).epsilon(1e-3));
    for (int k = 0; k < 4; ++k)
      for (int a = 0; a < 3; ++a) {
        // The volume is cubic in all and linear in each coordinate, so that a central difference is exact but
        // for rounding: float positions of 8 mm hold
        // 5e-10 m, and a difference of 1e-4 m keeps five digits of it.
        constexpr float h = 1e-4f;
        vec3 before[4], after[4];
        for (int j = 0; j < 4; ++j) before[j] = after[j] = x[j];
        before[k][a] -= h, after[k][a] += h;
        const double way = double(after[k][a]) - double(before[k][a]);
        CHECK(double(c.gradient[k][a]) ==
              doctest::Approx((volume(after, vertex_triangle, area) - volume(before, vertex_triangle, area)) /
                              way)
                  .epsilon(1e-3));
      }
  }
}

TEST_CASE("a contact does not resist moving all of it") {
  std::mt19937 random(4);
  for (int trial = 0; trial < 200; ++trial) {
    vec3 x[4], sum(0);
    random_pair(random, trial % 2, x);
    const Contact c = contact_of(x, trial % 2, trial % 4 < 2);
    for (const vec3& g : c.gradient) sum += g;
    // four roundings of numbers about 1, and cross products of edges 8 times as long as the gap
    CHECK(glm::length(sum) < 2e-5f);
  }
}

TEST_CASE("one visit takes out the violation along the gradient and keeps the momentum") {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> any(0.5f, 2);
  for (int trial = 0; trial < 200; ++trial) {
    vec3 x[4], y[4], move[4];
    random_pair(random, trial % 2, x);
    Contact c = contact_of(x, trial % 2, trial % 4 < 2);
    float inverse_mass[4];
    for (int k = 0; k < 4; ++k)
      inverse_mass[k] = 1e6f * any(random), y[k] = x[k] - 1e-3f * c.weight[k] * c.normal;
    REQUIRE(resolve(c, inverse_mass, x, x, y, move));
    float value = c.value;
    vec3 momentum(0);
    for (int k = 0; k < 4; ++k)
      value += glm::dot(c.gradient[k], y[k] + move[k] - x[k]), momentum += move[k] / inverse_mass[k];
    CHECK(std::abs(value) < 1e-3f * kActivation);
    CHECK(glm::length(momentum) < 1e-4f * glm::length(move[0]) / inverse_mass[0] + 1e-14f);
  }
}

TEST_CASE("friction stops slip that is slow against the push and only brakes what is fast") {
  vec3 x[4];
  std::mt19937 random(6);
  random_pair(random, true, x);
  Contact c = contact_of(x, true, false);
  c.friction = 0.5f;
  const float inverse_mass[4] = {1e6f, 0, 0, 0};  // a vertex on a body
  const vec3 along = glm::normalize(x[2] - x[1] - glm::dot(x[2] - x[1], c.normal) * c.normal);
  const auto slip_after = [&](float slip, float depth) {
    vec3 y[4], move[4];
    for (int k = 0; k < 4; ++k) y[k] = x[k];
    y[0] += slip * along - (depth + c.value) * c.normal;
    REQUIRE(resolve(c, inverse_mass, x, x, y, move));
    return glm::dot(y[0] + move[0] - x[0], along);
  };
  CHECK(std::abs(slip_after(0.4e-3f, 1e-3f)) < 1e-8f);
  CHECK(slip_after(2e-3f, 1e-3f) == doctest::Approx(1.5e-3).epsilon(1e-3));
}

TEST_CASE("contacts that are content, or between prescribed points, do nothing") {
  vec3 x[4], move[4];
  std::mt19937 random(7);
  random_pair(random, true, x);
  const Contact c = contact_of(x, true, true);
  const float fixed[4] = {0, 0, 0, 0}, free[4] = {1, 1, 1, 1};
  vec3 apart[4] = {x[0] + kActivation * c.normal, x[1], x[2], x[3]};
  CHECK_FALSE(resolve(c, fixed, x, x, x, move));
  CHECK_FALSE(resolve(c, free, x, x, apart, move));
}

TEST_CASE("the solver's firm contact stiffens, is stiff, and from a depth on pushes no harder") {
  const Firmness firmness{1000, {}, 3e-4f, 1e-3f, 2.3e-3f};
  const float soft = 2, firm = 800;
  const auto force = [&](float depth) {
    return double(soft) * double(Pressed(depth, depth, soft, firm, firmness).load);
  };
  const auto stiffness = [&](float depth) {
    return double(Pressed(depth, depth, soft, firm, firmness).stiffness);
  };
  for (const float depth : {1e-4f, 5e-4f, 1.2e-3f, 1.8e-3f}) {
    CAPTURE(depth);
    // the force is quadratic at most here: differences of it are its derivative but for rounding
    const float h = 1e-5f;
    CHECK(stiffness(depth) ==
          doctest::Approx((force(depth + h) - force(depth - h)) / double(2 * h)).epsilon(1e-3));
  }
  CHECK(force(3.001e-4f) - force(2.999e-4f) < 1e-6);                           // no step where it begins
  CHECK(force(9e-3f) - force(5e-3f) == doctest::Approx(double(soft) * 4e-3));  // the soft part alone
  // Where it does not grow an iteration that it alone decides ends where the firm part begins, not beyond.
  for (const float depth : {2.4e-3f, 4e-3f, 2e-2f}) {
    CAPTURE(depth);
    CHECK((force(depth) - double(soft * depth)) / (stiffness(depth) - double(soft)) ==
          doctest::Approx(double(depth) - 3e-4));
  }
}

TEST_CASE("friction of a pressed contact is Coulomb's, and resists slip along it only where it sticks") {
  const float stiffness = 10, most = 4e-4f;
  const vec3 along(1, 0, 0), normal(0, 1, 0);
  for (const float slip : {1e-4f, 3.9e-4f, 5e-4f, 1e-2f}) {
    CAPTURE(slip);
    SlipHistory history;
    history.look(slip * along, {.most = most, .load = most});
    const FrictionTangent f(slip * along, most, stiffness, history);
    CHECK(f.stick * slip == doctest::Approx(stiffness * std::min(slip, most)));
    Sym3 block;
    f.add_to(block, 1, normal, 7);
    CHECK(glm::dot(along, block * along) == doctest::Approx(slip <= most ? f.stick : 0));
    CHECK(glm::dot(vec3(0, 0, 1), block * vec3(0, 0, 1)) == doctest::Approx(f.stick));
    CHECK(glm::dot(normal, block * normal) == doctest::Approx(7));
  }
}

TEST_CASE("friction comes to where its forces balance from any start, whether that sticks or slides") {
  // A mass on a spring of inertia that is pulled by `pull`, with a friction spring 30 times as stiff:
  // Newton's method in one dimension.
  const float inertia = 1, stiffness = 300, most = 1e-3f, limit = stiffness * most;
  for (const float pull : {0.0f, 0.3f * limit, 0.95f * limit, 1.4f * limit, 5 * limit})
    for (const float start : {-0.5f, -2e-3f, 0.0f, 5e-4f, 2e-3f, 0.5f}) {
      CAPTURE(pull);
      CAPTURE(start);
      SlipHistory history;
      float x = start;
      for (int k = 0; k < 8; ++k) {
        history.look({x, 0, 0}, {.most = most, .load = most, .reach = limit / inertia});
        const FrictionTangent f({x, 0, 0}, most, stiffness, history);
        Sym3 block;
        f.add_to(block, 1, {0, 1, 0}, 0);
        x += (pull - inertia * x - f.stick * x) / (inertia + block.xx);
      }
      const float sticks = pull / (inertia + stiffness),
                  exact = sticks <= most ? sticks : (pull - limit) / inertia;
      CHECK(double(x) == doctest::Approx(double(exact)).epsilon(1e-3));
    }
}

TEST_CASE("friction of a load that is still being found does not throw the slip to the other side") {
  // A mass that slips by 3.7 mm without friction. As cloth lands, the load of its contacts is found from some
  // hundred times too much on: Newton's method takes a quarter of the force in each step.
  const float inertia = 1, most = 1e-4f, free = 3.7e-3f;
  for (const float share : {0.5f, 1.5f}) {  // of the force that stops it
    CAPTURE(share);
    SlipHistory history;
    float x = free, least = free;
    for (int k = 0; k < 14; ++k) {
      const float load = share * std::max(1.0f, 480 * std::pow(0.25f, float(k))),
                  limit = load * inertia * free;
      history.look({x, 0, 0}, {.most = most, .load = load, .reach = limit / inertia});
      const FrictionTangent f({x, 0, 0}, most, limit / most, history);
      Sym3 block;
      f.add_to(block, 1, {0, 1, 0}, 0);
      x += (inertia * (free - x) - f.stick * x) / (inertia + block.xx);
      least = std::min(least, x);
    }
    CHECK(least > -1e-7f);
    const float stiffness = share * inertia * free / most,
                exact = share < 1 ? (1 - share) * free : inertia * free / (inertia + stiffness);
    CHECK(double(x) == doctest::Approx(double(exact)).epsilon(2e-3));
  }
}

TEST_CASE(
    "what a contact's energy has beyond its model along a step is the integral of its force, less the "
    "model's") {
  const Firmness firmness{1000, {}, 3e-4f, 1e-3f, 2.3e-3f};
  const float soft = 2, firm = 800;
  for (const float still : {-5e-4f, 1e-4f, 8e-4f, 3e-3f})
    for (const double closer : {-2e-3, -3e-4, 2e-4, 4e-3}) {
      CAPTURE(still);
      CAPTURE(closer);
      const auto force = [&](double depth) {
        return depth > 0
                   ? double(soft) * double(Pressed(float(depth), float(depth), soft, firm, firmness).load)
                   : 0.0;
      };
      PressedContact contact{soft, firm, still, 0, {}, vec3(0), 0, 0, {}};
      if (still > 0) contact.pressed = Pressed(still, still, soft, firm, firmness);
      double work = 0;
      const int parts = 20000;
      for (int i = 0; i < parts; ++i)
        work += force(double(still) + closer * (i + 0.5) / parts) * closer / parts;
      const double stiffness = still > 0 ? double(contact.pressed.stiffness) : 0;
      const double expected = work - force(double(still)) * closer - 0.5 * stiffness * closer * closer;
      CHECK(contact(closer, glm::dvec3(0), firmness) == doctest::Approx(expected).epsilon(1e-3));
    }
  // Friction: from sticking and from sliding, along the slip and across it.
  const float most = 4e-4f, stiffness = 10;
  for (const vec3& slip : {vec3(1e-4f, 0, 0), vec3(3e-3f, 0, 0)})
    for (const glm::dvec3& along :
         {glm::dvec3(2e-4, 0, 0), glm::dvec3(-4e-3, 0, 0), glm::dvec3(0, 0, 1e-3)}) {
      SlipHistory history;
      history.look(slip, {.most = most, .load = most});
      const FrictionTangent tangent(slip, most, stiffness, history);
      const PressedContact contact{soft, 0,    1e-3f,     0,      Pressed(1e-3f, 1e-3f, soft, 0, firmness),
                                   slip, most, stiffness, history};
      double work = 0;
      const int parts = 20000;
      for (int i = 0; i < parts; ++i) {
        const glm::dvec3 s = glm::dvec3(slip) + along * ((i + 0.5) / parts);
        work += double(stiffness) * std::min(1.0, double(most) / glm::length(s)) * glm::dot(s, along) / parts;
      }
      const double across = glm::dot(glm::dvec3(tangent.along), along), stick = double(tangent.stick);
      const double model =
          stick * (glm::dot(glm::dvec3(slip), along) + 0.5 * (glm::dot(along, along) - across * across));
      CHECK(contact(0, along, firmness) == doctest::Approx(work - model).epsilon(1e-3));
    }
}

TEST_CASE(
    "the gap that float finds between a point and a triangle of any size is too large by less than its "
    "margin for rounding") {
  std::mt19937 random(11);
  std::uniform_real_distribution<float> any(-1, 1);
  std::vector<vec3> x(4);
  double worst = 0;
  for (const float size : {0.004f, 0.1f, 1.0f, 20.0f, 300.0f})
    for (int trial = 0; trial < 20000; ++trial) {
      // The triangle's plane passes the point near the origin: corners are far out, the gap is next to
      // nothing.
      const vec3 n = glm::normalize(vec3(any(random), any(random), any(random)));
      const vec3 e = glm::normalize(glm::cross(n, vec3(any(random), any(random), any(random)))),
                 f = glm::cross(n, e);
      x[0] = 0.05f * vec3(any(random), any(random), any(random));
      const vec3 foot = x[0] - 1e-6f * any(random) * n;
      x[1] = foot + size * (-e - 0.5f * f), x[2] = foot + size * (e - 0.5f * f), x[3] = foot + size * f;
      const PairPoints pair(ivec4(0, 1, 2, 3), true, Span<const vec3>(x.data(), 4));
      const vec3 direction = best_normal(pair, true);
      const double found = double(separation(pair, true, direction));
      double low = 0, high = -1e30;
      for (int k = 1; k < 4; ++k)
        high = std::max(high, glm::dot(dvec3(direction), dvec3(x[size_t(k)]) - dvec3(x[0])));
      const double exact = (low - high) / std::max(1e-30, glm::length(dvec3(direction)));
      if (glm::length(direction) < 0.5f) continue;  // they touch
      const double margin = double(rounding(pair.x));
      worst = std::max(worst, (found - exact) / margin);
      REQUIRE(found - exact < margin);
    }
  MESSAGE("at most ", worst, " of the margin");
  CHECK(worst > 0.001);  // the margin is of the size of what it is for
}
