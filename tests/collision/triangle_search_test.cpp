#include "sim/collision/proximity/triangle_search.h"

#include <algorithm>
#include <limits>

#include "tests/collision/soups.h"
#include "tests/device/for_each_device.h"

using namespace weft;
using namespace weft::testing;

namespace {

template <class T>
std::vector<T> read(Device& device, Span<const T> span, int count) {
  std::vector<T> host(size_t(std::min(count, span.size)));
  if (!host.empty()) device.download(host.data(), span.data, host.size() * sizeof(T));
  return host;
}

/// A list on the host.
struct Listed {
  std::vector<ivec4> points;
  std::vector<ivec2> primitives;
  std::vector<int> support;
  std::vector<float> distance;
  Listed(Device& device, const PairList& l) {
    const int n = read(device, l.count, 1)[0];
    points = read(device, l.points, n);
    primitives = read(device, l.primitives, n);
    support = read(device, l.support, n);
    distance = read(device, l.distance, n);
  }
};

/// Searches until the lists have room, as a step does.
void search_until_it_fits(TriangleSearch& search, Span<const vec3> at, float radius, float margin, Span<const vec3> towards = {}) {
  do {
    search.clear_overflow();
    search.find(at, radius, margin, towards);
  } while (!search.fits());
}

void check_same_lists(Device& device, const TriangleSearch& a, const TriangleSearch& b) {
  for (const bool edges : {false, true}) {
    const Listed one(device, edges ? a.edge_edge() : a.vertex_triangle()), other(device, edges ? b.edge_edge() : b.vertex_triangle());
    CHECK(one.points == other.points);
    CHECK(one.distance == other.distance);
    CHECK(one.support == other.support);
  }
}

/// Ascending by the first primitive; each pair once; all of those within the radius; none that is further than rounding explains.
bool is_complete(const Listed& found, const std::map<Pair, double>& near, double radius, double slack) {
  const auto either_way = [&](const ivec2& p) {
    const auto it = near.find({p.x, p.y});
    return it != near.end() ? it : near.find({p.y, p.x});
  };
  std::set<Pair> each;
  for (size_t i = 0; i < found.primitives.size(); ++i) {
    if (i > 0 && found.primitives[i - 1].x > found.primitives[i].x) return false;
  }
  size_t within = 0, met = 0;
  for (const auto& [pair, distance] : near) within += distance <= radius;
  for (size_t i = 0; i < found.primitives.size(); ++i) {
    const auto it = either_way(found.primitives[i]);
    if (it == near.end() || !each.insert(it->first).second || std::abs(it->second - double(found.distance[i])) > slack) return false;
    met += it->second <= radius;
  }
  return met == within;
}

bool names_its_points(const Listed& triangles, const Listed& edges, const SearchSurface& s) {
  for (size_t i = 0; i < triangles.points.size(); ++i) {
    const ivec2 p = triangles.primitives[i];
    const ivec3 c = s.triangles[size_t(p.y)];
    if (triangles.points[i] != ivec4(p.x, c.x, c.y, c.z)) return false;
  }
  for (size_t i = 0; i < edges.points.size(); ++i) {
    const ivec2 e = s.edges[size_t(edges.primitives[i].x)], f = s.edges[size_t(edges.primitives[i].y)];
    if (edges.points[i] != ivec4(e.x, e.y, f.x, f.y)) return false;
  }
  return true;
}

void compare_with_brute_force(const SearchSurface& s, std::initializer_list<float> radii) {
  vec3 lower(1e9f), upper(-1e9f);
  for (const vec3& p : s.positions) lower = glm::min(lower, p), upper = glm::max(upper, p);
  const double slack = 1e-5 * double(glm::length(upper - lower));
  for_each_device([&](Device& device) {
    Buffer<vec3> at(device, "points", s.positions);
    TriangleSearch search(device, s);
    for (const float radius : radii) {
      const NearPairs near = all_pairs(s, s.positions, double(radius) + slack);
      search_until_it_fits(search, at.span(), radius, 0.3f * radius);
      const Listed triangles(device, search.vertex_triangle()), edges(device, search.edge_edge());
      CHECK(triangles.points.size() + edges.points.size() > 0);
      CHECK(is_complete(triangles, near.triangles, double(radius), slack));
      CHECK(is_complete(edges, near.edges, double(radius), slack));
      CHECK(names_its_points(triangles, edges, s));
    }
  });
}

SearchSurface folded_cloth(int n) {
  SearchSurface s;
  add_sheet(s, n, 0.1f, [](const vec3& p) {
    const float bent = std::abs(p.x) < 0.004f ? 0.0015f * sinf(p.x / 0.004f * 0.5f * kPi) : p.x < 0 ? -0.0015f : 0.0015f;
    return vec3(std::abs(p.x), bent + 0.0002f * sinf(300 * p.z), p.z);
  });
  s.obstacle_from = int(s.positions.size());
  derive_edges(s);
  return s;
}

SearchSurface cloth_on_ball(int n) {
  SearchSurface s;
  add_sheet(s, n, 0.2f, [](const vec3& p) {
    const float around = std::sqrt(p.x * p.x + p.z * p.z);
    return vec3(p.x, -0.9f * around * around / 0.1f, p.z);
  });
  s.obstacle_from = int(s.positions.size());
  add_ball(s, vec3(0, -0.0515f, 0), 0.05f, 24, 40);
  derive_edges(s);
  return s;
}

}  // namespace

TEST_SUITE("collision") {
  TEST_CASE("pairs of triangles without order are those of brute force, sizes varying tenfold") {
    SearchSurface s;
    add_soup(s, 250, 0.1f, 0.02f, 1);
    s.obstacle_from = int(s.positions.size());
    add_soup(s, 150, 0.1f, 0.04f, 2);
    derive_edges(s);
    compare_with_brute_force(s, {0.0001f, 0.002f, 0.01f});
  }

  TEST_CASE("pairs of a cluster far from the origin are those of brute force") {
    SearchSurface s;
    add_soup(s, 120, 0.002f, 0.002f, 3);
    add_soup(s, 60, 0.5f, 0.01f, 4);
    for (vec3& p : s.positions) p += vec3(-3, 7, 2);
    s.obstacle_from = int(s.positions.size());
    derive_edges(s);
    compare_with_brute_force(s, {0.001f});
  }

  TEST_CASE("pairs of folded cloth are those of brute force") { compare_with_brute_force(folded_cloth(26), {0.0032f, 0.007f}); }

  TEST_CASE("pairs of cloth on a ball are those of brute force") { compare_with_brute_force(cloth_on_ball(24), {0.002f, 0.008f}); }

  TEST_CASE("obstacles without cloth, points without triangles and nothing at all are searched in peace") {
    for_each_device([](Device& device) {
      SearchSurface nothing, ball, points;
      add_ball(ball, vec3(0), 0.1f, 6, 8);
      derive_edges(ball);
      points.positions = {vec3(0), vec3(0.001f, 0, 0), vec3(NAN), vec3(2)};
      points.obstacle_from = 2;
      for (const SearchSurface& s : {nothing, ball, points}) {
        Buffer<vec3> at(device, "points", s.positions);
        TriangleSearch search(device, s);
        search_until_it_fits(search, at.span(), 0.1f, 0.05f);
        search.list_per_point();
        CHECK(Listed(device, search.vertex_triangle()).points.empty());
        CHECK(Listed(device, search.edge_edge()).points.empty());
      }
    });
  }

  TEST_CASE("positions that are no numbers are in no pair and hide no other") {
    for_each_device([](Device& device) {
      SearchSurface s = folded_cloth(20);
      const std::vector<vec3> whole = s.positions;
      TriangleSearch search(device, s);
      s.positions[37] = vec3(NAN), s.positions[211].y = std::numeric_limits<float>::infinity();
      Buffer<vec3> at(device, "points", s.positions);
      search_until_it_fits(search, at.span(), 0.004f, 0.001f);
      const auto lost = [](const ivec4& p) {
        for (int k = 0; k < 4; ++k)
          if (p[k] == 37 || p[k] == 211) return true;
        return false;
      };
      size_t expected = 0;
      for (const auto& [pair, distance] : all_pairs(s, whole, 0.004f).triangles) {
        const ivec3 c = s.triangles[size_t(pair.second)];
        expected += !lost({pair.first, c.x, c.y, c.z});
      }
      const Listed found(device, search.vertex_triangle());
      CHECK(found.points.size() == expected);
      CHECK(std::none_of(found.points.begin(), found.points.end(), lost));
      CHECK(std::all_of(found.distance.begin(), found.distance.end(), [](float d) { return std::isfinite(d); }));
    });
  }

  TEST_CASE("a search with old candidates gives the same lists as a new one while points move") {
    for_each_device([](Device& device) {
      const SearchSurface first = cloth_on_ball(20);
      SearchSurface s = first;
      TriangleSearch search(device, first);
      Buffer<vec3> at(device, "points", s.positions);
      std::mt19937 random(5);
      std::normal_distribution<float> way(0, 1e-4f);
      constexpr int kSteps = 40;
      for (int step = 0; step < kSteps; ++step) {
        for (int v = 0; v < s.obstacle_from; ++v) s.positions[size_t(v)] += vec3(way(random), -1e-4f + way(random), way(random));
        at.upload(s.positions);
        search_until_it_fits(search, at.span(), 0.004f, 0.003f);
        TriangleSearch fresh(device, first);
        search_until_it_fits(fresh, at.span(), 0.004f, 0.0f);
        check_same_lists(device, search, fresh);
      }
      const int built = read(device, search.rebuilds(), 1)[0];
      CHECK(built >= 2);
      CHECK(built <= kSteps / 3);
    });
  }

  TEST_CASE("where points are going decides how often candidates are collected, and never what is found") {
    for_each_device([](Device& device) {
      const SearchSurface first = cloth_on_ball(20);
      std::mt19937 random(8);
      std::normal_distribution<float> any(0, 1);
      constexpr int kSteps = 30;
      // A third of the cloth stays, most of the others go where they say, some elsewhere; some do not know where, or endlessly far.
      std::vector<vec3> way(first.positions.size()), told = first.positions;
      for (int v = 0; v < first.obstacle_from; ++v) {
        const vec3 goal = 0.02f * vec3(any(random), any(random), any(random));
        if (v % 3 == 0) continue;
        way[size_t(v)] = goal / float(kSteps);
        told[size_t(v)] += goal;
        if (v % 20 == 1) told[size_t(v)] = vec3(any(random));
        if (v % 20 == 2) told[size_t(v)] = vec3(std::numeric_limits<float>::quiet_NaN());
        if (v % 20 == 4) told[size_t(v)] = vec3(std::numeric_limits<float>::infinity(), 0, 0);
        if (v % 20 == 1 || v % 20 == 2 || v % 20 == 4) way[size_t(v)] *= 0.05f;  // slowly, so that they do not set the pace
      }
      SearchSurface s = first;
      TriangleSearch knows(device, first), does_not(device, first);
      Buffer<vec3> at(device, "points", s.positions), towards(device, "targets", told);
      for (int step = 0; step < kSteps; ++step) {
        for (int v = 0; v < s.obstacle_from; ++v) s.positions[size_t(v)] += way[size_t(v)];
        at.upload(s.positions);
        search_until_it_fits(knows, at.span(), 0.004f, 0.003f, towards.span());
        search_until_it_fits(does_not, at.span(), 0.004f, 0.003f);
        TriangleSearch fresh(device, first);
        search_until_it_fits(fresh, at.span(), 0.004f, 0.0f);
        check_same_lists(device, knows, fresh);
      }
      const int informed = read(device, knows.rebuilds(), 1)[0], blind = read(device, does_not.rebuilds(), 1)[0];
      MESSAGE("candidates collected " << informed << " and " << blind << " times");
      CHECK(2 * informed < blind);
      CHECK(informed >= 2);
    });
  }

  TEST_CASE("lists are the same to the last bit for one and two threads") {
    const SearchSurface s = cloth_on_ball(60);
    std::vector<Listed> lists;
    for (const int threads : {1, 2}) {
      const auto device = Device::create(DeviceChoice::cpu, threads);
      device->run([&] {
        Buffer<vec3> at(*device, "points", s.positions);
        TriangleSearch search(*device, s);
        search_until_it_fits(search, at.span(), 0.004f, 0.002f);
        lists.push_back(Listed(*device, search.vertex_triangle()));
        lists.push_back(Listed(*device, search.edge_edge()));
      });
    }
    for (size_t k : {0, 1}) {
      CHECK(lists[k].points == lists[k + 2].points);
      CHECK(lists[k].primitives == lists[k + 2].primitives);
      CHECK(lists[k].support == lists[k + 2].support);
      CHECK(lists[k].distance == lists[k + 2].distance);
    }
  }

  TEST_CASE("a search is the same sequence of launches whether candidates are old or new") {
    SearchSurface s = cloth_on_ball(20);
    const auto device = Device::create(DeviceChoice::cpu, 2);
    device->verify_replays = true;
    device->run([&] {
      Buffer<vec3> at(*device, "points", s.positions);
      TriangleSearch search(*device, s);
      const auto step = [&] {
        search.find(at.span(), 0.002f, 0.001f);
        search.list_per_point();
      };
      device->replay(1, step);
      device->replay(1, step);
      for (vec3& p : s.positions) p *= 1.1f;
      at.upload(s.positions);
      CHECK_NOTHROW(device->replay(1, step));
      CHECK(read(*device, search.rebuilds(), 1)[0] == 2);
    });
  }

  TEST_CASE("pairs whose points have a mark in common are left out, the others stay as they are, until marks are taken back") {
    for_each_device([](Device& device) {
      const SearchSurface s = folded_cloth(20);
      const Buffer<vec3> at(device, "points", s.positions);
      TriangleSearch search(device, s);
      search_until_it_fits(search, at.span(), 0.006f, 0.003f);
      const Listed triangles(device, search.vertex_triangle()), edges(device, search.edge_edge());
      std::vector<int> marks(s.positions.size());
      for (size_t i = 0; i < marks.size(); ++i) marks[i] = int(i % 4);  // 0, 1, 2, or both
      search.leave_out(marks);
      search_until_it_fits(search, at.span(), 0.006f, 0.003f);
      for (const auto& [before, after] : {std::pair(&triangles, Listed(device, search.vertex_triangle())), std::pair(&edges, Listed(device, search.edge_edge()))}) {
        std::vector<ivec4> kept;
        for (const ivec4& p : before->points)
          if (!(marks[size_t(p.x)] & marks[size_t(p.y)] & marks[size_t(p.z)] & marks[size_t(p.w)])) kept.push_back(p);
        CHECK(kept.size() < before->points.size());
        CHECK(kept.size() > before->points.size() / 2);
        CHECK(after.points == kept);
      }
      search.leave_out({});
      search_until_it_fits(search, at.span(), 0.006f, 0.003f);
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
      TriangleSearch search(device, s);
      search.clear_overflow();
      search.find(at.span(), 0.02f, 0.001f);
      CHECK_FALSE(search.fits());
      const int moved = search.moves();
      search_until_it_fits(search, at.span(), 0.02f, 0.001f);
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
      TriangleSearch search(device, s);
      for (int step = 0; step < 2; ++step) {  // the first is given up before it asks
        search.clear_overflow();
        search.find(at.span(), 1e-5f, 0.02f);  // next to no pairs, and candidates in plenty
      }
      CHECK_FALSE(search.fits());
    });
  }

  TEST_CASE("every point knows the pairs that it is in") {
    for_each_device([](Device& device) {
      const SearchSurface s = cloth_on_ball(24);
      Buffer<vec3> at(device, "points", s.positions);
      TriangleSearch search(device, s);
      search_until_it_fits(search, at.span(), 0.005f, 0.001f);
      search.list_per_point();
      for (const bool edges : {false, true}) {
        const Listed list(device, edges ? search.edge_edge() : search.vertex_triangle());
        std::vector<std::multiset<int>> expected(s.positions.size());
        for (size_t i = 0; i < list.points.size(); ++i)
          for (int k = 0; k < 4; ++k) expected[size_t(list.points[i][k])].insert(int(4 * i) + k);
        const PointPairs pairs = edges ? search.edge_edge_of_points() : search.vertex_triangle_of_points();
        const std::vector<int> start = read(device, pairs.start, pairs.start.size), entry = read(device, pairs.entry, pairs.entry.size);
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
        TriangleSearch search(device, s);
        search_until_it_fits(search, at.span(), 0.006f, 0.001f);
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
