// Notices about bodies and pins that overlap at the start, or jump.
#pragma once
#include <string>
#include <vector>

#include "sim/collision/bodies/bodies.h"
#include "sim/mesh/topology.h"
#include "sim/step/pins.h"

namespace weft {

/// A sentence for each body that pinned vertices are inside of: how many, and how deep at most. Bodies as of
/// their last set_step.
std::vector<std::string> pins_inside_bodies(const Scene& scene, const Bodies& bodies,
                                            const std::vector<int>& pinned,
                                            const std::vector<vec3>& positions);

/// A sentence for each cloth that starts deep inside a body, with what helps. `thrown_out`: contact pushes
/// vertices out, and throws it out in the first step; else only garments are named, which start sewn in
/// whatever is there and stay inside.
/// `start`: positions of all vertices, m; `pinned` ones are left out. Bodies as of their last set_step.
std::vector<std::string> starts_inside_bodies(const Scene& scene, const Bodies& bodies, const Topology& cloth,
                                              const std::vector<int>& pinned, const std::vector<vec3>& start,
                                              bool thrown_out = true);

/// Reports, once each, bodies and pins that move too far in one step for contact to follow.
class JumpWatch {
 public:
  /// Sentences for the step from `time` to `time + dt` (s).
  std::vector<std::string> check(const Scene& scene, const Bodies& bodies, const Kinematics& kinematics,
                                 double time, float dt, int step);
  /// Marks this body as reported.
  void was_told(const Scene& scene, const std::string& obstacle) {
    reported_bodies_.resize(scene.obstacles.size(), false);
    for (size_t i = 0; i < scene.obstacles.size(); ++i)
      if (scene.obstacles[i].name == obstacle) reported_bodies_[i] = true;
  }

 private:
  std::vector<bool> reported_bodies_;
  bool reported_pins_ = false;
};

}  // namespace weft
