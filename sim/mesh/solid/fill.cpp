#include "sim/mesh/solid/fill.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "sim/base/error.h"
#include "sim/mesh/topology.h"

namespace weft {
namespace {

// Points of the lattice nearer to the surface than this share of the edge to a point beyond it are moved onto
// it. Cuts are then that far from points, and no cell becomes thin.
constexpr double kSnap = 0.3;
constexpr int kHalvings = 30;  // of an edge, to find where the surface cuts it
constexpr double kMost = 4e7;  // points of the lattice

/// The lattice, of which only points of cells that have an inside are kept.
class Filling {
 public:
  Filling(const Bounds& bounds, double edge, const SignedDistance& distance)
      : edge_(edge), distance_(distance) {
    const dvec3 low(bounds.min), size = dvec3(bounds.max) - low;
    for (int k = 0; k < 3; ++k) n_[k] = int(std::min(std::ceil(size[k] / edge), 1e8)) + 3;
    // about the middle, so that symmetric bodies get symmetric meshes
    origin_ = low + 0.5 * size - 0.5 * edge * dvec3(n_ - 1);
  }
  double points() const { return 2 * double(n_.x) * n_.y * n_.z; }

  TetMesh run() {
    for_each_cell([&](const std::array<int, 4>& cell) { add_edges(cell); });
    snap();
    for_each_cell([&](const std::array<int, 4>& cell) { divide(cell); });
    TetMesh mesh;
    std::vector<int> number(points_.size(), -1);
    for (ivec4 cell : cells_) {
      for (int k = 0; k < 4; ++k) {
        int& own = number[cell[k]];
        if (own < 0) own = int(mesh.positions.size()), mesh.positions.push_back(vec3(points_[cell[k]].at));
        cell[k] = own;
      }
      if (cell_volume(mesh.positions, cell) < 0) std::swap(cell.z, cell.w);
      mesh.cells.push_back(cell);
    }
    return mesh;
  }

 private:
  struct Point {
    dvec3 at;
    double value;  // signed distance; 0: on the surface
  };

  /// Number of a lattice point; even ones are corners of cubes, odd ones their middles. Points are evaluated
  /// when they are first asked for.
  int point(const ivec3& c, bool middle) {
    const int64_t key = 2 * ((int64_t(c.z) * n_.y + c.y) * n_.x + c.x) + middle;
    const auto [place, fresh] = number_.try_emplace(key, int(points_.size()));
    if (fresh) {
      const dvec3 at = origin_ + edge_ * (dvec3(c) + (middle ? 0.5 : 0.0));
      points_.push_back({at, distance_(at)});
    }
    return place->second;
  }

  /// Four cells around each line between the middles of two cubes that share a face.
  template <class F>
  void for_each_cell(const F& f) {
    for (int z = 0; z + 1 < n_.z; ++z)
      for (int y = 0; y + 1 < n_.y; ++y)
        for (int x = 0; x + 1 < n_.x; ++x)
          for (int axis = 0; axis < 3; ++axis) {
            ivec3 cube(x, y, z), next = cube;
            if (++next[axis] + 1 >= n_[axis]) continue;
            const dvec3 middle = origin_ + edge_ * (dvec3(next) + 0.5 - 0.5 * dvec3(next - cube));
            // Every point of these cells is nearer than that to it.
            if (first_pass_ && distance_(middle) > 1.2 * edge_) continue;
            if (!first_pass_ && !near_.count(key_of(cube, axis))) continue;
            if (first_pass_) near_[key_of(cube, axis)] = 1;
            ring(cube, next, axis, f);
          }
    first_pass_ = false;
  }
  int64_t key_of(const ivec3& c, int axis) const {
    return 3 * ((int64_t(c.z) * n_.y + c.y) * n_.x + c.x) + axis;
  }
  template <class F>
  void ring(const ivec3& cube, const ivec3& next, int axis, const F& f) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const int from = point(cube, true), to = point(next, true);
    int around[4];
    for (int k = 0; k < 4; ++k) {
      ivec3 c = next;
      c[u] += k == 1 || k == 2, c[v] += k >= 2;
      around[k] = point(c, false);
    }
    for (int k = 0; k < 4; ++k) f({from, to, around[k], around[(k + 1) % 4]});
  }

  /// Notes for the ends of each edge that the surface cuts how near the cut is, as a share of the edge.
  void add_edges(const std::array<int, 4>& cell) {
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b) {
        const Point &p = points_[cell[a]], &q = points_[cell[b]];
        if (a == b || (p.value < 0) == (q.value < 0)) continue;
        const double share = p.value / (p.value - q.value);
        const auto [place, fresh] = nearest_.try_emplace(cell[a], Near{share, cell[b]});
        if (!fresh && share < place->second.share) place->second = {share, cell[b]};
      }
  }
  void snap() {
    std::vector<std::pair<int, dvec3>> moves;
    for (const auto& [own, near] : nearest_)
      if (near.share < kSnap) moves.push_back({own, cut(points_[own], points_[near.other])});
    for (const auto& [own, at] : moves) points_[own] = {at, 0};
  }
  /// Where the surface cuts the line between two points on either side of it.
  dvec3 cut(const Point& p, const Point& q) const {
    dvec3 in = p.value < 0 ? p.at : q.at, out = p.value < 0 ? q.at : p.at;
    for (int i = 0; i < kHalvings; ++i) {
      const dvec3 half = 0.5 * (in + out);
      (distance_(half) < 0 ? in : out) = half;
    }
    return 0.5 * (in + out);
  }
  int cut_point(int in, int out) {
    const auto [place, fresh] = cuts_.try_emplace({in, out}, int(points_.size()));
    if (fresh) points_.push_back({cut(points_[in], points_[out]), 0});
    return place->second;
  }

  /// Adds what of a cell is inside.
  void divide(const std::array<int, 4>& cell) {
    std::vector<int> in, on, out;
    for (const int p : cell) (points_[p].value < 0 ? in : points_[p].value > 0 ? out : on).push_back(p);
    if (in.empty()) return;
    const auto c = [&](size_t i, size_t o) { return cut_point(in[i], out[o]); };
    if (out.empty()) cells_.push_back({cell[0], cell[1], cell[2], cell[3]});
    else if (in.size() == 3) prism({in[0], in[1], in[2]}, {c(0, 0), c(1, 0), c(2, 0)});
    else if (in.size() == 2 && out.size() == 2) prism({in[0], c(0, 0), c(0, 1)}, {in[1], c(1, 0), c(1, 1)});
    else if (in.size() == 2) pyramid({in[0], in[1], c(1, 0), c(0, 0)}, on[0]);
    else if (out.size() == 3) cells_.push_back({in[0], c(0, 0), c(0, 1), c(0, 2)});
    else if (out.size() == 2) cells_.push_back({in[0], on[0], c(0, 0), c(0, 1)});
    else cells_.push_back({in[0], on[0], on[1], c(0, 0)});
  }
  /// A quad is divided from its point with the lowest number, so that cells on both sides agree.
  void pyramid(const std::array<int, 4>& quad, int apex) {
    const size_t first = size_t(std::min_element(quad.begin(), quad.end()) - quad.begin());
    const auto at = [&](size_t k) { return quad[(first + k) % 4]; };
    cells_.push_back({at(0), at(1), at(2), apex});
    cells_.push_back({at(0), at(2), at(3), apex});
  }
  /// Between two triangles whose points belong to each other. Its point with the lowest number is a corner of
  /// two of its three quads, and the tip of a pyramid over the third.
  void prism(std::array<int, 3> a, std::array<int, 3> b) {
    if (*std::min_element(b.begin(), b.end()) < *std::min_element(a.begin(), a.end())) std::swap(a, b);
    const size_t first = size_t(std::min_element(a.begin(), a.end()) - a.begin());
    const auto p = [&](size_t k) { return a[(first + k) % 3]; };
    const auto q = [&](size_t k) { return b[(first + k) % 3]; };
    cells_.push_back({p(0), q(0), q(1), q(2)});
    pyramid({p(1), p(2), q(2), q(1)}, p(0));
  }

  struct Near {
    double share;
    int other;
  };
  double edge_;
  const SignedDistance& distance_;
  ivec3 n_{0};
  dvec3 origin_{0};
  bool first_pass_ = true;
  std::map<int64_t, char> near_;
  std::map<int64_t, int> number_;
  std::vector<Point> points_;
  std::map<int, Near> nearest_;
  std::map<std::pair<int, int>, int> cuts_;
  std::vector<ivec4> cells_;
};

}  // namespace

TetMesh fill_cells(const Bounds& bounds, double edge, const SignedDistance& distance,
                   const std::string& what) {
  Filling filling(bounds, edge, distance);
  if (filling.points() > kMost)
    throw Error(fmt::format("a lattice of cells {:.3g} m wide has {:.3g} points, and at most {:.0e} may be",
                            edge, filling.points(), kMost),
                what, "give a larger edge");
  TetMesh mesh = filling.run();
  if (mesh.cells.empty())
    throw Error(fmt::format("no cell {:.3g} m wide fits into it", edge), what, "give a smaller edge");
  return mesh;
}

TetMesh ball_cells(float diameter, float edge) {
  const double radius = 0.5 * double(diameter);
  Bounds bounds;
  bounds.add(vec3(-0.5f * diameter)), bounds.add(vec3(0.5f * diameter));
  return fill_cells(
      bounds, double(edge), [&](const dvec3& p) { return glm::length(p) - radius; }, "ball");
}

TetMesh disc_cells(float diameter, float thickness, float edge) {
  const double radius = 0.5 * double(diameter), half = 0.5 * double(thickness);
  Bounds bounds;
  bounds.add(-0.5f * vec3(diameter, thickness, diameter)),
      bounds.add(0.5f * vec3(diameter, thickness, diameter));
  const auto distance = [&](const dvec3& p) {
    return std::max(glm::length(dvec2(p.x, p.z)) - radius, std::abs(p.y) - half);
  };
  return fill_cells(bounds, double(edge), distance, "disc");
}

}  // namespace weft
