#include "sim/energies/meshless_bending.h"

#include "differences.h"
#include "sim/mesh/bending/bending_neighborhoods.h"
#include "sim/mesh/topology.h"
#include "sim/solvers/neighborhood_forces.h"
#include "tests/device/for_each_device.h"
#include "tests/mesh/sheets.h"

using namespace weft;
using namespace weft::testing;

namespace {

using Vec = Vec3<double>;
using Points = std::vector<P>;

Vec vec(const P& p) { return {p.x, p.y, p.z}; }
P point(const Vec& v) { return {v.x, v.y, v.z}; }

/// A mesh with its neighbourhoods, and the energy and forces of all of them in double precision (B = 1 N m).
struct Sheet {
  Topology topology;
  BendingNeighborhoods n;
  explicit Sheet(const TriMesh& mesh)
      : topology(build_topology({{"sheet", mesh}})), n(bending_neighborhoods(topology)) {}

  int vertices() const { return int(topology.rest.size()); }
  Points rest() const { return Points(topology.rest.begin(), topology.rest.end()); }
  Vec reference(int o) const { return vec(P(n.reference[o])); }
  meshless::Fit<double> fit(const Points& x, int v) const {
    Vec a1{0, 0, 0}, a2{0, 0, 0};
    for (int o = n.start[v]; o < n.start[v + 1]; ++o) {
      const Vec e = vec(x[n.neighbor[o]] - x[v]);
      a1 = a1 + (n.reference[o].x * double(n.inverse_moment[v].x)) * e;
      a2 = a2 + (n.reference[o].y * double(n.inverse_moment[v].y)) * e;
    }
    return meshless::fit(a1, a2);
  }
  double energy(const Points& x, int v) const {
    const auto f = fit(x, v);
    double sum = 0;
    for (int o = n.start[v]; o < n.start[v + 1]; ++o)
      sum += meshless::energy(meshless::residual(f, vec(x[n.neighbor[o]] - x[v]), reference(o)),
                              double(n.stiffness[v]));
    return sum;
  }
  double energy(const Points& x) const {
    double sum = 0;
    for (int v = 0; v < vertices(); ++v) sum += energy(x, v);
    return sum;
  }
  Points gradient(const Points& x) const {
    Points g(x.size(), P(0));
    for (int v = 0; v < vertices(); ++v) {
      const auto f = fit(x, v);
      meshless::FitGradient<double> d{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
      std::vector<Vec> y;
      for (int o = n.start[v]; o < n.start[v + 1]; ++o) {
        const auto r = meshless::residual(f, vec(x[n.neighbor[o]] - x[v]), reference(o));
        d.add(f, r, reference(o));
        y.push_back(r.y);
      }
      d.turn_normal(f);
      for (int o = n.start[v]; o < n.start[v + 1]; ++o) {
        const P p = double(n.stiffness[v]) *
                    point(meshless::gradient(d, y[size_t(o - n.start[v])], reference(o),
                                             double(n.inverse_moment[v].x), double(n.inverse_moment[v].y)));
        g[n.neighbor[o]] += p;
        g[v] -= p;
      }
    }
    return g;
  }
};

Points moved(const Points& x, const glm::dmat3& rotation, const P& by) {
  Points y;
  for (const P& p : x) y.push_back(rotation * p + by);
  return y;
}

TriMesh bowl() {
  TriMesh m = sheets({0, 180}, 5, 3, 1);
  for (vec3& p : m.positions) p.z = 0.1f * (p.x - 2) * (p.x - 2) - 0.06f * p.y * p.y + 0.05f * p.x * p.y;
  return m;
}

const std::vector<TriMesh>& shapes() {
  static const std::vector<TriMesh> all = {sheets({0, 180}, 5, 3, 1), bowl(), sheets({0, 90, 180}, 5, 3, 1),
                                           sheets({0, 120, 240}, 5, 3, 1)};
  return all;
}

double largest(const Points& g) {
  double most = 0;
  for (const P& p : g) most = std::max(most, glm::length(p));
  return most;
}

}  // namespace

TEST_CASE("the forces of meshless bending are the slopes of its energy") {
  Random random(11);
  for (const TriMesh& mesh : shapes())
    // of an edge: also sheets that fold and neighbourhoods that collapse
    for (const double amount : {0.001, 0.3, 0.8}) {
      const Sheet s(mesh);
      Points x = moved(s.rest(), random.rotation(), random.point());
      for (P& p : x) p += random.point(amount);
      const Points g = s.gradient(x);
      const double size = std::max(largest(g), s.energy(x));
      for (int v = 0; v < s.vertices(); v += 3)
        for (int c = 0; c < 3; ++c) {
          const double slope = fourth_order(
              [&](double h) {
                Points y = x;
                y[size_t(v)][c] += h;
                return s.energy(y);
              },
              1e-3);
          // Truncation h⁴ f⁽⁵⁾ / 30, and the fit of a collapsing neighbourhood changes over kCollapse = 0.2
          // of an edge: 24 (h / 0.2)⁴ of the slope.
          CHECK(std::abs(slope - g[size_t(v)][c]) < 3e-8 * size);
        }
    }
}

TEST_CASE("meshless bending costs nothing at rest and nothing when moved as a whole") {
  Random random(12);
  for (const TriMesh& mesh : shapes()) {
    const Sheet s(mesh);
    double stiffest = 0;
    for (const float k : s.n.stiffness) stiffest = std::max(stiffest, double(k));
    CHECK(stiffest > 0);
    for (int i = 0; i < 4; ++i) {
      const Points x = i == 0 ? s.rest() : moved(s.rest(), random.rotation(), random.point());
      // References are kept in float32: residuals of 1e-7 of an edge (1 m), times the number of neighbours.
      CHECK(largest(s.gradient(x)) < 1e-5 * stiffest);
      CHECK(s.energy(x) < 1e-11 * stiffest * s.vertices());
      CHECK(s.energy(x) >= -1e-13 * stiffest);
    }
  }
}

TEST_CASE("meshless bending pushes with no net force and no net torque") {
  Random random(13);
  for (const TriMesh& mesh : shapes()) {
    const Sheet s(mesh);
    Points x = s.rest();
    for (P& p : x) p += random.point(0.5);
    const Points g = s.gradient(x);
    P force(0), torque(0);
    double size = 0;
    for (size_t v = 0; v < x.size(); ++v)
      force += g[v], torque += glm::cross(x[v], g[v]), size += glm::length(g[v]);
    CHECK(glm::length(force) < 1e-13 * size);
    CHECK(glm::length(torque) < 1e-12 * size * 5);
  }
}

TEST_CASE("meshless bending of an equilateral sheet is that of a plate of Poisson ratio one third") {
  const Sheet s(sheets({0, 180}, 8, 5, 1));
  const int v = 4;  // on the axis, in the middle
  const double area = std::sqrt(0.75), bend = 1e-4;
  const auto cost = [&](double xx, double xy, double yy) {
    Points x = s.rest();
    for (P& p : x) p.z = bend * (0.5 * xx * p.x * p.x + xy * p.x * p.y + 0.5 * yy * p.y * p.y);
    return s.energy(x, v) / (0.5 * bend * bend * area);
  };
  // Plate: B ((k1 + k2)² - 2 (1 - nu) k1 k2) / 2 per area. Errors: (bend x)² and float32 references.
  for (int a = 0; a < 7; ++a) {
    const double u = std::cos(0.3 * a), w = std::sin(0.3 * a);
    CHECK(cost(u * u, u * w, w * w) == doctest::Approx(1).epsilon(1e-5));  // a cylinder in any direction
  }
  CHECK(cost(1, 0, 1) == doctest::Approx(8.0 / 3).epsilon(1e-5));   // a sphere
  CHECK(cost(1, 0, -1) == doctest::Approx(4.0 / 3).epsilon(1e-5));  // a saddle
  CHECK(cost(0, 1, 0) == doctest::Approx(4.0 / 3).epsilon(1e-5));   // the same saddle, as twist
}

TEST_CASE("the operator of neighbourhoods bounds the Hessian of meshless bending at rest") {
  TriMesh curled = sheets({0, 180}, 3, 2, 1);
  for (vec3& p : curled.positions) p = {p.x, 1.5f * std::sin(p.y / 1.5f), 1.5f * std::cos(p.y / 1.5f)};
  for (const TriMesh& mesh :
       {sheets({0, 180}, 3, 2, 1), curled, sheets({0, 90, 180}, 3, 2, 1), sheets({0, 120, 240}, 3, 2, 1)}) {
    const Sheet s(mesh);
    const int n = s.vertices();
    std::vector<std::vector<double>> q(3 * n, std::vector<double>(3 * n, 0.0)), slack = q;
    std::vector<BendingCoupling> couplings;
    for (int v = 0; v < n; ++v) {
      bending_couplings(s.n, v, couplings);
      for (const BendingCoupling& c : couplings)
        for (int k = 0; k < 3; ++k)
          q[3 * c.row + k][3 * c.column + k] += c.value, q[3 * c.row + k][3 * c.row + k] -= c.value;
    }
    double hardest = 0;
    for (int v = 0; v < n; ++v)
      for (int c = 0; c < 3; ++c) {
        const auto at = [&](double h) {
          Points x = s.rest();
          x[v][c] += h;
          return s.gradient(x);
        };
        const Points more = at(1e-4), less = at(-1e-4);
        for (int w = 0; w < n; ++w)
          for (int r = 0; r < 3; ++r)
            slack[3 * w + r][3 * v + c] = q[3 * w + r][3 * v + c] - (more[w][r] - less[w][r]) / 2e-4;
        hardest = std::max(hardest, q[3 * v + c][3 * v + c]);
      }
    for (int i = 0; i < 3 * n; ++i)
      for (int j = 0; j < i; ++j) slack[i][j] = slack[j][i] = 0.5 * (slack[i][j] + slack[j][i]);
    // kCollapse softens what is in the plane, and references of float32 leave 1e-6.
    CHECK(eigenvalue_range(slack)[0] > -1e-4 * hardest);
  }
}

TEST_CASE("neighbourhoods are mutual and stay within their layer") {
  TriMesh two = sheets({0, 180}, 5, 3, 1);
  const int count = two.vertex_count(), triangles = two.triangle_count();
  for (int v = 0; v < count; ++v) two.positions.push_back(two.positions[size_t(v)] + vec3(0, 0, 0.01f));
  for (int t = 0; t < triangles; ++t) two.triangles.push_back(two.triangles[size_t(t)] + ivec3(count));
  const BendingNeighborhoods n = bending_neighborhoods(build_topology({{"two layers", two}}));
  for (int v = 0; v < 2 * count; ++v)
    for (int o = n.start[size_t(v)]; o < n.start[size_t(v) + 1]; ++o) {
      const int j = n.neighbor[size_t(o)], back = n.reverse[size_t(o)];
      CHECK((j < count) == (v < count));
      CHECK((back >= n.start[size_t(j)] && back < n.start[size_t(j) + 1] && n.neighbor[size_t(back)] == v));
    }
}

TEST_CASE("the kernels of meshless bending give the forces of its energy on every device") {
  testing::for_each_device([](Device& device) {
    Random random(14);
    for (const TriMesh& mesh : shapes()) {
      const Sheet s(mesh);
      NeighborhoodForces kernels(device, s.topology);
      Scene scene;
      scene.cloths.emplace_back().fabric.bending_rigidity = 1;
      kernels.set_fabric(scene);
      std::vector<vec3> position, d;
      Points x;
      for (const vec3& r : s.topology.rest) {
        position.push_back(r + vec3(random.point(0.2)));
        d.push_back(vec3(random.point(0.2)));
        x.push_back(P(position.back()) + P(d.back()));
      }
      const Buffer<vec3> at(device, "position", position), by(device, "displacement", d);
      const std::vector<vec3> others(size_t(padded_rows(s.vertices())), vec3(1, 2, 3));
      Buffer<vec3> total(device, "forces", others);
      kernels.add(at.span(), by.span(), total.span(), total.span());
      const auto forces = total.download();
      const Points g = s.gradient(x);
      // A few hundred roundings of numbers of the size of positions, twentyfold where a fit is close to
      // collapse.
      for (size_t v = 0; v < x.size(); ++v)
        CHECK(glm::length(P(forces[v]) - P(1, 2, 3) + g[v]) < 1e-4 * largest(g));
    }
  });
}
