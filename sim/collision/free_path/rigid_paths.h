// Rigid bodies on a path without crossings: their points stay those of a body, and go forward together.
#pragma once
#include "sim/collision/free_path/rigid_path_kernels.h"
#include "sim/device/buffer.h"
#include "sim/device/launch.h"

namespace weft {

/// The bodies of a TwoWaySteps. Without bodies it launches nothing.
class RigidPaths {
 public:
  explicit RigidPaths(Device& device) : device_(device) {}
  bool any() const { return !view_.empty(); }
  /// Before a step. `bodies` must outlive it.
  void begin(const AffineView& bodies) {
    view_ = bodies;
    if (place_.size() != bodies.body.size)
      place_ = Buffer<affine::BodyPlace>(device_, "places of rigid bodies", bodies.body.size);
  }
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
