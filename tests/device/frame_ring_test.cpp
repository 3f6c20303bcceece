#include "sim/device/frame_ring.h"

#include "sim/device/buffer.h"
#include "tests/device/for_each_device.h"

using namespace weft;
using namespace weft::testing;

namespace {
/// A state whose every number is `value`.
struct TestState {
  Buffer<vec3> positions, normals;
  Buffer<float> scalar;
  TestState(Device& device, int n, float value)
      : positions(device, "positions", std::vector<vec3>(size_t(n), vec3(value))),
        normals(device, "normals", std::vector<vec3>(size_t(n), vec3(-value))),
        scalar(device, "scalar", std::vector<float>(size_t(n), 2 * value)) {}
};

std::vector<vec3> on_device(Device& device, const FrameVertices& frame) {
  std::vector<vec3> v(static_cast<size_t>(frame.vertex_count));
  device.download(v.data(), frame.device_positions, v.size() * sizeof(vec3));
  return v;
}
}  // namespace

TEST_CASE("a filled frame holds the state and keeps it when the state moves on") {
  for_each_device([](Device& device) {
    FrameRing ring(device);
    FrameVertices frame;
    TestState state(device, 1000, 3);
    ring.fill(frame, state.positions.span(), state.normals.span(), state.scalar.span(), true);
    state.positions.clear();
    state.normals.clear();
    device.synchronize();
    CHECK(frame.vertex_count == 1000);
    CHECK(frame.positions == std::vector<vec3>(1000, vec3(3)));
    CHECK(frame.normals == std::vector<vec3>(1000, vec3(-3)));
    CHECK(frame.scalar == std::vector<float>(1000, 6));
  });
}

TEST_CASE("a frame that is filled again takes the new size, and no scalar where there is none") {
  for_each_device([](Device& device) {
    FrameRing ring(device);
    FrameVertices frame;
    for (const int n : {100, 5000, 10}) {
      CAPTURE(n);
      TestState state(device, n, float(n));
      ring.fill(frame, state.positions.span(), state.normals.span(), {}, true);
      CHECK(frame.positions == std::vector<vec3>(size_t(n), vec3(float(n))));
      CHECK(frame.scalar.empty());
      CHECK(frame.device_scalar == nullptr);
    }
  });
}

TEST_CASE("on the CPU a frame has no device memory") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  FrameRing ring(*device);
  FrameVertices frame;
  TestState state(*device, 10, 1);
  ring.fill(frame, state.positions.span(), state.normals.span(), state.scalar.span(), false);
  CHECK(frame.positions.size() == 10);  // the host's memory is all there is
  CHECK(frame.device_positions == nullptr);
  CHECK(frame.ready == nullptr);
  CHECK(ring.slots() == 0);
}

TEST_CASE("on CUDA a slot is reused only when no frame holds it") {
  for_cpu_and_cuda([](Device&, Device& gpu) {
    FrameRing ring(gpu);
    FrameVertices first, second;
    TestState a(gpu, 500, 1), b(gpu, 500, 2);
    ring.fill(first, a.positions.span(), a.normals.span(), a.scalar.span(), false);
    const FrameVertices held = first;  // the window's share of the first frame
    ring.fill(second, b.positions.span(), b.normals.span(), b.scalar.span(), false);
    ring.fill(first, b.positions.span(), b.normals.span(), b.scalar.span(), false);
    CHECK(ring.slots() == 3);
    CHECK(on_device(gpu, held) == std::vector<vec3>(500, vec3(1)));
    CHECK(on_device(gpu, first) == std::vector<vec3>(500, vec3(2)));
    for (int k = 0; k < 10; ++k)
      ring.fill(second, a.positions.span(), a.normals.span(), a.scalar.span(), false);
    CHECK(ring.slots() == 3);
    CHECK(first.positions.empty());
  });
}

TEST_CASE("on CUDA a frame outlives its ring and its device") {
  if (!cuda_missing().empty()) return skip(cuda_missing());
  FrameVertices frame;
  {
    const auto gpu = Device::create(DeviceChoice::cuda);
    FrameRing ring(*gpu);
    TestState state(*gpu, 500, 5);
    ring.fill(frame, state.positions.span(), state.normals.span(), {}, false);
  }
  const auto another = Device::create(DeviceChoice::cuda);
  CHECK(on_device(*another, frame) == std::vector<vec3>(500, vec3(5)));
}
