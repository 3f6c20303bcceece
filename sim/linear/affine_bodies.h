// Rigid bodies as affine ones: their memory. affine_view.h says what they are.
#pragma once
#include <vector>

#include "sim/device/buffer.h"
#include "sim/linear/affine_view.h"

namespace weft {

/// Owner of the memory behind AffineView.
class AffineBodies {
 public:
  /// Points of a body: numbers of vertices, in a row.
  struct Range {
    int first = 0, count = 0;
  };
  AffineBodies() = default;
  /// `rest`: of all vertices, m; `mass`: kg, of each. Throws Error if a body has no extent in some direction.
  AffineBodies(Device& device, const std::vector<Range>& bodies, const std::vector<vec3>& rest,
               const std::vector<float>& mass);

  int count() const { return body_.size(); }
  bool any() const { return !body_.empty(); }
  AffineView view() const { return {body_, offset_, mass_}; }
  /// Of each vertex the mass (kg) that a push on it alone has to move: of a body less than all of it, more
  /// than the vertex's own; elsewhere the vertex's own. Empty without bodies.
  Span<const float> pushed_mass() const { return pushed_; }

 private:
  Buffer<AffineBody> body_;
  Buffer<vec3> offset_;
  Buffer<float> mass_, pushed_;
};

}  // namespace weft
