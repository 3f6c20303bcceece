#include "viewer/render/shared_vertex_stream.h"

namespace weft {

SharedVertexStream::SharedVertexStream(int vertices, std::unique_ptr<VertexSharing> sharing)
    : vertices_(size_t(vertices)),
      positions_buffer_(vertices_ * sizeof(vec3)),
      normals_buffer_(vertices_ * sizeof(vec3)),
      scalars_buffer_(vertices_ * sizeof(float)),
      sharing_(std::move(sharing)) {
  scalars_buffer_.write(std::vector<float>(vertices_));
  positions = {positions_buffer_.id(), 0, vertices_ * sizeof(vec3)};
  normals = {normals_buffer_.id(), 0, vertices_ * sizeof(vec3)};
  scalars = {scalars_buffer_.id(), 0, vertices_ * sizeof(float)};
  attached_ = sharing_->attach({positions.buffer, normals.buffer, scalars.buffer}, why_not);
}

bool SharedVertexStream::update(const Frame& frame) {
  if (!attached_ || !frame.device_positions || !frame.device_normals) return false;
  if (size_t(frame.vertex_count) != vertices_) return false;
  std::vector<cuda::SharedCopy> copies = {
      {positions.buffer, 0, frame.device_positions, vertices_ * sizeof(vec3)},
      {normals.buffer, 0, frame.device_normals, vertices_ * sizeof(vec3)}};
  if (frame.device_scalar)
    copies.push_back({scalars.buffer, 0, frame.device_scalar, vertices_ * sizeof(float)});
  return attached_ = sharing_->copy(frame, copies, why_not);
}

}  // namespace weft
