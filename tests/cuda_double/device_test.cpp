// The CUDA device on the double of its runtime: GPUs and drivers that are not at hand, and what a fault comes
// to.
#include <doctest/doctest.h>

#include <stdexcept>

#include "cuda/cuda_device.h"
#include "sim/base/error.h"
#include "sim/device/buffer.h"
#include "sim/device/launch.h"
#include "tests/cuda_double/double.h"
#include "tests/device/test_kernels.h"

using namespace weft;
using cuda_double::gpu;

namespace {

/// Sets what the GPU is for the length of a test.
struct Pretend {
  cuda_double::Gpu before = gpu();
  explicit Pretend(const cuda_double::Gpu& other) { gpu() = other; }
  ~Pretend() { gpu() = before; }
};

/// Iterations over 500 rows, in shared memory where the GPU can, alone and within a recorded loop.
std::vector<vec3> iterated(Device& device) {
  const int n = 500;
  std::vector<vec3> start(n);
  for (int i = 0; i < n; ++i) start[size_t(i)] = vec3(float(i * i % 97), float(i), 1);
  Buffer<vec3> u[2] = {{device, "even", start}, {device, "odd", start}};
  Buffer<int> flag(device, "flag", std::vector<int>{1});
  for (int step = 0; step < 4; ++step) {
    flag.upload({1});
    device.replay(1, [&] {
      device.repeat(flag.span(), [&] {
        launch_iterated(device, "mean", n, 3, testing::MeanOfNeighbors{{u[0].span(), u[1].span()}, n});
        device.when(flag.span(), [&] { device.clear(flag.span().data, sizeof(int)); });
      });
    });
  }
  return u[1].download();
}

}  // namespace

TEST_CASE("GPUs without clusters, with little room for them, and drivers before 12.6 give the same bits") {
  const auto cpu = Device::create(DeviceChoice::cpu, 1);
  const std::vector<vec3> expected = iterated(*cpu);
  std::vector<cuda_double::Gpu> kinds(4);
  kinds[1].major = 8;
  kinds[2].largest_cluster = 4;
  kinds[3].driver = 12050;
  for (size_t k = 0; k < kinds.size(); ++k) {
    CAPTURE(k);
    const Pretend pretend(kinds[k]);
    for (const bool resident : {true, false}) {
      const auto device = Device::create(DeviceChoice::cuda);
      cuda::cuda_device(*device).resident_iterations = resident;
      CHECK(iterated(*device) == expected);
      CHECK(cuda::cuda_device(*device).graphs);
    }
  }
}

TEST_CASE("a machine without a GPU, or with a driver that is too old, says why") {
  cuda_double::Gpu none;
  none.devices = 0;
  const Pretend pretend(none);
  std::string note;
  CHECK_THROWS_AS(Device::create(DeviceChoice::cuda), Error);
  CHECK_FALSE(Device::create(DeviceChoice::automatic, 1, &note)->is_cuda());
  CHECK(note.find("GPU") != std::string::npos);
}

TEST_CASE("a step's parts and loops with a condition run as on the CPU, one within the other") {
  const auto run = [](Device& device) {
    Buffer<int> left(device, "left", std::vector<int>{3}), odd(device, "odd", std::vector<int>{0}),
        sum(device, "sum", std::vector<int>{0});
    std::vector<int> seen;
    for (int step = 0; step < 5; ++step) {
      left.upload({step});
      device.replay(7, [&] {
        device.repeat(left.span(), [&] {
          device.when(odd.span(), [&] { launch(device, "count", 1, testing::CountVisits{sum.span()}); });
          launch(device, "count", 1, testing::CountVisits{sum.span()});
          launch(device, "turn", 1, testing::Turn{left.span(), odd.span()});
        });
      });
      seen.push_back(sum.download()[0]);
    }
    return seen;
  };
  const auto cpu = Device::create(DeviceChoice::cpu, 1);
  const auto device = Device::create(DeviceChoice::cuda);
  const cuda_double::Counts before = cuda_double::counts();
  CHECK(run(*device) == run(*cpu));
  CHECK(cuda_double::counts().played == before.played + 4);  // the first is launched
  CHECK(cuda_double::counts().instantiations == before.instantiations + 1);
}

TEST_CASE("a signature that changes in every step, as a slider in motion makes it, has nothing recorded") {
  const auto device = Device::create(DeviceChoice::cuda);
  Buffer<int> visits(*device, "visits", 10);
  const cuda_double::Counts before = cuda_double::counts();
  for (uint64_t signature = 100; signature < 110; ++signature)
    device->replay(signature, [&] { launch(*device, "count", 10, testing::CountVisits{visits.span()}); });
  CHECK(visits.download() == std::vector<int>(10, 10));
  CHECK(cuda_double::counts().recordings == before.recordings);
}

TEST_CASE("memory that is gone is known at once, and a GPU that is lost is told as such") {
  const auto device = Device::create(DeviceChoice::cuda);
  Buffer<int> in(*device, "in", 10), out(*device, "out", 10);
  device->copy(out.span().data, in.span().data, 40);
  device->synchronize();
  int* const gone = Buffer<int>(*device, "gone", 10).span().data;
  CHECK_THROWS_AS(device->copy(out.span().data, gone, 40), Error);
  CHECK_THROWS_AS(device->copy(out.span().data, in.span().data, 44), Error);
  const cuda_double::Expected expected;
  cuda_double::queue(static_cast<cudaStream_t>(device->stream()), "fault",
                     [] { throw std::runtime_error("a fault"); });
  CHECK_THROWS_AS(out.download(), DeviceLost);
  CHECK_THROWS_AS(device->synchronize(), DeviceLost);
  cuda_double::reset();
}
