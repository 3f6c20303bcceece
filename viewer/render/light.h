// The key light and its shadow map.
#pragma once
#include "sim/mesh/mesh.h"
#include "viewer/gl/framebuffer.h"
#include "viewer/render/frame_block.h"

namespace weft {

/// A directional light whose shadow map covers everything that may cast a shadow.
class KeyLight {
 public:
  KeyLight();
  /// Places the map around the casters. The size grows in steps and the position moves by whole texels, so
  /// that shadows of things at rest do not crawl.
  void fit(const Bounds& casters, int texels);
  /// Opens the pass: binds and clears the map, and sets depth bias. Draw with `matrix` as projection.
  void begin() const;
  void end() const;
  /// Binds the map at texture units 0 (compared) and 1 (depths).
  void bind() const;
  void unbind() const;
  /// Fills in the shadow's part of the block.
  void describe(FrameBlock& block, bool enabled, float softness) const;
  /// Least x and z, greatest x and z of where the casters' shadows can lie on a floor of this height.
  static vec4 shadow_on_floor(const Bounds& casters, float height);
  const mat4& matrix() const { return matrix_; }

 private:
  gl::Framebuffer map_;
  gl::Sampler compared_, plain_;
  mat4 matrix_{1};
  float radius_ = 0, depth_ = 1;
};

}  // namespace weft
