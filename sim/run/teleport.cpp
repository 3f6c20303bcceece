#include "sim/run/teleport.h"

#include <algorithm>

#include "sim/base/disjoint_sets.h"
#include "sim/geometry/closest_point.h"
#include "sim/scene/motion.h"
#include "sim/scene/teleports.h"

namespace weft {
namespace {

constexpr float kTouches = 0.02f;  // m
constexpr int kRounds = 60;        // of the nearest rotation: converges linearly or better

/// Of each vertex the first one of its piece.
std::vector<int> pieces_of(const Topology& cloth) {
  const int count = int(cloth.rest.size());
  DisjointSets sets(count);
  for (const ivec3& t : cloth.triangles) sets.join(t.x, t.y), sets.join(t.x, t.z);
  for (const StitchedPair& s : cloth.stitched) sets.join(s.vertices.x, s.vertices.y);
  std::vector<int> first;
  for (int v = 0; v < count; ++v) first.push_back(sets.find(v));
  return first;
}

/// A body where a step begins and where it ends.
struct BodyWay {
  std::vector<vec3> before, after;  // m
  mat4 motion{1};
  float way = 0;  // m, of the farthest vertex
};

BodyWay way_of(const Scene& scene, const Bodies& bodies, int i, std::vector<vec3> before, double time,
               float dt) {
  BodyWay w;
  const Obstacle& o = scene.obstacles[i];
  if (o.deforms()) {
    w.before = std::move(before), w.after = *bodies.deformed(i);
    w.motion = nearest_rigid_motion(w.before, w.after);
  } else {
    const mat4 a = Bodies::transform(o, time), b = Bodies::transform(o, time + double(dt));
    for (const vec3& p : bodies.meshes()[i].positions)
      w.before.push_back(vec3(a * vec4(p, 1))), w.after.push_back(vec3(b * vec4(p, 1)));
    w.motion = b * glm::inverse(a);
  }
  for (size_t k = 0; k < w.before.size(); ++k) w.way = std::max(w.way, glm::length(w.after[k] - w.before[k]));
  return w;
}

/// Whether a point is near one of a body's triangles.
bool touches(const std::vector<vec3>& body, const std::vector<ivec3>& triangles, const vec3& p) {
  return std::any_of(triangles.begin(), triangles.end(), [&](const ivec3& t) {
    const vec3 &a = body[t.x], &b = body[t.y], &c = body[t.z];
    if (glm::any(glm::lessThan(p, glm::min(glm::min(a, b), c) - kTouches)) ||
        glm::any(glm::lessThan(glm::max(glm::max(a, b), c) + kTouches, p)))
      return false;
    return glm::length(closest_on_triangle(p, a, b, c).offset) < kTouches;
  });
}

/// Pieces, by their first vertices, that are not taken yet.
struct Pieces {
  std::vector<int> of;      // per vertex
  std::vector<char> taken;  // per vertex, of the first one of a piece
  std::vector<int> own;     // of this jump
  void take(int vertex) {
    const int piece = of[vertex];
    if (taken[piece]) return;
    taken[piece] = 1, own.push_back(piece);
  }
  Jump jump(const mat4& motion) {
    Jump j{motion, {}};
    for (int v = 0; v < int(of.size()); ++v)
      if (std::count(own.begin(), own.end(), of[v])) j.points.push_back(v);
    own.clear();
    return j;
  }
};

}  // namespace

mat4 nearest_rigid_motion(const std::vector<vec3>& from, const std::vector<vec3>& to) {
  dvec3 a(0), b(0);
  for (size_t i = 0; i < from.size(); ++i) a += dvec3(from[i]), b += dvec3(to[i]);
  a /= double(std::max<size_t>(1, from.size())), b /= double(std::max<size_t>(1, from.size()));
  glm::dmat3 sum(0);  // columns: sum of (to - b) times the components of (from - a)
  for (size_t i = 0; i < from.size(); ++i)
    for (int k = 0; k < 3; ++k) sum[k] += (dvec3(to[i]) - b) * (double(from[i][k]) - a[k]);
  // Müller, Bender, Chentanez, Macklin 2016, A Robust Method to Extract the Rotational Part of Deformations
  glm::dquat q(1, 0, 0, 0);
  for (int round = 0; round < kRounds; ++round) {
    const glm::dmat3 r = glm::mat3_cast(q);
    dvec3 turn(0);
    double along = 0;
    for (int k = 0; k < 3; ++k) turn += glm::cross(r[k], sum[k]), along += glm::dot(r[k], sum[k]);
    turn /= std::abs(along) + 1e-30;
    const double angle = glm::length(turn);
    if (angle < 1e-12) break;
    q = glm::normalize(glm::angleAxis(angle, turn / angle) * q);
  }
  const glm::dmat3 r = glm::mat3_cast(q);
  mat4 motion{glm::mat3(r)};
  motion[3] = vec4(vec3(b - r * a), 1);
  return motion;
}

std::vector<Jump> find_jumps(const Scene& scene, const Model& model, const State& state, Bodies& bodies,
                             const Kinematics& kinematics, float dt) {
  const Teleports& teleports = scene.of<Teleports>();
  std::vector<Jump> found;
  if (teleports.obstacles.empty() && teleports.pins.empty()) return found;
  const double time = state.time;
  std::vector<std::vector<vec3>> before(scene.obstacles.size());
  bodies.set_step(scene, time, 0);
  for (const int i : teleports.obstacles)
    if (const auto shape = bodies.deformed(i)) before[i] = *shape;
  bodies.set_step(scene, time, dt);
  Pieces pieces{pieces_of(model.host), std::vector<char>(model.host.rest.size(), 0), {}};
  const std::vector<vec3> x = state.position.download();
  for (const int i : teleports.obstacles) {
    const BodyWay w = way_of(scene, bodies, i, before[i], time, dt);
    if (!(w.way > kJumpSpeed * dt)) continue;
    for (size_t p = 0; p < scene.pins.size(); ++p)
      if (scene.pins[p].body == scene.obstacles[i].name)
        for (const int v : kinematics.held_by(int(p), time)) pieces.take(v);
    for (int v = 0; v < int(x.size()); ++v)
      if (!pieces.taken[pieces.of[v]] && touches(w.before, bodies.meshes()[i].triangles, x[v]))
        pieces.take(v);
    found.push_back(pieces.jump(w.motion));
  }
  for (const int p : teleports.pins) {
    if (!(kinematics.way_of(p, time, dt) > kJumpSpeed * dt)) continue;
    const Motion& motion = scene.pins[p].motion;
    for (const int v : kinematics.held_by(p, time)) pieces.take(v);
    found.push_back(pieces.jump(motion_transform(motion, time + double(dt)) *
                                glm::inverse(motion_transform(motion, time))));
  }
  return found;
}

void carry_along(State& state, const std::vector<Jump>& jumps) {
  std::vector<vec3> x = state.position.download(), v = state.velocity.download();
  for (const Jump& j : jumps)
    for (const int i : j.points) {
      x[i] = vec3(j.motion * vec4(x[i], 1));
      v[i] = mat3(j.motion) * v[i];
    }
  state.position.upload(x);
  state.velocity.upload(v);
  ++state.revision;
}

}  // namespace weft
