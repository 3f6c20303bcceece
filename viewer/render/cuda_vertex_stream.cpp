// Vertices from the simulator's GPU memory to OpenGL's without leaving the GPU.
#include "viewer/render/vertex_stream.h"

#if WEFT_CUDA
#include "cuda/interop/gl_shared_buffer.h"
#include "sim/base/log.h"

namespace weft {
namespace {

size_t padded(size_t bytes) { return (bytes + 255) / 256 * 256; }

/// One buffer that holds positions, normals and scalars. Mapping it for CUDA and unmapping it put the copy in order with
/// OpenGL's own commands, so that one slot is enough and nothing waits.
class CudaVertexStream final : public VertexStream {
 public:
  explicit CudaVertexStream(int vertices)
      : vertices_(size_t(vertices)), array_bytes_(padded(vertices_ * sizeof(vec3))),
        buffer_(2 * array_bytes_ + padded(vertices_ * sizeof(float))) {
    positions = {buffer_.id(), 0};
    normals = {buffer_.id(), array_bytes_};
    scalars = {buffer_.id(), 2 * array_bytes_};
  }

  bool attach(std::string& why_not) { return shared_.attach({buffer_.id()}, why_not); }

  bool copy(const Frame& frame, std::string& why_not) {
    return shared_.copy(frame,
                        {{buffer_.id(), positions.offset, frame.device_positions, vertices_ * sizeof(vec3)},
                         {buffer_.id(), normals.offset, frame.device_normals, vertices_ * sizeof(vec3)},
                         {buffer_.id(), scalars.offset, frame.device_scalar, vertices_ * sizeof(float)}},
                        why_not);
  }

  bool update(const Frame& frame) override {
    if (!frame.device_positions || size_t(frame.vertex_count) != vertices_ || !shared_.attached()) return false;
    std::string why_not;
    return copy(frame, why_not);
  }
  std::string path() const override { return "CUDA interop"; }

 private:
  size_t vertices_, array_bytes_;
  gl::Buffer buffer_;
  cuda::GlSharedBuffer shared_;  // after the buffer: unregistered before that is deleted
};

/// The same reason again and again, for every frame, helps nobody.
void report_once(const std::string& why_not) {
  static std::string last;  // the drawing thread's alone
  if (why_not == last) return;
  last = why_not;
  log_notice("vertices go through host memory: {}", why_not);
}

}  // namespace

std::unique_ptr<VertexStream> make_cuda_vertex_stream(const Frame& frame) {
  auto stream = std::make_unique<CudaVertexStream>(frame.vertex_count);
  std::string why_not;
  if (stream->attach(why_not) && stream->copy(frame, why_not)) return stream;
  report_once(why_not);
  return nullptr;
}

}  // namespace weft
#endif
