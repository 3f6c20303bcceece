// Continuous collision queries with exact answers: a corpus of our own, made here and answered in rational arithmetic
// (exact_impact.h), and, where it lies beside the clone, one made elsewhere (shared/data/README.md).
#pragma once
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/math.h"
#include "test_paths.h"
#include "tests/geometry/float_rounding.h"
#include "tests/support/exact_impact.h"

namespace weft::testing {

struct CcdQuery : MovingPair {
  std::string family;
  bool collides = false;
  ExactImpact impact;  // where it collides
  bool exact_in_float() const {
    for (int k = 0; k < 4; ++k)
      if (!weft::testing::exact_in_float(start[k]) || !weft::testing::exact_in_float(end[k])) return false;
    return true;
  }
  void solve() {
    const auto first = exact_impact(*this);
    collides = first.has_value();
    impact = first.value_or(ExactImpact{});
  }
};

/// Makes queries of which many touch, nearly touch, or are degenerate. Coordinates are multiples of a power of two, so
/// that what is meant to touch does so exactly, and numbers are the same with every compiler.
class CcdQueryMaker {
 public:
  explicit CcdQueryMaker(unsigned seed) : random_(seed) {}

  /// No relation between the points; both sides approach each other.
  MovingPair free(bool edges) {
    MovingPair q{.edges = edges};
    const dvec3 common = point(20, 0.5);
    for (int k = 0; k < 4; ++k) {
      q.start[k] = point(20, 1);
      q.end[k] = q.start[k] + point(20, 0.5) + (first_side(q, k) ? common : -common);
    }
    return q;
  }
  /// Points of a lattice of five a side: often in one plane, in one line, or the same.
  MovingPair lattice(bool edges) {
    MovingPair q{.edges = edges};
    for (int k = 0; k < 4; ++k) q.start[k] = point(0, 2), q.end[k] = one_in(3) ? q.start[k] : point(0, 2);
    return q;
  }
  /// All in one plane throughout, which the axes cut at an angle.
  MovingPair flat(bool edges) {
    MovingPair q{.edges = edges};
    const dvec3 a = point(0, 3), b = point(0, 3);
    const auto in_plane = [&] { return double(whole(4)) * a + double(whole(4)) * b; };
    for (int k = 0; k < 4; ++k) q.start[k] = in_plane(), q.end[k] = one_in(3) ? q.start[k] : in_plane();
    return q;
  }
  /// Both sides touch in a point of each at a time, all of them multiples of 1/8: inside, at an edge or at a corner.
  MovingPair touching(bool edges) {
    MovingPair q{.edges = edges};
    for (int k = 0; k < 4; ++k) q.start[k] = point(8, 1), q.end[k] = one_in(6) ? q.start[k] : point(8, 1);
    if (one_in(4)) q.end[0] = q.start[0], q.end[1] = q.start[1];
    touch(q, eighth(8), eighth(8));
    return q;
  }
  /// A touching pair of which one coordinate is off by 2^-19.
  MovingPair nearly(bool edges) {
    MovingPair q = touching(edges);
    (one_in(2) ? q.start : q.end)[int(random_() % 4)][int(random_() % 3)] += one_in(2) ? 0x1p-19 : -0x1p-19;
    return q;
  }
  /// One side comes to the other, touches it once and goes back: the volume's root is double. A third misses by 2^-10,
  /// and a third passes and comes back.
  MovingPair grazing(bool edges) {
    MovingPair q{.edges = edges};
    const double t0 = eighth(8), x0 = eighth(7), along = 0.5 * double(1 + random_() % 3) * (one_in(2) ? 1 : -1);
    const double off = double(whole(1)) * 0x1p-10;
    for (const double t : {0.0, 1.0}) {
      dvec3* x = t == 0 ? q.start : q.end;
      const double s = t - t0, reach = x0 + along * s, height = x0 * s + off;
      // The first side's height above the other where both are seen from above: off - along s^2.
      if (edges) x[0] = {reach, -1, height}, x[1] = {reach, 1, height}, x[2] = {-1, 0, -s}, x[3] = {2, 0, 2 * s};
      else x[0] = {reach, 0.125, height}, x[1] = {0, 0, 0}, x[2] = {2, 0, 2 * s}, x[3] = {0, 1, 0};
    }
    shear(q);
    return q;
  }
  /// Edges, or an edge of the triangle and the vertex's way, that are parallel throughout.
  MovingPair parallel(bool edges) {
    MovingPair q{.edges = edges};
    const dvec3 along = point(0, 2), across = point(0, 2), move = double(whole(2)) * across + double(whole(2)) * along;
    const auto on_line = [&](double offset) { return double(whole(3)) * along + offset * across; };
    const double offset = double(whole(2));
    if (edges) q.start[0] = on_line(0), q.start[1] = on_line(0), q.start[2] = on_line(offset);
    else q.start[0] = on_line(0), q.start[1] = on_line(offset), q.start[2] = on_line(offset);
    q.start[3] = edges ? on_line(offset) : point(0, 3);
    for (int k = 0; k < 4; ++k) q.end[k] = q.start[k] + (first_side(q, k) ? move : dvec3(0));
    return q;
  }
  /// Edges of length zero, triangles that are a segment or a point; half of them touch.
  MovingPair without_extent(bool edges) {
    MovingPair q = one_in(2) ? lattice(edges) : free(edges);
    const int how = int(random_() % 3);
    if (how != 1) q.start[3] = q.start[2], q.end[3] = q.end[2];
    if (how != 0) q.start[1] = q.start[edges ? 0 : 2], q.end[1] = q.end[edges ? 0 : 2];
    if (one_in(2)) touch(q, eighth(8), eighth(8));
    return q;
  }
  /// Touching or lattice pairs up to 16 km from the origin: floats there are multiples of a millimetre.
  MovingPair far(bool edges) {
    MovingPair q = lattice(edges);
    const dvec3 offset = double(1 << (4 + random_() % 8)) * point(0, 8);
    const double size = one_in(2) ? 1 : 0x1p-9;
    for (dvec3* x : {q.start, q.end})
      for (int k = 0; k < 4; ++k) x[k] = size * x[k] + offset;
    return q;
  }
  /// All digits of a double in use, made to touch but for rounding.
  MovingPair rounded(bool edges) {
    MovingPair q{.edges = edges};
    for (int k = 0; k < 4; ++k) q.start[k] = point(50, 1), q.end[k] = point(50, 1);
    touch(q, eighth(8), eighth(8));
    return q;
  }

 private:
  bool one_in(unsigned n) { return random_() % n == 0; }
  /// A whole number in [-most, most].
  int whole(int most) { return int(random_() % unsigned(2 * most + 1)) - most; }
  double eighth(unsigned most) { return double(random_() % (most + 1)) / 8; }
  /// A multiple of 2^-bits in [-size, size].
  double number(int bits, double size) {
    const auto steps = uint64_t(std::ldexp(2 * size, bits));
    const uint64_t high = random_(), low = random_();
    return std::ldexp(double((high << 32 | low) % (steps + 1)), -bits) - size;
  }
  dvec3 point(int bits, double size) {
    const double x = number(bits, size), y = number(bits, size);
    return {x, y, number(bits, size)};
  }
  static bool first_side(const MovingPair& q, int k) { return k < (q.edges ? 2 : 1); }
  /// Moves the first side so that its point s meets the point u (and v, of a triangle) of the second at t.
  void touch(MovingPair& q, double t, double u) {
    const double s = eighth(8), v = q.edges ? 0 : double(random_() % (1 + unsigned(8 - 8 * u))) / 8;
    dvec3 x[4];
    for (int k = 0; k < 4; ++k) x[k] = q.start[k] + t * (q.end[k] - q.start[k]);
    const dvec3 own = q.edges ? x[0] + s * (x[1] - x[0]) : x[0];
    const dvec3 other = q.edges ? x[2] + u * (x[3] - x[2]) : x[1] + u * (x[2] - x[1]) + v * (x[3] - x[1]);
    for (int k = 0; k < 4; ++k)
      if (first_side(q, k)) q.start[k] += other - own, q.end[k] += other - own;
  }
  /// Axes in another order, and whole multiples of one added to the next.
  void shear(MovingPair& q) {
    const int turn = int(random_() % 3);
    const double a = double(whole(2)), b = double(whole(2));
    for (dvec3* side : {q.start, q.end})
      for (int k = 0; k < 4; ++k) {
        const dvec3 p = side[k], turned(p[turn], p[(turn + 1) % 3], p[(turn + 2) % 3]);
        side[k] = {turned.x, turned.y + a * turned.x, turned.z + b * turned.y};
      }
  }
  std::mt19937 random_;
};

/// 2,000 queries of our own, half of them of edges, answered; the same in every call.
inline const std::vector<CcdQuery>& own_ccd_queries() {
  using Make = MovingPair (CcdQueryMaker::*)(bool);
  static const std::vector<CcdQuery> queries = [] {
    const std::pair<const char*, Make> families[] = {
        {"free", &CcdQueryMaker::free},         {"lattice", &CcdQueryMaker::lattice},
        {"flat", &CcdQueryMaker::flat},         {"touching", &CcdQueryMaker::touching},
        {"nearly", &CcdQueryMaker::nearly},     {"grazing", &CcdQueryMaker::grazing},
        {"parallel", &CcdQueryMaker::parallel}, {"without extent", &CcdQueryMaker::without_extent},
        {"far", &CcdQueryMaker::far},           {"rounded", &CcdQueryMaker::rounded}};
    std::vector<CcdQuery> made;
    unsigned seed = 1;
    for (const auto& [name, make] : families) {
      CcdQueryMaker maker(seed++);
      for (int k = 0; k < 200; ++k) {
        CcdQuery q;
        static_cast<MovingPair&>(q) = (maker.*make)(k % 2 == 0);
        q.family = name;
        q.solve();
        made.push_back(std::move(q));
      }
    }
    return made;
  }();
  return queries;
}

inline std::filesystem::path shared_ccd_query_folder() {
  return std::filesystem::path(WEFT_SHARED_DATA) / "ccd-queries" / "unit-tests";
}

/// 324 queries with the answers of their makers; empty where they are not beside the clone. Eight rows per query: four
/// points at the start, four at the end; coordinates as fractions. `impact` is not set.
inline std::vector<CcdQuery> shared_ccd_queries() {
  std::vector<CcdQuery> queries;
  for (const char* kind : {"edge-edge", "vertex-face"})
    for (const char* file : {"data_0_0.csv", "data_0_1.csv"}) {
      std::ifstream in(shared_ccd_query_folder() / kind / file);
      int row = 0;
      for (std::string line; std::getline(in, line); row = (row + 1) % 8) {
        double number[7];
        char* at = line.data();
        for (double& n : number) n = std::strtod(at, &at), at += *at == ',';
        if (row == 0) queries.emplace_back();
        CcdQuery& q = queries.back();
        q.family = "shared";
        q.edges = std::string(kind) == "edge-edge";
        q.collides = number[6] != 0;
        dvec3* state = row < 4 ? q.start : q.end;
        state[row % 4] = {number[0] / number[1], number[2] / number[3], number[4] / number[5]};
      }
    }
  return queries;
}

/// Both sources.
inline std::vector<CcdQuery> ccd_queries() {
  std::vector<CcdQuery> all = own_ccd_queries();
  for (CcdQuery& q : shared_ccd_queries()) all.push_back(std::move(q));
  return all;
}

}  // namespace weft::testing
