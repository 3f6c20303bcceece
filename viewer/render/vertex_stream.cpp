#include "viewer/render/vertex_stream.h"

#include <cstring>

#include "sim/base/error.h"
#include "sim/base/log.h"
#include "viewer/render/shared_vertex_stream.h"

namespace weft {

// A slot holds positions, normals (12 bytes each) and scalars (4 bytes), each array starting at a multiple of
// 256 bytes, the largest alignment that OpenGL may ask of a storage buffer.
static size_t padded(size_t bytes) { return (bytes + 255) / 256 * 256; }

MappedVertexStream::MappedVertexStream(int vertices)
    : vertices_(vertices),
      slot_bytes_(2 * padded(size_t(vertices) * sizeof(vec3)) + padded(size_t(vertices) * sizeof(float))),
      buffer_(gl::Buffer::persistent(kSlots * slot_bytes_, memory_)) {
  if (!memory_) throw Error("the driver provides no mapped memory for the vertices", "graphics");
}

MappedVertexStream::~MappedVertexStream() {
  for (GLsync f : fences_)
    if (f) glDeleteSync(f);
}

bool MappedVertexStream::update(const Frame& frame) {
  const size_t count = size_t(vertices_);
  if (frame.positions.size() != count || frame.normals.size() != count) return false;
  slot_ = (slot_ + 1) % kSlots;
  if (fences_[slot_]) {
    while (glClientWaitSync(fences_[slot_], GL_SYNC_FLUSH_COMMANDS_BIT, 1000000000) == GL_TIMEOUT_EXPIRED) {}
    glDeleteSync(fences_[slot_]);
    fences_[slot_] = nullptr;
  }
  const size_t begin = size_t(slot_) * slot_bytes_, step = padded(count * sizeof(vec3));
  positions = {buffer_.id(), begin, count * sizeof(vec3)};
  normals = {buffer_.id(), begin + step, count * sizeof(vec3)};
  scalars = {buffer_.id(), begin + 2 * step, count * sizeof(float)};
  auto* base = static_cast<unsigned char*>(memory_);
  std::memcpy(base + positions.offset, frame.positions.data(), count * sizeof(vec3));
  std::memcpy(base + normals.offset, frame.normals.data(), count * sizeof(vec3));
  if (frame.scalar.size() == count) {
    std::memcpy(base + scalars.offset, frame.scalar.data(), count * sizeof(float));
  } else {
    std::memset(base + scalars.offset, 0, count * sizeof(float));
  }
  from_cuda_ = frame.device_positions != nullptr;
  return true;
}

void MappedVertexStream::drawn() {
  if (fences_[slot_]) glDeleteSync(fences_[slot_]);
  fences_[slot_] = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

static std::unique_ptr<VertexStream> host_stream(const Frame& frame) {
  auto stream = std::make_unique<MappedVertexStream>(frame.vertex_count);
  if (!stream->update(frame)) return nullptr;
  return stream;
}

std::unique_ptr<VertexStream> make_vertex_stream(const Frame& frame) {
  if (!frame.device_positions) return host_stream(frame);
  std::string why_not = "this program was built without CUDA";
  if (auto sharing = make_vertex_sharing()) {
    auto shared = std::make_unique<SharedVertexStream>(frame.vertex_count, std::move(sharing));
    if (shared->update(frame)) return shared;
    why_not = shared->why_not;
  }
  log_notice("Vertices are copied to OpenGL through host memory: {}", why_not);
  auto stream = host_stream(frame);
  if (stream) stream->why_not = why_not;
  return stream;
}

}  // namespace weft
