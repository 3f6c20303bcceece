#include "sim/collision/surface/own_radii.h"

#include <algorithm>
#include <queue>

#include "sim/base/error.h"
#include "sim/mesh/rest_shape.h"
#include "sim/scene/contact_radii.h"

namespace weft {
namespace {

constexpr int kMostNear = 50'000'000;  // 200 MB
constexpr float kStraight = 1.1547f;   // distance along edges of a triangulation over the straight one
constexpr float kHalfCircle = 1.5707964f * kStraight;  // over the diameter

/// Links between vertices of parts that have a reach.
struct Links {
  struct Link {
    int to;
    float length;  // m
  };
  std::vector<std::vector<Link>> from;

  Links(const Topology& cloth, const std::vector<float>& reach) : from(cloth.rest.size()) {
    const auto add = [&](int a, int b, float length) {
      if (!(reach[cloth.vertex_part[a]] > 0) && !(reach[cloth.vertex_part[b]] > 0)) return;
      from[a].push_back({b, length}), from[b].push_back({a, length});
    };
    const std::vector<float> lengths = rest_lengths(cloth);
    for (size_t e = 0; e < cloth.edges.size(); ++e) add(cloth.edges[e].x, cloth.edges[e].y, lengths[e]);
    for (const ivec4& cell : cloth.cells)
      for (int i = 0; i < 4; ++i)
        for (int k = 0; k < i; ++k)
          add(cell[i], cell[k], glm::distance(cloth.rest[cell[i]], cloth.rest[cell[k]]));
    for (const StitchedPair& thread : cloth.stitched)
      add(thread.vertices.x, thread.vertices.y, thread.length);
  }
};

/// What the links reach from one vertex after the other.
class Reached {
 public:
  explicit Reached(const Links& links) : links_(links), least_(links.from.size(), kFar) {}
  /// Ascending, without `from`.
  std::vector<int> within(int from, float reach) {
    found_.clear();
    look_at(from, 0, reach);
    while (!open_.empty()) {
      const auto [far, at] = open_.top();
      open_.pop();
      if (far > least_[at]) continue;
      for (const Links::Link& next : links_.from[at]) look_at(next.to, far + next.length, reach);
    }
    for (const int v : found_) least_[v] = kFar;
    found_.erase(found_.begin());
    std::sort(found_.begin(), found_.end());
    return found_;
  }

 private:
  static constexpr float kFar = 1e30f;
  void look_at(int v, float far, float reach) {
    if (far > reach || !(far < least_[v])) return;
    if (least_[v] == kFar) found_.push_back(v);
    least_[v] = far;
    open_.push({far, v});
  }
  using Open = std::pair<float, int>;
  const Links& links_;
  std::vector<float> least_;  // m
  std::vector<int> found_;
  std::priority_queue<Open, std::vector<Open>, std::greater<Open>> open_;
};

/// Mean rest length (m) of the edges of each part.
std::vector<float> mean_edges(const Topology& cloth) {
  std::vector<double> sum(cloth.parts.size(), 0);
  std::vector<int> count(cloth.parts.size(), 0);
  const std::vector<float> lengths = rest_lengths(cloth);
  for (size_t e = 0; e < cloth.edges.size(); ++e)
    sum[cloth.vertex_part[cloth.edges[e].x]] += double(lengths[e]),
        ++count[cloth.vertex_part[cloth.edges[e].x]];
  std::vector<float> mean(sum.size(), 0);
  for (size_t p = 0; p < sum.size(); ++p) mean[p] = count[p] ? float(sum[p] / count[p]) : 0.0f;
  return mean;
}

}  // namespace

HostAdjacency near_over_mesh(const Topology& cloth, const std::vector<float>& reach, int most) {
  const Links links(cloth, reach);
  Reached reached(links);
  HostAdjacency rows;
  rows.start.push_back(0);
  for (int v = 0; v < int(cloth.rest.size()); ++v) {
    const int part = cloth.vertex_part[v];
    if (reach[part] > 0 && (cloth.inner.empty() || !cloth.inner[v])) {
      const std::vector<int> near = reached.within(v, reach[part]);
      if (near.size() > size_t(most) - rows.entry.size())
        throw Error(in_words(cloth.parts[part]) + " has a mesh too fine for its contact radius",
                    "contact_radius." + cloth.parts[part].name, "give a smaller radius, or longer edges");
      rows.entry.insert(rows.entry.end(), near.begin(), near.end());
    }
    rows.start.push_back(int(rows.entry.size()));
  }
  return rows;
}

OwnRadii::OwnRadii(Device& device, const Topology& cloth, const Scene& scene, int points)
    : cloth_points_(int(cloth.rest.size())) {
  std::vector<float> own = contact_radii(scene), reach;
  own.resize(std::max(own.size(), cloth.parts.size()), 0);
  largest_ = own.empty() ? 0.0f : *std::max_element(own.begin(), own.end());
  if (!(largest_ > 0)) return;
  const std::vector<float> edges = mean_edges(cloth);
  for (size_t p = 0; p < cloth.parts.size(); ++p) {
    reach.push_back(own[p] > 0 ? kHalfCircle * 2 * own[p] + 0.5f * edges[p] : 0.0f);
    if (own[p] > 0) smallest_ = smallest_ > 0 ? std::min(smallest_, own[p]) : own[p];
  }
  std::vector<float> radius(size_t(points), 0);
  for (int v = 0; v < cloth_points_; ++v) radius[v] = own[cloth.vertex_part[v]];
  const HostAdjacency near = near_over_mesh(cloth, reach, kMostNear);
  radius_ = Buffer<float>(device, "contact radii", radius);
  near_start_ = Buffer<int>(device, "neighbours over parts", near.start);
  near_ = Buffer<int>(device, "neighbours over parts", near.entry);
}

}  // namespace weft
