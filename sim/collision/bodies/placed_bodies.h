// Bodies where they really are: cloth in the way holds them back from where their script wants them.
#pragma once
#include <memory>
#include <vector>

#include "sim/collision/bodies/bodies.h"

namespace weft {

/// World positions of the vertices of each obstacle's mesh (m); nullptr: it is at its scripted place.
using BodyPlaces = std::vector<std::shared_ptr<const std::vector<vec3>>>;

/// The bodies of a scene, for those who look at one state of a run after the other. Distance fields of bodies
/// that are at their scripted places are made once; for a state with others all are made anew.
class PlacedBodies {
 public:
  /// As Bodies.
  PlacedBodies(Device& device, const Scene& scene);
  /// At a time; valid until the next call. Places as many as obstacles, or none. Throws Error where the
  /// number of positions is not that of a mesh's vertices.
  BodiesView at(double time, const BodyPlaces& places);
  /// Places of those obstacles that are farther than `most` (m) from where their script wants them, of those
  /// in `all`.
  BodyPlaces lagging(double time, const BodyPlaces& all, float most);

 private:
  GrowingLists lists_;
  Scene scene_;
  std::vector<std::string> notices_;  // reported when the scene was loaded
  Bodies scripted_;
  std::unique_ptr<Bodies> placed_;
};

}  // namespace weft
