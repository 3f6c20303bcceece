#include "viewer/render/vertex_sharing.h"

#include <algorithm>

#include "sim/base/inject.h"
#include "viewer/gl/gl.h"

namespace weft {
namespace {

#if WEFT_CUDA
class CudaSharing final : public VertexSharing {
 public:
  bool attach(const std::vector<unsigned>& gl_buffers, std::string& why_not) override {
    return shared_.attach(gl_buffers, why_not);
  }
  bool copy(const FrameVertices& frame, const std::vector<cuda::SharedCopy>& copies,
            std::string& why_not) override {
    return shared_.copy(frame, copies, why_not);
  }
  std::string name() const override { return "CUDA interop"; }

 private:
  cuda::GlSharedBuffer shared_;
};
#endif

/// The same for a device with host memory, so that code which depends on sharing and its failures runs
/// without a GPU, too.
class HostSharing final : public VertexSharing {
 public:
  bool attach(const std::vector<unsigned>& gl_buffers, std::string& why_not) override {
    buffers_.clear();
    why_not = cuda::interop_fault(cuda::InteropStage::device);
    for (const unsigned b : gl_buffers) {
      if (why_not.empty()) why_not = cuda::interop_fault(cuda::InteropStage::registration);
      if (why_not.empty()) buffers_.push_back(b);
    }
    if (!why_not.empty()) buffers_.clear();
    return why_not.empty();
  }
  bool copy(const FrameVertices&, const std::vector<cuda::SharedCopy>& copies,
            std::string& why_not) override {
    why_not = cuda::interop_fault(cuda::InteropStage::copy);
    for (const cuda::SharedCopy& c : copies)
      if (why_not.empty() && std::find(buffers_.begin(), buffers_.end(), c.gl_buffer) == buffers_.end())
        why_not = "a vertex buffer was not registered";
    if (!why_not.empty()) return buffers_.clear(), false;
    for (const cuda::SharedCopy& c : copies)
      glNamedBufferSubData(c.gl_buffer, GLintptr(c.offset), GLsizeiptr(c.bytes), c.source);
    return true;
  }
  std::string name() const override { return "shared host memory"; }

 private:
  std::vector<unsigned> buffers_;
};

}  // namespace

std::unique_ptr<VertexSharing> make_vertex_sharing() {
  if (injected("share")) return std::make_unique<HostSharing>();
#if WEFT_CUDA
  return std::make_unique<CudaSharing>();
#else
  return nullptr;
#endif
}

}  // namespace weft
