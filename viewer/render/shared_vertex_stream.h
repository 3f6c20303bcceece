// Vertices that stay on the device, which copies a frame directly into OpenGL's buffers.
#pragma once
#include "viewer/render/vertex_sharing.h"
#include "viewer/render/vertex_stream.h"

namespace weft {

/// Serves frames that lie in the memory of the device that also draws.
class SharedVertexStream : public VertexStream {
 public:
  SharedVertexStream(int vertices, std::unique_ptr<VertexSharing> sharing);
  /// False, with the reason in `why_not`, if sharing is impossible or fails; it then stays off.
  bool update(const Frame& frame) override;
  std::string path() const override { return sharing_->name(); }

 private:
  size_t vertices_;
  gl::Buffer positions_buffer_, normals_buffer_, scalars_buffer_;
  std::unique_ptr<VertexSharing> sharing_;  // lets go of the buffers before they end
  bool attached_ = false;
};

}  // namespace weft
