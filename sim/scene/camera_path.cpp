#include "sim/scene/camera_path.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace weft {
namespace {

/// Interpolated values: target, yaw, pitch (degrees), logarithm of the distance, field of view.
using Values = std::array<double, 7>;
constexpr int kYaw = 3;

double radians(double degrees) { return degrees * double(kPi) / 180; }
double degrees(double radians) { return radians * 180 / double(kPi); }

Values values_of(const CameraKey& key) {
  const CameraPose p = pose_of(key);
  return {p.target.x, p.target.y, p.target.z, p.yaw, p.pitch, std::log(double(p.distance)), p.fov};
}

/// True if the eye is straight above or below the target, where yaw is undefined.
bool upright(const CameraKey& key) {
  const vec3 d = key.position - key.target;
  return std::hypot(d.x, d.z) < 1e-4f * glm::length(d);
}

/// The keys' values with yaws continued beyond 180 degrees, so that each step turns the short way.
std::vector<Values> unwound(const std::vector<CameraKey>& keys) {
  std::vector<Values> values;
  for (const CameraKey& key : keys) {
    Values v = values_of(key);
    if (!values.empty()) {
      const double before = values.back()[kYaw];
      v[kYaw] = upright(key) ? before : before + std::remainder(v[kYaw] - before, 360.0);
    }
    values.push_back(v);
  }
  // A first key that looks straight down takes the yaw of the first key that does not.
  const auto first = std::find_if_not(keys.begin(), keys.end(), upright);
  for (auto k = keys.begin(); first != keys.end() && k != first; ++k)
    values[k - keys.begin()][kYaw] = values[first - keys.begin()][kYaw];
  return values;
}

/// Slope at key i (Fritsch and Butland's weighted harmonic mean): 0 at a turning point and at both ends.
double slope(const std::vector<CameraKey>& keys, const std::vector<Values>& values, size_t i, size_t part) {
  if (i == 0 || i + 1 == keys.size()) return 0;
  const double h0 = double(keys[i].time) - keys[i - 1].time, h1 = double(keys[i + 1].time) - keys[i].time;
  const double d0 = (values[i][part] - values[i - 1][part]) / h0,
               d1 = (values[i + 1][part] - values[i][part]) / h1;
  if (d0 * d1 <= 0) return 0;
  const double w0 = 2 * h1 + h0, w1 = h1 + 2 * h0;
  return (w0 + w1) / (w0 / d0 + w1 / d1);
}

}  // namespace

CameraPose pose_of(const CameraKey& key) {
  const vec3 d = key.position - key.target;
  const double across = std::hypot(double(d.x), double(d.z));
  CameraPose pose;
  pose.target = key.target;
  pose.distance = glm::length(d);
  pose.yaw = upright(key) ? 0 : float(degrees(std::atan2(double(d.x), double(d.z))));
  pose.pitch = float(degrees(std::atan2(double(d.y), across)));
  pose.fov = key.fov;
  return pose;
}

CameraKey key_of(const CameraPose& pose, float time) {
  const double yaw = radians(pose.yaw), pitch = radians(pose.pitch);
  const vec3 back(float(std::cos(pitch) * std::sin(yaw)), float(std::sin(pitch)),
                  float(std::cos(pitch) * std::cos(yaw)));
  return {time, pose.target + pose.distance * back, pose.target, pose.fov};
}

CameraPose camera_at(const std::vector<CameraKey>& keys, double time) {
  if (keys.size() == 1 || time <= keys.front().time) {
    CameraPose first = pose_of(keys.front());
    first.yaw = float(unwound(keys)[0][kYaw]);
    return first;
  }
  const std::vector<Values> values = unwound(keys);
  size_t i = 0;
  while (i + 2 < keys.size() && time >= keys[i + 1].time) ++i;
  const double length = double(keys[i + 1].time) - keys[i].time,
               u = std::min(1.0, (time - keys[i].time) / length);
  const double u2 = u * u, u3 = u2 * u;
  Values at;
  for (size_t part = 0; part < at.size(); ++part)
    at[part] =
        (2 * u3 - 3 * u2 + 1) * values[i][part] + (u3 - 2 * u2 + u) * length * slope(keys, values, i, part) +
        (-2 * u3 + 3 * u2) * values[i + 1][part] + (u3 - u2) * length * slope(keys, values, i + 1, part);
  CameraPose pose;
  pose.target = vec3(float(at[0]), float(at[1]), float(at[2]));
  pose.yaw = float(std::remainder(at[kYaw], 360.0));
  pose.pitch = float(at[4]);
  pose.distance = float(std::exp(at[5]));
  pose.fov = float(at[6]);
  return pose;
}

std::optional<CameraPose> start_camera(const Scene& scene) {
  if (scene.camera) return scene.camera;
  if (!scene.camera_path.empty()) return camera_at(scene.camera_path, 0);
  return std::nullopt;
}

std::vector<CameraKey> with_key(std::vector<CameraKey> keys, const CameraKey& key) {
  std::erase_if(keys, [&](const CameraKey& k) { return std::abs(k.time - key.time) < 1e-3f; });
  keys.insert(std::upper_bound(keys.begin(), keys.end(), key,
                               [](const CameraKey& a, const CameraKey& b) { return a.time < b.time; }),
              key);
  return keys;
}

int nearest_key(const std::vector<CameraKey>& keys, double time) {
  const auto best = std::min_element(keys.begin(), keys.end(), [&](const CameraKey& a, const CameraKey& b) {
    return std::abs(a.time - time) < std::abs(b.time - time);
  });
  return best == keys.end() ? -1 : int(best - keys.begin());
}

}  // namespace weft
