// Times of the triangle search: a cloth of 10,000 vertices on a ball, and two layers of it. Not a test:
// nothing is checked.
//   weft-search-benchmark [threads [radius in mm]]
#include <fmt/format.h>

#include <time.h>

#include <cstdlib>

#include "tests/collision/soups.h"

using namespace weft;

namespace {

/// With WEFT_CPU_TIME the time that this thread was running, which other work on the machine does not
/// stretch: for one thread.
double now_ms() {
  static const bool cpu = std::getenv("WEFT_CPU_TIME");
  timespec t;
  clock_gettime(cpu ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &t);
  return 1e3 * double(t.tv_sec) + 1e-6 * double(t.tv_nsec);
}

/// Least of 21 runs, which other work on the machine disturbs least.
template <class Work>
double least_ms(const Work& work) {
  std::vector<double> times;
  for (int k = 0; k < 21; ++k) {
    const double start = now_ms();
    work();
    times.push_back(now_ms() - start);
  }
  std::sort(times.begin(), times.end());
  return times[0];
}

int first_of(Device& device, Span<const int> span) {
  int n = 0;
  device.download(&n, span.data, sizeof n);
  return n;
}

void measure(Device& device, const char* name, const SearchSurface& s, float radius, float margin) {
  Buffer<vec3> at(device, "points", s.positions);
  GrowingLists growing(device);
  TriangleSearch search(growing, s);
  do {
    search.find(at.span(), radius, margin);
  } while (!growing.fit());
  const double fresh = least_ms([&] {
    search.drop_candidates();
    search.find(at.span(), radius, margin);
    device.synchronize();
  });
  const double again = least_ms([&] {
    search.find(at.span(), radius, margin);
    device.synchronize();
  });
  const double points = least_ms([&] {
    search.list_per_point();
    device.synchronize();
  });
  fmt::print(
      "{:34} r {:.1f} + {:.1f} mm: {:6} VT, {:6} EE pairs; anew {:6.2f} ms, with old candidates {:6.2f} ms, "
      "per point {:5.2f} ms\n",
      name, double(radius) * 1e3, double(margin) * 1e3, first_of(device, search.vertex_triangle().count),
      first_of(device, search.edge_edge().count), fresh, again, points);
}

}  // namespace

int main(int argc, char** argv) {
  const auto device = Device::create(DeviceChoice::automatic, argc > 1 ? std::atoi(argv[1]) : 0);
  fmt::print("{}\n", device->name());
  device->run([&] {
    SearchSurface draped, layers;
    const float side = 0.35f;  // 100 x 100 vertices 3.5 mm apart
    const auto drape = [](float height) {
      return [height](const vec3& p) {
        const float around = std::sqrt(p.x * p.x + p.z * p.z), angle = around / 0.1f;
        const float radius = 0.1f + height + 0.002f * sinf(8 * std::atan2(p.z, p.x)) * angle * angle;
        const float polar = angle < 1.6f ? angle : 1.6f;
        const float out = around > 0 ? radius * sinf(polar) / around : 0;
        return vec3(out * p.x, radius * cosf(polar) - (angle > 1.6f ? around - 0.16f : 0), out * p.z);
      };
    };
    testing::add_sheet(draped, 100, side, drape(0.0015f));
    draped.obstacle_from = int(draped.positions.size());
    testing::add_ball(draped, vec3(0), 0.1f, 60, 120);
    testing::derive_edges(draped);
    testing::add_sheet(layers, 100, side, drape(0.0015f));
    testing::add_sheet(layers, 100, side, drape(0.003f));
    layers.obstacle_from = int(layers.positions.size());
    testing::add_ball(layers, vec3(0), 0.1f, 60, 120);
    testing::derive_edges(layers);
    for (const float radius : {0.001f, 0.002f, 0.004f}) {
      if (argc > 2 && std::abs(1e3 * double(radius) - std::atof(argv[2])) > 0.1) continue;
      measure(*device, "10,000 vertices on a ball", draped, radius, 0.5f * radius);
      measure(*device, "two layers of 10,000 on a ball", layers, radius, 0.5f * radius);
    }
  });
}
