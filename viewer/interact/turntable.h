// A camera that turns about its target.
#pragma once
#include <cmath>

#include "viewer/interact/camera.h"

namespace weft {

/// The pose after `seconds` on a turntable with `period` s per turn; a period of 0 does not turn. In the
/// picture the scene turns counterclockwise seen from above.
inline CameraPose on_turntable(CameraPose pose, double seconds, double period) {
  if (period > 0)
    pose.yaw = float(std::remainder(double(pose.yaw) - 360 * std::fmod(seconds / period, 1.0), 360.0));
  return pose;
}

/// A pose that has the bounds in the picture from every side.
inline CameraPose framed_all_around(const CameraPose& pose, const Bounds& bounds, ivec2 size) {
  CameraPose widest = pose;
  for (int side = 0; side < 12; ++side) {
    Camera camera(on_turntable(pose, side, 12));
    camera.frame(bounds, size);
    if (side == 0 || camera.pose().distance > widest.distance) widest = camera.pose();
  }
  widest.yaw = pose.yaw;
  return widest;
}

}  // namespace weft
