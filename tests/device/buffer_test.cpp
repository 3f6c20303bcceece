#include "sim/device/buffer.h"

#include <limits>
#include <numeric>

#include "sim/base/error.h"
#include "tests/device/for_each_device.h"

using namespace weft;
using namespace weft::testing;

namespace {
std::vector<int> counting(int n) {
  std::vector<int> v(static_cast<size_t>(n));
  std::iota(v.begin(), v.end(), 1);
  return v;
}
}  // namespace

TEST_CASE("a buffer starts cleared and clears again when it is resized") {
  for_each_device([](Device& device) {
    Buffer<int> b(device, "b", 1000);
    CHECK(b.download() == std::vector<int>(1000, 0));
    b.upload(counting(1000));
    b.resize(10);
    CHECK(b.download() == std::vector<int>(10, 0));
    b.resize(1000);
    CHECK(b.download() == std::vector<int>(1000, 0));
  });
}

TEST_CASE("what is uploaded comes back, whatever its size") {
  for_each_device([](Device& device) {
    // The last sizes are those around and beyond the pinned blocks of 1 MiB that CUDA copies go through.
    for (const int n : {0, 1, 2, 513, 262143, 262144, 262145, 1000000}) {
      CAPTURE(n);
      Buffer<int> b(device, "b", 0);
      b.upload(counting(n));
      CHECK(b.size() == n);
      CHECK(b.download() == counting(n));
    }
  });
}

TEST_CASE("the source of an upload may be overwritten at once") {
  for_each_device([](Device& device) {
    std::vector<Buffer<int>> buffers;
    std::vector<int> values;
    for (int k = 0; k < 10; ++k) {
      values.assign(300000, k);
      buffers.emplace_back(device, "b", values);
    }
    for (int k = 0; k < 10; ++k) CHECK(buffers[size_t(k)].download() == std::vector<int>(300000, k));
  });
}

TEST_CASE("moving a buffer hands over its memory") {
  for_each_device([](Device& device) {
    Buffer<int> a(device, "a", counting(100));
    const int* memory = a.span().data;
    Buffer<int> b = std::move(a);
    CHECK(b.span().data == memory);
    CHECK(b.download() == counting(100));
    Buffer<int> c(device, "c", counting(3));
    c = std::move(b);
    CHECK(c.size() == 100);
    CHECK(std::string(c.name()) == "a");
  });
}

TEST_CASE("copying between buffers takes the size of the source") {
  for_each_device([](Device& device) {
    const Buffer<int> a(device, "a", counting(5000));
    Buffer<int> b(device, "b", 3);
    b.copy_from(a);
    CHECK(b.download() == counting(5000));
    CHECK(a.download() == counting(5000));
  });
}

TEST_CASE("memory in use is counted and returned") {
  for_each_device([](Device& device) {
    const size_t before = device.bytes_in_use();
    {
      Buffer<vec3> a(device, "a", 1000);
      CHECK(device.bytes_in_use() == before + 12000);
      a.resize(500);
      CHECK(device.bytes_in_use() == before + 12000);
      a.resize(2000);
      CHECK(device.bytes_in_use() == before + 24000);
      const Buffer<vec3> b = std::move(a);
      CHECK(device.bytes_in_use() == before + 24000);
    }
    CHECK(device.bytes_in_use() == before);
  });
}

TEST_CASE("memory is aligned to 256 bytes") {
  for_each_device([](Device& device) {
    const Buffer<char> a(device, "a", 1), b(device, "b", 3), c(device, "c", 257);
    for (const char* p : {a.span().data, b.span().data, c.span().data})
      CHECK(reinterpret_cast<uintptr_t>(p) % 256 == 0);
  });
}

#ifndef __SANITIZE_ADDRESS__  // which ends the program instead of refusing
TEST_CASE("memory that cannot be had is refused by name and leaves the buffer as it was") {
  for_each_device([](Device& device) {
    const size_t before = device.bytes_in_use();
    std::string message;
    try {
      device.release(device.allocate(size_t(1) << 60, "contact pairs"), size_t(1) << 60);
    } catch (const Error& e) {
      message = e.what();
    }
    CHECK(message.find("contact pairs") != std::string::npos);
    CHECK(device.bytes_in_use() == before);
    Buffer<int> b(device, "b", counting(10));
    CHECK(b.download() == counting(10));
  });
}
#endif
