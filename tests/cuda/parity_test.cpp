// The same kernel on both devices.
#include <cmath>

#include "sim/device/buffer.h"
#include "tests/device/for_each_device.h"
#include "tests/device/test_kernels.h"

using namespace weft;
using namespace weft::testing;

namespace {
std::vector<float> normalized(Device& device, const std::vector<vec3>& values) {
  const Buffer<vec3> in(device, "in", values);
  Buffer<float> out(device, "out", in.size());
  launch(device, "normalize", in.size(), Normalize<float, 3>{in.span(), out.span()});
  return out.download();
}
}  // namespace

TEST_CASE("a templated kernel gives the CPU's numbers on CUDA up to contracted multiplications") {
  for_cpu_and_cuda([](Device& cpu, Device& gpu) {
    std::vector<vec3> values;
    for (int i = 0; i < 5000; ++i) values.push_back({float(i), std::sin(float(i)), 0.1f * float(i % 13)});
    const auto a = normalized(cpu, values), b = normalized(gpu, values);
    // A dozen roundings, each of at most half an ulp on either side.
    for (size_t i = 0; i < a.size(); ++i)
      CHECK(std::abs(a[i] - b[i]) <= 24 * std::exp2(-24.0f) * std::abs(a[i]));
  });
}
