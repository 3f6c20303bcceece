#include "sim/device/primitives.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>

#include "sim/device/buffer.h"
#include "tests/device/for_each_device.h"

using namespace weft;
using namespace weft::testing;

namespace {

const int kSizes[] = {0, 1, 2, 511, 512, 513, 1024, 16383, 16385, 100000};
constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::vector<float> random_floats(int n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> v(static_cast<size_t>(n));
  for (float& x : v) x = uniform(random) * std::exp2(float(random() % 20));
  return v;
}

std::vector<vec3> random_vectors(int n, unsigned seed) {
  const auto f = random_floats(3 * n, seed);
  std::vector<vec3> v;
  for (size_t i = 0; i < size_t(n); ++i) v.push_back({f[3 * i], f[3 * i + 1], f[3 * i + 2]});
  return v;
}

std::vector<int> random_ints(int n, int below, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<int> v(static_cast<size_t>(n));
  for (int& x : v) x = int(random() % unsigned(below));
  return v;
}

/// Rounding bound of a sum. The longest chain of additions of any of our sums is that of CUB for 100,000
/// elements on a
/// GPU with few multiprocessors, below 128.
bool sums_to(float value, const std::vector<float>& terms, int longest_chain = 128) {
  double sum = 0, magnitude = 0;
  for (const float t : terms) sum += t, magnitude += std::abs(t);
  return std::abs(value - sum) <= longest_chain * std::exp2(-24.0) * magnitude;
}

template <class T>
std::vector<T> head(std::vector<T> v, int n) {
  v.resize(static_cast<size_t>(n));
  return v;
}

/// Keys of which many are equal, with all their bits in use.
template <class Key>
std::vector<Key> random_keys(int n, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<Key> pool(static_cast<size_t>(n / 3 + 1)), keys;
  for (Key& k : pool) k = Key(random());
  for (int i = 0; i < n; ++i) keys.push_back(pool[random() % pool.size()]);
  return keys;
}

template <class Key>
void check_sort(Device& device, std::vector<Key> keys) {
  std::vector<int> values(keys.size());
  std::iota(values.begin(), values.end(), 0);
  Buffer<Key> sorted_keys(device, "keys", keys);
  Buffer<int> sorted_values(device, "values", values);
  sort_pairs(device, sorted_keys.span(), sorted_values.span());
  std::stable_sort(values.begin(), values.end(),
                   [&](int a, int b) { return keys[size_t(a)] < keys[size_t(b)]; });
  std::sort(keys.begin(), keys.end());
  CHECK(sorted_keys.download() == keys);
  CHECK(sorted_values.download() == values);
}

}  // namespace

TEST_CASE("sums agree with double precision to their rounding") {
  for_each_device([](Device& device) {
    for (const int n : kSizes) {
      CAPTURE(n);
      const auto values = random_floats(n, 1);
      const Buffer<float> in(device, "in", values);
      Buffer<float> out(device, "out", std::vector<float>{99.0f});
      reduce_sum(device, in.span(), out.span());
      CHECK(sums_to(out.download()[0], values));
    }
  });
}

TEST_CASE("sums of vectors agree with double precision in every component") {
  for_each_device([](Device& device) {
    for (const int n : kSizes) {
      CAPTURE(n);
      const auto values = random_vectors(n, 2);
      const Buffer<vec3> in(device, "in", values);
      Buffer<vec3> out(device, "out", std::vector<vec3>{vec3(99)});
      reduce_sum(device, in.span(), out.span());
      for (int c = 0; c < 3; ++c) {
        std::vector<float> component;
        for (const vec3& v : values) component.push_back(v[c]);
        CHECK(sums_to(out.download()[0][c], component));
      }
    }
  });
}

TEST_CASE("a sum of twenty million ones keeps counting beyond 2^24") {
  for_each_device([](Device& device) {
    const Buffer<float> in(device, "ones", std::vector<float>(20000000, 1.0f));
    Buffer<float> out(device, "out", 1);
    reduce_sum(device, in.span(), out.span());
    CHECK(out.download()[0] == 20000000.0f);
  });
}

TEST_CASE("the maximum passes over NaN and is minus infinity where there is nothing") {
  for_each_device([](Device& device) {
    Buffer<float> out(device, "out", 1);
    for (const int n : kSizes) {
      CAPTURE(n);
      auto values = random_floats(n, 4);
      for (float& v : values) v = -std::abs(v) - 1;  // a start at 0 would show
      float expected = -kInfinity;
      for (const float v : values) expected = std::max(expected, v);
      for (size_t i = 0; i < values.size(); i += 7)
        if (values[i] != expected) values[i] = std::nanf("");
      const Buffer<float> in(device, "in", values);
      reduce_max(device, in.span(), out.span());
      CHECK(out.download()[0] == expected);
    }
    const Buffer<float> all_nan(device, "nan", std::vector<float>(700, std::nanf("")));
    reduce_max(device, all_nan.span(), out.span());
    CHECK(out.download()[0] == -kInfinity);
  });
}

TEST_CASE(
    "a scan of counts that are more than an int can tell says the most there is, and never a number that "
    "would fit") {
  for_each_device([](Device& device) {
    for (const int each : {3, 700000, 2000000}) {
      Buffer<int> in(device, "counts", std::vector<int>(5000, each)), out(device, "scan", 5001);
      exclusive_scan(device, in.span(), out.span());
      const std::vector<int> got = out.download();
      for (int i = 0; i <= 5000; ++i)
        REQUIRE(int64_t(got[size_t(i)]) == std::min<int64_t>(int64_t(i) * each, INT32_MAX));
    }
  });
}

TEST_CASE("an exclusive scan starts at 0 and may end with the total") {
  for_each_device([](Device& device) {
    for (const int n : kSizes) {
      CAPTURE(n);
      const auto values = random_ints(n, 1000, 5);
      std::vector<int> expected{0};
      for (const int v : values) expected.push_back(expected.back() + v);
      const Buffer<int> in(device, "in", values);
      Buffer<int> with_total(device, "out", n + 1), without(device, "out", n);
      exclusive_scan(device, in.span(), with_total.span());
      exclusive_scan(device, in.span(), without.span());
      CHECK(with_total.download() == expected);
      CHECK(without.download() == head(expected, n));
    }
  });
}

TEST_CASE("a scan may write over its input") {
  for_each_device([](Device& device) {
    auto values = random_ints(50000, 10, 6);
    std::vector<int> expected{0};
    for (const int v : values) expected.push_back(expected.back() + v);
    values.push_back(-1);
    Buffer<int> both(device, "both", values);
    exclusive_scan(device, {both.span().data, 50000}, both.span());
    CHECK(both.download() == expected);
  });
}

TEST_CASE("a recorded sequence may come to a sort that it had no memory for when it was recorded") {
  for_each_device([](Device& device) {
    const std::vector<uint32_t> keys = random_keys<uint32_t>(300000, 11);
    std::vector<uint32_t> sorted = keys;
    std::sort(sorted.begin(), sorted.end());
    Buffer<uint32_t> on_device(device, "keys", keys);
    Buffer<int> values(device, "values", std::vector<int>(keys.size(), 0)), flag(device, "flag", 1);
    for (const int runs : {0, 0, 0, 1, 1, 0, 1}) {
      on_device.upload(keys);
      flag.upload(std::vector<int>{runs});
      device.replay(11, [&] {
        device.when(flag.span(), [&] { sort_pairs(device, on_device.span(), values.span()); });
      });
      CHECK(on_device.download() == (runs ? sorted : keys));
    }
  });
}

TEST_CASE("sorting pairs is stable for 32 and 64 bit keys") {
  for_each_device([](Device& device) {
    for (const int n : kSizes) {
      CAPTURE(n);
      check_sort(device, random_keys<uint32_t>(n, 7));
      check_sort(device, random_keys<uint64_t>(n, 8));
    }
  });
}

TEST_CASE("sorting pairs handles keys that differ in one byte only") {
  // An odd number of passes ends in the other buffer.
  for_each_device([](Device& device) {
    for (const int shift : {0, 8, 24, 56}) {
      CAPTURE(shift);
      std::vector<uint64_t> keys;
      for (const int v : random_ints(40000, 256, 9))
        keys.push_back(uint64_t(v) << shift | 0x00a0000000000000u);
      check_sort(device, keys);
    }
    check_sort(device, std::vector<uint32_t>(5000, 42u));
  });
}

TEST_CASE("select returns the set indices in ascending order") {
  for_each_device([](Device& device) {
    for (const int n : kSizes)
      for (const int density : {1, 2, 50}) {
        CAPTURE(n);
        CAPTURE(density);
        auto values = random_ints(n, density, 10);
        for (int& f : values) f = f == 0 ? -3 : 0;  // any non-zero value is a set flag
        std::vector<int> expected;
        for (int i = 0; i < n; ++i)
          if (values[size_t(i)]) expected.push_back(i);
        const Buffer<int> flags(device, "flags", values);
        Buffer<int> indices(device, "indices", n), count(device, "count", std::vector<int>{-5});
        select(device, flags.span(), indices.span(), count.span());
        REQUIRE(count.download()[0] == int(expected.size()));
        CHECK(head(indices.download(), int(expected.size())) == expected);
      }
  });
}

TEST_CASE("run_length finds every run of equal keys and where it starts") {
  for_each_device([](Device& device) {
    for (const int n : kSizes)
      for (const int distinct : {1, 3, 100000}) {
        CAPTURE(n);
        CAPTURE(distinct);
        std::vector<uint32_t> keys;
        for (const int v : random_ints(n, distinct, 11)) keys.push_back(uint32_t(v) * 40009u);
        std::sort(keys.begin(), keys.end());
        std::vector<uint32_t> expected_keys;
        std::vector<int> expected_starts;
        for (int i = 0; i < n; ++i)
          if (i == 0 || keys[size_t(i)] != keys[size_t(i - 1)]) {
            expected_keys.push_back(keys[size_t(i)]);
            expected_starts.push_back(i);
          }
        const Buffer<uint32_t> in(device, "keys", keys);
        Buffer<uint32_t> unique(device, "unique", n);
        Buffer<int> starts(device, "starts", n), count(device, "count", std::vector<int>{-5});
        run_length(device, in.span(), unique.span(), starts.span(), count.span());
        const int runs = int(expected_keys.size());
        REQUIRE(count.download()[0] == runs);
        CHECK(head(unique.download(), runs) == expected_keys);
        CHECK(head(starts.download(), runs) == expected_starts);
      }
  });
}

TEST_CASE("sums have the same bits for one and two threads and from run to run") {
  for (const int n : {513, 20000, 100000, 1000003}) {
    CAPTURE(n);
    const auto values = random_floats(n, 12);
    const auto vectors = random_vectors(n / 3, 13);
    std::vector<unsigned char> first;
    for (const int threads : {1, 2, 2, 1, 2}) {
      const auto device = Device::create(DeviceChoice::cpu, threads);
      device->run([&] {
        const Buffer<float> in(*device, "in", values);
        const Buffer<vec3> in3(*device, "in", vectors);
        Buffer<float> out(*device, "out", 1);
        Buffer<vec3> out3(*device, "out", 1);
        reduce_sum(*device, in.span(), out.span());
        reduce_sum(*device, in3.span(), out3.span());
        std::vector<unsigned char> bits(sizeof(float) + sizeof(vec3));
        std::memcpy(bits.data(), out.span().data, sizeof(float));
        std::memcpy(bits.data() + sizeof(float), out3.span().data, sizeof(vec3));
        if (first.empty()) first = bits;
        CHECK(bits == first);
      });
    }
  }
}

TEST_CASE("a sum on CUDA has the same bits from run to run") {
  for_cpu_and_cuda([](Device&, Device& gpu) {
    const Buffer<float> in(gpu, "in", random_floats(1000003, 14));
    Buffer<float> out(gpu, "out", 1);
    reduce_sum(gpu, in.span(), out.span());
    const float first = out.download()[0];
    for (int k = 0; k < 20; ++k) {
      reduce_sum(gpu, in.span(), out.span());
      CHECK(out.download()[0] == first);
    }
  });
}

TEST_CASE("sums by segment agree with double precision, and do not depend on other segments") {
  for_each_device([](Device& device) {
    for (const int n : {0, 1, 31, 32, 33, 1023, 1025, 100000}) {
      CAPTURE(n);
      auto values = random_floats(n, 12);
      std::vector<int> starts{0};  // lengths of 0 and from 1 to 40,000
      for (std::mt19937 random(13); starts.back() < n;) {
        const int length = int(random() % 4 ? random() % 90 : random() % 40000);
        starts.push_back(std::min(n, starts.back() + (random() % 8 ? length : 0)));
      }
      const int segments = int(starts.size()) - 1;
      const Buffer<int> start(device, "start", starts), count(device, "count", std::vector<int>{segments});
      Buffer<float> work(device, "work", segment_work(n)),
          out(device, "out", std::vector<float>(size_t(segments) + 1, 99.0f));
      const auto run = [&] {
        const Buffer<float> in(device, "in", values);
        segment_sums(device, in.span(), start.span(), count.span(), work.span(), out.span());
        return out.download();
      };
      const std::vector<float> sums = run();
      CHECK(sums.back() == 99.0f);
      for (int s = 0; s < segments; ++s) {
        const std::vector<float> part(values.begin() + starts[size_t(s)],
                                      values.begin() + starts[size_t(s) + 1]);
        CHECK(sums_to(sums[size_t(s)], part, 2 * 32 + 124 + n / 1024));
      }
      if (segments < 3) continue;
      for (int i = starts[1]; i < starts[2]; ++i) values[size_t(i)] = kInfinity;
      const std::vector<float> others = run();
      for (int s = 0; s < segments; ++s)
        if (s != 1) CHECK(others[size_t(s)] == sums[size_t(s)]);
    }
  });
}

TEST_CASE("sums of vectors by segment are those of their components") {
  for_each_device([](Device& device) {
    const int n = 5000;
    const auto values = random_vectors(n, 14);
    const std::vector<int> starts{0, 7, 7, 1500, n};
    const Buffer<int> start(device, "start", starts), count(device, "count", std::vector<int>{4});
    const Buffer<vec3> in(device, "in", values);
    Buffer<vec3> work(device, "work", segment_work(n)), out(device, "out", 4);
    segment_sums(device, in.span(), start.span(), count.span(), work.span(), out.span());
    const std::vector<vec3> sums = out.download();
    for (int c = 0; c < 3; ++c) {
      std::vector<float> component;
      for (const vec3& v : values) component.push_back(v[c]);
      const Buffer<float> one(device, "in", component);
      Buffer<float> one_work(device, "work", segment_work(n)), one_out(device, "out", 4);
      segment_sums(device, one.span(), start.span(), count.span(), one_work.span(), one_out.span());
      for (int s = 0; s < 4; ++s) CHECK(sums[size_t(s)][c] == one_out.download()[size_t(s)]);
    }
  });
}
