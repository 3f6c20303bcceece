// Proximity of a grid's vertices against brute force; repulsion and half planes in block descent.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "sim/grid/contact/grid_proximity.h"
#include "sim/grid/contact/half_planes.h"
#include "sim/grid/seams.h"
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

/// All pairs closer than a radius that are no neighbours, in double precision; pairs within rounding of the
/// radius apart.
void brute_force(const GridSheet& s, const std::vector<dvec3>& x, double radius, Pairs& sure, Pairs& unsure,
                 const grid::RestView& rest = {}) {
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
      const double near = radius * double(rest.reach_scale(v, w));
      if (neighbor || d > near + 1e-8) continue;
      (d < near - 1e-8 ? sure : unsure).insert({v, w});
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
        GrowingLists growing(*s.device);
        GridProximity search(growing, s.grid);
        const float radius = 1.3f * float(cell);
        int rounds = 0;
        do search.find(std::as_const(x).view(), radius), ++rounds;
        while (!growing.fit());
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

TEST_CASE("on a gathered sheet the radius follows the rest lengths, and the flat rest shape has no pairs") {
  const float cell = 0.001f, radius = 1.4f * cell;
  std::mt19937_64 random(5);
  std::uniform_real_distribution<float> u(0.6f, 1.9f);
  for (const bool flat : {false, true}) {
    CAPTURE(flat);
    GridSheet s(panels(), cell, 8, 2);
    grid::RestLists lists(*s.device, s.grid, std::vector<char>(size_t(s.grid.block_count()), 1));
    const grid::RestView rest = lists.view();
    const vec2 along(std::cos(0.6f), std::sin(0.6f));
    const auto gathered = [&](const vec2& e) {  // longer by 1.8 along a slanted direction
      return e + 0.8f * glm::dot(e, along) * along;
    };
    std::vector<dvec3> world(s.slots());
    float widest = 1;
    for (int v = 0; v < s.grid.slot_count(); ++v) {
      const vec2 at = s.grid.view().material(v);
      const int panel = s.inside(v) ? s.grid.view().lattice(v).panel : 0;
      const float x = glm::length(gathered({1, 0})), y = glm::length(gathered({0, 1})),
                  diagonal = glm::length(gathered({1, 1})) * std::sqrt(0.5f);
      if (flat) rest.set(v, {x, diagonal, y});
      else rest.set(v, {u(random), u(random), u(random)});
      widest = std::max(widest, grid::second_neighbor_scale(rest.scale(v)));
      if (s.inside(v))
        world[size_t(v)] = flat ? dvec3(dvec2(gathered(at)), 0.005 * panel)
                                : place(Shape::folded, s.grid.view().lattice(v), double(cell), random);
    }
    grid::GridPositions x(*s.device, s.grid);
    x.upload(s.grid, world);
    world = x.download();
    GrowingLists growing(*s.device);
    GridProximity search(growing, s.grid);
    do search.find(std::as_const(x).view(), radius, {}, rest, widest);
    while (!growing.fit());
    Pairs sure, unsure, found;
    brute_force(s, world, double(radius), sure, unsure, rest);
    for (int k = 0; k < search.contact_count(); ++k)
      found.insert({search.contacts()[k].vertex, search.contacts()[k].other});
    for (const auto& pair : unsure) found.insert(pair), sure.insert(pair);
    CHECK(found == sure);
    if (flat) CHECK(found.empty());
    else CHECK(found.size() > 1000);
    if (flat) CHECK(widest > 1.02f);
  }
}

TEST_CASE("vertices beside a seam are no contacts across it, and a fold of the seam has them") {
  const float cell = 0.001f, radius = 1.4f * cell;
  const TriMesh mesh = two_sewn_panels();
  const grid::MaterialMesh material = grid::material_mesh(mesh);
  GridSheet s(mesh, cell);
  const double reach = 2.83 * double(cell);
  const std::vector<grid::SeamPair> sewn = grid::seam_neighbors(s.grid, material, reach);
  // The sheet is flat and as in the material: paths over the seam are straight.
  const std::vector<dvec3> flat = s.frame.download();
  const grid::GridView g = s.grid.view();
  Pairs near, listed;
  for (const grid::SeamPair& c : sewn) CHECK(listed.insert({c.vertex, c.other}).second);
  for (int v = 0; v < s.grid.slot_count(); ++v)
    for (int w = 0; s.inside(v) && w < s.grid.slot_count(); ++w)
      if (s.inside(w) && g.lattice(v).panel != g.lattice(w).panel &&
          glm::length(flat[size_t(v)] - flat[size_t(w)]) < 0.95 * reach)
        near.insert({v, w});
  CHECK(near.size() > 100);
  for (const auto& pair : near) CHECK(listed.count(pair) == 1);
  for (const auto& [v, w] : listed)
    CHECK(glm::length(flat[size_t(v)] - flat[size_t(w)]) < reach + 0.07 * double(cell));

  const auto contacts = [&](bool told, const std::vector<dvec3>& world) {
    grid::GridPositions x(*s.device, s.grid);
    x.upload(s.grid, world);
    GrowingLists growing(*s.device);
    GridProximity search(growing, s.grid);
    if (told) search.set_sewn(sewn);
    const PathLimits limits{2.6f * cell, 1.3f * cell, cell, 0.05f * cell, 1};
    do search.find(std::as_const(x).view(), radius, limits);
    while (!growing.fit());
    float least = 1;
    for (int c = 0; c < search.longest_paths().size; ++c) least = std::min(least, search.longest_paths()[c]);
    return std::pair(search.contact_count(), least);
  };
  CHECK(contacts(false, flat).first > 100);
  const auto [count, least] = contacts(true, flat);
  CHECK(count == 0);
  CHECK(least > 0.1f * cell);  // vertices beside the seam may move as others may
  // Folded along the seam by 180 degrees, half a cell apart: all but those beside the seam meet.
  std::vector<dvec3> folded = flat;
  const double seam = 2 * 0.0153;
  for (dvec3& p : folded)
    if (p.x > seam) p = {2 * seam - p.x, p.y, 0.5 * double(cell)};
  CHECK(contacts(true, folded).first > 1000);
}

TEST_CASE(
    "limits of ways are half of what vertices more than two rings apart have between them, as by brute "
    "force") {
  const double cell = 0.001;
  for (const Shape shape : {Shape::flat, Shape::random, Shape::folded, Shape::rolled}) {
    CAPTURE(int(shape));
    GridSheet s(panels(), float(cell), 8, 2);
    std::mt19937_64 random(7);
    std::vector<dvec3> world(s.slots());
    for (int v = 0; v < s.grid.slot_count(); ++v)
      if (s.inside(v)) world[size_t(v)] = place(shape, s.grid.view().lattice(v), cell, random);
    grid::GridPositions x(*s.device, s.grid);
    x.upload(s.grid, world);
    world = x.download();
    GrowingLists growing(*s.device);
    GridProximity search(growing, s.grid);
    const float radius = 1.4f * float(cell);
    const PathLimits limits{2.6f * float(cell), 1.3f * float(cell), float(cell), 0.05f * float(cell), 0.25f};
    do search.find(std::as_const(x).view(), radius, limits);
    while (!growing.fit());
    const grid::GridView g = s.grid.view();
    std::vector<double> expected(size_t(search.longest_paths().size),
                                 0.5 * double(limits.reach - limits.meet));
    for (int v = 0; v < s.grid.slot_count(); ++v)
      for (int w = 0; s.inside(v) && w < s.grid.slot_count(); ++w) {
        const grid::Lattice a = g.lattice(v), b = g.lattice(w);
        if (!s.inside(w) || (a.panel == b.panel && std::abs(a.i - b.i) <= 2 && std::abs(a.j - b.j) <= 2))
          continue;
        const double d = glm::length(world[size_t(v)] - world[size_t(w)]);
        double& least = expected[size_t(grid::collision_block(v, g.width()))];
        least = std::min(least, 0.5 * (d - double(d < double(radius) ? limits.keep : limits.meet)));
      }
    int smaller = 0;
    for (size_t c = 0; c < expected.size(); ++c) {
      const double most = 0.25 * std::max(expected[c], double(limits.least));
      CHECK(std::abs(double(search.longest_paths()[int(c)]) - most) < 1e-9);
      smaller += most < 0.25 * 0.649 * cell;
    }
    CHECK(smaller > 10);
  }
}

TEST_CASE("no vertex moves farther than its limit in an iteration, by any method") {
  for (const bd::Method method : {bd::Method::blocks, bd::Method::conjugate_blocks, bd::Method::conjugate}) {
    CAPTURE(int(method));
    GridSheet s(rectangle({0, 0}, {0.03f, 0.03f}, 1, 1), 0.001f);
    bd::GridProblem p(*s.device, s.grid,
                      bd::make_sheet(FabricParams{}, ElasticModel::finite_elements, 0.001f));
    p.x().copy_from(s.frame);
    p.terms.gravity = {0, 0, -98100};
    p.options.method = method, p.options.judge_every = 0;
    const auto longest = [&] {
      const std::vector<dvec3> before = p.x().download();
      p.begin();
      p.solve(1);
      const std::vector<dvec3> after = p.x().download();
      std::vector<double> way(s.slots());
      for (size_t v = 0; v < way.size(); ++v) way[v] = glm::length(after[v] - before[v]);
      return way;
    };
    const std::vector<double> free = longest();
    std::vector<float> limit(s.slots() / 16);
    for (size_t c = 0; c < limit.size(); ++c) limit[c] = 1e-6f * float(1 + c % 7);
    const Buffer<float> ways(*s.device, "limits", limit);
    p.x().copy_from(s.frame);
    p.set_longest_paths(ways.span());
    const std::vector<double> limited = longest();
    int reached = 0;
    for (size_t v = 0; v < limited.size(); ++v) {
      const double most = double(limit[size_t(grid::collision_block(int(v), 8))]);
      CHECK(limited[v] <= most * (1 + 1e-4) + 1e-9);
      if (!s.inside(int(v)) || free[v] < 1.1 * most) continue;
      CHECK(limited[v] > 0.99 * most);
      ++reached;
    }
    CHECK(reached > 500);
  }
}
