// The CUDA device on the double of its runtime: GPUs and drivers that are not at hand, and what a fault comes
// to.
#include <doctest/doctest.h>

#include <chrono>
#include <stdexcept>
#include <thread>
#include <utility>

#include "cuda/cuda_device.h"
#include "sim/base/error.h"
#include "sim/device/buffer.h"
#include "sim/device/cuda_hooks.h"
#include "sim/device/launch.h"
#include "sim/device/primitives.h"
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

namespace {

struct PartsSeen {
  std::vector<int> visits, inner, kept, cleared;
  std::vector<vec3> mean;
  bool operator==(const PartsSeen&) const = default;
};

/// Eight steps whose part is wanted in every second one, and the part in it in half of these.
PartsSeen run_parts(Device& device) {
  constexpr int kRows = 300;
  std::vector<vec3> start(kRows);
  for (int i = 0; i < kRows; ++i) start[size_t(i)] = vec3(float(i * i % 97), float(i), 1);
  Buffer<int> outer(device, "outer", 1), inner(device, "inner", 1),
      count(device, "count", std::vector<int>{70});
  Buffer<int> visits(device, "visits", kRows), inner_visits(device, "visits", kRows),
      kept(device, "kept", kRows), cleared(device, "cleared", std::vector<int>(kRows, 5));
  Buffer<vec3> u[2] = {{device, "even", start}, {device, "odd", start}};
  for (Buffer<int>* b : {&visits, &inner_visits, &kept}) b->clear();
  for (int step = 0; step < 8; ++step) {
    outer.upload({step % 2}), inner.upload({step / 2 % 2});
    device.replay(5, [&] {
      device.when(outer.span(), [&] {
        device.clear(outer.span().data, sizeof(int));  // of what the rest of the part must not hear
        launch(device, "count", kRows, testing::CountVisits{visits.span()});
        launch_iterated(device, "mean", kRows, 2,
                        testing::MeanOfNeighbors{{u[0].span(), u[1].span()}, kRows});
        device.copy(kept.span().data, visits.span().data, 4 * 200 + 3);
        device.when(inner.span(), [&] {
          launch_counted(device, "count", count.span(), kRows, testing::CountVisits{inner_visits.span()});
        });
        device.clear(cleared.span().data, 4 * 10);
      });
    });
  }
  return {visits.download(), inner_visits.download(), kept.download(), cleared.download(), u[0].download()};
}

}  // namespace

TEST_CASE("a part in a part runs only where both are wanted, launched and played back") {
  const auto cpu = Device::create(DeviceChoice::cpu, 1);
  const PartsSeen expected = run_parts(*cpu);
  for (const bool resident : {true, false})
    for (const bool graphs : {true, false}) {
      const auto device = Device::create(DeviceChoice::cuda);
      cuda::CudaDevice& d = cuda::cuda_device(*device);
      d.resident_iterations = resident;
      d.graphs = graphs;
      const long before = cuda_double::counts().ifs;
      CHECK(run_parts(*device) == expected);
      device->synchronize();
      // A node in each of seven steps that are played, and the inner one in those that take it.
      CHECK(cuda_double::counts().ifs - before == (graphs ? 7 + 4 : 0));
      CHECK(d.graphs == graphs);
    }
}

TEST_CASE("a part with a loop or with a primitive is played back") {
  const auto device = Device::create(DeviceChoice::cuda);
  Buffer<int> flag(*device, "flag", 1), left(*device, "left", 1), odd(*device, "odd", 1);
  Buffer<float> in(*device, "in", std::vector<float>{1, 2, 3}), sum(*device, "sum", 1);
  for (const bool loop : {true, false}) {
    const long before = cuda_double::counts().ifs;
    for (int step = 0; step < 4; ++step) {
      flag.upload({1}), left.upload({2}), sum.clear();
      device->replay(10 + loop, [&] {
        device->when(flag.span(), [&] {
          if (!loop) return reduce_sum(*device, in.span(), sum.span());
          device->repeat(left.span(), [&] {
            launch(*device, "turn", 1, testing::Turn{left.span(), odd.span()});
          });
        });
      });
      if (!loop) CHECK(sum.download()[0] == 6);
      if (loop) CHECK(left.download()[0] == 0);
    }
    // Of four steps the first is launched, and the second too where the first has taken work memory.
    CHECK(cuda_double::counts().ifs == before + (loop ? 3 : 2));
    CHECK(cuda::cuda_device(*device).graphs);
  }
}

TEST_CASE("recordings of other sizes, one after the other, have clusters of their own sizes") {
  const auto run = [](bool graphs) {
    const auto device = Device::create(DeviceChoice::cuda);
    cuda::cuda_device(*device).graphs = graphs;
    std::vector<vec3> last;
    for (const int n : {60, 1000, 60}) {
      std::vector<vec3> start(static_cast<size_t>(n));
      for (int i = 0; i < n; ++i) start[size_t(i)] = vec3(float(i * i % 97), float(i), 1);
      Buffer<vec3> u[2] = {{*device, "even", start}, {*device, "odd", start}};
      for (int step = 0; step < 3; ++step)
        device->replay(uint64_t(n), [&] {
          launch_iterated(*device, "mean", n, 4, testing::MeanOfNeighbors{{u[0].span(), u[1].span()}, n});
        });
      for (const vec3& v : u[1].download()) last.push_back(v);
    }
    CHECK(cuda::cuda_device(*device).graphs == graphs);
    return last;
  };
  CHECK(run(true) == run(false));
}

namespace {

/// Keeps a stream at work for some milliseconds.
void slow(cudaStream_t stream) {
  cuda_double::queue(stream, "slow", [] { std::this_thread::sleep_for(std::chrono::milliseconds(3)); });
}

/// A frame of `n` vertices that are all at `x`.
void fill(Device& device, cuda::FrameSlot& slot, int n, float x) {
  const Buffer<vec3> positions(device, "positions", std::vector<vec3>(size_t(n), vec3(x)));
  slow(static_cast<cudaStream_t>(device.stream()));
  cuda::fill_frame_slot(device, slot, positions.span(), {}, {});
  device.synchronize();
}

}  // namespace

TEST_CASE(
    "memory of a frame is neither written nor given back before it is written, and ready not before then") {
  const auto device = Device::create(DeviceChoice::cuda);
  const auto stream = static_cast<cudaStream_t>(device->stream());
  const Buffer<vec3> few(*device, "few", std::vector<vec3>(50, vec3(1))),
      many(*device, "many", std::vector<vec3>(5000, vec3(2)));
  for (const bool grows : {true, false}) {
    auto slot = cuda::make_frame_slot(*device);
    slow(stream);
    cuda::fill_frame_slot(*device, *slot, few.span(), {}, {});
    CHECK_FALSE(cuda::is_ready(*slot));
    if (!grows) {
      slot.reset();
      device->synchronize();
      continue;
    }
    cuda::fill_frame_slot(*device, *slot, many.span(), {}, {});
    device->synchronize();
    CHECK(cuda::is_ready(*slot));
    std::vector<vec3> seen(5000), none;
    std::vector<float> scalar;
    cuda::download_frame_slot(*device, *slot, seen, none, scalar);
    CHECK(seen == std::vector<vec3>(5000, vec3(2)));
  }
}

TEST_CASE("memory of a frame is neither written nor given back while a reader copies it") {
  const auto device = Device::create(DeviceChoice::cuda);
  cudaStream_t reader = nullptr;
  REQUIRE(cudaStreamCreateWithFlags(&reader, cudaStreamNonBlocking) == cudaSuccess);
  Buffer<vec3> seen(*device, "seen", 50);
  const Buffer<vec3> few(*device, "few", std::vector<vec3>(50, vec3(2))),
      many(*device, "many", std::vector<vec3>(5000, vec3(2)));
  for (int trial = 0; trial < 14; ++trial) {  // which stream goes first is chance
    auto slot = cuda::make_frame_slot(*device);
    fill(*device, *slot, 50, 1);
    slow(reader);
    const auto consumed = static_cast<cudaEvent_t>(slot->consumed);
    CHECK(cudaMemcpyAsync(seen.span().data, slot->positions, 50 * sizeof(vec3), cudaMemcpyDeviceToDevice,
                          reader) == cudaSuccess);
    CHECK(cudaEventRecord(consumed, reader) == cudaSuccess);
    if (trial == 0) slot.reset();
    else cuda::fill_frame_slot(*device, *slot, trial == 1 ? many.span() : few.span(), {}, {});
    CHECK(cudaStreamSynchronize(reader) == cudaSuccess);
    device->synchronize();
    CHECK(seen.download() == std::vector<vec3>(50, vec3(1)));
  }
  cudaStreamDestroy(reader);
}

TEST_CASE(
    "memory that is given back while a step is recorded is in use until what was queued before is done") {
  const auto device = Device::create(DeviceChoice::cuda);
  Buffer<int> to(*device, "to", 1);
  for (int step = 0; step < 2; ++step) {
    Buffer<int> passing(*device, "passing", std::vector<int>(1, 7));
    device->synchronize();
    slow(static_cast<cudaStream_t>(device->stream()));
    launch(*device, "count", 1, testing::CountVisits{passing.span()});
    device->replay(3, [&] {
      { const Buffer<int> gone = std::move(passing); }
      launch(*device, "count", 1, testing::CountVisits{to.span()});
    });
  }
  device->synchronize();
  CHECK(cuda::cuda_device(*device).graphs);
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
