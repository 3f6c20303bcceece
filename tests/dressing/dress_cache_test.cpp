#include "sim/dressing/dress_cache.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>
#include <vector>

#include "sim/base/error.h"

using namespace weft;

TEST_CASE("one at a time dresses the same garment, however many come and go") {
  std::atomic<int> inside{0}, most{0}, turns{0};
  std::vector<std::thread> all;
  for (int t = 0; t < 6; ++t)
    all.emplace_back([&] {
      for (int k = 0; k < 5; ++k) {
        const DressingTurn turn(0x7e57, {});
        const int now = ++inside;
        if (now > most) most = now;
        std::this_thread::sleep_for(std::chrono::milliseconds(15));
        --inside, ++turns;
      }
    });
  for (std::thread& t : all) t.join();
  CHECK(turns == 30);
  CHECK(most == 1);
}

TEST_CASE("who waits for another to dress can give up") {
  const DressingTurn held(0x7e58, {});
  CHECK_THROWS_AS(DressingTurn(0x7e58, [] { return true; }), Interrupted);
}
