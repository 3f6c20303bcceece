// What lists of pairs hold and leave out, and what they do without room.
#include "tests/collision/pair_lists.h"

#include "tests/device/for_each_device.h"

using namespace weft;
using namespace weft::testing;

TEST_SUITE("collision") {
  TEST_CASE(
      "pairs whose points have a mark in common are left out, the others stay as they are, until marks are "
      "taken back") {
    for_each_device([](Device& device) {
      const SearchSurface s = folded_cloth(20);
      const Buffer<vec3> at(device, "points", s.positions);
      GrowingLists growing(device);
      TriangleSearch search(growing, s);
      search_until_it_fits(growing, search, at.span(), 0.006f, 0.003f);
      const Listed triangles(device, search.vertex_triangle()), edges(device, search.edge_edge());
      std::vector<int> marks(s.positions.size());
      for (size_t i = 0; i < marks.size(); ++i) marks[i] = int(i % 4);  // 0, 1, 2, or both
      search.leave_out(marks);
      search_until_it_fits(growing, search, at.span(), 0.006f, 0.003f);
      for (const auto& [before, after] : {std::pair(&triangles, Listed(device, search.vertex_triangle())),
                                          std::pair(&edges, Listed(device, search.edge_edge()))}) {
        std::vector<ivec4> kept;
        for (const ivec4& p : before->points)
          if (!(marks[size_t(p.x)] & marks[size_t(p.y)] & marks[size_t(p.z)] & marks[size_t(p.w)]))
            kept.push_back(p);
        CHECK(kept.size() < before->points.size());
        CHECK(kept.size() > before->points.size() / 2);
        CHECK(after.points == kept);
      }
      search.leave_out({});
      search_until_it_fits(growing, search, at.span(), 0.006f, 0.003f);
      CHECK(Listed(device, search.vertex_triangle()).points == triangles.points);
      CHECK(Listed(device, search.edge_edge()).points == edges.points);
    });
  }

  TEST_CASE("a list of pairs without room says so and has room the next time") {
    for_each_device([](Device& device) {
      SearchSurface s;
      add_soup(s, 120, 0.01f, 0.01f, 9);  // everything is near everything
      s.obstacle_from = int(s.positions.size());
      derive_edges(s);
      Buffer<vec3> at(device, "points", s.positions);
      GrowingLists growing(device);
      TriangleSearch search(growing, s);
      search.find(at.span(), 0.02f, 0.001f);
      CHECK_FALSE(growing.fit());
      const int moved = search.moves();
      search_until_it_fits(growing, search, at.span(), 0.02f, 0.001f);
      CHECK(search.moves() >= moved);
      const NearPairs near = all_pairs(s, s.positions, 0.0201);
      CHECK(is_complete(Listed(device, search.vertex_triangle()), near.triangles, 0.02, 1e-6));
      CHECK(is_complete(Listed(device, search.edge_edge()), near.edges, 0.02, 1e-6));
    });
  }

  TEST_CASE("candidates that were cut short say so again where nobody asked the first time") {
    for_each_device([](Device& device) {
      SearchSurface s;
      add_soup(s, 120, 0.01f, 0.01f, 9);
      s.obstacle_from = int(s.positions.size());
      derive_edges(s);
      Buffer<vec3> at(device, "points", s.positions);
      GrowingLists growing(device);
      TriangleSearch search(growing, s);
      for (int step = 0; step < 2; ++step) {   // the first is given up before it asks
        search.find(at.span(), 1e-5f, 0.02f);  // next to no pairs, and candidates in plenty
      }
      CHECK_FALSE(growing.fit());
    });
  }

  TEST_CASE("every point knows the pairs that it is in") {
    for_each_device([](Device& device) {
      const SearchSurface s = cloth_on_ball(24);
      Buffer<vec3> at(device, "points", s.positions);
      GrowingLists growing(device);
      TriangleSearch search(growing, s);
      search_until_it_fits(growing, search, at.span(), 0.005f, 0.001f);
      search.list_per_point();
      for (const bool edges : {false, true}) {
        const Listed list(device, edges ? search.edge_edge() : search.vertex_triangle());
        std::vector<std::multiset<int>> expected(s.positions.size());
        for (size_t i = 0; i < list.points.size(); ++i)
          for (int k = 0; k < 4; ++k) expected[size_t(list.points[i][k])].insert(int(4 * i) + k);
        const PointPairs pairs = edges ? search.edge_edge_of_points() : search.vertex_triangle_of_points();
        const std::vector<int> start = read(device, pairs.start, pairs.start.size),
                               entry = read(device, pairs.entry, pairs.entry.size);
        REQUIRE(start.size() == s.positions.size() + 1);
        int wrong = 0;
        for (size_t p = 0; p < s.positions.size(); ++p)
          wrong += expected[p] != std::multiset<int>(entry.begin() + start[p], entry.begin() + start[p + 1]);
        CHECK(wrong == 0);
      }
    });
  }

  TEST_CASE("of the pairs with the same closest features exactly one owns the contact") {
    for_each_device([](Device& device) {
      for (const SearchSurface& s : {cloth_on_ball(24), folded_cloth(20)}) {
        Buffer<vec3> at(device, "points", s.positions);
        GrowingLists growing(device);
        TriangleSearch search(growing, s);
        search_until_it_fits(growing, search, at.span(), 0.006f, 0.001f);
        const Listed list(device, search.vertex_triangle()), edges(device, search.edge_edge());
        std::map<std::set<std::set<int>>, int> owners;  // of both features
        int faces = 0;
        for (size_t i = 0; i < list.points.size(); ++i) {
          std::set<int> second;
          for (int k = 1; k < 4; ++k)
            if (list.support[i] >> k & 1) second.insert(list.points[i][k]);
          const bool owner = (list.support[i] & kOwner) != 0;
          if (second.size() == 3) {
            faces += !owner;
            continue;
          }
          owners[{{list.points[i].x}, second}] += owner;
        }
        CHECK(faces == 0);
        CHECK(owners.size() > 100);
        CHECK(std::all_of(owners.begin(), owners.end(), [](const auto& o) { return o.second == 1; }));
        for (const int support : edges.support) REQUIRE(((support & 15) == 15) == ((support & kOwner) != 0));
      }
    });
  }
}
