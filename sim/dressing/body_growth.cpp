#include "sim/dressing/body_growth.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "sim/geometry/closest_point.h"
#include "sim/mannequin/skinning.h"
#include "sim/mesh/sides.h"
#include "sim/scene/model/body_clips.h"
#include "sim/scene/model/cloth_mesh.h"
#include "sim/scene/model/deformation.h"

namespace weft {
namespace {

constexpr int kSmoothing = 12;  // passes, in which each vertex takes the mean with its neighbours

template <class T>
std::vector<T> smoothed(std::vector<T> values, const std::vector<std::vector<int>>& neighbours) {
  std::vector<T> next = values;
  for (int pass = 0; pass < kSmoothing; ++pass) {
    for (size_t v = 0; v < values.size(); ++v) {
      if (neighbours[v].empty()) continue;
      T sum(0);
      for (const int n : neighbours[v]) sum += values[n];
      next[v] = 0.5f * values[v] + (0.5f / float(neighbours[v].size())) * sum;
    }
    values.swap(next);
  }
  return values;
}

std::vector<vec3> normals_of(const TriMesh& mesh) {
  std::vector<vec3> normals(mesh.positions.size(), vec3(0));
  double volume = 0;
  for (const ivec3& t : mesh.triangles) {
    const vec3 &a = mesh.positions[t.x], &b = mesh.positions[t.y], &c = mesh.positions[t.z];
    const vec3 n = glm::cross(b - a, c - a);
    for (int k = 0; k < 3; ++k) normals[t[k]] += n;
    volume += double(glm::dot(n, a - mesh.positions[0]));
  }
  for (vec3& n : normals)
    if (const float length = glm::length(n); length > 0) n *= (volume < 0 ? -1.0f : 1.0f) / length;
  return normals;
}

}  // namespace

std::vector<vec3> thin_mannequin(const BodyMesh& body, float share) {
  std::vector<vec3> thin;
  for (size_t v = 0; v < body.mesh.positions.size(); ++v) {
    const vec3& p = body.mesh.positions[v];
    const SkinWeights& w = body.weights[v];
    vec3 middle(0);
    for (size_t k = 0; k < 4; ++k) {
      const vec3 &head = body.skeleton.head[w.bone[k]], &tail = body.skeleton.tail[w.bone[k]];
      middle += w.share[k] * glm::mix(head, tail, closest_on_segment(p, head, tail));
    }
    thin.push_back(middle + share * (p - middle));
  }
  return thin;
}

std::vector<vec3> thin_surface(const TriMesh& mesh, float share) {
  const std::vector<vec3> normals = normals_of(mesh);
  const size_t n = mesh.positions.size();
  std::vector<float> radius(n, 0.0f);
  tbb::parallel_for(size_t(0), n, [&](size_t v) {
    const vec3 p = mesh.positions[v], out = normals[v];
    float least = 1e30f;
    for (const vec3& q : mesh.positions) {
      const vec3 d = p - q;
      const float inwards = glm::dot(out, d);
      if (inwards > 0) least = std::min(least, glm::dot(d, d) / (2 * inwards));
    }
    radius[v] = least < 1e29f ? least : 0.0f;
  });
  const std::vector<std::vector<int>> neighbours = neighbours_of(mesh.vertex_count(), mesh.triangles);
  std::vector<vec3> offset(n);
  for (size_t v = 0; v < n; ++v) offset[v] = (share - 1) * radius[v] * normals[v];
  offset = smoothed(std::move(offset), neighbours);
  std::vector<vec3> thin = mesh.positions;
  for (size_t v = 0; v < n; ++v) thin[v] += offset[v];
  return thin;
}

std::vector<std::vector<vec3>> path_to_first_pose(const Mannequin& mannequin, float duration, float fps) {
  const auto body = make_body_mesh(mannequin.params);
  Mannequin led = mannequin, plain = mannequin;
  led.clips.resize(1), plain.clips.resize(1);
  led.params.lead_in = duration, led.params.speed = 1, plain.params.lead_in = 0;
  const BodyMotion motion = make_body_motion(led, body->skeleton);
  const Pose last = motion.pose(double(duration)), wanted = make_body_motion(plain, body->skeleton).pose(0);
  // A lead-in ends where a foot has stayed; the clip by itself is elsewhere on the ground.
  const quat turn = wanted.turn[kPelvis] * glm::conjugate(last.turn[kPelvis]);
  const float yaw = 2 * std::atan2(turn.y, turn.w);
  const vec3 shift = wanted.root - glm::angleAxis(yaw, vec3(0, 1, 0)) * last.root;
  const int steps = std::max(1, int(std::lround(duration * fps)));
  std::vector<std::vector<vec3>> frames(size_t(steps) + 1);
  for (int i = 0; i <= steps; ++i) {
    const float share = float(i) / float(steps), s = smoother(share);
    std::vector<vec3>& x = frames[i];
    skin(*body, forward_kinematics(body->skeleton, motion.pose(double(share * duration))), x);
    const quat part = glm::angleAxis(s * yaw, vec3(0, 1, 0));
    for (vec3& p : x) p = part * p + s * shift;
  }
  return frames;
}

std::vector<vec3> thin_frame(const Obstacle& grown, const std::string& folder, float share) {
  if (grown.shape == ObstacleShape::mannequin)
    return thin_mannequin(*make_body_mesh(grown.mannequin.params), share);
  std::vector<std::string> ignored;
  TriMesh mesh = build_obstacle_mesh(grown, folder, ignored);
  mesh.positions = grown.frames->back();
  return thin_surface(mesh, share);
}

Obstacle growing(const Obstacle& obstacle, const std::string& folder, float share, float duration,
                 std::vector<std::string>& notices) {
  Obstacle grown = obstacle;
  grown.motion = {};
  if (obstacle.shape == ObstacleShape::plane) return grown;
  grown.mannequin.clips.clear();
  grown.mannequin.params.lead_in = MannequinParams().lead_in;  // of its motion, too
  TriMesh mesh = build_obstacle_mesh(grown, folder, notices);
  if (const auto pose = make_deformation(grown, folder, mesh, notices)) pose->positions(0, mesh.positions);
  for (vec3& p : mesh.positions) p /= obstacle.placement.scale;  // frames are unscaled
  auto frames = std::make_shared<std::vector<std::vector<vec3>>>();
  frames->push_back(obstacle.shape == ObstacleShape::mannequin
                        ? thin_mannequin(*make_body_mesh(grown.mannequin.params), share)
                        : thin_surface(mesh, share));
  frames->push_back(mesh.positions);
  grown.frames = std::move(frames);
  grown.fps = 1 / duration;
  return grown;
}

}  // namespace weft
