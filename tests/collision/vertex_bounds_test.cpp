// Where triangles cross, two of their vertices are near each other (Wu 2020, eq. 2 and 4); and the lengths
// that vertex repulsion makes of that (4.3.3).
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "sim/collision/repulsion/constraints/constraint_rows.h"

using namespace weft;
using namespace weft::repulsion;

namespace {

constexpr int kPairs = 100000;

/// A vertex in a triangle (points 0 | 1 2 3) or two edges that cross (0 1 | 2 3), with a unit direction
/// across both.
struct Crossing {
  bool edges = false;
  std::array<dvec3, 4> x;
  dvec3 across{0};

  double longest() const {
    if (edges) return std::max(glm::length(x[1] - x[0]), glm::length(x[3] - x[2]));
    return std::max({glm::length(x[2] - x[1]), glm::length(x[3] - x[2]), glm::length(x[1] - x[3])});
  }
  /// Pairs of vertices of the one and of the other.
  std::vector<ivec2> pairs() const {
    return edges ? std::vector<ivec2>{{0, 2}, {0, 3}, {1, 2}, {1, 3}}
                 : std::vector<ivec2>{{0, 1}, {0, 2}, {0, 3}};
  }
  std::vector<ivec2> own_edges() const {
    return edges ? std::vector<ivec2>{{0, 1}, {2, 3}} : std::vector<ivec2>{{1, 2}, {2, 3}, {3, 1}};
  }
  double nearest() const {
    double least = 1e30;
    for (const ivec2& p : pairs()) least = std::min(least, glm::length(x[size_t(p.x)] - x[size_t(p.y)]));
    return least;
  }
};

/// B_i,jkl of eq. 2: the circumradius of an acute triangle, else half of the longest edge.
double triangle_bound(const dvec3& p, const dvec3& q, const dvec3& r) {
  double l[3] = {glm::length(q - p), glm::length(r - q), glm::length(p - r)};
  std::sort(l, l + 3);
  if (l[0] * l[0] + l[1] * l[1] <= l[2] * l[2]) return 0.5 * l[2];
  const double sum = l[0] + l[1] + l[2];
  return l[0] * l[1] * l[2] / std::sqrt(sum * (sum - 2 * l[0]) * (sum - 2 * l[1]) * (sum - 2 * l[2]));
}

/// That, or B_ij,kl of eq. 4.
double paper_bound(const Crossing& c) {
  if (!c.edges) return triangle_bound(c.x[1], c.x[2], c.x[3]);
  const dvec3 a = c.x[1] - c.x[0], b = c.x[3] - c.x[2];
  return 0.5 * std::sqrt(glm::dot(a, a) + glm::dot(b, b));
}

class Maker {
 public:
  double share(double low = 0, double high = 1) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  dvec3 point() { return {share(-1, 1), share(-1, 1), share(-1, 1)}; }
  dvec3 direction() {
    for (;;) {
      const dvec3 p = point();
      if (const double l = glm::length(p); l > 0.1 && l < 1) return p / l;
    }
  }
  /// Any; or, `off` being how far, nearly what the bound is about: a regular triangle with the vertex in its
  /// middle, equal edges that halve each other at right angles.
  Crossing make(bool edges, bool near_worst) {
    const double off = near_worst ? std::pow(10.0, share(-6, -1)) : 0;
    Crossing c;
    c.edges = edges;
    if (near_worst) {
      const dvec3 u = direction(), n = glm::normalize(glm::cross(u, direction())), v = glm::cross(n, u);
      if (edges) {
        c.x = {-u, u, -v, v};
      } else {
        for (int k = 0; k < 3; ++k)
          c.x[size_t(k + 1)] = std::cos(2.0943951 * k) * u + std::sin(2.0943951 * k) * v;
      }
      for (dvec3& p : c.x) p += off * point();
    } else {
      for (dvec3& p : c.x) p = point();
    }
    const auto within = [&](double middle) { return near_worst ? middle + off * share(-0.3, 0.3) : share(); };
    if (edges) {
      // The second edge is moved so that both have a point in common.
      const dvec3 at = c.x[0] + within(0.5) * (c.x[1] - c.x[0]),
                  was = c.x[2] + within(0.5) * (c.x[3] - c.x[2]);
      c.x[2] += at - was, c.x[3] += at - was;
      c.across = glm::cross(c.x[1] - c.x[0], c.x[3] - c.x[2]);
    } else {
      double s = within(1.0 / 3), t = within(1.0 / 3);
      if (s + t > 1) s = 1 - s, t = 1 - t;
      c.x[0] = c.x[1] + s * (c.x[2] - c.x[1]) + t * (c.x[3] - c.x[1]);
      c.across = glm::cross(c.x[2] - c.x[1], c.x[3] - c.x[1]);
    }
    c.across = glm::length(c.across) > 1e-9 ? glm::normalize(c.across) : direction();
    return c;
  }

 private:
  std::mt19937 random_{11};
};

Vec3<float> packed(const dvec3& v) { return {float(v.x), float(v.y), float(v.z)}; }

/// How cloth half a metre off the origin rounds.
float margin() { return rounding<OneRow>({0.5f, 0.5f, 0.5f}); }

/// Whether the method lets edges be as long as they are here.
bool edges_allowed(const RepulsionConstants& c, const Crossing& pair) {
  for (const ivec2& e : pair.own_edges())
    if (!(edge_excess<OneRow>(c.max_edge, packed(pair.x[size_t(e.y)] - pair.x[size_t(e.x)]), {0, 0, 0},
                              margin()) <= 0))
      return false;
  return true;
}

/// Whether it refuses, for some pair of vertices, a collision step in which the first of both goes straight
/// from -way to +way of where they cross.
bool refused(const RepulsionConstants& c, const Crossing& pair, const dvec3& way) {
  for (const ivec2& p : pair.pairs()) {
    const dvec3 apart = pair.x[size_t(p.x)] - pair.x[size_t(p.y)];
    if (pair_excess<OneRow>(c, packed(apart - way), packed(2.0 * way), margin()) > 0) return true;
  }
  return false;
}

/// The lengths of several meshes and settings; of the last, pairs are still on their way to a bound that has
/// grown.
std::vector<RepulsionConstants> several_constants() {
  RepulsionParams other;
  other.max_edge = 7e-3f, other.tightening = 0.2e-3f, other.slack = 10e-6f;
  const RepulsionConstants usual = repulsion_constants({}, {3.8e-3f, 4.2e-3f, 5.7e-3f});
  return {usual, repulsion_constants({}, {0.008f, 0.015f, 0.03f}),
          repulsion_constants(other, {3.8e-3f, 4.2e-3f, 5.7e-3f}),
          repulsion_constants({}, {3.8e-3f, 4.2e-3f, 5.7e-3f}, 0.8f * usual.bound)};
}

struct Counts {
  int beyond_paper = 0, too_long = 0, beyond_kept = 0, let_through = 0, tight = 0, acute = 0;
};

Counts look_at_pairs(bool edges) {
  const std::vector<RepulsionConstants> constants = several_constants();
  Maker maker;
  Counts counts;
  for (int k = 0; k < kPairs; ++k) {
    const RepulsionConstants& c = constants[size_t(k) % constants.size()];
    Crossing pair = maker.make(edges, k % 8 >= 4);
    const double nearest = pair.nearest();
    counts.beyond_paper += !(nearest <= paper_bound(pair) * (1 + 1e-12));
    if (!edges) counts.acute += triangle_bound(pair.x[1], pair.x[2], pair.x[3]) > 0.5000001 * pair.longest();
    // As large as the method lets its edges become, less what it takes off for rounding.
    const double scale = (double(c.max_edge) - 1.01 * double(margin())) / pair.longest();
    for (dvec3& p : pair.x) p *= scale;
    counts.too_long += !edges_allowed(c, pair);
    counts.beyond_kept += !(scale * nearest <= double(c.kept));
    counts.tight += scale * nearest > 0.99 * double(c.kept);
    // Both from so far that nothing is near at the beginning nor at the end of the step.
    const dvec3 way = 2.5 * double(c.max_edge) * (k % 2 ? pair.across : maker.direction());
    if (c.kept == c.bound) counts.let_through += !refused(c, pair, way);
  }
  return counts;
}

}  // namespace

TEST_SUITE("repulsion") {
  TEST_CASE(
      "a vertex in a triangle is nearer to a corner than equation 2 says, and no step of vertex repulsion "
      "takes it there") {
    const Counts c = look_at_pairs(false);
    CHECK(c.beyond_paper == 0);
    CHECK(c.acute > kPairs / 4);
    CHECK(c.acute < 3 * kPairs / 4);
    CHECK(c.too_long == 0);
    CHECK(c.beyond_kept == 0);
    CHECK(c.let_through == 0);
  }

  TEST_CASE(
      "two edges that cross have ends nearer than equation 4 says, and no step of vertex repulsion takes "
      "them there") {
    const Counts c = look_at_pairs(true);
    CHECK(c.beyond_paper == 0);
    CHECK(c.too_long == 0);
    CHECK(c.beyond_kept == 0);
    CHECK(c.let_through == 0);
    CHECK(c.tight > kPairs / 20);  // B is no larger than it must be
  }

  TEST_CASE("edges beyond the longest that the bound is made for are refused") {
    Maker maker;
    int let_through = 0;
    for (const RepulsionConstants& c : several_constants())
      for (int k = 0; k < 1000; ++k) {
        Crossing pair = maker.make(k % 2, k % 4 < 2);
        const double scale = 1.00001 * double(c.max_edge) / pair.longest();
        for (dvec3& p : pair.x) p *= scale;
        // Where they have grown to it in this step.
        bool found = false;
        for (const ivec2& e : pair.own_edges()) {
          const dvec3 way = pair.x[size_t(e.y)] - pair.x[size_t(e.x)];
          found |= edge_excess<OneRow>(c.max_edge, packed(0.5 * way), packed(0.5 * way), margin()) > 0;
        }
        let_through += !found;
      }
    CHECK(let_through == 0);
  }
}
