// Sharing of vertices between the simulator's device and OpenGL.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "cuda/interop/gl_shared_buffer.h"

namespace weft {

/// Interface between the simulator's device and OpenGL. Nothing throws; a refusal has a reason in one line.
/// The calls are those of cuda::GlSharedBuffer.
class VertexSharing {
 public:
  virtual ~VertexSharing() = default;
  virtual bool attach(const std::vector<unsigned>& gl_buffers, std::string& why_not) = 0;
  virtual bool copy(const FrameVertices& frame, const std::vector<cuda::SharedCopy>& copies,
                    std::string& why_not) = 0;
  /// "CUDA interop".
  virtual std::string name() const = 0;
};

/// CUDA's; nullptr if the program was built without it. With the injected fault "share" one for devices with
/// host memory.
std::unique_ptr<VertexSharing> make_vertex_sharing();

}  // namespace weft
