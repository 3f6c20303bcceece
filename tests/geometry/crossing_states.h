// States for tests of CrossingSearch, and what the host says of them.
#pragma once
#include <algorithm>
#include <functional>
#include <memory>
#include <random>

#include "sim/geometry/crossing_search.h"
#include "sim/mesh/algorithms/crossing_triangles.h"

namespace weft::testing {

/// Triangles below `own` are of the cloth, as the corners below `points` are.
struct State {
  std::vector<vec3> x;
  std::vector<ivec3> triangles;
  int own = 0, points = 0;

  std::vector<vec3> cloth() const { return {x.begin(), x.begin() + points}; }
  std::vector<vec3> bodies() const { return {x.begin() + points, x.end()}; }
};

inline State cloth_alone(const std::vector<vec3>& x, const std::vector<ivec3>& triangles) {
  return {x, triangles, int(triangles.size()), int(x.size())};
}

inline State with_body(const TriMesh& cloth, const TriMesh& body) {
  State s = cloth_alone(cloth.positions, cloth.triangles);
  s.x.insert(s.x.end(), body.positions.begin(), body.positions.end());
  for (const ivec3& t : body.triangles) s.triangles.push_back(t + s.points);
  return s;
}

/// What crossing_triangles says of each triangle; empty: nothing crosses.
inline std::vector<int> on_host(const State& s) {
  std::vector<int> crossed(size_t(s.own), 0);
  const std::vector<ivec2> pairs = crossing_triangles(s.x, s.triangles, s.own);
  for (const ivec2& pair : pairs) mark_crossing(pair, s.own, crossed);
  return pairs.empty() ? std::vector<int>() : crossed;
}

struct Trial {
  std::unique_ptr<Device> device;
  std::unique_ptr<CrossingSearch> search;
  explicit Trial(const State& s, int threads = 1, DeviceChoice choice = DeviceChoice::cpu)
      : device(Device::create(choice, threads)) {
    search = std::make_unique<CrossingSearch>(*device, s.x, s.triangles, s.own, int(s.x.size()) - s.points);
  }
  std::vector<int> find(const State& s) {
    search->place_bodies(s.bodies());
    const Buffer<vec3> cloth(*device, "cloth", s.cloth());
    std::vector<int> found;
    device->run([&] { found = search->find(cloth.span()); });
    return found;
  }
};

inline std::vector<int> on_device(const State& s) { return Trial(s).find(s); }

using Shift = std::function<vec3(const vec3&)>;
inline State moved(State s, const Shift& cloth, const Shift& body) {
  for (size_t p = 0; p < s.x.size(); ++p) s.x[p] = int(p) < s.points ? cloth(s.x[p]) : body(s.x[p]);
  return s;
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  float operator()() { return any_(engine_); }
  vec3 point() { return {any_(engine_), any_(engine_), any_(engine_)}; }
  int below(int n) { return int(engine_() % unsigned(n)); }

 private:
  std::mt19937 engine_;
  std::uniform_real_distribution<float> any_{-1, 1};
};

/// Some of whose triangles share corners, some have a corner twice or three corners in one line.
inline State soup(int count, float size, unsigned seed) {
  Random random(seed);
  State s;
  for (int t = 0; t < count; ++t) {
    const vec3 at = random.point();
    const int first = int(s.x.size());
    for (int k = 0; k < 3; ++k) s.x.push_back(at + size * random.point());
    if (t % 9 == 4) s.x.back() = 0.5f * (s.x[size_t(first)] + s.x[size_t(first) + 1]);
    s.triangles.push_back(t % 7 == 3 ? ivec3(first - 1, first, first + 1)
                                     : ivec3(first, first + 1, first + 2));
    if (t % 31 == 30) s.triangles.back().z = first;
  }
  s.own = count - count / 4, s.points = 3 * s.own;
  for (size_t t = size_t(s.own); t < s.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) s.triangles[t][k] = std::max(s.triangles[t][k], s.points);
  return s;
}

/// In one slanting plane, where sizes that are too far apart leave most pairs open.
inline State slanting(int count, unsigned seed) {
  Random random(seed);
  const auto length = [&] { return float(random.below(9)) * (random.below(2) ? 1.0f : 0x1p-36f); };
  State s;
  for (int t = 0; t < count; ++t) {
    const int first = int(s.x.size());
    for (int k = 0; k < 3; ++k) {
      const float x = length();
      s.x.push_back({x, length(), x});
    }
    s.triangles.push_back({first, first + 1, first + 2});
  }
  return cloth_alone(s.x, s.triangles);
}

}  // namespace weft::testing
