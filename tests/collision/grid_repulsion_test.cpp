// Proximity of a grid's vertices against brute force; repulsion and half planes in block descent.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "sim/collision/grid_repulsion/grid_proximity.h"
#include "sim/collision/grid_repulsion/half_planes.h"
#include "tests/solvers/grid_problem.h"

using namespace weft;
using namespace weft::testing;
using namespace weft::grid_repulsion;

namespace {

using Pairs = std::set<std::pair<int, int>>;

/// Two panels, one with a hole.
TriMesh panels() {
  TriMesh mesh = rectangle({0, 0}, {0.042f, 0.035f}, 6, 5);
  mesh.triangles.erase(mesh.triangles.begin() + 24, mesh.triangles.begin() + 28);
  const TriMesh other = rectangle({0, 0}, {0.021f, 0.03f}, 2, 2);
  const int first = mesh.vertex_count();
  mesh.positions.insert(mesh.positions.end(), other.positions.begin(), other.positions.end());
  mesh.uv.insert(mesh.uv.end(), other.uv.begin(), other.uv.end());
  for (const ivec3& t : other.triangles) mesh.triangles.push_back(t + ivec3(first));
  return mesh;
}

/// Shapes of a sheet, as positions by lattice point.
enum class Shape { flat, random, clustered, folded, rolled };

dvec3 place(Shape shape, const grid::Lattice& at, double cell, std::mt19937_64& random) {
  std::uniform_real_distribution<double> u(0, 1);
  const double x = cell * at.i, y = cell * at.j;
  switch (shape) {
    case Shape::random: return {0.06 * u(random), 0.06 * u(random), 0.01 * u(random)};
    case Shape::clustered:
      return dvec3(0.004 * u(random), 0.004 * u(random), 0.004 * u(random)) +
             dvec3(at.i % 5 == 0 ? 0.5 : 0, 0, 0);
    case Shape::folded: {  // zigzag, layers 0.8 cells apart
      const double t = std::fmod(x, 0.02), up = t < 0.01 ? t : 0.02 - t;
      return {up, y, 0.8 * cell * std::floor(x / 0.01) + 0.3 * cell * at.panel};
    }
    case Shape::rolled: {
      const double r = 0.004 + 0.00015 * x / 0.001, a = x / 0.006;
      return dvec3(r * std::cos(a), y, r * std::sin(a)) + dvec3(2, 3, 1);
    }
    default: return {x, y, 2.5 * cell * at.panel};
  }
}

/// All pairs closer than a radius that are no neighbours, in double precision; pairs within rounding of the radius apart.
void brute_force(const GridSheet& s, const std::vector<dvec3>& x, double radius, Pairs& sure, Pairs& unsure) {
  const grid::GridView g = s.grid.view();
  std::vector<int> all;
  for (int v = 0; v < s.grid.slot_count(); ++v)
    if (s.inside(v)) all.push_back(v);
  for (const int v : all)
    for (const int w : all) {
      if (v == w) continue;
      const grid::Lattice a = g.lattice(v), b = g.lattice(w);
      bool neighbor = false;
      for (int k = 0; k < grid::kNeighbors; ++k) {
        const grid::Offset o = grid::neighbor_offset(k);
        neighbor |= a.panel == b.panel && a.i + o.x == b.i && a.j + o.y == b.j;
      }
      const double d = glm::length(x[size_t(v)] - x[size_t(w)]);
      if (neighbor || d > radius + 1e-8) continue;
      (d < radius - 1e-8 ? sure : unsure).insert({v, w});
    }
}

}  // namespace

TEST_CASE(
    "proximity on a grid equals brute force on flat and random and clustered and folded and rolled sheets") {
  const double cell = 0.001;
  for (const int threads : {1, 2})
    for (const int width : {8 * threads})
      for (const Shape shape : {Shape::flat, Shape::random, Shape::clustered, Shape::folded, Shape::rolled}) {
        INFO("width " << width << " shape " << int(shape));
        GridSheet s(panels(), float(cell), width, threads);
        std::mt19937_64 random(11);
        std::vector<dvec3> world(s.slots());
        for (int v = 0; v < s.grid.slot_count(); ++v)
          if (s.inside(v)) world[size_t(v)] = place(shape, s.grid.view().lattice(v), cell, random);
        grid::GridPositions x(*s.device, s.grid);
        x.upload(s.grid, world);
        world = x.download();
        GridProximity search(*s.device, s.grid);
        const float radius = 1.3f * float(cell);
        int rounds = 0;
        do search.find(std::as_const(x).view(), radius), ++rounds;
        while (!search.fits());
        if (shape == Shape::random || shape == Shape::clustered) CHECK(rounds > 1);  // lists that grew
        Pairs sure, unsure, found;
        brute_force(s, world, double(radius), sure, unsure);
        const Span<const grid::Contact> list = search.contacts();
        const Span<const int> start = search.start();
        CHECK(start[s.grid.block_count()] == search.contact_count());
        int last = -1;
        for (int b = 0; b < s.grid.block_count(); ++b)
          for (int k = start[b]; k < start[b + 1]; ++k) {
            const grid::Contact c = list[k];
            CHECK(s.grid.view().block_of(c.vertex) == b);
            CHECK(c.vertex >= last);
            last = c.vertex;
            CHECK(found.insert({c.vertex, c.other}).second);
          }
        Pairs missing, added;
        std::set_difference(sure.begin(), sure.end(), found.begin(), found.end(),
                            std::inserter(missing, missing.end()));
        std::set_difference(found.begin(), found.end(), sure.begin(), sure.end(),
                            std::inserter(added, added.end()));
        for (const auto& pair : unsure) added.erase(pair);
        CHECK(missing.empty());
        CHECK(added.empty());
        if (shape == Shape::flat) CHECK(found.empty());
        else CHECK(found.size() > 500);
      }
}
