// Limits of camera distances, for scene files and the window. Other limits are in camera_path.h.
#pragma once

namespace weft {

/// m, between position and target: shows the largest cloth that is simulated.
inline constexpr float kMostCameraDistance = 1e6f;

}  // namespace weft
