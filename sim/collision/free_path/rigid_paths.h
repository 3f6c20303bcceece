// Rigid bodies on a path without crossings: their points stay those of a body, and go forward together.
#pragma once
#include <set>
#include <vector>

#include "sim/collision/free_path/rigid_path_kernels.h"
#include "sim/device/buffer.h"
#include "sim/device/launch.h"

namespace weft {

/// The bodies of a TwoWaySteps. Without bodies it launches nothing.
class RigidPaths {
 public:
  /// `body`: of each point its rigid body, or -1 (ContactSurface::rigid).
  RigidPaths(Device& device, const std::vector<int>& body) : device_(device) {
    const std::set<int> bodies(body.begin(), body.end());
    place_ =
        Buffer<affine::BodyPlace>(device, "places of rigid bodies", int(bodies.size() - bodies.count(-1)));
  }
  bool any() const { return !place_.empty(); }
  /// Before a step, for as many bodies as there were points of. `bodies` must outlive it.
  void begin(const AffineView& bodies) { view_ = bodies; }
  /// Targets y (m) as places of bodies, before contact pushes their points.
  void note(Span<vec3> y) {
    launch(device_, "rigid bodies", place_.size(), affine::NotePlaces{view_, place_, y});
  }
  /// What contact pushed since then, as motions of bodies.
  void push(Span<const float> inverse_mass, Span<vec3> y) {
    launch(device_, "rigid bodies", place_.size(), affine::PushBodies{view_, inverse_mass, place_, y});
  }
  /// Shares of the paths from x to y.
  void share(const two_way::FarthestShare& farthest, Span<const vec3> x, Span<const vec3> y,
             Span<float> share) {
    launch(device_, "rigid bodies", place_.size(), two_way::ShareOfBodies{view_, farthest, x, y, share});
  }

  /// Targets of a piece of the path on which all points move together.
  void known(Span<const int> covered, Span<const vec3> x, Span<vec3> target) {
    launch(device_, "rigid bodies", place_.size(), two_way::KnownBodies{view_, covered, x, target});
  }

 private:
  Device& device_;
  AffineView view_;
  Buffer<affine::BodyPlace> place_;
};

}  // namespace weft
