#include "sim/run/material_map.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "sim/base/error.h"
#include "sim/geometry/closest_point.h"

namespace weft {
namespace {

/// Items in the cells of a grid over their boxes, for the nearest one to a point.
class RestGrid {
 public:
  /// `first` and `count`: of the triangles, or with `points` of the vertices, that are searched.
  RestGrid(const std::vector<vec3>& rest, const std::vector<ivec3>& triangles, int first, int count,
           bool points)
      : rest_(rest), triangles_(triangles), first_(first), count_(count), points_(points) {
    double sides = 0;
    for (int i = 0; i < count; ++i) {
      const Bounds box = box_of(i);
      bounds_.add(box.min), bounds_.add(box.max);
      sides += double(glm::length(box.max - box.min));
    }
    const float spread = bounds_.empty() ? 1.0f : glm::length(bounds_.max - bounds_.min);
    // Points are as far apart as on a surface that all of them cover.
    const double apart = points ? double(spread) / std::sqrt(std::max(1, count)) : sides / std::max(1, count);
    cell_ = std::max(float(apart), 1e-4f * spread + 1e-9f);
    for (int i = 0; i < count; ++i) {
      const Bounds box = box_of(i);
      const ivec3 low = cell(box.min), high = cell(box.max);
      for (int x = low.x; x <= high.x; ++x)
        for (int y = low.y; y <= high.y; ++y)
          for (int z = low.z; z <= high.z; ++z) items_[key({x, y, z})].push_back(i);
    }
  }

  struct Found {
    int item = -1;  // of the mesh
    vec3 barycentric{1, 0, 0};
  };
  /// The item nearest to a point; of several the first.
  Found nearest(const vec3& p) const {
    Found best;
    float squared = 1e38f;
    const ivec3 center = cell(p), low = cell(bounds_.min), high = cell(bounds_.max);
    int reach = 0;
    for (int a = 0; a < 3; ++a) reach = std::max({reach, center[a] - low[a], high[a] - center[a]});
    for (int r = 0; r <= reach; ++r) {
      // what is r cells away is at least (r - 1) cells away from the point
      const float nearest_possible = float(std::max(0, r - 1)) * cell_;
      if (best.item >= 0 && nearest_possible * nearest_possible > squared) break;
      shell(center, low, high, r, [&](int i) { look(i, p, best, squared); });
    }
    return best;
  }

 private:
  Bounds box_of(int i) const {
    Bounds box;
    if (points_) box.add(rest_[size_t(first_ + i)]);
    else
      for (int k = 0; k < 3; ++k) box.add(rest_[size_t(triangles_[size_t(first_ + i)][k])]);
    return box;
  }
  ivec3 cell(const vec3& p) const { return ivec3(glm::floor((p - bounds_.min) / cell_)); }
  static int64_t key(const ivec3& c) {
    constexpr int64_t kSide = int64_t(1) << 20;
    return (int64_t(c.x) * kSide + c.y) * kSide + c.z;
  }
  void look(int i, const vec3& p, Found& best, float& squared) const {
    Found found{first_ + i, vec3(1, 0, 0)};
    vec3 offset;
    if (points_) offset = p - rest_[size_t(first_ + i)];
    else {
      const ivec3& t = triangles_[size_t(first_ + i)];
      const ClosestOnTriangle q =
          closest_on_triangle(p, rest_[size_t(t.x)], rest_[size_t(t.y)], rest_[size_t(t.z)]);
      found.barycentric = q.barycentric, offset = q.offset;
    }
    const float d = glm::dot(offset, offset);
    if (d < squared || (d == squared && found.item < best.item)) squared = d, best = found;
  }
  /// Items of the cells whose largest difference from `center` is r, within the grid.
  template <class Visit>
  void shell(const ivec3& center, const ivec3& low, const ivec3& high, int r, const Visit& visit) const {
    const ivec3 from = glm::max(center - r, low), to = glm::min(center + r, high);
    for (int x = from.x; x <= to.x; ++x)
      for (int y = from.y; y <= to.y; ++y) {
        const bool side = std::abs(x - center.x) == r || std::abs(y - center.y) == r;
        for (int z = from.z; z <= to.z; ++z) {
          if (!side && std::abs(z - center.z) != r) continue;
          const auto found = items_.find(key({x, y, z}));
          if (found == items_.end()) continue;
          for (const int i : found->second) visit(i);
        }
      }
  }

  const std::vector<vec3>& rest_;
  const std::vector<ivec3>& triangles_;
  int first_, count_;
  bool points_;
  Bounds bounds_;
  float cell_ = 1;
  std::unordered_map<int64_t, std::vector<int>> items_;
};

const ModelPart& part_of_name(const std::vector<ModelPart>& parts, const std::string& name) {
  const auto found =
      std::find_if(parts.begin(), parts.end(), [&](const ModelPart& p) { return p.name == name; });
  if (found == parts.end())
    throw Error("the runs to compare do not have the same parts", name, "give all of them the same scene");
  return *found;
}

bool same_parts(const MappedMesh& a, const MappedMesh& b) {
  return a.parts.size() == b.parts.size() && std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(),
                                                        [](const ModelPart& p, const ModelPart& q) {
                                                          return p.name == q.name &&
                                                                 p.first_vertex == q.first_vertex &&
                                                                 p.vertex_count == q.vertex_count;
                                                        });
}

}  // namespace

MaterialMap::MaterialMap(const MappedMesh& from, const MappedMesh& to)
    : same_(same_parts(from, to) && from.triangles == to.triangles && from.rest == to.rest),
      places_(from.rest.size()),
      from_(from.triangles),
      to_(to.triangles),
      from_rest_(from.rest),
      to_rest_(to.rest),
      to_parts_(to.parts),
      triangle_part_(from.triangles.size(), 0) {
  for (const ModelPart& part : from.parts) {
    const ModelPart& other = part_of_name(to.parts, part.name);
    for (int t = part.first_triangle; t < part.first_triangle + part.triangle_count; ++t)
      triangle_part_[size_t(t)] = int(&other - to.parts.data());
    if (!same_) find_places(part, other);
    else
      for (int v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v)
        places_[size_t(v)].vertices = ivec3(v);
  }
}

void MaterialMap::find_places(const ModelPart& part, const ModelPart& other) {
  const bool points = other.triangle_count == 0;
  const RestGrid grid(to_rest_, to_, points ? other.first_vertex : other.first_triangle,
                      points ? other.vertex_count : other.triangle_count, points);
  std::vector<char> shown(size_t(part.vertex_count), char(part.triangle_count == 0));
  for (int t = part.first_triangle; t < part.first_triangle + part.triangle_count; ++t)
    for (int k = 0; k < 3; ++k) shown[size_t(from_[size_t(t)][k] - part.first_vertex)] = 1;
  for (int i = 0; i < part.vertex_count; ++i) {
    MaterialPlace& place = places_[size_t(part.first_vertex + i)];
    place.vertices = ivec3(-1);
    if (!shown[size_t(i)]) continue;
    const RestGrid::Found found = grid.nearest(from_rest_[size_t(part.first_vertex + i)]);
    if (found.item < 0) continue;
    place = points ? MaterialPlace{ivec3(found.item), vec3(1, 0, 0)}
                   : MaterialPlace{to_[size_t(found.item)], found.barycentric};
  }
}

int MaterialMap::nearest_vertex(int vertex) const {
  const MaterialPlace& p = place(vertex);
  const vec3& w = p.weights;
  return p.vertices[w.x >= w.y && w.x >= w.z ? 0 : w.y >= w.z ? 1 : 2];
}

std::optional<std::pair<int, vec3>> MaterialMap::on_triangle(int triangle, const vec3& barycentric) const {
  if (same_) return std::pair(triangle, barycentric);
  const ModelPart& part = to_parts_[size_t(triangle_part_[size_t(triangle)])];
  if (part.triangle_count == 0) return std::nullopt;
  const ivec3& t = from_[size_t(triangle)];
  const vec3 at = barycentric.x * from_rest_[size_t(t.x)] + barycentric.y * from_rest_[size_t(t.y)] +
                  barycentric.z * from_rest_[size_t(t.z)];
  std::pair<int, vec3> best(-1, vec3(1, 0, 0));
  float squared = 1e38f;
  for (int i = part.first_triangle; i < part.first_triangle + part.triangle_count; ++i) {
    const ivec3& u = to_[size_t(i)];
    const ClosestOnTriangle q =
        closest_on_triangle(at, to_rest_[size_t(u.x)], to_rest_[size_t(u.y)], to_rest_[size_t(u.z)]);
    if (const float d = glm::dot(q.offset, q.offset); d < squared) squared = d, best = {i, q.barycentric};
  }
  return best;
}

std::optional<Command> MaterialMap::carried_over(const Command& command) const {
  if (same_) return command;
  if (const auto* grab = std::get_if<GrabBegin>(&command)) {
    if (grab->triangle < 0 || size_t(grab->triangle) >= from_.size()) return std::nullopt;
    const auto on = on_triangle(grab->triangle, grab->barycentric);
    if (!on) return std::nullopt;
    return GrabBegin{grab->handle, on->first, on->second, grab->brush_radius};
  }
  if (const auto* grab = std::get_if<GrabVertices>(&command)) {
    GrabVertices other{grab->handle, {}};
    for (const int v : grab->vertices)
      if (v >= 0 && size_t(v) < places_.size() && nearest_vertex(v) >= 0)
        other.vertices.push_back(nearest_vertex(v));
    std::sort(other.vertices.begin(), other.vertices.end());
    other.vertices.erase(std::unique(other.vertices.begin(), other.vertices.end()), other.vertices.end());
    if (other.vertices.empty()) return std::nullopt;
    return other;
  }
  if (const auto* pin = std::get_if<PinVertex>(&command)) {
    if (pin->vertex < 0 || size_t(pin->vertex) >= places_.size()) return std::nullopt;
    const int vertex = nearest_vertex(pin->vertex);
    if (vertex < 0) return std::nullopt;
    Command other = command;
    std::get<PinVertex>(other).vertex = vertex;
    return other;
  }
  if (std::holds_alternative<EndSolve>(command)) return std::nullopt;  // of the solver that was recorded
  return command;
}

void MaterialMap::distances(const std::vector<vec3>& x, const std::vector<vec3>& y,
                            std::vector<float>& out) const {
  out.resize(places_.size());
  for (size_t v = 0; v < places_.size(); ++v) {
    const MaterialPlace& p = places_[v];
    if (p.vertices.x < 0) {
      out[v] = std::numeric_limits<float>::quiet_NaN();
      continue;
    }
    const vec3 there = p.weights.x * y[size_t(p.vertices.x)] + p.weights.y * y[size_t(p.vertices.y)] +
                       p.weights.z * y[size_t(p.vertices.z)];
    out[v] = glm::length(x[v] - there);
  }
}

RunDifference difference_of(const std::vector<float>& distances) {
  RunDifference d;
  size_t count = 0;
  for (const float value : distances) {
    if (std::isnan(value)) continue;
    ++count, d.mean += double(value);
    d.largest = std::max(d.largest, double(value));
  }
  if (count > 0) d.mean /= double(count);
  return d;
}

}  // namespace weft
