// How positions, normals and the colouring scalar of each frame reach OpenGL.
#pragma once
#include <memory>
#include <string>

#include "sim/runner.h"
#include "viewer/gl/objects.h"

namespace weft {

/// Where one per-vertex quantity of the current frame lies.
struct VertexSlice {
  GLuint buffer = 0;
  size_t offset = 0;  // bytes
};

/// One way to bring frames over. `update` is called once per new frame, before it is drawn.
class VertexStream {
 public:
  virtual ~VertexStream() = default;
  /// False if this way cannot serve the frame (the caller then takes another).
  virtual bool update(const Frame& frame) = 0;
  /// Called after the last draw call that reads the current slices.
  virtual void drawn() {}
  virtual std::string path() const = 0;
  VertexSlice positions, normals, scalars;
};

/// Copies the frame's host vectors into memory that OpenGL reads in place: three slots, so that writing never waits for a
/// picture that is still being drawn. Serves frames of one kind of device, so that a change of device looks for the best
/// way again.
class MappedVertexStream : public VertexStream {
 public:
  MappedVertexStream(int vertices, bool from_cuda);
  ~MappedVertexStream() override;
  bool update(const Frame& frame) override;
  void drawn() override;
  std::string path() const override { return from_cuda_ ? "CUDA through host memory" : "mapped memory"; }

 private:
  static constexpr int kSlots = 3;
  int vertices_;
  size_t slot_bytes_;
  void* memory_ = nullptr;
  gl::Buffer buffer_;
  GLsync fences_[kSlots] = {};
  int slot_ = 0;
  bool from_cuda_;
};

#if WEFT_CUDA
/// Copies the frame from the simulator's slot to a buffer of OpenGL, device to device. nullptr where that cannot be done;
/// the reason goes to the log, once.
std::unique_ptr<VertexStream> make_cuda_vertex_stream(const Frame& frame);
#endif

/// The best way for this frame: CUDA interop where the frame lies in device memory and OpenGL runs on that device, else mapped memory.
std::unique_ptr<VertexStream> make_vertex_stream(const Frame& frame);

}  // namespace weft
