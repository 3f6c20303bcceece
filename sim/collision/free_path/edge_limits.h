// Limits on the lengths of edges in a backward step, colour by colour.
#pragma once
#include <vector>

#include "sim/collision/free_path/free_path_options.h"
#include "sim/collision/free_path/step_kernels.h"
#include "sim/collision/surface/contact_surface.h"

namespace weft {

/// Edges of the cloth in colours: no two of one colour share a vertex.
class EdgeLimits {
 public:
  EdgeLimits(Device& device, const ContactSurface& surface);
  /// Moves `y` (m, of all points) where an edge would become longer than `stretch` times its length at `aim`.
  void apply(Span<const float> inverse_mass, Span<const vec3> aim, float stretch, Span<vec3> y);

 private:
  Device& device_;
  std::vector<Buffer<ivec2>> colors_;
};

}  // namespace weft
