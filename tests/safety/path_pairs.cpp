#include "tests/safety/path_pairs.h"

#include <algorithm>
#include <limits>

namespace weft::check {
namespace {

using Points = std::array<dvec3, 4>;

constexpr int kDeepest = 48;        // halvings: 2^-48 of the step
constexpr int kMostPieces = 20000;  // then the pair counts as touching; near misses take some hundreds

/// Up to four directions to try, in this order.
struct Directions {
  std::array<dvec3, 4> d;
  int count = 0;
  void add(const dvec3& direction) { d[size_t(count++)] = direction; }
};

dvec3 to_segment(const dvec3& p, const dvec3& a, const dvec3& b) {
  const dvec3 e = b - a;
  const double ee = glm::dot(e, e);
  const double t = ee > 0 ? glm::clamp(glm::dot(p - a, e) / ee, 0.0, 1.0) : 0;
  return p - (a + t * e);
}

/// Of small gaps the offset has few digits left; what matters for separation is that it is perpendicular to
/// the edge, and that can be had to rounding.
dvec3 perpendicular(dvec3 d, const dvec3& edge) {
  const double ee = glm::dot(edge, edge);
  if (!(ee > 0)) return d;
  const double length = glm::length(d);
  if (length > 0) d /= length;
  for (int twice = 0; twice < 2; ++twice) d -= edge * (glm::dot(d, edge) / ee);
  return d;
}

struct Nearest {
  dvec3 offset{0}, edge{0};
  double distance2 = std::numeric_limits<double>::infinity();
  void add(const dvec3& p, const dvec3& a, const dvec3& b) {
    const dvec3 d = to_segment(p, a, b);
    if (const double d2 = glm::dot(d, d); d2 < distance2) distance2 = d2, offset = d, edge = b - a;
  }
};

struct VertexTriangle {
  static constexpr int first_side = 1;  // points of the first side
  static Directions directions(const Points& x) {
    Directions out;
    out.add(glm::cross(x[2] - x[1], x[3] - x[1]));
    Nearest nearest;
    for (int k = 0; k < 3; ++k) nearest.add(x[0], x[size_t(1 + k)], x[size_t(1 + (k + 1) % 3)]);
    out.add(nearest.offset);
    out.add(perpendicular(nearest.offset, nearest.edge));
    return out;
  }
};

struct EdgeEdge {
  static constexpr int first_side = 2;
  static Directions directions(const Points& x) {
    Directions out;
    const dvec3 a = x[1] - x[0], b = x[3] - x[2];
    out.add(glm::cross(a, b));
    Nearest nearest;
    for (int k = 0; k < 2; ++k)
      nearest.add(x[size_t(k)], x[2], x[3]), nearest.add(x[size_t(2 + k)], x[0], x[1]);
    out.add(nearest.offset);
    out.add(perpendicular(nearest.offset, a));
    out.add(perpendicular(nearest.offset, b));
    return out;
  }
};

Points at(const FourPaths& paths, double t) {
  Points x;
  for (size_t k = 0; k < 4; ++k) x[k] = paths.start[k] + t * (paths.end[k] - paths.start[k]);
  return x;
}

/// The side's extent along n.
struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  Extent(const Points& x, int from, int to, const dvec3& n) {
    for (int k = from; k < to; ++k) {
      const double h = glm::dot(n, x[size_t(k)]);
      low = std::min(low, h), high = std::max(high, h);
    }
  }
};

/// 1 or -1: n separates the sides by more than `bound`, and which lies in front; 0: it does not.
int side_in_front(const Points& x, int first_side, const dvec3& n, double bound) {
  const Extent a(x, 0, first_side, n), b(x, first_side, 4, n);
  return a.low - b.high > bound ? 1 : b.low - a.high > bound ? -1 : 0;
}

/// Error of `a.low - b.high` for unit |n|_1. With u = 2^-53 and coordinates up to m: end - start is wrong by
/// up to 2um, its product with t by another 2um, the sum by um: 5um per coordinate, so 5um |n|_1 along n. The
/// dot product adds 3um |n|_1. Both sides: 16, and the difference 2um |n|_1. Terms of second order and
/// numbers too small for full precision are in the rest of 24 and the last addend.
double error_bound(const FourPaths& paths) {
  double m = 0;
  for (size_t k = 0; k < 4; ++k)
    for (int c = 0; c < 3; ++c) m = std::max({m, std::abs(paths.start[k][c]), std::abs(paths.end[k][c])});
  return 24 * 0x1p-53 * m + 1e-290;
}

double norm1(const dvec3& n) { return std::abs(n.x) + std::abs(n.y) + std::abs(n.z); }

template <class Pair>
bool separated(const FourPaths& paths, double t0, double t1, double bound) {
  const Points begin = at(paths, t0), end = at(paths, t1), middle = at(paths, 0.5 * (t0 + t1));
  const Directions directions = Pair::directions(middle);
  for (int k = 0; k < directions.count; ++k) {
    const dvec3& n = directions.d[size_t(k)];
    const double error = bound * norm1(n) + 1e-290;
    const int front = side_in_front(begin, Pair::first_side, n, error);
    if (front != 0 && side_in_front(end, Pair::first_side, n, error) == front) return true;
  }
  return false;
}

template <class Pair>
std::optional<double> first_contact(const FourPaths& paths) {
  const double bound = error_bound(paths);
  struct Piece {
    double begin, length;
    int depth;
  };
  std::array<Piece, kDeepest + 2> open;
  int count = 0, pieces = 0;
  open[size_t(count++)] = {0, 1, 0};
  while (count > 0) {
    const Piece p = open[size_t(--count)];
    if (separated<Pair>(paths, p.begin, p.begin + p.length, bound)) continue;
    if (p.depth == kDeepest || ++pieces == kMostPieces) return p.begin;  // all that comes before is separated
    const double half = 0.5 * p.length;  // exact, as are the sums: 48 binary digits
    open[size_t(count++)] = {p.begin + half, half, p.depth + 1};
    open[size_t(count++)] = {p.begin, half, p.depth + 1};
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> vertex_meets_triangle(const FourPaths& paths) {
  return first_contact<VertexTriangle>(paths);
}

std::optional<double> edge_meets_edge(const FourPaths& paths) { return first_contact<EdgeEdge>(paths); }

}  // namespace weft::check
