// Overlays on the cloth: wireframe, points, handles, brush.
#pragma once
#include <vector>

#include "viewer/gl/program.h"
#include "viewer/render/cloth_mesh.h"
#include "viewer/render/renderer.h"
#include "viewer/render/vertex_stream.h"

namespace weft {

class OverlayPainter {
 public:
  OverlayPainter();
  void wireframe(const ClothMesh& mesh, const gl::VertexArray& vertices, bool dark);
  void triangle(const ClothMesh& mesh, const gl::VertexArray& vertices, int index);
  /// Discs at the listed vertices.
  void pins(const ClothMesh& mesh, const gl::VertexArray& vertices, const std::vector<int>& pinned,
            float pixels);
  /// Discs at every vertex whose scalar exceeds `threshold`.
  void contacts(const ClothMesh& mesh, const gl::VertexArray& vertices, float threshold, float pixels);
  /// Sets the pairs that are connected by lines.
  void set_pairs(const std::vector<ContactPair>& pairs);
  void pairs(float scale);
  /// Sets the marked samples. Their positions are interpolated from the drawn vertices.
  void set_samples(const std::vector<ActiveSample>& samples);
  void samples(const ClothMesh& mesh, const VertexSlice& positions, float scale);
  void marks(const CameraView& camera, const std::vector<ShownHandle>& handles, const Overlay& overlay);

 private:
  struct Corner {
    vec3 position;
    vec2 offset;
    vec3 shape;
    vec4 color;
  };
  void line(const CameraView& camera, const vec3& a, const vec3& b, float pixels, const vec4& color);
  void disc(const vec3& at, float pixels, float kind, const vec4& color);
  void handle(const CameraView& camera, const ShownHandle& handle, float force_limit, float scale);
  void flush();
  gl::Program flat_, points_, marks_, pairs_, samples_;
  int pair_count_ = 0, sample_count_ = 0;
  gl::Buffer pin_indices_, corners_buffer_, pair_buffer_, sample_buffer_;
  gl::VertexArray corners_array_, none_;
  std::vector<Corner> corners_;
};

}  // namespace weft
