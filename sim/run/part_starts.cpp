#include "sim/run/part_starts.h"

#include <fmt/format.h>

#include <map>

#include "sim/geometry/closest_point.h"
#include "sim/mesh/algorithms/crossing_triangles.h"
#include "sim/mesh/algorithms/enclosed_points.h"
#include "sim/mesh/algorithms/triangle_boxes.h"

namespace weft {
namespace {

constexpr size_t kMostSentences = 10;

std::string where_in_words(const vec3& p) { return fmt::format("({:.4g}, {:.4g}, {:.4g}) m", p.x, p.y, p.z); }

std::vector<ivec3> triangles_of(const Topology& t, const ModelPart& part) {
  const auto first = t.triangles.begin() + part.first_triangle;
  return {first, first + part.triangle_count};
}

/// Points of a part that can touch.
std::vector<int> outer_points(const Topology& t, const ModelPart& part) {
  std::vector<int> points;
  for (int v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v)
    if (t.inner.empty() || !t.inner[v]) points.push_back(v);
  return points;
}

/// Points of parts inside of `solid`, another part.
void report_enclosed(const Topology& t, const std::vector<vec3>& x, const ModelPart& solid,
                     std::vector<std::string>& told) {
  const std::vector<ivec3> skin = triangles_of(t, solid);
  for (const ModelPart& part : t.parts) {
    if (&part == &solid) continue;
    const std::vector<int> points = outer_points(t, part);
    const std::vector<int> inside = enclosed_points(x, skin, points);
    if (inside.empty()) continue;
    told.push_back(
        fmt::format("{}: {} of {} points are inside {}, near {}: what is inside does not come out, and "
                    "where it crosses "
                    "the surface both may hang; start it clear of {}",
                    in_words(part), inside.size(), points.size(), in_words(solid),
                    where_in_words(x[inside[0]]), in_words(solid)));
  }
}

/// How often two parts meet.
struct Meeting {
  int count = 0;
  float depth = 0;  // m, the largest
  vec3 place{0};    // there
  void add(float own, const vec3& at) {
    if (count++ == 0 || own > depth) depth = own, place = at;
  }
};
using Meetings = std::map<std::pair<int, int>, Meeting>;  // by two parts

void report_lines(const Topology& t, const std::vector<vec3>& x, std::vector<std::string>& told) {
  Meetings found;
  std::vector<char> seen(t.lines.size(), 0);
  for (const ivec2& pair : crossing_lines(x, t.lines, t.triangles)) {
    const ivec2 line = t.lines[pair.x];
    const vec3 middle = 0.5f * (x[line.x] + x[line.y]);
    if (!seen[pair.x]) found[{t.vertex_part[line.x], t.vertex_part[t.triangles[pair.y].x]}].add(0, middle);
    seen[pair.x] = 1;
  }
  for (const auto& [parts, m] : found)
    told.push_back(fmt::format(
        "{}: {} segment{} of it lie{} across {}, near {}: contact keeps them there, and both may hang; "
        "start it clear of {}",
        in_words(t.parts[parts.first]), m.count, m.count == 1 ? "" : "s", m.count == 1 ? "s" : "",
        in_words(t.parts[parts.second]), where_in_words(m.place), in_words(t.parts[parts.second])));
}

/// What grains meet, as triangles: of lines and of grains, too.
std::vector<ivec3> all_features(const Topology& t) {
  std::vector<ivec3> all = t.triangles;
  for (const ivec2& l : t.lines) all.push_back({l.x, l.y, l.y});
  for (size_t v = 0; v < t.radius.size(); ++v)
    if (t.radius[v] > 0) all.push_back(ivec3(int(v)));
  return all;
}

float distance_to(const vec3& p, const std::vector<vec3>& x, const ivec3& f) {
  if (f.y != f.z) return glm::length(closest_on_triangle(p, x[f.x], x[f.y], x[f.z]).offset);
  const float along = f.x == f.y ? 0 : closest_on_segment(p, x[f.x], x[f.y]);
  return glm::length(p - (x[f.x] + along * (x[f.y] - x[f.x])));
}

void report_grains(const Topology& t, const std::vector<vec3>& x, std::vector<std::string>& told) {
  if (t.radius.empty()) return;
  const std::vector<ivec3> features = all_features(t);
  std::vector<Bounds> boxes = boxes_around(x, features);
  for (size_t f = 0; f < features.size(); ++f) {
    const vec3 around(t.radius[features[f].x]);
    boxes[f].min -= around, boxes[f].max += around;
  }
  const BoxTree tree(boxes);
  Meetings found;
  for (int v = 0; v < int(t.radius.size()); ++v) {
    if (!(t.radius[v] > 0)) continue;
    std::map<int, float> deepest;  // by part
    tree.visit({x[v] - vec3(t.radius[v]), x[v] + vec3(t.radius[v])}, [&](int f) {
      const int other = features[f].x;
      const bool grain = t.radius[other] > 0;
      if (grain && other <= v) return;  // each pair once
      const float depth = t.radius[v] + t.radius[other] - distance_to(x[v], x, features[f]);
      if (!(depth > 0)) return;
      float& own = deepest[t.vertex_part[other]];
      own = std::max(own, depth);
    });
    for (const auto& [part, depth] : deepest) found[{t.vertex_part[v], part}].add(depth, x[v]);
  }
  for (const auto& [parts, m] : found) {
    const bool own = parts.first == parts.second;
    told.push_back(
        fmt::format("{}: {} of its grains {} nearer to {} than their radius, by up to {:.3g} mm, near "
                    "{}: contact finds no room to move them, and what they touch may hang; {}",
                    in_words(t.parts[parts.first]), m.count, m.count == 1 ? "is" : "are",
                    own ? "others" : in_words(t.parts[parts.second]), 1e3 * double(m.depth),
                    where_in_words(m.place), own ? "give a larger spacing" : "start them clear of it"));
  }
}

}  // namespace

std::vector<std::string> parts_within_parts(const Topology& parts, const std::vector<vec3>& x) {
  std::vector<std::string> told;
  for (const ModelPart& part : parts.parts)
    if (part.kind == PartKind::solid) report_enclosed(parts, x, part, told);
  report_lines(parts, x, told);
  report_grains(parts, x, told);
  if (told.size() > kMostSentences) {
    const size_t more = told.size() - kMostSentences;
    told.resize(kMostSentences);
    told.back() += fmt::format(" (and {} more of such)", more);
  }
  return told;
}

}  // namespace weft
