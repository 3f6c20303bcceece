#include "sim/device/launch.h"

#include <random>

#include "sim/device/buffer.h"
#include "tests/device/for_each_device.h"
#include "tests/device/test_kernels.h"

using namespace weft;
using namespace weft::testing;

namespace {
const int kSizes[] = {0, 1, 2, 127, 128, 129, 511, 512, 513, 1024, 100000};

std::vector<int> ones_then_zeros(int ones, int size) {
  std::vector<int> v(size_t(size), 0);
  std::fill(v.begin(), v.begin() + ones, 1);
  return v;
}
}  // namespace

TEST_CASE("a launch runs every index once and none beyond its count") {
  for_each_device([](Device& device) {
    for (const int n : kSizes) {
      CAPTURE(n);
      Buffer<int> visits(device, "visits", n + 7);
      launch(device, "count", n, CountVisits{visits.span()});
      CHECK(visits.download() == ones_then_zeros(n, n + 7));
    }
  });
}

TEST_CASE("a kernel of 16 rows runs every row of its slices once") {
  for_each_device([](Device& device) {
    for (const int n : kSizes) {
      CAPTURE(n);
      const int padded = padded_rows(n);
      Buffer<int> visits(device, "visits", padded + kLanes);
      launch(device, "count rows", n, CountRowVisits{visits.span()});
      auto seen = visits.download();
      // On the CPU whole slices run, on CUDA exactly the rows that were asked for.
      for (int i = n; i < padded; ++i) {
        CHECK(seen[size_t(i)] <= 1);
        seen[size_t(i)] = 0;
      }
      CHECK(seen == ones_then_zeros(n, padded + kLanes));
    }
  });
}

TEST_CASE("iterations see all that the one before wrote, however many rows there are") {
  for_each_device([](Device& device) {
    for (const int n : {1, 15, 1000, 10007, 600000})  // the last are more than any GPU keeps resident at once
      for (const int iterations : {1, 2, 7}) {
        CAPTURE(n);
        CAPTURE(iterations);
        std::vector<unsigned> expected[2] = {std::vector<unsigned>(size_t(n)),
                                             std::vector<unsigned>(size_t(n))};
        std::mt19937 random(unsigned(7));
        for (unsigned& v : expected[1]) v = unsigned(random());
        Buffer<unsigned> u[2] = {{device, "even", expected[0]}, {device, "odd", expected[1]}};
        launch_iterated(device, "mix", n, iterations, MixWithNeighbors{{u[0].span(), u[1].span()}, n});
        for (int k = 0; k < iterations; ++k)
          for (int i = 0; i < n; ++i)
            MixWithNeighbors{{{expected[0].data(), n}, {expected[1].data(), n}}, n}(i, k);
        CHECK(u[0].download() == expected[0]);
        CHECK(u[1].download() == expected[1]);
      }
  });
}

TEST_CASE(
    "iterations in shared memory give the bits of one after the other, in clusters of one to eight blocks") {
  for_each_device([](Device& device) {
    for (const int n : {1, 31, 64, 65, 128, 200, 257, 512, 1000, 4096})
      for (const int iterations : {1, 2, 5}) {
        CAPTURE(n);
        CAPTURE(iterations);
        std::vector<vec3> expected[2] = {std::vector<vec3>(size_t(n)), std::vector<vec3>(size_t(n))};
        std::mt19937 random(11);
        for (auto& rows : expected)
          for (vec3& v : rows) v = {float(random() % 1000), float(random() % 1000), float(random() % 1000)};
        Buffer<vec3> u[2] = {{device, "even", expected[0]}, {device, "odd", expected[1]}};
        launch_iterated(device, "mean", n, iterations, MeanOfNeighbors{{u[0].span(), u[1].span()}, n});
        for (int k = 0; k < iterations; ++k)
          for (int i = 0; i < n; ++i)
            MeanOfNeighbors{{{expected[0].data(), n}, {expected[1].data(), n}}, n}(i, k);
        CHECK(u[0].download() == expected[0]);
        CHECK(u[1].download() == expected[1]);
      }
  });
}

TEST_CASE(
    "rows that a GPU shares among threads give what one thread gives, by launches and in shared memory") {
  for_each_device([](Device& device) {
    for (const int n : {1, 40, 128, 129, 5000}) {  // the double of CUDA's runtime shares up to 128
      CAPTURE(n);
      std::vector<vec3> values(static_cast<size_t>(n));
      for (int i = 0; i < n; ++i) values[size_t(i)] = vec3(float(i * 37 % 101), float(i % 7), 1);
      const Buffer<vec3> in(device, "in", values);
      Buffer<vec3> out(device, "out", n);
      Buffer<int> bits(device, "bits", n);
      const int padded = 3 * padded_rows(n), entries = SumOfRow::kEntries * n;
      Buffer<float> number(device, "number", n), three(device, "three", padded),
          entry(device, "entry", entries);
      three.clear(), entry.clear();
      launch(device, "sum of row", n,
             SumOfRow{in.span(), out.span(), bits.span(), number.span(), three.span(), entry.span()});
      std::vector<vec3> sums(values.size());
      std::vector<int> seen(values.size());
      std::vector<float> numbers(values.size()), threes(static_cast<size_t>(padded)),
          written(static_cast<size_t>(entries));
      for (int i = 0; i < n; ++i)
        SumOfRow{{values.data(), n},  {sums.data(), n},        {seen.data(), n},
                 {numbers.data(), n}, {threes.data(), padded}, {written.data(), entries}}(i);
      CHECK(out.download() == sums);
      CHECK(bits.download() == seen);
      CHECK(number.download() == numbers);
      CHECK(three.download() == threes);
      CHECK(entry.download() == written);
    }
    for (const int n : {1, 65, 300, 5000}) {
      CAPTURE(n);
      std::vector<vec3> expected[2];
      for (auto& rows : expected)
        for (int i = 0; i < n; ++i) rows.push_back(vec3(float(i * 37 % 101), float(i % 7), 16));
      Buffer<vec3> u[2] = {{device, "even", expected[0]}, {device, "odd", expected[1]}};
      launch_iterated(device, "mean of long rows", n, 3, MeanOfLongRows{{u[0].span(), u[1].span()}, n});
      for (int k = 0; k < 3; ++k)
        for (int i = 0; i < n; ++i)
          MeanOfLongRows{{{expected[0].data(), n}, {expected[1].data(), n}}, n}(i, k);
      CHECK(u[0].download() == expected[0]);
      CHECK(u[1].download() == expected[1]);
    }
  });
}

TEST_CASE("blocks of a grid see in each phase all that the one before wrote") {
  constexpr int kBlocks = 5, kCells = BlockSums::kWidth * BlockSums::kWidth;
  std::vector<int> values;
  for (int i = 0; i < kBlocks * kCells; ++i) values.push_back(i * 29 % 61);
  const auto cell = [](const std::vector<float>& of, int x, int y) {
    return of[size_t((y + BlockSums::kWidth) % BlockSums::kWidth * BlockSums::kWidth +
                     (x + BlockSums::kWidth) % BlockSums::kWidth)];
  };
  std::vector<int> expected;
  for (int b = 0; b < kBlocks; ++b) {
    const std::vector<float> start(values.begin() + b * kCells, values.begin() + (b + 1) * kCells);
    std::vector<float> now = start;
    for (int phase = 0; phase < 3; ++phase) {
      std::vector<float> next = now;
      for (int y = 0; y < BlockSums::kWidth; ++y)
        for (int x = 0; x < BlockSums::kWidth; ++x) {
          // Beyond the block is what was there at the start.
          const auto at = [&](int px, int py) {
            const bool inside = px >= 0 && py >= 0 && px < BlockSums::kWidth && py < BlockSums::kWidth;
            return cell(inside ? now : start, px, py);
          };
          next[size_t(y * BlockSums::kWidth + x)] = at(x - 1, y) + at(x + 1, y) + 2 * at(x, y + 1);
        }
      now = next;
    }
    for (const float v : now) expected.push_back(int(v));
  }
  for_each_device([&](Device& device) {
    const Buffer<int> in(device, "in", values);
    Buffer<int> out(device, "out", in.size());
    launch_blocks(device, "block sums", kBlocks, BlockSums{in.span(), out.span()});
    CHECK(out.download() == expected);
  });
}

TEST_CASE("a launch over a count in device memory runs the smaller of count and capacity") {
  for_each_device([](Device& device) {
    for (const int count : kSizes)
      for (const int capacity : {0, 1, 500, 1024, 100000}) {
        CAPTURE(count);
        CAPTURE(capacity);
        const Buffer<int> on_device(device, "count", std::vector<int>{count});
        Buffer<int> visits(device, "visits", 100007);
        launch_counted(device, "count", on_device.span(), capacity, CountVisits{visits.span()});
        CHECK(visits.download() == ones_then_zeros(std::min(count, capacity), 100007));
      }
  });
}

TEST_CASE("atomics see every element") {
  for_each_device([](Device& device) {
    std::vector<int> values;
    std::mt19937 random(3);
    for (int i = 0; i < 20000; ++i) values.push_back(int(random() >> 8));
    values[12345] = 1 << 29;
    const Buffer<int> in(device, "in", values);
    Buffer<int> largest(device, "largest", 1), bits(device, "bits", 1);
    launch(device, "accumulate", in.size(), Accumulate{in.span(), largest.span(), bits.span()});
    int expected_bits = 0;
    for (const int v : values) expected_bits |= v;
    CHECK(largest.download()[0] == 1 << 29);
    CHECK(bits.download()[0] == expected_bits);
  });
}

TEST_CASE("launches in a row see each other's results") {
  for_each_device([](Device& device) {
    Buffer<int> visits(device, "visits", 3000);
    for (int k = 0; k < 50; ++k) launch(device, "count", visits.size(), CountVisits{visits.span()});
    CHECK(visits.download() == std::vector<int>(3000, 50));
  });
}

TEST_CASE("every launch that does something is counted and timed under its name") {
  for_each_device([](Device& device) {
    Buffer<int> visits(device, "visits", 10);
    Profiler& profiler = device.profiler();
    profiler.begin_step();
    for (int k = 0; k < 3; ++k) launch(device, "count visits", visits.size(), CountVisits{visits.span()});
    launch(device, "nothing", 0, CountVisits{visits.span()});
    profiler.end_step();
    CHECK(profiler.launches() == 3);
    bool found = false;
    for (const StageTime& s : profiler.stages()) {
      found |= s.path == "step/count visits";
      CHECK(s.name != "nothing");
    }
    CHECK(found);
  });
}
