// The ease of a garment: how far each of its vertices is from the body.
#pragma once
#include <memory>
#include <vector>

#include "sim/geometry/surface_tree.h"
#include "sim/run/simulation.h"

namespace weft {

/// Distance to the nearest surface of any body, exact at every distance. The ground counts as no body: what
/// hangs near it has no less ease.
class Ease {
 public:
  /// `meshes`: of each obstacle, in its own frame. Throws Error for a mesh without triangles.
  Ease(Device& device, const Scene& scene, const std::vector<TriMesh>& meshes);
  /// Per position (m, on the device) the distance to bodies where they are drawn, m: negative inside a closed
  /// one. Empty without bodies. Valid until the next call.
  Span<const float> measure(Span<const vec3> position, const std::vector<ObstacleView>& bodies);

 private:
  struct Body {
    BodyShape shape;                                // where there is no mesh
    std::unique_ptr<SurfaceTree> surface;           // made when it is first needed
    std::shared_ptr<const std::vector<vec3>> at{};  // world positions of the surface; nullptr: its own frame
  };
  SurfaceTree& placed(size_t index, const ObstacleView& view);
  Device& device_;
  const Scene& scene_;
  const std::vector<TriMesh>& meshes_;
  std::vector<Body> bodies_;
  Buffer<float> distance_;
};

}  // namespace weft
