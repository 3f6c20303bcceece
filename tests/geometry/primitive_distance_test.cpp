#include "sim/geometry/primitive_distance.h"
#include "sim/geometry/squared_distance.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "tests/geometry/float_rounding.h"

using namespace weft;

namespace {

using Real = long double;
using Wide = glm::vec<3, Real>;

enum class Kind { vertex_triangle, edge_edge, vertex_edge, vertex_vertex };
constexpr Kind kKinds[] = {Kind::vertex_triangle, Kind::edge_edge, Kind::vertex_edge, Kind::vertex_vertex};
int points_of(Kind kind) { return kind == Kind::vertex_vertex ? 2 : kind == Kind::vertex_edge ? 3 : 4; }
int first_side(Kind kind) { return kind == Kind::edge_edge ? 2 : 1; }

template <class R>
ClosestPair<R> closest(Kind kind, const Vec<R> x[4]) {
  switch (kind) {
    case Kind::vertex_triangle: return closest_vertex_triangle(x[0], x[1], x[2], x[3]);
    case Kind::edge_edge: return closest_edge_edge(x[0], x[1], x[2], x[3]);
    case Kind::vertex_edge: return closest_vertex_edge(x[0], x[1], x[2]);
    default: return closest_vertex_vertex(x[0], x[1]);
  }
}

/// Distance by brute force, in long double: for every choice of points that carry weight, the least squares
/// problem over their affine hulls (normal equations, Cramer's rule); of those whose weights are all positive
/// the least. Singular choices have a smaller one that is as close.
Real brute_force(Kind kind, const Vec<double> x[4]) {
  const int points = points_of(kind), split = first_side(kind);
  Real least = 1e30L;
  for (int support = 1; support < 1 << points; ++support) {
    std::vector<Wide> first, second;
    for (int k = 0; k < points; ++k)
      if (support >> k & 1) (k < split ? first : second).push_back(Wide(x[k]));
    if (first.empty() || second.empty()) continue;
    const Wide base = first[0] - second[0];
    std::vector<Wide> column;  // offset = base + sum of c_k column[k]
    for (size_t k = 1; k < first.size(); ++k) column.push_back(first[k] - first[0]);
    for (size_t k = 1; k < second.size(); ++k) column.push_back(second[0] - second[k]);
    Real c[2] = {0, 0};
    if (column.size() == 1) {
      const Real aa = glm::dot(column[0], column[0]);
      if (aa == 0) continue;
      c[0] = -glm::dot(column[0], base) / aa;
    } else if (column.size() == 2) {
      const Real aa = glm::dot(column[0], column[0]), ab = glm::dot(column[0], column[1]),
                 bb = glm::dot(column[1], column[1]);
      const Real det = aa * bb - ab * ab, ra = -glm::dot(column[0], base), rb = -glm::dot(column[1], base);
      if (!(det > 1e-17L * aa * bb)) continue;
      c[0] = (bb * ra - ab * rb) / det;
      c[1] = (aa * rb - ab * ra) / det;
    }
    size_t used = 0;
    bool inside = true;
    for (const size_t more : {first.size() - 1, second.size() - 1}) {
      Real sum = 0;
      for (size_t k = 0; k < more; ++k) inside = inside && c[used] >= 0, sum += c[used++];
      inside = inside && sum <= 1;
    }
    if (!inside) continue;
    Wide offset = base;
    for (size_t k = 0; k < column.size(); ++k) offset += c[k] * column[k];
    least = std::min(least, std::sqrt(glm::dot(offset, offset)));
  }
  return least;
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double one() { return double(engine_() >> 8) / double(1 << 23) - 1; }
  dvec3 point() {
    const double x = one(), y = one();
    return {x, y, one()};
  }
  int below(int n) { return int(engine_() % unsigned(n)); }

 private:
  std::mt19937 engine_;
};

/// Four points, among them all kinds of degenerate ones. Exact in float.
void make_points(Random& random, int n, Vec<double> x[4]) {
  for (int k = 0; k < 4; ++k) x[k] = random.point();
  const double small = std::pow(10.0, -1 - random.below(7));
  switch (n % 10) {
    case 0: break;
    case 1: x[3] = x[2]; break;               // a triangle or an edge without extent
    case 2: x[2] = x[1], x[3] = x[1]; break;  // a triangle that is a point
    case 3: x[3] = 0.5 * (x[1] + x[2]) + small * random.point(); break;   // a needle
    case 4: x[3] = x[2] + (x[1] - x[0]) + small * random.point(); break;  // nearly parallel edges
    case 5: x[3] = x[2] + 0.5 * (x[1] - x[0]); break;                     // parallel to rounding
    case 6: x[0] = 0.3 * x[1] + 0.3 * x[2] + 0.4 * x[3] + small * random.point(); break;  // nearly touching
    case 7: x[0] = x[1 + random.below(3)] + small * random.point(); break;                // next to a corner
    case 8: x[2] = 0.5 * (x[0] + x[1]) + small * random.point(); break;  // edges that nearly touch
    case 9:
      for (int k = 1; k < 4; ++k) x[k] = x[0] + double(random.below(3)) * (x[1] - x[0]);
      break;  // all on a line, or in a point
  }
  const double size = random.below(2) ? 1 : 0.01;
  const dvec3 shift = random.below(2) ? dvec3(0) : dvec3(3, -1, 2);
  for (int k = 0; k < 4; ++k) x[k] = testing::rounded_to_float(size * x[k] + shift);
}

template <class R>
void compare_with_brute_force(double tolerance) {
  Random random(5);
  double worst = 0, worst_sum = 0, worst_offset = 0;
  for (int n = 0; n < 40000; ++n) {
    Vec<double> wide[4];
    make_points(random, n, wide);
    Vec<R> x[4];
    for (int k = 0; k < 4; ++k) x[k] = Vec<R>(wide[k]);
    for (const Kind kind : kKinds) {
      const ClosestPair<R> c = closest(kind, x);
      double size = 1e-30;  // of the primitives and their distance: what rounding is measured against
      for (int k = 1; k < points_of(kind); ++k) size = std::max(size, glm::length(wide[k] - wide[0]));
      worst =
          std::max(worst, std::abs(std::sqrt(double(c.squared)) - double(brute_force(kind, wide))) / size);
      double sum[2] = {0, 0};
      dvec3 offset(0);
      for (int k = 0; k < 4; ++k) {
        sum[k >= first_side(kind)] += double(c.weight[k]);
        if (k < points_of(kind)) offset += double(c.weight[k]) * (wide[k] - wide[0]);
        REQUIRE((c.weight[k] != 0) == ((c.support >> k & 1) != 0));
        REQUIRE((k < first_side(kind) ? c.weight[k] >= 0 : c.weight[k] <= 0));
      }
      worst_sum = std::max({worst_sum, std::abs(sum[0] - 1), std::abs(sum[1] + 1)});
      worst_offset = std::max(worst_offset, glm::length(offset - dvec3(c.offset)) / size);
    }
  }
  MESSAGE("worst error of a distance " << worst << ", of an offset " << worst_offset
                                       << " of the size, of a sum of weights " << worst_sum);
  CHECK(worst < tolerance);
  CHECK(worst_sum < tolerance);
  CHECK(worst_offset < tolerance);
}

/// Distance between the features that a support names, in long double.
Real distance_of_features(Kind kind, const Vec<double> x[4], int support) {
  Vec<double> y[4];
  const int split = first_side(kind);
  for (int k = 0; k < 4; ++k) {
    y[k] = x[k];
    if (support >> k & 1) continue;
    // what is not named is put where something is
    for (int other = k < split ? 0 : split; other < (k < split ? split : 4); ++other)
      if (support >> other & 1) y[k] = x[other];
  }
  return brute_force(kind, y);
}

template <class L>
void compare_lanes_with_brute_force() {
  Random random(6);
  constexpr int kWidth = sizeof(typename L::Real) / sizeof(float);
  double shorter = 0, longer = 0, other_feature = 0;
  for (int n = 0; n < 40000; n += kWidth) {
    dvec3 wide[kWidth][4];
    std::vector<vec3> points;
    for (int l = 0; l < kWidth; ++l) {
      make_points(random, n + l, wide[l]);
      points.insert(points.end(), wide[l], wide[l] + 4);
    }
    points.push_back(vec3(0));  // lanes read past the last
    for (const Kind kind : {Kind::vertex_triangle, Kind::edge_edge}) {
      Vec3<typename L::Real> x[4];
      for (int k = 0; k < 4; ++k) {
        int index[kLanes];
        for (int l = 0; l < kLanes; ++l) index[l] = 4 * (l < kWidth ? l : 0) + k;
        x[k] = L::gather(points.data(), index);
      }
      const auto d = kind == Kind::edge_edge ? edge_edge_distance<L>(x) : vertex_triangle_distance<L>(x);
      float squared[kLanes], support[kLanes], size[kLanes];
      L::store(squared, d.squared), L::store(support, d.support), L::store(size, d.size_squared);
      for (int l = 0; l < kWidth; ++l) {
        const double right = double(brute_force(kind, wide[l])), found = std::sqrt(double(squared[l])),
                     scale = std::sqrt(double(size[l])) + 1e-30;
        shorter = std::max(shorter, (right - found) / scale);
        longer = std::max(longer, (found - right) / scale);
        other_feature =
            std::max(other_feature,
                     std::abs(double(distance_of_features(kind, wide[l], int(support[l]))) - right) / scale);
      }
    }
  }
  MESSAGE("too short by " << shorter << ", too long by " << longer
                          << ", features further than the closest by " << other_feature << " of the size");
  CHECK(shorter < double(kDistanceRounding));
  CHECK(longer < double(kDistanceRounding));
  CHECK(other_feature < double(kDistanceRounding));
}

}  // namespace

TEST_SUITE("geometry") {
  TEST_CASE("distances and features without branches are those of brute force") {
    compare_lanes_with_brute_force<OneRow>();
    compare_lanes_with_brute_force<SixteenRows>();
  }

  TEST_CASE("distances of primitives are those of brute force in float, degenerate ones too") {
    compare_with_brute_force<float>(5e-7);
  }
  TEST_CASE("distances of primitives are those of brute force in double, degenerate ones too") {
    compare_with_brute_force<double>(1e-15);
  }

  TEST_CASE("the support names the closest features") {
    const vec3 a(0, 0, 0), b(1, 0, 0), c(0, 1, 0);
    CHECK(closest_vertex_triangle(vec3(0.2f, 0.2f, 0.3f), a, b, c).support == 15);
    CHECK(closest_vertex_triangle(vec3(0.5f, -1.0f, 0.3f), a, b, c).support == (1 | 2 | 4));
    CHECK(closest_vertex_triangle(vec3(1, 1, 0), a, b, c).support == (1 | 4 | 8));
    CHECK(closest_vertex_triangle(vec3(-1, 0.5f, 0), a, b, c).support == (1 | 2 | 8));
    CHECK(closest_vertex_triangle(vec3(-1, -1, 0), a, b, c).support == (1 | 2));
    CHECK(closest_vertex_triangle(vec3(2, 0, 0), a, b, c).support == (1 | 4));
    CHECK(closest_vertex_triangle(vec3(0, 2, 1), a, b, c).support == (1 | 8));
    CHECK(closest_edge_edge(a, b, vec3(0.5f, -1, 1), vec3(0.5f, 1, 1)).support == 15);
    CHECK(closest_edge_edge(a, b, vec3(0.5f, 1, 1), vec3(0.5f, 2, 1)).support == (1 | 2 | 4));
    CHECK(closest_edge_edge(a, b, vec3(2, 1, 1), vec3(2, -1, 1)).support == (2 | 4 | 8));
    CHECK(closest_edge_edge(a, b, vec3(-1, -1, 0), vec3(-2, -1, 0)).support == (1 | 4));
  }
}
