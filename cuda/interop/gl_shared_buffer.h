// OpenGL vertex buffers that CUDA writes: the picture's vertices never leave the GPU. Plain C++, no CUDA or
// OpenGL header, so that the viewer includes it as it is.
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/inject.h"
#include "sim/device/frame_ring.h"

namespace weft::cuda {

/// One copy: `bytes` from device memory to a place in an OpenGL buffer.
struct SharedCopy {
  unsigned gl_buffer = 0;        // name, registered before; several copies may go to one buffer
  size_t offset = 0;             // bytes from its start
  const void* source = nullptr;  // e.g. FrameVertices::device_positions; nullptr: zeros
  size_t bytes = 0;
};

/// Where sharing may be refused.
enum class InteropStage { device, registration, copy };

/// What the injected fault "interop" says at this stage (its key `stage`, 0 to 2); empty without it.
inline std::string interop_fault(InteropStage stage) {
  if (int(injected_value("interop", "stage", 0)) != int(stage) || !inject("interop")) return {};
  const char* const words[] = {"OpenGL and the simulator run on different GPUs",
                               "sharing a vertex buffer: unknown error",
                               "mapping vertex buffers: unknown error"};
  return words[int(stage)];
}

/// A group of OpenGL buffers registered with CUDA, and the stream on which frames are copied into them. All
/// calls on the thread whose OpenGL context owns the buffers. Nothing here throws or waits for the simulator:
/// where sharing fails, the viewer takes the way through host memory and shows the reason.
class GlSharedBuffer {
 public:
  GlSharedBuffer();
  /// Unregisters; the context must be current.
  ~GlSharedBuffer();
  GlSharedBuffer(const GlSharedBuffer&) = delete;
  GlSharedBuffer& operator=(const GlSharedBuffer&) = delete;

  /// Registers buffers that have their storage (glBufferData or glBufferStorage). A buffer that gets new
  /// storage must be registered anew. False, with nothing registered and the reason in one line, where the
  /// current context is not on the simulator's GPU, or registration fails.
  bool attach(const std::vector<unsigned>& gl_buffers, std::string& why_not);
  void detach();

  /// Queues: wait for frame.ready, map, copy, unmap, record frame.consumed. OpenGL commands that follow see
  /// the new contents. `frame` may be let go of at once. False and the reason on failure; the buffers are
  /// detached then.
  bool copy(const FrameVertices& frame, const std::vector<SharedCopy>& copies, std::string& why_not);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft::cuda
