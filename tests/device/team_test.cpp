#include "sim/device/team.h"

#include <doctest/doctest.h>

#include <numeric>

namespace weft {
namespace {

TEST_CASE("a team's loop visits every element once, for any size, chunk and number of threads") {
  for (const int threads : {1, 2, 3, 7}) {
    ThreadTeam team(threads);
    for (const int count : {0, 1, 2, 63, 64, 65, 1000})
      for (const int chunk : {1, 7, 64, 5000}) {
        std::vector<std::atomic<int>> visits(static_cast<size_t>(count));
        team.for_range(count, chunk, [&](int begin, int end) {
          for (int i = begin; i < end; ++i) ++visits[size_t(i)];
        });
        for (auto& v : visits) CHECK(v == 1);
      }
  }
}

TEST_CASE("no iteration of a team's loop begins before the one before has ended") {
  for (const int threads : {1, 2, 3, 7}) {
    ThreadTeam team(threads);
    constexpr int kCount = 257, kIterations = 200;
    // A chain through the whole array: element i takes over what its neighbour was one iteration ago.
    std::vector<int> values[2];
    for (auto& v : values) v.resize(kCount);
    std::iota(values[0].begin(), values[0].end(), 0);
    team.for_iterations(kCount, 8, kIterations, [&](int begin, int end, int k) {
      for (int i = begin; i < end; ++i)
        values[1 - k % 2][size_t(i)] = values[k % 2][size_t((i + 1) % kCount)];
    });
    for (int i = 0; i < kCount; ++i) CHECK(values[kIterations % 2][size_t(i)] == (i + kIterations) % kCount);
  }
}

TEST_CASE("a loop within a team's loop works on the calling member") {
  ThreadTeam team(3);
  std::atomic<int> sum{0};
  team.for_range(100, 1, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) team.for_range(10, 1, [&](int b, int e) { sum += e - b; });
  });
  CHECK(sum == 1000);
}

TEST_CASE("a team works after its threads have gone to sleep, and through many short loops") {
  ThreadTeam team(4);
  for (int pause = 0; pause < 3; ++pause) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::atomic<int> sum{0};
    for (int k = 0; k < 2000; ++k) team.for_range(16, 1, [&](int b, int e) { sum += e - b; });
    CHECK(sum == 32000);
  }
}

TEST_CASE("teams end however shortly before their threads have been called") {
  std::atomic<int> sum{0};
  for (int k = 0; k < 20000; ++k) {
    ThreadTeam team(5);
    for (int call = 0; call < k % 3; ++call) team.for_range(8, 1, [&](int b, int e) { sum += e - b; });
  }
  CHECK(sum == 8 * 19999);
}

}  // namespace
}  // namespace weft
