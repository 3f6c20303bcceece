// The plate operator on its own: heights over flat meshes, solved densely.
#include "sim/mesh/bending/plate_bending.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>

#include "sim/mesh/shapes/shapes.h"
#include "sim/mesh/topology.h"
#include "tests/support/poisson.h"

using namespace weft;

namespace {

/// Grid with alternating diagonals whose inner vertices are shifted by up to `shift` of its edge.
TriMesh grid(vec2 size, float edge, bool alternate, float shift) {
  TriMesh m = make_grid(size, edge, "square");
  if (alternate)
    for (size_t t = 0; t + 1 < m.triangles.size(); t += 2)
      if ((t / 2) % 2) {  // an odd number of columns makes this a checkerboard
        const ivec3 p = m.triangles[t], q = m.triangles[t + 1];
        m.triangles[t] = {p.x, p.y, q.z}, m.triangles[t + 1] = {p.y, q.y, q.z};
      }
  std::mt19937 random(5);
  for (vec3& p : m.positions) {
    const float a = float(random() % 1000) / 500 - 1, b = float(random() % 1000) / 500 - 1;
    if (std::abs(p.x) < 0.499f * size.x && std::abs(p.y) < 0.499f * size.y) p += edge * shift * vec3(a, b, 0);
  }
  return m;
}

struct Plate {
  Topology t;
  std::vector<double> q;  // dense
  int n = 0;
  std::vector<double> area;  // per vertex
  Plate(const TriMesh& m, double nu)
      : t(build_topology({{"plate", m}})), n(int(t.rest.size())), area(t.rest.size(), 0.0) {
    q.assign(size_t(n) * size_t(n), 0.0);
    const PlateBending plate(t);
    std::vector<BendingCoupling> c;
    for (int i = 0; i < int(t.triangles.size()); ++i) plate.couplings(i, nu, c), add(c);
    plate.crowded_edges(c), add(c);
    for (const ivec3& tri : t.triangles)
      for (int k = 0; k < 3; ++k) area[size_t(tri[k])] += triangle_area(tri) / 3;
  }
  double triangle_area(const ivec3& tri) const {
    return 0.5 * double(glm::length(glm::cross(t.rest[size_t(tri.y)] - t.rest[size_t(tri.x)],
                                               t.rest[size_t(tri.z)] - t.rest[size_t(tri.x)])));
  }
  void add(const std::vector<BendingCoupling>& c) {
    for (const BendingCoupling& b : c)
      at(b.row, b.column) += double(b.value), at(b.row, b.row) -= double(b.value);
  }
  double& at(int i, int j) { return q[size_t(i) * size_t(n) + size_t(j)]; }
  /// Heights at which q z = load where z is not held; Cholesky. Held ones are 0.
  std::vector<double> solve(std::vector<double> load, const std::vector<char>& held) {
    std::vector<double> l = q;
    for (int i = 0; i < n; ++i)
      if (held[size_t(i)]) {
        for (int j = 0; j < n; ++j)
          l[size_t(i) * size_t(n) + size_t(j)] = l[size_t(j) * size_t(n) + size_t(i)] = 0;
        l[size_t(i) * size_t(n) + size_t(i)] = 1, load[size_t(i)] = 0;
      }
    const auto e = [&](int i, int j) -> double& { return l[size_t(i) * size_t(n) + size_t(j)]; };
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < j; ++k) e(j, j) -= e(j, k) * e(j, k);
      REQUIRE(e(j, j) > 0);  // positive definite
      e(j, j) = std::sqrt(e(j, j));
      for (int i = j + 1; i < n; ++i) {
        double sum = e(i, j);
        for (int k = 0; k < j; ++k) sum -= e(i, k) * e(j, k);
        e(i, j) = sum / e(j, j);
      }
    }
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < i; ++k) load[size_t(i)] -= e(i, k) * load[size_t(k)];
      load[size_t(i)] /= e(i, i);
    }
    for (int i = n - 1; i >= 0; --i) {
      for (int k = i + 1; k < n; ++k) load[size_t(i)] -= e(k, i) * load[size_t(k)];
      load[size_t(i)] /= e(i, i);
    }
    return load;
  }
};

struct Kind {
  std::string name;
  TriMesh (*make)(vec2 size, float edge);
};
const Kind kKinds[] = {{"equilateral", [](vec2 s, float e) { return make_grid(s, e); }},
                       {"square", [](vec2 s, float e) { return make_grid(s, e, "square"); }},
                       {"uniform", [](vec2 s, float e) { return make_grid(s, e, "uniform"); }},
                       {"Poisson disks", [](vec2 s, float e) { return make_poisson_rectangle(s, e, 7); }},
                       {"alternating", [](vec2 s, float e) { return grid(s, e, true, 0); }},
                       {"irregular", [](vec2 s, float e) { return grid(s, e, true, 0.25f); }}};

}  // namespace

TEST_SUITE("mesh") {
  TEST_CASE("a plate costs a cylinder what it should, in eight directions on every mesh") {
    for (const Kind& kind : kKinds)
      for (const double nu : {0.0, 0.3}) {
        Plate p(kind.make({1, 1}, 1.0f / 15), nu);
        const PlateBending plate(p.t);
        std::vector<BendingCoupling> c;
        for (int direction = 0; direction < 8; ++direction) {
          const double angle = M_PI / 8 * direction;
          const auto height = [&](int v) {
            const double along = std::cos(angle) * double(p.t.rest[size_t(v)].x) +
                                 std::sin(angle) * double(p.t.rest[size_t(v)].y);
            return 0.5 * along * along;
          };
          double energy = 0, area = 0;  // of triangles inside
          for (int t = 0; t < int(p.t.triangles.size()); ++t) {
            const ivec3& tri = p.t.triangles[size_t(t)];
            bool inside = true;
            for (int k = 0; k < 3; ++k)
              inside &= std::abs(p.t.rest[size_t(tri[k])].x) < 0.36f &&
                        std::abs(p.t.rest[size_t(tri[k])].y) < 0.36f;
            if (!inside) continue;
            area += p.triangle_area(tri);
            plate.couplings(t, nu, c);
            for (const BendingCoupling& b : c)
              energy -= 0.25 * double(b.value) * std::pow(height(b.row) - height(b.column), 2);
          }
          INFO(kind.name << ", nu " << nu << ", direction " << direction << ": " << energy / (0.5 * area));
          CHECK(std::abs(energy / (0.5 * area) - 1) < 0.01);
        }
      }
  }

  TEST_CASE(
      "a woven plate costs a cylinder (sqrt(B1) cos² + sqrt(B2) sin²)², in eight directions on every mesh") {
    for (const Kind& kind : kKinds)
      for (const vec2& shares : {vec2(1, 0.2f), vec2(0.5f, 1)}) {
        TriMesh mesh = kind.make({1, 1}, 1.0f / 15);
        mesh.uv.clear();  // the warp along x, also where vertices have been shifted
        const Plate p(mesh, 0.1);
        const PlateBending plate(p.t);
        std::vector<BendingCoupling> c;
        for (int direction = 0; direction < 8; ++direction) {
          const double angle = M_PI / 8 * direction, along_warp = std::pow(std::cos(angle), 2),
                       root = std::sqrt(double(shares.x)) * along_warp +
                              std::sqrt(double(shares.y)) * (1 - along_warp);
          const auto height = [&](int v) {
            const double along = std::cos(angle) * double(p.t.rest[size_t(v)].x) +
                                 std::sin(angle) * double(p.t.rest[size_t(v)].y);
            return 0.5 * along * along;
          };
          double energy = 0, area = 0;  // of triangles inside
          for (int t = 0; t < int(p.t.triangles.size()); ++t) {
            const ivec3& tri = p.t.triangles[size_t(t)];
            bool inside = true;
            for (int k = 0; k < 3; ++k) inside &= glm::length(p.t.rest[size_t(tri[k])]) < 0.36f;
            if (!inside) continue;
            area += p.triangle_area(tri);
            plate.couplings(t, 0.1, c, shares);
            for (const BendingCoupling& b : c)
              energy -= 0.25 * double(b.value) * std::pow(height(b.row) - height(b.column), 2);
          }
          INFO(kind.name << ", direction " << direction << ": " << energy / (0.5 * area * root * root));
          CHECK(std::abs(energy / (0.5 * area * root * root) - 1) < 0.01);
        }
      }
  }

  TEST_CASE("a simply supported square plate sags by 0.00406 q a^4 / D on every mesh") {
    for (const Kind& kind : kKinds)
      for (const double nu : {0.0, 0.3}) {
        Plate p(kind.make({1, 1}, 1.0f / 17), nu);
        std::vector<char> held(size_t(p.n), 0);
        for (int v = 0; v < p.n; ++v)
          held[size_t(v)] =
              std::max(std::abs(p.t.rest[size_t(v)].x), std::abs(p.t.rest[size_t(v)].y)) > 0.4999f;
        const std::vector<double> z = p.solve(p.area, held);
        const double most = *std::max_element(z.begin(), z.end());
        MESSAGE(kind.name << ", nu " << nu << ": " << most / 0.00406);
        CHECK(std::abs(most / 0.00406 - 1) < 0.02);
      }
  }

  TEST_CASE("a wide strip bent by couples at its ends curls back across by Poisson's ratio") {
    for (const Kind& kind : kKinds)
      for (const double nu : {0.0, 0.2, 0.4}) {
        Plate p(kind.make({1.2f, 0.6f}, 0.06f), nu);
        // Two lines of forces at each end, as a couple of 1 N m per metre.
        std::vector<double> load(size_t(p.n), 0.0);
        std::vector<char> held(size_t(p.n), 0);
        const Topology& t = p.t;
        for (const ivec2& e : t.edges)
          for (int side : {-1, 1}) {
            const vec3 a = t.rest[size_t(e.x)], b = t.rest[size_t(e.y)];
            if (std::abs(a.x * float(side) - 0.6f) > 1e-4f || std::abs(b.x * float(side) - 0.6f) > 1e-4f)
              continue;
            // The couple acts on the mean slope of the triangle at the edge.
            for (const ivec3& tri : t.triangles) {
              int third = -1, hits = 0;
              for (int k = 0; k < 3; ++k)
                tri[k] == e.x || tri[k] == e.y ? void(++hits) : void(third = tri[k]);
              if (hits != 2) continue;
              const vec3 c = t.rest[size_t(third)];
              const double height = std::abs(double(c.x - a.x)), length = double(glm::length(b - a)),
                           share = double((c.y - a.y) / (b.y - a.y));
              load[size_t(third)] -= length / height;
              load[size_t(e.x)] += (1 - share) * length / height,
                  load[size_t(e.y)] += share * length / height;
            }
          }
        // Held against rigid motion at three vertices near the middle.
        int held_count = 0;
        for (const ivec3& tri : t.triangles)
          if (held_count == 0 && glm::length(t.rest[size_t(tri.x)]) < 0.12f) {
            for (int k = 0; k < 3; ++k) held[size_t(tri[k])] = 1;
            held_count = 3;
          }
        REQUIRE(held_count == 3);
        const std::vector<double> z = p.solve(load, held);
        // Least squares of second order over the middle.
        std::vector<std::array<double, 6>> rows;
        std::vector<double> right;
        for (int v = 0; v < p.n; ++v) {
          const double x = double(t.rest[size_t(v)].x), y = double(t.rest[size_t(v)].y);
          if (std::abs(x) > 0.35) continue;
          rows.push_back({1, x, y, 0.5 * x * x, 0.5 * y * y, x * y}), right.push_back(z[size_t(v)]);
        }
        double m[6][7] = {};
        for (size_t r = 0; r < rows.size(); ++r)
          for (int i = 0; i < 6; ++i) {
            for (int j = 0; j < 6; ++j) m[i][j] += rows[r][size_t(i)] * rows[r][size_t(j)];
            m[i][6] += rows[r][size_t(i)] * right[r];
          }
        for (int k = 0; k < 6; ++k)
          for (int i = 0; i < 6; ++i) {
            if (i == k) continue;
            const double f = m[i][k] / m[k][k];
            for (int j = k; j < 7; ++j) m[i][j] -= f * m[k][j];
          }
        const double along = m[3][6] / m[3][3], across = m[4][6] / m[4][4];
        MESSAGE(kind.name << ", nu " << nu << ": curvature " << along * (1 - nu * nu) << " of 1, across "
                          << -across / along);
        CHECK(std::abs(std::abs(along) * (1 - nu * nu) - 1) < 0.03);
        CHECK(std::abs(-across / along - nu) < 0.02);
      }
  }
}
