// Upsampling of folded states makes no new crossing: a fine mesh is linear on the coarse triangles.
#include <doctest/doctest.h>

#include <set>

#include "tests/grid/sheets.h"
#include "tests/safety/crossings.h"

using namespace weft;
using namespace weft::testing;
using namespace weft::grid;

namespace {

struct FoldedLevels {
  std::unique_ptr<Device> device = Device::create(DeviceChoice::cpu, 1);
  MaterialMesh material = material_mesh(rectangle({0, 0}, {0.04f, 0.024f}, 1, 1));
  GridLevels levels{*device, material, {.cell = 0.001f}, 2};
  GridPositions fine_frame{*device, levels[0]}, coarse_frame{*device, levels[1]}, fine_x{*device, levels[0]},
      coarse_x{*device, levels[1]};
  Grid::Published fine = levels[0].published(), coarse = levels[1].published();

  FoldedLevels() {
    const std::vector<vec3> flat = rectangle({0, 0}, {0.04f, 0.024f}, 1, 1).positions;
    const Buffer<ivec3> triangles(*device, "test", material.triangles);
    const Buffer<vec3> corners(*device, "test", flat);
    grid::resample(*device, levels[0], triangles.span(), corners.span(), fine_frame);
    grid::resample(*device, levels[1], triangles.span(), corners.span(), coarse_frame);
  }

  /// A roll with layers `gap` coarse cells apart, with noise of a part of it.
  void fold(uint64_t seed, double gap, double noise) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> u(-1, 1);
    const double h = 0.002, inner = 0.003 + 0.001 * u(random);
    std::vector<dvec3> x(size_t(levels[1].slot_count()), dvec3(0));
    const GridView g = levels[1].view();
    for (int v = 0; v < levels[1].slot_count(); ++v) {
      if (!g.inside(v)) continue;
      const dvec2 m(g.material(v));
      const double a = m.x / inner, r = inner + gap * h * a / (2 * M_PI);
      x[size_t(v)] = dvec3(r * std::cos(a), m.y, r * std::sin(a)) +
                     noise * gap * h * dvec3(u(random), u(random), u(random)) + dvec3(1.5, -0.7, 0.3);
    }
    coarse_x.upload(levels[1], x);
    // what was rounded is what is upsampled
    upsample(*device, levels[1], levels[0], coarse_x, coarse_frame, fine_frame, fine_x);
  }
  static std::vector<dvec3> published(const GridPositions& x, const Grid::Published& p) {
    const std::vector<dvec3> all = x.download();
    std::vector<dvec3> out;
    for (const int v : p.vertices) out.push_back(all[size_t(v)]);
    return out;
  }
  check::Crossings crossings(const GridPositions& x, const Grid::Published& p) const {
    const std::vector<dvec3> positions = published(x, p);
    return check::find_crossings(std::span<const dvec3>(positions), {p.triangles, -1});
  }
};

/// The lattice cell of the coarse level in which a fine triangle lies, and whether it is the lower triangle
/// there.
std::array<int, 3> parent(const Grid::Published& p, const ivec3& t, float cell) {
  vec2 middle(0);
  for (int k = 0; k < 3; ++k) middle += p.material[size_t(t[k])] / (3 * cell);
  const int i = int(std::floor(middle.x)), j = int(std::floor(middle.y));
  return {i, j, middle.x - float(i) > middle.y - float(j) ? 1 : 0};
}

/// A coarse triangle as `parent` names it, and those of the cells around, which have all that touch it.
std::vector<std::array<int, 3>> around(const std::array<int, 3>& t) {
  std::vector<std::array<int, 3>> out;
  for (int di = -1; di <= 1; ++di)
    for (int dj = -1; dj <= 1; ++dj)
      for (int lower = 0; lower <= 1; ++lower) out.push_back({t[0] + di, t[1] + dj, lower});
  return out;
}

/// The least distance of a corner of one triangle from the plane of the other, m.
double least_height(const std::vector<dvec3>& x, const ivec3& s, const ivec3& t) {
  double least = 1e30;
  for (const auto& [of, over] : {std::pair(s, t), std::pair(t, s)}) {
    const dvec3 a = x[size_t(over.x)],
                n = glm::normalize(glm::cross(x[size_t(over.y)] - a, x[size_t(over.z)] - a));
    for (int k = 0; k < 3; ++k) least = std::min(least, std::abs(glm::dot(n, x[size_t(of[k])] - a)));
  }
  return least;
}

void no_new_crossing(int states) {
  // m, the last place of a float32 between 1 and 2 m, where these states lie
  constexpr double kRounding = 1.2e-7;
  FoldedLevels levels;
  int clean = 0, crossed = 0;
  for (int s = 0; s < states; ++s) {
    CAPTURE(s);
    levels.fold(uint64_t(s) + 1, s % 2 ? 1.5 : 0.4, s % 2 ? 0.15 : 0.6);
    const check::Crossings coarse = levels.crossings(levels.coarse_x, levels.coarse),
                           fine = levels.crossings(levels.fine_x, levels.fine);
    coarse.clean() ? ++clean : ++crossed;
    if (coarse.clean()) CHECK(fine.clean());
    // Every crossing of fine triangles is one of the coarse triangles that they are parts of, or of ones that
    // touch these: a cut that ends at a side or corner may end beyond it once positions are rounded.
    std::set<std::pair<std::array<int, 3>, std::array<int, 3>>> known;
    const auto of = [&](const Grid::Published& p, int t) {
      return parent(p, p.triangles[size_t(t)], 0.002f);
    };
    for (const check::Crossing& c : coarse.pairs) {
      for (const auto& a : around(of(levels.coarse, c.a)))
        for (const auto& b : around(of(levels.coarse, c.b))) known.insert({a, b}), known.insert({b, a});
    }
    // Others are corners that rounding takes through a triangle that they touch.
    const std::vector<dvec3> x = FoldedLevels::published(levels.fine_x, levels.fine);
    for (const check::Crossing& c : fine.pairs)
      if (!known.count({of(levels.fine, c.a), of(levels.fine, c.b)}))
        CHECK(least_height(x, levels.fine.triangles[size_t(c.a)], levels.fine.triangles[size_t(c.b)]) <
              kRounding);
  }
  MESSAGE(clean << " states without crossings, " << crossed << " with some");
  CHECK(clean > states / 4);
  CHECK(crossed > states / 4);
}

}  // namespace

TEST_CASE("upsampling of folded states makes no new crossing") { no_new_crossing(24); }
TEST_CASE("upsampling of a thousand folded states makes no new crossing" * doctest::test_suite("full")) {
  no_new_crossing(1000);
}
