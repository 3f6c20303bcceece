// Lists of pairs on the host, and surfaces that have many.
#pragma once
#include <algorithm>
#include <cmath>

#include "sim/collision/proximity/triangle_search.h"
#include "tests/collision/soups.h"

namespace weft::testing {

template <class T>
std::vector<T> read(Device& device, Span<const T> span, int count) {
  std::vector<T> host(size_t(std::min(count, span.size)));
  if (!host.empty()) device.download(host.data(), span.data, host.size() * sizeof(T));
  return host;
}

/// A list on the host.
struct Listed {
  std::vector<ivec4> points;
  std::vector<ivec2> primitives;
  std::vector<int> support;
  std::vector<float> distance;
  Listed(Device& device, const PairList& l) {
    const int n = read(device, l.count, 1)[0];
    points = read(device, l.points, n);
    primitives = read(device, l.primitives, n);
    support = read(device, l.support, n);
    distance = read(device, l.distance, n);
  }
};

/// Searches until the lists have room, as a step does.
inline void search_until_it_fits(GrowingLists& growing, TriangleSearch& search, Span<const vec3> at,
                                 float radius, float margin, Span<const vec3> towards = {},
                                 Span<const int> active = {}) {
  do {
    search.find(at, radius, margin, towards, active);
  } while (!growing.fit());
}

/// Ascending by the first primitive; each pair once; all of those within the radius; none that is further
/// than rounding explains.
inline bool is_complete(const Listed& found, const std::map<Pair, double>& near, double radius,
                        double slack) {
  const auto either_way = [&](const ivec2& p) {
    const auto it = near.find({p.x, p.y});
    return it != near.end() ? it : near.find({p.y, p.x});
  };
  std::set<Pair> each;
  for (size_t i = 0; i < found.primitives.size(); ++i) {
    if (i > 0 && found.primitives[i - 1].x > found.primitives[i].x) return false;
  }
  size_t within = 0, met = 0;
  for (const auto& [pair, distance] : near) within += distance <= radius;
  for (size_t i = 0; i < found.primitives.size(); ++i) {
    const auto it = either_way(found.primitives[i]);
    if (it == near.end() || !each.insert(it->first).second ||
        std::abs(it->second - double(found.distance[i])) > slack)
      return false;
    met += it->second <= radius;
  }
  return met == within;
}

inline SearchSurface folded_cloth(int n) {
  SearchSurface s;
  add_sheet(s, n, 0.1f, [](const vec3& p) {
    const float bent = std::abs(p.x) < 0.004f ? 0.0015f * sinf(p.x / 0.004f * 0.5f * kPi)
                       : p.x < 0              ? -0.0015f
                                              : 0.0015f;
    return vec3(std::abs(p.x), bent + 0.0002f * sinf(300 * p.z), p.z);
  });
  s.obstacle_from = int(s.positions.size());
  derive_edges(s);
  return s;
}

inline SearchSurface cloth_on_ball(int n) {
  SearchSurface s;
  add_sheet(s, n, 0.2f, [](const vec3& p) {
    const float around = std::sqrt(p.x * p.x + p.z * p.z);
    return vec3(p.x, -0.9f * around * around / 0.1f, p.z);
  });
  s.obstacle_from = int(s.positions.size());
  add_ball(s, vec3(0, -0.0515f, 0), 0.05f, 24, 40);
  derive_edges(s);
  return s;
}

}  // namespace weft::testing
