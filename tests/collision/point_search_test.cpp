#include "sim/collision/proximity/point_search.h"

#include <algorithm>
#include <random>

#include "sim/base/error.h"
#include "tests/device/for_each_device.h"

using namespace weft;

namespace {

using Lists = std::vector<std::vector<int>>;

Lists read(const NeighborLists& l, Device& device, int points) {
  std::vector<int> count(size_t(l.count.size)), neighbor(size_t(l.neighbor.size));
  device.download(count.data(), l.count.data, count.size() * sizeof(int));
  device.download(neighbor.data(), l.neighbor.data, neighbor.size() * sizeof(int));
  Lists lists(static_cast<size_t>(points));
  for (int i = 0; i < points; ++i)
    for (int k = 0; k < count[size_t(i)]; ++k) lists[size_t(i)].push_back(neighbor[size_t(l.at(i, k))]);
  return lists;
}

Lists all_pairs(const std::vector<vec3>& p, const Lists& left_out, float radius) {
  Lists lists(p.size());
  for (size_t i = 0; i < p.size(); ++i)
    for (size_t j = 0; j < p.size(); ++j)
      if (i != j && glm::length(p[i] - p[j]) <= radius &&
          !std::binary_search(left_out[i].begin(), left_out[i].end(), int(j)))
        lists[i].push_back(int(j));
  return lists;
}

/// Searches on the device until the lists have room, as a step does.
Lists found(GrowingLists& growing, PointSearch& search, Device& device, const std::vector<vec3>& p,
            float radius) {
  Buffer<vec3> base(device, "points", p), offset(device, "offsets", int(p.size()));
  do {
    search.find(base.span(), offset.span(), radius);
  } while (!growing.fit());
  return read(search.lists(), device, int(p.size()));
}

std::vector<vec3> cloud(int points, float side, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> at(-side / 2, side / 2);
  std::vector<vec3> p;
  for (int i = 0; i < points; ++i) p.push_back(vec3(at(random), at(random), at(random)));
  return p;
}

/// The pair of which a list is in doubt: its distance lies within the search's allowance for rounding.
bool agree(const Lists& a, const Lists& b) {
  for (size_t i = 0; i < a.size(); ++i)
    if (a[i] != b[i]) return false;
  return true;
}

}  // namespace

TEST_SUITE("collision") {
  TEST_CASE("neighbours are those of all pairs, for scattered, clustered and negative points") {
    testing::for_each_device([](Device& device) {
      for (const float side : {0.2f, 0.02f, 0.004f}) {
        std::vector<vec3> p = cloud(600, side, 7);
        for (const vec3& q : cloud(100, 0.003f, 8)) p.push_back(q + vec3(-0.7f, 0.3f, 0.2f));
        Lists left_out(p.size());
        for (int i = 0; i + 3 < int(p.size()); i += 5)
          for (int j = 1; j < 4; ++j) left_out[size_t(i)].push_back(i + j);
        GrowingLists growing(device);
        PointSearch search(growing, left_out);
        CHECK(agree(found(growing, search, device, p, 0.0095f), all_pairs(p, left_out, 0.0095f)));
      }
    });
  }

  TEST_CASE("an old cache of neighbours gives the same lists as a new one while points move") {
    testing::for_each_device([](Device& device) {
      std::vector<vec3> p = cloud(500, 0.06f, 3);
      GrowingLists growing(device);
      PointSearch search(growing, Lists(p.size()));
      std::mt19937 random(5);
      std::normal_distribution<float> way(0, 2e-4f);
      for (int step = 0; step < 60; ++step) {
        for (vec3& q : p) q += vec3(0.004f, 0, 0) + vec3(way(random), way(random), way(random));
        CHECK(agree(found(growing, search, device, p, 0.0095f), all_pairs(p, Lists(p.size()), 0.0095f)));
      }
      Buffer<int> rebuilds(device, "count", 1);
      device.copy(rebuilds.span().data, search.rebuilds().data, sizeof(int));
      const int built = rebuilds.download()[0];
      CHECK(built >= 2);   // they have gone apart by more than the cache allows
      CHECK(built <= 20);  // and a common motion of 24 cm has cost nothing
    });
  }

  TEST_CASE("a list without room says so, and has room the next time") {
    testing::for_each_device([](Device& device) {
      const std::vector<vec3> p = cloud(200, 0.002f, 1);
      GrowingLists growing(device);
      PointSearch search(growing, Lists(p.size()));
      search.make_room(2, 3);
      Buffer<vec3> base(device, "points", p), offset(device, "offsets", int(p.size()));
      search.find(base.span(), offset.span(), 0.0095f);
      CHECK_FALSE(growing.fit());
      CHECK(agree(found(growing, search, device, p, 0.0095f), all_pairs(p, Lists(p.size()), 0.0095f)));
    });
  }

  TEST_CASE("a larger radius finds what is within it, without any motion") {
    testing::for_each_device([](Device& device) {
      const std::vector<vec3> p = cloud(400, 0.05f, 2);
      GrowingLists growing(device);
      PointSearch search(growing, Lists(p.size()));
      for (const float radius : {0.004f, 0.012f, 0.006f})
        CHECK(agree(found(growing, search, device, p, radius), all_pairs(p, Lists(p.size()), radius)));
    });
  }

  TEST_CASE("a list that was cut short says so again where nobody asked the first time") {
    testing::for_each_device([](Device& device) {
      const std::vector<vec3> p = cloud(200, 0.002f, 1);
      GrowingLists growing(device);
      PointSearch search(growing, Lists(p.size()));
      search.make_room(200, 3);
      Buffer<vec3> base(device, "points", p), offset(device, "offsets", int(p.size()));
      for (int step = 0; step < 2; ++step) {  // the first is given up before it asks
        search.find(base.span(), offset.span(), 0.0095f);
      }
      CHECK_FALSE(growing.fit());
    });
  }

  TEST_CASE("lists longer than an index can tell are refused, and those that are there stay") {
    testing::for_each_device([](Device& device) {
      const std::vector<vec3> p = cloud(200, 0.02f, 1);
      GrowingLists growing(device);
      PointSearch search(growing, Lists(p.size()));
      CHECK_THROWS_WITH_AS(search.make_room(1 << 27, 3), doctest::Contains("'neighbour lists'"), Error);
      CHECK_THROWS_WITH_AS(search.make_room(3, 1 << 27), doctest::Contains("'neighbourhood cache'"), Error);
      CHECK(agree(found(growing, search, device, p, 0.0095f), all_pairs(p, Lists(p.size()), 0.0095f)));
    });
  }

  TEST_CASE("points that are far out, and hardly move, have their neighbours from the first search on") {
    testing::for_each_device([](Device& device) {
      for (const float far : {0.0f, 30.0f, 500.0f, 1500.0f, 8000.0f}) {
        std::vector<vec3> p = cloud(300, 0.05f, 4);
        for (vec3& q : p) q += vec3(far);
        GrowingLists growing(device);
        PointSearch search(growing, Lists(p.size()));
        const Lists lists = found(growing, search, device, p, 0.02f),
                    near = all_pairs(p, Lists(p.size()), 0.02f);
        // What rounding hides is found as well: more than all pairs, and never fewer.
        for (size_t i = 0; i < p.size(); ++i)
          CHECK(std::includes(lists[i].begin(), lists[i].end(), near[i].begin(), near[i].end()));
      }
    });
  }
}
