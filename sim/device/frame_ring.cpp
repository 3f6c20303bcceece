#include "sim/device/frame_ring.h"

#include <atomic>

#include "sim/base/inject.h"

#if WEFT_CUDA
#include "sim/device/cuda_hooks.h"
#endif

namespace weft {
namespace {

/// Downloads into a vector that keeps its capacity from frame to frame.
template <class T>
void download(Device& device, Span<const T> from, std::vector<T>& to) {
  to.resize(size_t(from.size));
  if (from.size) device.download(to.data(), from.data, size_t(from.size) * sizeof(T));
}

}  // namespace

#if WEFT_CUDA
struct FrameRing::Impl {
  Device& device;
  std::vector<std::shared_ptr<cuda::FrameSlot>> slots;

  std::shared_ptr<cuda::FrameSlot> free_slot() {
    for (auto& slot : slots) {
      if (slot.use_count() > 1) continue;
      // orders the last reader's accesses before the following writes
      std::atomic_thread_fence(std::memory_order_acquire);
      return slot;
    }
    slots.push_back(cuda::make_frame_slot(device));
    return slots.back();
  }

  void fill(FrameVertices& frame, Span<const vec3> positions, Span<const vec3> normals,
            Span<const float> scalar, bool host_copy) {
    frame.device_memory.reset();
    const auto slot = free_slot();
    cuda::fill_frame_slot(device, *slot, positions, normals, scalar);
    frame.device_positions = slot->positions;
    frame.device_normals = slot->normals;
    frame.device_scalar = scalar.empty() ? nullptr : slot->scalar;
    frame.ready = slot->ready;
    frame.consumed = slot->consumed;
    frame.device_memory = slot;
    frame.positions.resize(host_copy ? size_t(positions.size) : 0);
    frame.normals.resize(host_copy ? size_t(normals.size) : 0);
    frame.scalar.resize(host_copy ? size_t(scalar.size) : 0);
    if (host_copy) cuda::download_frame_slot(device, *slot, frame.positions, frame.normals, frame.scalar);
  }
};
#else
struct FrameRing::Impl {
  Device& device;
};
#endif

FrameRing::FrameRing(Device& device) : impl_(new Impl{device}) {}
FrameRing::~FrameRing() = default;

void FrameRing::fill(FrameVertices& frame, Span<const vec3> positions, Span<const vec3> normals,
                     Span<const float> scalar, [[maybe_unused]] bool host_copy) {
  frame.vertex_count = positions.size;
#if WEFT_CUDA
  if (impl_->device.is_cuda()) return impl_->fill(frame, positions, normals, scalar, host_copy);
#endif
  frame.device_positions = frame.device_normals = nullptr;
  frame.device_scalar = nullptr;
  frame.ready = frame.consumed = nullptr;
  frame.device_memory.reset();
  download(impl_->device, positions, frame.positions);
  download(impl_->device, normals, frame.normals);
  download(impl_->device, scalar, frame.scalar);
  if (injected("share")) {  // a device with host memory that OpenGL takes its vertices from, as from a GPU's
    frame.device_positions = frame.positions.data(), frame.device_normals = frame.normals.data();
    frame.device_scalar = scalar.empty() ? nullptr : frame.scalar.data();
  }
}

int FrameRing::slots() const {
#if WEFT_CUDA
  return int(impl_->slots.size());
#else
  return 0;
#endif
}

}  // namespace weft
