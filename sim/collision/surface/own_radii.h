// The radii that parts of the cloth have of their own in contact, and what lies too near over a part to have
// one.
#pragma once
#include <vector>

#include "sim/collision/proximity/part_radii.h"
#include "sim/device/buffer.h"
#include "sim/mesh/topology.h"
#include "sim/scene/scene.h"

namespace weft {

/// Between points of one part that are near each other over its mesh there is no radius: neighbours in a
/// fine mesh are nearer than the part is thick. A sheet of thickness g that is folded as tight as it can be
/// has its middle on a half circle of diameter g:
///
///       ____________
///     /   \.             over the sheet a and b are g pi / 2 from each other,
///    |     g |           across g: what is further over the sheet keeps the
///     \___/_.________    whole thickness, and what is nearer may bend
///     a    b
///
/// Distances over the mesh are sums of rest lengths of edges, which are up to 2 / sqrt(3) longer than the
/// straight way, and end at vertices: half of the part's mean edge is added.
class OwnRadii {
 public:
  OwnRadii() = default;
  /// Radii are those of the scene's parts (contact_radius); `points`: of cloth and bodies. Throws Error where
  /// a mesh is too fine for its radius.
  OwnRadii(Device& device, const Topology& cloth, const Scene& scene, int points);

  bool any() const { return !radius_.empty(); }
  /// m; 0: no part has one.
  float smallest() const { return smallest_; }
  float largest() const { return largest_; }
  /// For kernels, of a method whose contact begins at `onset` (m), and at `usual` between parts without a
  /// radius. `start` is needed where pairs meet, not where they are searched.
  PartRadii view(float usual, float onset, const StepStart& start = {}) const {
    PartRadii v;
    v.radius = radius_.span(), v.near_start = near_start_.span(), v.near = near_.span();
    v.usual = usual, v.onset = onset, v.cloth_points = cloth_points_, v.start = start;
    return v;
  }

 private:
  float smallest_ = 0, largest_ = 0;
  int cloth_points_ = 0;
  Buffer<float> radius_;
  Buffer<int> near_start_, near_;
};

/// Of each vertex those within `reach[part]` (m) of it along edges, cells' edges and threads at rest,
/// ascending, without itself; of parts with a reach of 0 none. Throws Error beyond `most` entries.
HostAdjacency near_over_mesh(const Topology& cloth, const std::vector<float>& reach, int most);

}  // namespace weft
