#include "sim/collision/surface/own_radii.h"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/collision/pair_lists.h"
#include "tests/device/for_each_device.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// The points of a pair, as its list has them.
ivec4 points_of(const SearchSurface& s, const Pair& pair, bool edges) {
  if (!edges) {
    const ivec3 t = s.triangles[size_t(pair.second)];
    return {pair.first, t.x, t.y, t.z};
  }
  const ivec2 e = s.edges[size_t(pair.first)], f = s.edges[size_t(pair.second)];
  return {e.x, e.y, f.x, f.y};
}

}  // namespace

TEST_SUITE("collision") {
  TEST_CASE("pairs of parts with radii of their own are those of brute force, and no more") {
    SearchSurface s;
    add_soup(s, 200, 0.1f, 0.02f, 1);
    const int thick = int(s.positions.size());
    add_soup(s, 100, 0.1f, 0.02f, 3);
    s.obstacle_from = int(s.positions.size());
    add_soup(s, 100, 0.1f, 0.03f, 2);
    derive_edges(s);
    const int cloth = s.obstacle_from;
    std::vector<float> radius(s.positions.size(), 0);
    for (int p = 0; p < cloth; ++p) radius[size_t(p)] = p < thick / 2 ? 0 : p < thick ? 0.001f : 0.004f;
    std::vector<int> start, beside;  // points of the thickest part lie beside those before and after them
    for (int p = 0; p <= cloth; ++p) {
      start.push_back(int(beside.size()));
      for (int q = std::max(p - 2, thick); p >= thick && q < std::min(p + 3, cloth); ++q)
        if (q != p) beside.push_back(q);
    }
    for_each_device([&](Device& device) {
      const Buffer<vec3> at(device, "points", s.positions);
      const Buffer<float> radii(device, "radii", radius);
      const Buffer<int> near_start(device, "near", start), near(device, "near", beside);
      PartRadii parts;
      parts.radius = radii.span(), parts.near_start = near_start.span(), parts.near = near.span();
      parts.usual = 0.0015f, parts.onset = 0.001f, parts.cloth_points = cloth;
      PartRadii here;  // the same on the host
      here = parts;
      here.radius = {radius.data(), int(radius.size())};
      here.near_start = {start.data(), int(start.size())}, here.near = {beside.data(), int(beside.size())};
      GrowingLists growing(device);
      TriangleSearch search(growing, s);
      search.widen(parts, 0.01f);
      constexpr float kBase = 0.002f;
      search_until_it_fits(growing, search, at.span(), kBase, 0.3f * kBase);
      const NearPairs all = all_pairs(s, s.positions, 0.02);
      for (const bool edges : {false, true}) {
        const Listed found(device, edges ? search.edge_edge() : search.vertex_triangle());
        std::set<Pair> listed;
        for (const ivec2& p : found.primitives) listed.insert({p.x, p.y});
        int wrong = 0, wide = 0, out = 0;
        for (const auto& [pair, distance] : edges ? all.edges : all.triangles) {
          const ivec4 p = points_of(s, pair, edges);
          float side[2] = {0, 0};
          for (int k = 0; k < 4; ++k)
            side[k >= (edges ? 2 : 1)] = std::max(side[k >= (edges ? 2 : 1)], here.width(p[k]));
          const bool apart = here.beside(p, !edges);
          const double reach = double(kBase) + (apart ? 0.0 : double(side[0] + side[1]));
          if (std::abs(distance - reach) < 1e-6) continue;
          const bool is = listed.count(pair) || (edges && listed.count({pair.second, pair.first}));
          wrong += is != (distance < reach);
          wide += is && distance > double(kBase);
          out += apart && distance > double(kBase) && distance < double(kBase + side[0] + side[1]);
        }
        CHECK(wrong == 0);
        CHECK(wide > 100);
        CHECK(out > 0);  // some were left out
      }
    });
  }

  TEST_CASE("a pair meets at the sum of its radii, a body at the part's own") {
    const std::vector<float> radius{0.004f, 0.001f, 0, 0, 0};
    const std::vector<int> none(6, 0);
    PartRadii parts;
    parts.radius = {radius.data(), 5}, parts.near_start = {none.data(), 6};
    parts.usual = 0.0013f, parts.onset = 0.001f, parts.cloth_points = 4;
    const auto meets = [&](int a, int b) { return parts.onset + parts.of_points(a, b); };
    CHECK(meets(0, 1) == doctest::Approx(0.005));
    CHECK(meets(1, 1) == doctest::Approx(0.002));
    CHECK(meets(0, 2) == doctest::Approx(0.004 + 0.0013 / 2));
    CHECK(meets(2, 3) == doctest::Approx(0.0013));
    CHECK(meets(0, 4) == doctest::Approx(0.004));
    CHECK(meets(4, 2) == doctest::Approx(0.0013));
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 5; ++b) CHECK(parts.width(a) + parts.width(b) >= parts.of_points(a, b) - 1e-9f);
  }

  TEST_CASE("what is near over a sheet is what lies within the half circle of its tightest fold") {
    const int n = 21;
    SearchSurface s;
    add_sheet(s, n, 0.2f, [](const vec3& p) { return p; });
    TriMesh mesh;
    mesh.positions = s.positions, mesh.triangles = s.triangles;
    const Topology sheet = build_topology({{"sheet", mesh}});
    const float reach = 0.035f;
    const HostAdjacency near = near_over_mesh(sheet, {reach}, 1000000);
    for (int v = 0; v < n * n; ++v) {
      const std::vector<int> row(near.entry.begin() + near.start[size_t(v)],
                                 near.entry.begin() + near.start[size_t(v) + 1]);
      CHECK(std::is_sorted(row.begin(), row.end()));
      for (int w = 0; w < n * n; ++w) {
        const float way = glm::distance(sheet.rest[size_t(v)], sheet.rest[size_t(w)]);
        const bool has = std::binary_search(row.begin(), row.end(), w);
        // along edges and diagonals of one direction a way is sqrt(2) of the straight one at most
        if (way > reach * 1.0001f || v == w) CHECK_FALSE(has);
        else if (way < reach / 1.4143f) CHECK(has);
      }
    }
    CHECK_THROWS_WITH(near_over_mesh(sheet, {reach}, 100), doctest::Contains("too fine"));
  }
}
