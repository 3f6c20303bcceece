// Vertices that stay on the GPU: CUDA copies a frame straight into OpenGL's buffers.
#pragma once
#if WEFT_CUDA
#include "cuda/interop/gl_shared_buffer.h"
#include "viewer/render/vertex_stream.h"

namespace weft {

/// Serves frames that lie in the memory of the GPU that also draws.
class CudaVertexStream : public VertexStream {
 public:
  explicit CudaVertexStream(int vertices);
  /// False, with the reason in `why_not`, where sharing is impossible or fails; then it stays so.
  bool update(const Frame& frame) override;
  std::string path() const override { return "CUDA interop"; }
  const std::string& why_not() const { return why_not_; }

 private:
  size_t vertices_;
  gl::Buffer positions_buffer_, normals_buffer_, scalars_buffer_;
  cuda::GlSharedBuffer shared_;
  std::string why_not_;
};

}  // namespace weft
#endif
