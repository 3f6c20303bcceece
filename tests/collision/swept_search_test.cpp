#include "sim/collision/swept_search/swept_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/collision/swept_pairs.h"
#include "tests/device/for_each_device.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// Each method finds what brute force does, each pair once, and all the same.
void compare_with_brute_force(Device& device, const SweptCase& c, size_t at_least = 1) {
  const SweptPairs expected = all_swept_pairs(c);
  CHECK(expected.surely.size() >= at_least);
  std::vector<std::set<SweptPair>> found;
  for (const SweptMethod method : kSweptMethods) {
    CAPTURE(int(method));
    SweptTrial trial(device, c, method);
    trial.find(c);
    const SweptLists lists = trial.lists();
    found.push_back(lists.pairs());
    CHECK(found.back().size() == lists.size());
    CHECK(lists.names_its_points(c.s));
    const auto includes = [](const std::set<SweptPair>& all, const std::set<SweptPair>& some) {
      return std::includes(all.begin(), all.end(), some.begin(), some.end());
    };
    CHECK(includes(found.back(), expected.surely));
    CHECK(includes(expected.at_most, found.back()));
    CHECK(found.back() == found.front());
  }
}

SweptCase soups(unsigned seed, int cloth, int body, float side, float way) {
  SweptCase c;
  add_soup(c.s, cloth, side, 0.02f, seed);
  c.s.obstacle_from = int(c.s.positions.size());
  add_soup(c.s, body, side, 0.04f, seed + 1000);
  derive_edges(c.s);
  std::mt19937 random(seed);
  move_points(c, random, way);
  return c;
}

/// Distance of the pair at time t of the paths.
double distance_at(const SweptCase& c, const SweptPair& name, double t) {
  const auto x = [&](int v) {
    return (1 - t) * dvec3(c.s.positions[size_t(v)]) + t * dvec3(c.x1[size_t(v)]);
  };
  if (name[0] == 0) {
    const ivec3 k = c.s.triangles[size_t(name[2])];
    return std::sqrt(closest_vertex_triangle(x(name[1]), x(k.x), x(k.y), x(k.z)).squared);
  }
  const ivec2 e = c.s.edges[size_t(name[1])], f = c.s.edges[size_t(name[2])];
  return std::sqrt(closest_edge_edge(x(e.x), x(e.y), x(f.x), x(f.y)).squared);
}

/// A case of a few triangles with everything at random.
SweptCase random_case(std::mt19937& random) {
  const auto number = [&](float low, float high) {
    return std::uniform_real_distribution<float>(low, high)(random);
  };
  const auto chance = [&](float share) { return number(0, 1) < share; };
  SweptCase c = soups(unsigned(random()), int(number(3, 28)), int(number(0, 14)), number(0.02f, 0.12f), 0);
  if (chance(0.3f)) add_soup(c.s, 3, 2.0f, 1.0f, unsigned(random()));  // bodies with large triangles
  for (int extra = int(number(0, 4)); extra > 0; --extra)
    c.s.positions.push_back(0.05f * vec3(number(-1, 1), number(-1, 1), number(-1, 1)));
  derive_edges(c.s);
  if (chance(0.3f)) {  // cloth alone, with points and an edge without triangles
    c.s.obstacle_from = int(c.s.positions.size());
    c.s.edges.push_back({0, c.s.obstacle_from - 1});
    std::sort(c.s.edges.begin(), c.s.edges.end(),
              [](const ivec2& a, const ivec2& b) { return std::pair(a.x, a.y) < std::pair(b.x, b.y); });
    c.s.edges.erase(std::unique(c.s.edges.begin(), c.s.edges.end()), c.s.edges.end());
  }
  const float way = chance(0.2f) ? 0 : number(0, 0.02f);
  move_points(c, random, way, chance(0.3f) ? vec3(number(-3, 3), number(-3, 3), 1) : vec3(0));
  if (chance(0.1f)) c.x1[0] = vec3(NAN);
  c.margin = chance(0.2f) ? 0 : number(0, 0.01f);
  if (chance(0.5f)) {
    const float share = number(0, 0.5f);
    for (size_t v = 0; v < c.x1.size(); ++v) c.moved.push_back(chance(share) ? 1 : 0);
  }
  if (chance(0.3f))
    for (size_t v = 0; v < c.x1.size(); ++v) c.marks.push_back(int(random() % 4));
  return c;
}

}  // namespace

TEST_SUITE("collision") {
  TEST_CASE("each method finds the swept pairs of triangles without order that brute force finds") {
    for_each_device([](Device& device) {
      compare_with_brute_force(device, soups(1, 200, 120, 0.12f, 0.01f), 10000);
      SweptCase spread = soups(2, 150, 100, 0.5f, 0.002f);
      for (size_t v = 0; v < spread.x1.size(); ++v)
        spread.s.positions[v] += vec3(-3, 7, 2), spread.x1[v] += vec3(-3, 7, 2);
      spread.margin = 0.001f;
      compare_with_brute_force(device, spread, 10);
    });
  }

  TEST_CASE(
      "each method finds the swept pairs of cloth over bodies with triangles a hundred times as large") {
    for_each_device([](Device& device) {
      SweptCase c = cloth_on_floor(22);
      std::mt19937 random(3);
      move_points(c, random, 0.001f);
      c.margin = 0.0005f;
      compare_with_brute_force(device, c, 5000);
      for (size_t v = 0; v < c.x1.size(); v += 7) c.x1[v].y += 0.05f;  // some points are fast
      compare_with_brute_force(device, c, 10000);
    });
  }

  TEST_CASE(
      "each method finds the swept pairs of brute force in 200 rounds of all sorts, also of some that "
      "moved") {
    const auto device = Device::create(DeviceChoice::cpu, 1);
    device->run([&] {
      std::mt19937 random(5);
      int restricted = 0;
      for (int round = 0; round < 200; ++round) {
        CAPTURE(round);
        const SweptCase c = random_case(random);
        compare_with_brute_force(*device, c, 0);
        restricted += !c.moved.empty();
      }
      CHECK(restricted > 60);
    });
  }

  TEST_CASE("of cloth that travels fast as a whole no more pairs are found than of cloth that rests") {
    for_each_device([](Device& device) {
      SweptCase c;
      c.s = folded_cloth(24);
      std::mt19937 random(6);
      move_points(c, random, 0.0003f);
      c.margin = 0.0005f;
      SweptCase fast = c;
      for (vec3& x : fast.x1) x += vec3(0.5f, -2, 0.25f);
      const SweptPairs resting = all_swept_pairs(c);
      for (const SweptMethod method : kSweptMethods) {
        SweptTrial trial(device, fast, method);
        trial.find(fast);
        const double found = double(trial.lists().size());
        CHECK(found >= double(resting.surely.size()));
        CHECK(found <= 1.001 * double(resting.at_most.size()));
      }
    });
  }

  TEST_CASE("a pair that comes within the margin at any time of the paths is found") {
    const auto device = Device::create(DeviceChoice::cpu, 2);
    device->run([&] {
      SweptCase c = soups(7, 60, 30, 0.15f, 0.02f);
      for (vec3& x : c.x1) x += vec3(1, 2, -3);
      c.margin = 0.002f;
      SweptCase all = c;
      all.margin = 10;
      size_t met = 0;
      for (const SweptMethod method : kSweptMethods) {
        SweptTrial trial(*device, c, method);
        trial.find(c);
        const std::set<SweptPair> found = trial.lists().pairs();
        for (const SweptPair& name : all_swept_pairs(all).surely)
          for (int k = 0; k <= 16; ++k)
            if (distance_at(c, name, k / 16.0) < double(c.margin)) {
              ++met;
              CHECK(found.count(name) == 1);
              break;
            }
      }
      CHECK(met > 300);
    });
  }

  TEST_CASE(
      "the pairs of points that moved are those of a full search in which a point moved, with fewer tests") {
    for_each_device([](Device& device) {
      SweptCase c = cloth_on_floor(30);
      std::mt19937 random(8);
      move_points(c, random, 0.0005f);
      c.margin = 0.0005f;
      SweptCase some = c;
      some.moved.assign(c.x1.size(), 0);
      for (size_t v = 0; v < some.moved.size(); ++v)
        some.moved[v] = c.s.positions[v].x < 0.01f && c.s.positions[v].z > 0.02f;
      for (const SweptMethod method : kSweptMethods) {
        CAPTURE(int(method));
        SweptTrial trial(device, c, method);
        trial.find(c);
        trial.search.count_tests(true);
        trial.find_once(c);
        const int64_t full = trial.search.box_tests();
        std::set<SweptPair> expected;
        const SweptLists lists = trial.lists();
        const auto add = [&](const Listed& l, int kind) {
          for (size_t i = 0; i < l.points.size(); ++i)
            for (int k = 0; k < 4; ++k)
              if (some.moved[size_t(l.points[i][k])])
                expected.insert({kind,
                                 kind ? std::min(l.primitives[i].x, l.primitives[i].y) : l.primitives[i].x,
                                 kind ? std::max(l.primitives[i].x, l.primitives[i].y) : l.primitives[i].y});
        };
        add(lists.triangle, 0), add(lists.edge, 1);
        trial.find(some);
        CHECK(trial.lists().pairs() == expected);
        CHECK(trial.lists().size() == expected.size());
        CHECK(expected.size() < lists.size() / 3);
        const int64_t restricted = trial.search.box_tests() - full;
        MESSAGE("box tests " << full << " and " << restricted);
        CHECK(full > int64_t(lists.size()));
        CHECK(2 * restricted < full);
        some.moved.assign(c.x1.size(), 0);
        trial.find(some);
        CHECK(trial.lists().size() == 0);
        for (size_t v = 0; v < some.moved.size(); ++v)
          some.moved[v] = c.s.positions[v].x < 0.01f && c.s.positions[v].z > 0.02f;
      }
    });
  }

  TEST_CASE("lists of swept pairs that are too short say so and grow, and then are complete") {
    for_each_device([](Device& device) {
      SweptCase c = cloth_on_floor(20);
      std::mt19937 random(9);
      move_points(c, random, 0.001f);
      for (const SweptMethod method : kSweptMethods) {
        CAPTURE(int(method));
        SweptTrial roomy(device, c, method), tight(device, c, method);
        roomy.search.make_room(1 << 20);
        roomy.find(c);
        const int moves = tight.search.moves();
        tight.growing.take_room();
        CHECK(tight.search.moves() > moves);
        tight.find_once(c);
        CHECK(tight.lists().size() < roomy.lists().size());
        CHECK_FALSE(tight.growing.fit());
        CHECK(tight.find(c) >= 1);
        CHECK(tight.lists() == roomy.lists());
        CHECK(roomy.find(c) == 0);
        c.margin = 0.004f;  // more pairs than before
        CHECK(tight.find(c) >= 1);
        roomy.find(c);
        CHECK(tight.lists() == roomy.lists());
        c.margin = 0;
      }
    });
  }

  TEST_CASE("swept pairs come in the same order for one, two and four threads") {
    SweptCase c = cloth_on_floor(60);
    std::mt19937 random(10);
    move_points(c, random, 0.0005f);
    for (const SweptMethod method : kSweptMethods) {
      CAPTURE(int(method));
      std::vector<SweptLists> lists;
      for (const int threads : {1, 2, 4}) {
        const auto device = Device::create(DeviceChoice::cpu, threads);
        device->run([&] {
          SweptTrial trial(*device, c, method);
          trial.find(c);
          lists.push_back(trial.lists());
        });
      }
      CHECK(lists[0].size() > 10000);
      CHECK(lists[0] == lists[1]);
      CHECK(lists[0] == lists[2]);
    }
  }

  TEST_CASE(
      "surfaces without size, without triangles, without cloth and without anything are searched in peace") {
    for_each_device([](Device& device) {
      SweptCase nothing, ball, points, at_origin;
      add_ball(ball.s, vec3(0), 0.1f, 6, 8);
      derive_edges(ball.s);
      points.s.positions = {vec3(0), vec3(0.001f, 0, 0), vec3(NAN), vec3(2)};
      points.s.obstacle_from = 2;
      for (SweptCase* c : {&nothing, &ball, &points}) {
        c->x1 = c->s.positions;
        compare_with_brute_force(device, *c, 0);
      }
      at_origin.s = folded_cloth(6);
      for (const vec3& at : {vec3(0), vec3(5, 0, -3)}) {
        for (vec3& x : at_origin.s.positions) x = at;
        at_origin.x1 = at_origin.s.positions;
        compare_with_brute_force(device, at_origin, 1000);
      }
    });
  }

  TEST_CASE(
      "a margin that is no length finds no swept pairs, and positions that are no numbers hide no others") {
    for_each_device([](Device& device) {
      SweptCase c = soups(11, 80, 40, 0.1f, 0.005f);
      for (const SweptMethod method : kSweptMethods) {
        SweptTrial trial(device, c, method);
        trial.find(c);
        CHECK(trial.lists().size() > 1000);
        for (const float margin : {-1.0f, -0.0001f, NAN, INFINITY}) {
          c.margin = margin;
          trial.find(c);
          CHECK(trial.lists().size() == 0);
        }
        c.margin = 0;
      }
      c.x1[3] = vec3(NAN), c.x1[20].y = std::numeric_limits<float>::infinity(),
      c.s.positions[33] = vec3(0, NAN, 0);
      c.x1[c.x1.size() - 2].z = std::numeric_limits<float>::quiet_NaN();
      compare_with_brute_force(device, c, 1000);
      c.x1[40] = vec3(1e30f), c.x1[41] = vec3(0, -3e38f, 0);  // finite, and overlapping much or not at all
      for (const SweptMethod method : kSweptMethods) {
        SweptTrial trial(device, c, method), reference(device, c, SweptMethod::forest);
        trial.find(c), reference.find(c);
        CHECK(trial.lists().pairs() == reference.lists().pairs());
      }
    });
  }

  TEST_CASE("a swept search is the same sequence of launches whatever moves, and counts what it is told to") {
    SweptCase c = cloth_on_floor(20);
    c.x1 = c.s.positions;
    for (const SweptMethod method : kSweptMethods) {
      const auto device = Device::create(DeviceChoice::cpu, 2);
      device->verify_replays = true;
      device->run([&] {
        Buffer<vec3> x0(*device, "points", c.s.positions), x1(*device, "points", c.x1);
        GrowingLists growing(*device);
        SweptSearch search(growing, c.s, method);
        search.make_room(1 << 18);
        const auto step = [&] { search.find(x0.span(), x1.span(), 0.001f); };
        device->replay(1, step);
        const size_t first = SweptLists(*device, search).size();
        std::vector<vec3> moved = c.x1;
        for (vec3& p : moved) p *= 1.1f;
        x1.upload(moved);
        CHECK_NOTHROW(device->replay(1, step));
        CHECK(SweptLists(*device, search).size() > first);
        CHECK(search.box_tests() == 0);
      });
    }
  }
}
