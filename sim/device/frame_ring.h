// Vertex data passed from the simulator to drawing, recording and export.
#pragma once
#include <memory>
#include <vector>

#include "sim/base/span.h"
#include "sim/device/device.h"

namespace weft {

/// Vertices of one published state. On the CPU device the vectors hold them. On CUDA `device_*` point to GPU
/// memory owned by this object; the vectors are filled too if a host copy was requested.
struct FrameVertices {
  std::vector<vec3> positions, normals;  // m; unit
  std::vector<float> scalar;             // one per vertex, or empty
  const vec3* device_positions = nullptr;
  const vec3* device_normals = nullptr;
  const float* device_scalar = nullptr;  // nullptr where there is no scalar
  void* ready = nullptr;                 // cudaEvent_t: passed once the device memory is filled
  // cudaEvent_t: to be recorded after a copy out of the device memory was queued; the memory is not written
  // again before it has passed
  void* consumed = nullptr;
  std::shared_ptr<const void> device_memory;  // keeps the device memory alive after the end of the Device
  int vertex_count = 0;
};

/// Fills FrameVertices. On CUDA it owns slots of device memory, one per live frame that it filled; a slot is
/// not reused while a frame holds it. All calls on the simulator's thread; frames may be read and released on
/// any thread.
class FrameRing {
 public:
  /// `device` must outlive the ring; frames may outlive both.
  explicit FrameRing(Device& device);
  ~FrameRing();
  FrameRing(const FrameRing&) = delete;
  FrameRing& operator=(const FrameRing&) = delete;

  /// Copies the current state. `scalar` may be empty. On CUDA the copy on the device is queued without
  /// waiting; with `host_copy` one wait also fills the vectors, which are otherwise left empty. `frame` must
  /// have no other reader.
  void fill(FrameVertices& frame, Span<const vec3> positions, Span<const vec3> normals,
            Span<const float> scalar, bool host_copy);
  /// Slots of device memory (0 on the CPU).
  int slots() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft
