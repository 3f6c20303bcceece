#include "sim/mesh/algorithms/crossing_triangles.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/mesh/algorithms/crossing_test.h"
#include "sim/mesh/algorithms/triangle_boxes.h"

namespace weft {
namespace {

using namespace crossing;

Corners corners_of(const std::vector<vec3>& positions, const ivec3& t) {
  return {{dvec3(positions[size_t(t.x)]), dvec3(positions[size_t(t.y)]), dvec3(positions[size_t(t.z)])}};
}

bool has_area(const Corners& t) { return crossing::has_area<TouchingSigns>(t) == Answer::meet; }

bool cross(const Pair& p) { return crossing::cross<TouchingSigns>(p) == Answer::meet; }

bool segment_meets(const dvec3& p, const dvec3& q, const Corners& t) {
  return crossing::segment_meets<TouchingSigns>(
             p, q, t, side_of_plane<TouchingSigns>(t.at[0], t.at[1], t.at[2], p),
             side_of_plane<TouchingSigns>(t.at[0], t.at[1], t.at[2], q)) == Answer::meet;
}

}  // namespace

std::vector<ivec2> crossing_triangles(const std::vector<vec3>& positions, const std::vector<ivec3>& triangles,
                                      int own, size_t most) {
  const int count = int(triangles.size()), last = own < 0 ? count : own;
  const std::vector<Bounds> boxes = boxes_around(positions, triangles);
  const BoxTree tree(boxes);
  std::vector<ivec2> found;
  std::vector<int> near;
  for (int a = 0; a < last && found.size() < most; ++a) {
    const ivec3 ta = triangles[a];
    const Corners at = corners_of(positions, ta);
    if (!has_area(at)) {
      found.push_back({a, a});
      continue;
    }
    near.clear();
    tree.visit(boxes[a], [&](int b) {
      if (b > a) near.push_back(b);
    });
    std::sort(near.begin(), near.end());
    for (int b : near) {
      const ivec3 tb = triangles[b];
      if (found.size() < most && cross({ta, tb, at, corners_of(positions, tb)})) found.push_back({a, b});
    }
  }
  return found;
}

bool pair_crosses(const std::vector<vec3>& positions, const std::vector<ivec3>& triangles,
                  const ivec2& pair) {
  const ivec3 &ta = triangles[size_t(pair.x)], &tb = triangles[size_t(pair.y)];
  const Corners a = corners_of(positions, ta);
  if (pair.x == pair.y) return !has_area(a);
  return has_area(a) && cross({ta, tb, a, corners_of(positions, tb)});
}

void mark_crossing(const ivec2& pair, int own, std::vector<int>& crossed) {
  if (pair.y >= own) crossed[size_t(pair.x)] |= 2;
  else crossed[size_t(pair.x)] |= 1, crossed[size_t(pair.y)] |= 1;
}

std::vector<ivec2> crossing_lines(const std::vector<vec3>& positions, const std::vector<ivec2>& lines,
                                  const std::vector<ivec3>& triangles) {
  const std::vector<Bounds> boxes = boxes_around(positions, triangles);
  const BoxTree tree(boxes);
  std::vector<ivec2> found;
  for (size_t l = 0; l < lines.size(); ++l) {
    const ivec2 line = lines[l];
    Bounds box;
    box.add(positions[line.x]), box.add(positions[line.y]);
    const size_t begin = found.size();
    tree.visit(box, [&](int t) {
      const ivec3& c = triangles[t];
      for (int k = 0; k < 3; ++k)
        if (c[k] == line.x || c[k] == line.y) return;
      if (segment_meets(dvec3(positions[line.x]), dvec3(positions[line.y]), corners_of(positions, c)))
        found.push_back({int(l), t});
    });
    std::sort(found.begin() + long(begin), found.end(),
              [](const ivec2& a, const ivec2& b) { return a.y < b.y; });
  }
  return found;
}

std::string crossings_in_words(const std::vector<ivec2>& pairs, int own,
                               const std::function<std::string(int)>& name) {
  constexpr size_t kNamed = 5;
  std::string words;
  const auto called = [&](int t) { return name ? name(t) : fmt::format("triangle {}", t); };
  for (size_t i = 0; i < std::min(pairs.size(), kNamed); ++i) {
    const ivec2 p = pairs[i];
    if (!words.empty()) words += ", ";
    if (p.x == p.y) words += called(p.x) + " has no area";
    else if (own >= 0 && p.y >= own) words += called(p.x) + " crosses a body";
    else words += fmt::format("{} and {} cross", called(p.x), called(p.y));
  }
  if (pairs.size() > kNamed) words += fmt::format(", and {} more", pairs.size() - kNamed);
  return words;
}

}  // namespace weft
