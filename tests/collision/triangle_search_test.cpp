#include "sim/collision/proximity/triangle_search.h"

#include <algorithm>
#include <limits>
#include <random>

#include "tests/collision/pair_lists.h"
#include "tests/device/for_each_device.h"

using namespace weft;
using namespace weft::testing;

namespace {

void check_same_lists(Device& device, const TriangleSearch& a, const TriangleSearch& b) {
  for (const bool edges : {false, true}) {
    const Listed one(device, edges ? a.edge_edge() : a.vertex_triangle()),
        other(device, edges ? b.edge_edge() : b.vertex_triangle());
    CHECK(one.points == other.points);
    CHECK(one.distance == other.distance);
    CHECK(one.support == other.support);
  }
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
    GrowingLists growing(device);
    TriangleSearch search(growing, s);
    for (const float radius : radii) {
      const NearPairs near = all_pairs(s, s.positions, double(radius) + slack);
      search_until_it_fits(growing, search, at.span(), radius, 0.3f * radius);
      const Listed triangles(device, search.vertex_triangle()), edges(device, search.edge_edge());
      CHECK(triangles.points.size() + edges.points.size() > 0);
      CHECK(is_complete(triangles, near.triangles, double(radius), slack));
      CHECK(is_complete(edges, near.edges, double(radius), slack));
      CHECK(names_its_points(triangles, edges, s));
    }
  });
}

/// Lines of two to five points, `count` of them, open or closed.
void add_lines(SearchSurface& s, int count, float size, float segment, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> place(0, size), way(-segment, segment);
  for (int k = 0; k < count; ++k) {
    const int first = int(s.positions.size()), points = 2 + k % 4;
    s.positions.push_back({place(random), place(random), place(random)});
    for (int p = 1; p < points; ++p) {
      const vec3 last = s.positions.back();
      s.positions.push_back(last + vec3(way(random), way(random), way(random)));
      s.edges.push_back({first + p - 1, first + p});
    }
    if (points > 3) s.edges.push_back({first, first + points - 1});
  }
}

/// What two primitives have nearest to each other, by its points.
using Features = std::pair<std::set<int>, std::set<int>>;

/// Of all listed pairs whose nearest features are less than a face, or than the insides of two edges, how
/// many pairs own the contact of the two.
std::map<Features, int> owners_of_features(Device& device, const TriangleSearch& search) {
  std::map<Features, int> owners;
  for (const bool edges : {false, true}) {
    const Listed found(device, edges ? search.edge_edge() : search.vertex_triangle());
    for (size_t i = 0; i < found.points.size(); ++i) {
      Features f;
      for (int k = 0; k < 4; ++k)
        if (found.support[i] >> k & 1) (k < (edges ? 2 : 1) ? f.first : f.second).insert(found.points[i][k]);
      if ((found.support[i] & 15) == 15) continue;
      if (f.second < f.first) std::swap(f.first, f.second);
      owners[f] += (found.support[i] & kOwner) != 0;
    }
  }
  return owners;
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

  TEST_CASE("pairs of folded cloth are those of brute force") {
    compare_with_brute_force(folded_cloth(26), {0.0032f, 0.007f});
  }

  TEST_CASE("pairs of cloth on a ball are those of brute force") {
    compare_with_brute_force(cloth_on_ball(24), {0.002f, 0.008f});
  }

  TEST_CASE(
      "pairs of grains among triangles are those of brute force, and rigid bodies have none of their own") {
    SearchSurface s;
    add_soup(s, 100, 0.05f, 0.02f, 5);
    const int grains = int(s.positions.size());
    std::mt19937 random(6);
    std::uniform_real_distribution<float> place(0, 0.05f);
    for (int k = 0; k < 200; ++k) s.positions.push_back({place(random), place(random), place(random)});
    s.obstacle_from = int(s.positions.size());
    derive_edges(s);
    for (int v = grains; v < s.obstacle_from; ++v) s.edges.push_back(ivec2(v));
    compare_with_brute_force(s, {0.001f, 0.006f});
    for_each_device([&](Device& device) {
      Buffer<vec3> at(device, "points", s.positions);
      GrowingLists growing(device);
      SearchSurface rigid = s;
      rigid.rigid.assign(s.positions.size(), -1);
      for (int v = 0; v < grains; ++v) rigid.rigid[size_t(v)] = v < grains / 2 ? 0 : 1;
      TriangleSearch with(growing, rigid), without(growing, s);
      search_until_it_fits(growing, with, at.span(), 0.006f, 0.002f);
      search_until_it_fits(growing, without, at.span(), 0.006f, 0.002f);
      for (const bool edges : {false, true}) {
        const Listed found(device, edges ? with.edge_edge() : with.vertex_triangle()),
            all(device, edges ? without.edge_edge() : without.vertex_triangle());
        std::vector<ivec4> between;
        for (const ivec4& p : all.points) {
          const auto body = [&](int k) { return rigid.rigid[size_t(p[k])]; };
          if (body(0) < 0 || body(0) != body(1) || body(0) != body(2) || body(0) != body(3))
            between.push_back(p);
        }
        CHECK(found.points == between);
        CHECK(between.size() < all.points.size());
      }
    });
  }

  TEST_CASE("two nearest features have one pair that owns their contact, of lines and grains too") {
    SearchSurface s;
    add_soup(s, 80, 0.05f, 0.015f, 11);
    derive_edges(s);
    const int lines = int(s.positions.size());
    add_lines(s, 80, 0.05f, 0.01f, 12);
    const int grains = int(s.positions.size());
    std::mt19937 random(13);
    std::uniform_real_distribution<float> place(0, 0.05f);
    for (int k = 0; k < 100; ++k) s.positions.push_back({place(random), place(random), place(random)});
    s.obstacle_from = int(s.positions.size());
    for (int v = grains; v < s.obstacle_from; ++v) s.edges.push_back(ivec2(v));
    for_each_device([&](Device& device) {
      Buffer<vec3> at(device, "points", s.positions);
      GrowingLists growing(device);
      TriangleSearch search(growing, s);
      search_until_it_fits(growing, search, at.span(), 0.006f, 0.002f);
      int with_lines = 0, with_corners = 0, wrong = 0;
      for (const auto& [features, owners] : owners_of_features(device, search)) {
        const auto& [one, other] = features;
        // of the inside of a triangle's edge its face may be nearer
        const bool free = *(one.size() > other.size() ? one : other).begin() >= lines &&
                          (one.size() != other.size() || *one.begin() >= lines);
        if (!free) continue;
        const int low = std::min(*one.begin(), *other.begin());
        with_corners += low < lines, with_lines += low >= lines && low < grains;
        wrong += owners != 1;
      }
      CHECK(with_lines > 100);
      CHECK(with_corners > 50);
      CHECK(wrong == 0);
    });
  }

  TEST_CASE("obstacles without cloth, points without triangles and nothing at all are searched in peace") {
    for_each_device([](Device& device) {
      SearchSurface nothing, ball, points;
      add_ball(ball, vec3(0), 0.1f, 6, 8);
      derive_edges(ball);
      points.positions = {vec3(0), vec3(0.001f, 0, 0), vec3(NAN), vec3(2)};
      points.obstacle_from = 2;
      for (const SearchSurface& s : {nothing, ball, points}) {
        Buffer<vec3> at(device, "points", s.positions);
        GrowingLists growing(device);
        TriangleSearch search(growing, s);
        search_until_it_fits(growing, search, at.span(), 0.1f, 0.05f);
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
      GrowingLists growing(device);
      TriangleSearch search(growing, s);
      s.positions[37] = vec3(NAN), s.positions[211].y = std::numeric_limits<float>::infinity();
      Buffer<vec3> at(device, "points", s.positions);
      search_until_it_fits(growing, search, at.span(), 0.004f, 0.001f);
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
      CHECK(std::all_of(found.distance.begin(), found.distance.end(),
                        [](float d) { return std::isfinite(d); }));
    });
  }

  TEST_CASE("a search with old candidates gives the same lists as a new one while points move") {
    for_each_device([](Device& device) {
      const SearchSurface first = cloth_on_ball(20);
      SearchSurface s = first;
      GrowingLists growing(device);
      TriangleSearch search(growing, first);
      Buffer<vec3> at(device, "points", s.positions);
      std::mt19937 random(5);
      std::normal_distribution<float> way(0, 1e-4f);
      constexpr int kSteps = 40;
      for (int step = 0; step < kSteps; ++step) {
        for (int v = 0; v < s.obstacle_from; ++v)
          s.positions[size_t(v)] += vec3(way(random), -1e-4f + way(random), way(random));
        at.upload(s.positions);
        search_until_it_fits(growing, search, at.span(), 0.004f, 0.003f);
        GrowingLists growing(device);
        TriangleSearch fresh(growing, first);
        search_until_it_fits(growing, fresh, at.span(), 0.004f, 0.0f);
        check_same_lists(device, search, fresh);
      }
      const int built = read(device, search.rebuilds(), 1)[0];
      CHECK(built >= 2);
      CHECK(built <= kSteps / 3);
    });
  }

  TEST_CASE("where the pairs of some points are asked for, they are those that a search for all has") {
    for_each_device([](Device& device) {
      const SearchSurface first = cloth_on_ball(24);
      SearchSurface s = first;
      const int points = int(s.positions.size());
      GrowingLists growing(device);
      TriangleSearch search(growing, first);
      Buffer<vec3> at(device, "points", s.positions);
      std::vector<int> active(size_t(points), 1);
      Buffer<int> marks(device, "active points", active);
      std::mt19937 random(11);
      std::normal_distribution<float> way(0, 3e-4f);
      std::vector<int> waits(size_t(points), 0);
      int fewest = points, partial = 0, longest = 0;
      vec3 centre(0);
      for (int step = 0; step < 60; ++step) {
        // Fewer from step to step, scattered over a shrinking piece; now and then some that had rested, or
        // all.
        if (step % 12 == 0) centre = s.positions[random() % size_t(s.obstacle_from)];
        const float reach = 0.2f * std::pow(0.7f, float(step % 12));
        for (int v = 0; v < points; ++v)
          active[size_t(v)] =
              step % 12 == 0 || (glm::distance(s.positions[size_t(v)], centre) < reach && random() % 3);
        if (step % 12 > 5) active[size_t(step / 12 * 7)] = 1;
        for (int v = 0; v < s.obstacle_from; ++v)
          if (active[size_t(v)]) s.positions[size_t(v)] += vec3(way(random), way(random), way(random));
        at.upload(s.positions);
        marks.upload(active);
        search_until_it_fits(growing, search, at.span(), 0.004f, 0.003f, {}, marks.span());
        const std::vector<int> covered = read(device, search.covered(), points);
        GrowingLists growing(device);
        TriangleSearch fresh(growing, first);
        search_until_it_fits(growing, fresh, at.span(), 0.004f, 0.0f);
        // Some may wait a few searches for theirs.
        for (int v = 0; v < points; ++v) {
          int& searches = waits[size_t(v)];
          searches = active[size_t(v)] && !covered[size_t(v)] ? searches + 1 : 0;
          longest = std::max(longest, searches);
        }
        const auto has = [](const std::vector<int>& of, const ivec4& p) {
          return of[size_t(p.x)] || of[size_t(p.y)] || of[size_t(p.z)] || of[size_t(p.w)];
        };
        for (const bool edges : {false, true}) {
          const Listed some(device, edges ? search.edge_edge() : search.vertex_triangle()),
              all(device, edges ? fresh.edge_edge() : fresh.vertex_triangle());
          // What it has is in the order of the whole list, and of each covered point nothing is missing.
          size_t k = 0;
          bool missing = false;
          for (size_t i = 0; i < all.points.size(); ++i) {
            const bool found = k < some.points.size() && some.points[k] == all.points[i];
            if (found && some.distance[k] != all.distance[i]) missing = true;
            if (found) ++k;
            else missing |= has(covered, all.points[i]);
          }
          CHECK(k == some.points.size());
          CHECK(!missing);
          fewest = std::min(fewest, int(some.points.size()));
        }
        partial += read(device, search.partial(), 1)[0];
      }
      CHECK(partial > 20);
      CHECK(longest >= 1);
      CHECK(longest <= 4);
      CHECK(fewest == 0);
      search_until_it_fits(growing, search, at.span(), 0.004f, 0.003f);  // of all again
      GrowingLists others(device);
      TriangleSearch fresh(others, first);
      search_until_it_fits(others, fresh, at.span(), 0.004f, 0.0f);
      check_same_lists(device, search, fresh);
    });
  }

  TEST_CASE("where points are going decides how often candidates are collected, and never what is found") {
    for_each_device([](Device& device) {
      const SearchSurface first = cloth_on_ball(20);
      std::mt19937 random(8);
      std::normal_distribution<float> any(0, 1);
      constexpr int kSteps = 30;
      // A third of the cloth stays, most of the others go where they say, some elsewhere; some do not know
      // where, or endlessly far.
      std::vector<vec3> way(first.positions.size()), told = first.positions;
      for (int v = 0; v < first.obstacle_from; ++v) {
        const vec3 goal = 0.02f * vec3(any(random), any(random), any(random));
        if (v % 3 == 0) continue;
        way[size_t(v)] = goal / float(kSteps);
        told[size_t(v)] += goal;
        if (v % 20 == 1) told[size_t(v)] = vec3(any(random));
        if (v % 20 == 2) told[size_t(v)] = vec3(std::numeric_limits<float>::quiet_NaN());
        if (v % 20 == 4) told[size_t(v)] = vec3(std::numeric_limits<float>::infinity(), 0, 0);
        // slowly, so that they do not set the pace
        if (v % 20 == 1 || v % 20 == 2 || v % 20 == 4) way[size_t(v)] *= 0.05f;
      }
      SearchSurface s = first;
      GrowingLists growing(device);
      TriangleSearch knows(growing, first), does_not(growing, first);
      Buffer<vec3> at(device, "points", s.positions), towards(device, "targets", told);
      for (int step = 0; step < kSteps; ++step) {
        for (int v = 0; v < s.obstacle_from; ++v) s.positions[size_t(v)] += way[size_t(v)];
        at.upload(s.positions);
        search_until_it_fits(growing, knows, at.span(), 0.004f, 0.003f, towards.span());
        search_until_it_fits(growing, does_not, at.span(), 0.004f, 0.003f);
        GrowingLists growing(device);
        TriangleSearch fresh(growing, first);
        search_until_it_fits(growing, fresh, at.span(), 0.004f, 0.0f);
        check_same_lists(device, knows, fresh);
      }
      const int informed = read(device, knows.rebuilds(), 1)[0],
                blind = read(device, does_not.rebuilds(), 1)[0];
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
        GrowingLists growing(*device);
        TriangleSearch search(growing, s);
        search_until_it_fits(growing, search, at.span(), 0.004f, 0.002f);
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
      GrowingLists growing(*device);
      TriangleSearch search(growing, s);
      search.make_room(100000, 100000);
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
}
