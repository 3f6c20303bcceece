// The camera's path through keys in time.
#pragma once
#include <optional>

#include "sim/scene/scene.h"

namespace weft {

/// Limits of a camera; keys outside are refused.
inline constexpr float kLeastCameraDistance = 0.02f;               // m, between position and target
inline constexpr float kLeastCameraFov = 5, kMostCameraFov = 120;  // degrees

/// The pose of one key, and the key of a pose. A camera straight above its target has yaw 0.
CameraPose pose_of(const CameraKey& key);
CameraKey key_of(const CameraPose& pose, float time);

/// The pose at a time (s). Target, field of view and the eye's spherical coordinates about the target (yaw,
/// pitch, logarithm of the distance) are each interpolated by a monotone cubic. The camera therefore swings
/// around its target instead of cutting through it, has a continuous velocity, never overshoots a key, and
/// rests between two equal keys. It turns by less than 180 degrees between keys, starts and ends at rest, and
/// holds before the first key and after the last. `keys` must not be empty and have ascending times.
CameraPose camera_at(const std::vector<CameraKey>& keys, double time);

/// The camera pose at the start of a scene; empty if the scene does not define one.
std::optional<CameraPose> start_camera(const Scene& scene);

/// The keys with one more; a key at the same time (within a millisecond) is replaced.
std::vector<CameraKey> with_key(std::vector<CameraKey> keys, const CameraKey& key);
/// Index of the key nearest in time; -1 if there are none.
int nearest_key(const std::vector<CameraKey>& keys, double time);

}  // namespace weft
