// What may stand in a step that is recorded, and what ends its recording.
#include <utility>

#include "sim/device/buffer.h"
#include "tests/device/for_each_device.h"
#if WEFT_CUDA
#include "cuda/cuda_device.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE(
    "a recording that asks the host in a conditional part ends with a warning, and what it was for is "
    "launched") {
  if (!cuda_missing().empty()) return skip(cuda_missing());
  const auto device = Device::create(DeviceChoice::cuda);
  Buffer<int> flag(*device, "flag", std::vector<int>{1}), from(*device, "from", std::vector<int>{7}),
      to(*device, "to", 1);
  int asked = 0;
  for (int step = 0; step < 4; ++step) {
    to.clear();
    device->replay(1, [&] {
      device->when(flag.span(), [&] {
        asked += from.download()[0];
        device->copy(to.span().data, from.span().data, sizeof(int));
      });
    });
    CHECK(to.download()[0] == 7);
  }
  CHECK(asked == 4 * 7);
  CHECK_FALSE(cuda::cuda_device(*device).graphs);
}

TEST_CASE(
    "a recording that is asked for memory, an upload, a download or a wait in a conditional part ends "
    "without CUDA") {
  if (!cuda_missing().empty()) return skip(cuda_missing());
  for (int kind = 0; kind < 4; ++kind) {
    CAPTURE(kind);
    const auto device = Device::create(DeviceChoice::cuda);
    Buffer<int> flag(*device, "flag", std::vector<int>{1}), from(*device, "from", std::vector<int>{7}),
        to(*device, "to", 1);
    int done = 0;
    for (int step = 0; step < 3; ++step) {
      device->replay(1, [&] {
        device->when(flag.span(), [&] {
          if (kind == 0) Buffer<int>(*device, "memory", 10);
          if (kind == 1) from.upload({7});
          if (kind == 2) from.download();
          if (kind == 3) device->synchronize();
          ++done;
          device->copy(to.span().data, from.span().data, sizeof(int));
        });
      });
      CHECK(to.download()[0] == 7);
    }
    CHECK(done == 3);
    CHECK_FALSE(cuda::cuda_device(*device).graphs);
  }
}

TEST_CASE(
    "a conditional part without a launch, and memory that is given back while a step is recorded, break no "
    "recording") {
  if (!cuda_missing().empty()) return skip(cuda_missing());
  const auto device = Device::create(DeviceChoice::cuda);
  Buffer<int> flag(*device, "flag", std::vector<int>{1}), from(*device, "from", std::vector<int>{7}),
      to(*device, "to", 1);
  const size_t in_use = device->bytes_in_use();
  for (int step = 0; step < 4; ++step) {
    Buffer<int> passing(*device, "passing", 1000);
    to.clear();
    device->replay(1, [&] {
      device->when(flag.span(), [] {});
      { const Buffer<int> gone = std::move(passing); }
      device->copy(to.span().data, from.span().data, sizeof(int));
    });
    CHECK(to.download()[0] == 7);
  }
  CHECK(device->bytes_in_use() == in_use);
  CHECK(cuda::cuda_device(*device).graphs);
}
#endif
