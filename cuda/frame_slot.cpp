// Slots of device memory between the simulator's stream and the render thread's.
#include <cuda_runtime_api.h>

#include <algorithm>

#include "cuda/check.h"
#include "cuda/cuda_device.h"
#include "sim/device/cuda_hooks.h"

namespace weft::cuda {
namespace {

/// Byte offsets of the three arrays in one block, on the GPU and in pinned memory alike.
struct Layout {
  size_t normals, scalar, bytes;
  explicit Layout(int vertices) {
    const auto aligned = [](size_t bytes) { return (bytes + 255) / 256 * 256; };
    normals = aligned(size_t(vertices) * sizeof(vec3));
    scalar = 2 * normals;
    bytes = scalar + aligned(size_t(vertices) * sizeof(float));
  }
};

/// One block of device memory and one of pinned memory, two events. Its memory is the runtime's, not the
/// Device's: a frame that the window still shows outlives a change of device.
struct OwnedSlot final : FrameSlot {
  int ordinal;
  int capacity = 0;  // vertices
  unsigned char* pinned = nullptr;

  explicit OwnedSlot(int ordinal) : ordinal(ordinal) {
    ready = new_event();
    try {
      consumed = new_event();
    } catch (...) {
      cudaEventDestroy(static_cast<cudaEvent_t>(ready));
      throw;
    }
  }
  ~OwnedSlot() {
    // On whatever thread let go last, whose current GPU is its own affair. A reader's copy may still be under
    // way.
    int current = ordinal;
    cudaGetDevice(&current);
    cudaSetDevice(ordinal);
    cudaEventSynchronize(static_cast<cudaEvent_t>(ready));
    cudaEventSynchronize(static_cast<cudaEvent_t>(consumed));
    free_memory();
    cudaEventDestroy(static_cast<cudaEvent_t>(ready));
    cudaEventDestroy(static_cast<cudaEvent_t>(consumed));
    cudaSetDevice(current);
  }
  OwnedSlot(const OwnedSlot&) = delete;
  OwnedSlot& operator=(const OwnedSlot&) = delete;

  static cudaEvent_t new_event() {
    cudaEvent_t event = nullptr;
    check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "published frame");
    return event;
  }
  void free_memory() {
    if (positions) cudaFree(positions);
    if (pinned) cudaFreeHost(pinned);
    positions = normals = nullptr;
    scalar = nullptr;
    pinned = nullptr;
    capacity = 0;
  }
  void grow(int vertices) {
    if (vertices <= capacity) return;
    check(cudaEventSynchronize(static_cast<cudaEvent_t>(ready)), "published frame");
    check(cudaEventSynchronize(static_cast<cudaEvent_t>(consumed)), "published frame");
    free_memory();
    const Layout layout(vertices);
    unsigned char* block = nullptr;
    check(cudaMalloc(reinterpret_cast<void**>(&block), layout.bytes), "published frame");
    positions = reinterpret_cast<vec3*>(block);
    normals = reinterpret_cast<vec3*>(block + layout.normals);
    scalar = reinterpret_cast<float*>(block + layout.scalar);
    check(cudaHostAlloc(reinterpret_cast<void**>(&pinned), layout.bytes, cudaHostAllocDefault),
          "published frame");
    capacity = vertices;
  }
};

template <class T>
void queue_copy(Span<const T> from, T* to, cudaStream_t stream) {
  if (from.size)
    check(cudaMemcpyAsync(to, from.data, size_t(from.size) * sizeof(T), cudaMemcpyDeviceToDevice, stream),
          "published frame");
}

template <class T>
void queue_download(const T* from, size_t count, unsigned char* pinned, cudaStream_t stream) {
  if (count)
    check(cudaMemcpyAsync(pinned, from, count * sizeof(T), cudaMemcpyDeviceToHost, stream),
          "published frame");
}

template <class T>
void unpack(const unsigned char* pinned, std::vector<T>& to) {
  if (!to.empty()) std::copy_n(reinterpret_cast<const T*>(pinned), to.size(), to.data());
}

}  // namespace

std::shared_ptr<FrameSlot> make_frame_slot(Device& device) {
  return std::make_shared<OwnedSlot>(cuda_device(device).ordinal());
}

void fill_frame_slot(Device& device, FrameSlot& slot, Span<const vec3> positions, Span<const vec3> normals,
                     Span<const float> scalar) {
  static_cast<OwnedSlot&>(slot).grow(positions.size);
  const auto stream = static_cast<cudaStream_t>(device.stream());
  check(cudaStreamWaitEvent(stream, static_cast<cudaEvent_t>(slot.consumed), 0), "published frame");
  queue_copy(positions, slot.positions, stream);
  queue_copy(normals, slot.normals, stream);
  queue_copy(scalar, slot.scalar, stream);
  check(cudaEventRecord(static_cast<cudaEvent_t>(slot.ready), stream), "published frame");
}

bool is_ready(const FrameSlot& slot) {
  return has_passed(static_cast<cudaEvent_t>(slot.ready), "published frame");
}

void download_frame_slot(Device& device, const FrameSlot& slot, std::vector<vec3>& positions,
                         std::vector<vec3>& normals, std::vector<float>& scalar) {
  const auto& owned = static_cast<const OwnedSlot&>(slot);
  const Layout layout(owned.capacity);
  const auto stream = static_cast<cudaStream_t>(device.stream());
  queue_download(slot.positions, positions.size(), owned.pinned, stream);
  queue_download(slot.normals, normals.size(), owned.pinned + layout.normals, stream);
  queue_download(slot.scalar, scalar.size(), owned.pinned + layout.scalar, stream);
  check(cudaStreamSynchronize(stream), "published frame");
  unpack(owned.pinned, positions);
  unpack(owned.pinned + layout.normals, normals);
  unpack(owned.pinned + layout.scalar, scalar);
}

}  // namespace weft::cuda
