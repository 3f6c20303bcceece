// The bytes that launches name, against what is known of them.
#include <doctest/doctest.h>

#include "sim/device/buffer.h"
#include "sim/device/launch.h"
#include "sim/device/primitives.h"
#include "tests/device/test_kernels.h"

using namespace weft;
using namespace weft::testing;

namespace {

struct Metered {
  Traffic traffic;
  std::unique_ptr<Device> device = Device::create(DeviceChoice::cpu, 2);
  Metered() {
    device->meter(&traffic);
    traffic.counting = true;
  }
  /// What `work` adds.
  template <class Work>
  double bytes(const Work& work) {
    const double before = traffic.bytes();
    work();
    return traffic.bytes() - before;
  }
};

}  // namespace

TEST_CASE(
    "a launch moves each buffer that its kernel names, once per iteration, and no more than its rows can "
    "touch") {
  Metered m;
  Device& d = *m.device;
  const int n = 5000;
  Buffer<int> visits(d, "visits", n), in(d, "in", n), other(d, "other", 2 * n);
  Buffer<int> one(d, "one", 1);
  CHECK(m.bytes([&] { launch(d, "count", n, CountVisits{visits.span()}); }) == 4.0 * n);
  // Two spans of one buffer are one buffer.
  CHECK(m.bytes([&] {
    launch(d, "accumulate", n, Accumulate{in.span(), one.span(), one.span()});
  }) == 4.0 * n + 4);
  // A span that begins within a buffer names it.
  CHECK(m.bytes([&] { launch(d, "count", n, CountVisits{Span<int>(other.span().data + n, n)}); }) == 8.0 * n);
  // Few rows of a large buffer: four cache lines each.
  CHECK(m.bytes([&] { launch(d, "count", 3, CountVisits{visits.span()}); }) == 3 * 4 * 64.0);
  const Buffer<int> few(d, "few", std::vector<int>{2});
  CHECK(m.bytes([&] { launch_counted(d, "count", few.span(), n, CountVisits{visits.span()}); }) ==
        2 * 4 * 64.0);
  Buffer<unsigned> u(d, "mix", padded_rows(n)), v(d, "mix", padded_rows(n));
  CHECK(m.bytes([&] {
    launch_iterated(d, "mix", n, 7, MixWithNeighbors{{u.span(), v.span()}, n});
  }) == 7 * 2 * 4.0 * padded_rows(n));
}

TEST_CASE(
    "copies, clears and primitives move what they are given, and what is not counted or let go of adds "
    "nothing") {
  Metered m;
  Device& d = *m.device;
  const int n = 3000;
  Buffer<int> a(d, "a", n), b(d, "b", n), sums(d, "sums", n + 1);
  CHECK(m.bytes([&] { b.copy_from(a); }) == 8.0 * n);
  CHECK(m.bytes([&] { b.clear(); }) == 4.0 * n);
  CHECK(m.bytes([&] { exclusive_scan(d, a.span(), sums.span()); }) == 4.0 * (2 * n + 1));
  Buffer<uint32_t> keys(d, "keys", n);
  // read and written once per byte of a key
  CHECK(m.bytes([&] { sort_pairs(d, keys.span(), a.span()); }) == 8.0 * 8 * n);
  m.traffic.counting = false;
  CHECK(m.bytes([&] {
    launch(d, "count", n, CountVisits{a.span()}), a.clear(), exclusive_scan(d, a.span(), sums.span());
  }) == 0);
  m.traffic.counting = true;
  // no memory of the device, even where the next buffer was before
  std::vector<int> mine(static_cast<size_t>(n));
  { Buffer<int> short_lived(d, "short", n); }
  CHECK(m.bytes([&] { launch(d, "count", n, CountVisits{Span<int>(mine.data(), n)}); }) == 0);
}
