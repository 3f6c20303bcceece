// Transfer of positions, normals and the colouring scalar of each frame to OpenGL.
#pragma once
#include <memory>
#include <string>

#include "sim/run/runner.h"
#include "viewer/gl/objects.h"

namespace weft {

/// Place of one per-vertex quantity of the current frame.
struct VertexSlice {
  GLuint buffer = 0;
  size_t offset = 0;  // bytes, a multiple of 256
  size_t bytes = 0;   // of this quantity of all vertices
};

/// One way of transferring frames. `update` is called once per new frame, before it is drawn.
class VertexStream {
 public:
  virtual ~VertexStream() = default;
  /// False if this way cannot transfer the frame (the caller then uses another).
  virtual bool update(const Frame& frame) = 0;
  /// Called after the last draw call that reads the current slices.
  virtual void drawn() {}
  virtual std::string path() const = 0;
  // why the device does not share its memory with OpenGL, in one line; empty if it does, or has no memory of
  // its own
  std::string why_not;
  VertexSlice positions, normals, scalars;
};

/// Copies the frame's host vectors into memory that OpenGL reads in place: three slots, so that writing never
/// waits for a picture that is still being drawn.
class MappedVertexStream : public VertexStream {
 public:
  explicit MappedVertexStream(int vertices);
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
  bool from_cuda_ = false;
};

/// The best way for this frame, with the frame uploaded: CUDA interop if the frame is in device memory and
/// OpenGL runs on that device, else mapped memory, which then records (and logs) why interop is unavailable.
/// nullptr if the frame is on neither device nor host.
std::unique_ptr<VertexStream> make_vertex_stream(const Frame& frame);

}  // namespace weft
