#include "sim/run/moved_bodies.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sim/base/error.h"
#include "sim/base/nearest.h"
#include "sim/scene/model/state.h"
#include "sim/scene/motion.h"
#include "sim/step/handles.h"

namespace weft {
namespace {

constexpr const char* kPart = "moved bodies";
constexpr size_t kNumbers = 17;  // of a body that was moved: centre, two offsets, two turns
constexpr size_t kBytes = sizeof(int) + kNumbers * sizeof(float) + 2 * sizeof(double);

/// The farthest point of a body from where the centre is now, m. Planes are as large as they are drawn.
float reach_of(const Obstacle& o, const Bodies& bodies, int index, const vec3& center, double time) {
  const auto deformed = bodies.deformed(index);
  const mat4 place = Bodies::transform(o, time);
  float most = 0;
  for (const vec3& p : deformed ? *deformed : bodies.meshes()[size_t(index)].positions)
    most = std::max(most, glm::length(vec3(place * vec4(p, 1)) - center));
  return most;
}

bool in_this_world(const vec3& p) { return glm::length(p) < 1e6f; }

}  // namespace

Scene without_moved_bodies(Scene scene) {
  for (Obstacle& o : scene.obstacles) o.motion.hand = {};
  return scene;
}

MovedBodies::MovedBodies(Scene& scene, State& state) : scene_(scene), state_(state) {
  back_to_start();
  state_.carry(
      kPart, [this] { return save(); }, [this](const std::vector<unsigned char>& b) { restore(b); }, true);
}

MovedBodies::~MovedBodies() { state_.forget(kPart); }

bool MovedBodies::move(const MoveBody& c, const Bodies& bodies) {
  std::vector<std::string> names;
  for (const Obstacle& o : scene_.obstacles) names.push_back(o.name);
  const auto found = std::find(names.begin(), names.end(), c.obstacle);
  if (found == names.end())
    throw Error("there is no obstacle '" + c.obstacle + "'", "body",
                names.empty() ? "this scene has none" : did_you_mean(c.obstacle, names));
  if (!in_this_world(c.center) || !in_this_world(c.offset) || !(glm::length(c.rotation) < 1e6f))
    throw Error("the place is no point of this world", "body " + c.obstacle);
  if (!(c.speed_factor >= 1 && c.speed_factor <= 1e4f))
    throw Error("the factor on the speed limit must be 1 to 10000", "body " + c.obstacle);
  const int index = int(found - names.begin());
  Obstacle& o = scene_.obstacles[size_t(index)];
  const HandPose to{c.center, c.offset, rotation_from_degrees(c.rotation)};
  const double time = state_.time;
  const HandPose now = about_center(hand_pose(o.motion.hand, time), c.center);
  const float speed = hand_speed(scene_.drag, c.speed_factor);
  const bool first = !o.motion.hand.moves();
  o.motion.hand =
      move_by_hand(o.motion.hand, to, time, speed, reach_of(o, bodies, index, c.center + now.offset, time));
  return first;
}

void MovedBodies::back_to_start() {
  for (Obstacle& o : scene_.obstacles) o.motion.hand = {};
}

std::vector<unsigned char> MovedBodies::save() const {
  std::vector<unsigned char> out;
  const auto put = [&](const void* p, size_t n) {
    out.resize(out.size() + n);
    std::memcpy(out.data() + out.size() - n, p, n);
  };
  for (size_t i = 0; i < scene_.obstacles.size(); ++i) {
    const HandMove& move = scene_.obstacles[i].motion.hand;
    if (!move.moves()) continue;
    const int index = int(i);
    put(&index, sizeof index);
    put(&move.to.center, sizeof(vec3));
    for (const HandPose* pose : {&move.from, &move.to})
      put(&pose->offset, sizeof(vec3)), put(&pose->turn, sizeof(quat));
    put(&move.since, sizeof(double)), put(&move.duration, sizeof(double));
  }
  return out;
}

void MovedBodies::restore(const std::vector<unsigned char>& data) {
  const auto damaged = [] { return Error("the snapshot's moved bodies are damaged", "snapshot"); };
  if (data.size() % kBytes != 0) throw damaged();
  std::vector<std::pair<int, HandMove>> moves;
  const unsigned char* at = data.data();
  const auto get = [&](void* p, size_t n) { std::memcpy(p, at, n), at += n; };
  for (size_t i = 0; i < data.size() / kBytes; ++i) {
    auto& [index, move] = moves.emplace_back();
    get(&index, sizeof index);
    get(static_cast<void*>(&move.to.center), sizeof(vec3));
    move.from.center = move.to.center;
    for (HandPose* pose : {&move.from, &move.to}) {
      get(static_cast<void*>(&pose->offset), sizeof(vec3)),
          get(static_cast<void*>(&pose->turn), sizeof(quat));
      if (!in_this_world(pose->offset) || !(std::abs(glm::length(pose->turn) - 1) < 1e-3f)) throw damaged();
    }
    get(&move.since, sizeof(double)), get(&move.duration, sizeof(double));
    const bool times = std::isfinite(move.since) && std::isfinite(move.duration);
    if (index < 0 || index >= int(scene_.obstacles.size()) || !times || !in_this_world(move.to.center))
      throw damaged();
  }
  back_to_start();
  for (const auto& [index, move] : moves) scene_.obstacles[size_t(index)].motion.hand = move;
}

}  // namespace weft
