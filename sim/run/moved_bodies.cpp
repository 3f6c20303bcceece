#include "sim/run/moved_bodies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "sim/base/error.h"
#include "sim/base/nearest.h"
#include "sim/base/shorten.h"
#include "sim/scene/model/state.h"
#include "sim/scene/motion.h"
#include "sim/scene/teleports.h"
#include "sim/step/handles.h"

namespace weft {
namespace {

constexpr const char *kPart = "moved bodies", *kGiven = "given poses";
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

MovedBodies::MovedBodies(Scene& scene, State& state, const Bodies& bodies)
    : scene_(scene), state_(state), bodies_(bodies) {
  back_to_start();
  state_.carry(
      kGiven, [this] { return save_given(); },
      [this](const std::vector<unsigned char>& b) { restore_given(b); }, true);
  state_.carry(
      kPart, [this] { return save(); }, [this](const std::vector<unsigned char>& b) { restore(b); }, true);
}

MovedBodies::~MovedBodies() { state_.forget(kPart), state_.forget(kGiven); }

int MovedBodies::find(const std::string& obstacle) const {
  std::vector<std::string> names;
  for (const Obstacle& o : scene_.obstacles) names.push_back(o.name);
  const auto found = std::find(names.begin(), names.end(), obstacle);
  if (found == names.end())
    throw Error("there is no obstacle '" + shortened(obstacle, 80) + "'", "body",
                names.empty() ? "this scene has none" : did_you_mean(obstacle, names));
  return int(found - names.begin());
}

void MovedBodies::check_motion(int obstacle, double since, double at, double distance) const {
  const std::string owner = "body " + scene_.obstacles[size_t(obstacle)].name;
  const double left = at - since;
  if (!(left > 0) || !(at < 1e9))
    throw Error(fmt::format("the time {:g} s is not after that of the state, {:g} s", at, state_.time), owner,
                "give a later one, or none for the end of the next step");
  const bool jumps = scene_.of<Teleports>().obstacles.contains(obstacle);
  if (!jumps && distance > double(kJumpSpeed) * left)
    throw Error(fmt::format("it would move {:.3g} m in {:.3g} s, which is {:.0f} m/s, and cloth follows up "
                            "to {:g} m/s",
                            distance, left, distance / left, kJumpSpeed),
                owner, "give it more time (at), or let cloth go along (teleport = true in its scene)");
}

void MovedBodies::pose(const PoseBody& command) {
  const int index = find(command.obstacle);
  std::vector<vec3> positions = command.positions;
  const double at = command.at;
  const Obstacle& o = scene_.obstacles[size_t(index)];
  const std::string owner = "body " + o.name;
  GivenPoses* given = bodies_.given(index);
  if (!given)
    throw Error(o.deforms() ? "another script moves its vertices" : "its shape is fixed", owner,
                o.deforms() ? "add it as a body of arrays, with frames or driven"
                            : "give a matrix, or add it with frames or driven");
  std::vector<vec3> now;
  bodies_.own_positions(index, state_.time, now);
  if (positions.size() != now.size())
    throw Error(fmt::format("there are {} rows, and it has {} vertices", positions.size(), now.size()), owner,
                "give all of its vertices, in the order in which it was added");
  // where it is when its way to there begins
  const std::vector<vec3>* before = &now;
  double since = state_.time;
  for (const GivenPoses::Pose& earlier : given->all())
    if (earlier.time > since && earlier.time < at) before = &earlier.positions, since = earlier.time;
  double distance = 0;
  for (size_t v = 0; v < positions.size(); ++v) {
    if (!in_this_world(positions[v]))
      throw Error(fmt::format("row {} is not finite or beyond 1,000 km", v), owner, "give metres");
    positions[v] *= o.placement.scale;
    distance = std::max(distance, double(glm::length(positions[v] - (*before)[v])));
  }
  check_motion(index, since, at, distance);
  given->add({state_.time, std::move(now)}, {at, std::move(positions)});
}

int MovedBodies::find_without_script(const std::string& obstacle) const {
  const int index = find(obstacle);
  const Obstacle& o = scene_.obstacles[size_t(index)];
  if (o.deforms() || o.motion.scripted())
    throw Error("a script of its own moves it", "body " + o.name,
                o.frames ? "give its vertices" : "leave its motion out of the scene");
  return index;
}

PlaceBody MovedBodies::placed(const std::string& obstacle, const glm::dmat4& matrix, double at) const {
  const Obstacle& o = scene_.obstacles[size_t(find_without_script(obstacle))];
  const dmat3 turn(matrix);
  const dmat3 unit = glm::transpose(turn) * turn;
  double off = 0;
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) off = std::max(off, std::abs(unit[c][r] - (c == r ? 1 : 0)));
  const dvec3 shift(matrix[3]);
  if (!(off < 1e-4) || !(glm::determinant(turn) > 0) || !(glm::length(shift) < 1e6))
    throw Error("the matrix is no rigid motion within 1,000 km", "body " + o.name,
                "give a rotation and an offset: bodies keep their size");
  const dvec3 center = o.placement.position;
  return {obstacle, vec3(shift + turn * center - center), glm::normalize(quat(glm::quat_cast(turn))), at};
}

void MovedBodies::place(const PlaceBody& command) {
  const int index = find_without_script(command.obstacle);
  Obstacle& o = scene_.obstacles[size_t(index)];
  if (!in_this_world(command.offset) || !(std::abs(glm::length(command.turn) - 1) < 1e-3f))
    throw Error("the place is no point of this world", "body " + o.name);
  const double at = command.at;
  const vec3 center = o.placement.position;
  const HandPose to{center, command.offset, command.turn};
  const HandPose now = about_center(hand_pose(o.motion.hand, state_.time), center);
  HandMove wanted;
  wanted.from = now, wanted.to = to, wanted.since = state_.time, wanted.duration = at - state_.time;
  double distance = 0;
  const mat4 before = Bodies::transform(o, state_.time);
  Obstacle there = o;
  there.motion.hand = wanted;
  const mat4 after = Bodies::transform(there, at);
  for (const vec3& p : bodies_.meshes()[size_t(index)].positions)
    distance = std::max(distance, double(glm::length(vec3(after * vec4(p, 1)) - vec3(before * vec4(p, 1)))));
  check_motion(index, state_.time, at, distance);
  o.motion.hand = wanted;
}

bool MovedBodies::move(const MoveBody& c, const Bodies& bodies) {
  const int index = find(c.obstacle);
  if (!in_this_world(c.center) || !in_this_world(c.offset) || !(glm::length(c.rotation) < 1e6f))
    throw Error("the place is no point of this world", "body " + c.obstacle);
  if (!(c.speed_factor >= 1 && c.speed_factor <= 1e4f))
    throw Error("the factor on the speed limit must be 1 to 10000", "body " + c.obstacle);
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

void MovedBodies::settle(Scene& copy) const {
  for (size_t i = 0; i < copy.obstacles.size(); ++i) {
    Obstacle& o = copy.obstacles[i];
    settle_by_hand(o);
    const GivenPoses* given = bodies_.given(int(i));
    if (!given || given->all().empty()) continue;
    std::vector<std::vector<vec3>> still(1);
    bodies_.own_positions(int(i), state_.time, still[0]);
    for (vec3& p : still[0]) p /= o.placement.scale;
    o.frames = std::make_shared<const std::vector<std::vector<vec3>>>(std::move(still));
  }
}

void MovedBodies::back_to_start() {
  for (size_t i = 0; i < scene_.obstacles.size(); ++i) {
    scene_.obstacles[i].motion.hand = {};
    if (GivenPoses* given = bodies_.given(int(i))) given->set({});
  }
}

/// Of each body with poses: its number, how many, and of each the time and all positions.
std::vector<unsigned char> MovedBodies::save_given() const {
  std::vector<unsigned char> out;
  const auto put = [&](const void* p, size_t n) {
    out.resize(out.size() + n);
    std::memcpy(out.data() + out.size() - n, p, n);
  };
  for (size_t i = 0; i < scene_.obstacles.size(); ++i) {
    const GivenPoses* given = bodies_.given(int(i));
    if (!given || given->all().empty()) continue;
    const int head[2] = {int(i), int(given->all().size())};
    put(head, sizeof head);
    for (const GivenPoses::Pose& pose : given->all()) {
      put(&pose.time, sizeof pose.time);
      put(pose.positions.data(), pose.positions.size() * sizeof(vec3));
    }
  }
  return out;
}

void MovedBodies::restore_given(const std::vector<unsigned char>& data) {
  const auto damaged = [] { return Error("the snapshot's moved bodies are damaged", "snapshot"); };
  std::map<int, std::vector<GivenPoses::Pose>> all;
  for (size_t at = 0; at < data.size();) {
    int head[2] = {};
    const auto get = [&](void* p, size_t n) {
      if (n > data.size() - at) throw damaged();
      std::memcpy(p, data.data() + at, n), at += n;
    };
    get(head, sizeof head);
    const bool known = head[0] >= 0 && head[0] < int(scene_.obstacles.size()) && bodies_.given(head[0]);
    if (!known || head[1] < 1) throw damaged();
    const size_t vertices = bodies_.meshes()[size_t(head[0])].positions.size();
    std::vector<GivenPoses::Pose>& poses = all[head[0]];
    for (int k = 0; k < head[1]; ++k) {
      GivenPoses::Pose pose;
      get(&pose.time, sizeof pose.time);
      pose.positions.resize(vertices);
      get(static_cast<void*>(pose.positions.data()), vertices * sizeof(vec3));
      const bool sound = std::all_of(pose.positions.begin(), pose.positions.end(), in_this_world);
      if (!sound || !std::isfinite(pose.time) || (!poses.empty() && pose.time <= poses.back().time))
        throw damaged();
      poses.push_back(std::move(pose));
    }
  }
  for (size_t i = 0; i < scene_.obstacles.size(); ++i)
    if (GivenPoses* given = bodies_.given(int(i))) given->set(std::move(all[int(i)]));
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
  for (Obstacle& o : scene_.obstacles) o.motion.hand = {};
  for (const auto& [index, move] : moves) scene_.obstacles[size_t(index)].motion.hand = move;
}

}  // namespace weft
