#include "sim/dressing/body_limbs.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <queue>

#include "sim/mesh/sides.h"

namespace weft {
namespace {

constexpr double kStandsOut = 0.12;  // of the largest extent
constexpr double kJoint = 0.38;      // of a limb's length, where elbow and knee are

struct Graph {
  std::vector<std::vector<int>> neighbours;
  explicit Graph(const TriMesh& mesh) : neighbours(neighbours_of(mesh.vertex_count(), mesh.triangles)) {}
  /// Vertices of the connected part with most of them, sorted.
  std::vector<int> largest_part() const {
    std::vector<char> seen(neighbours.size(), 0);
    std::vector<int> largest;
    for (size_t v = 0; v < neighbours.size(); ++v) {
      if (seen[v]) continue;
      std::vector<int> part{int(v)};
      seen[v] = 1;
      for (size_t i = 0; i < part.size(); ++i)
        for (const int n : neighbours[part[i]])
          if (!seen[n]) seen[n] = 1, part.push_back(n);
      if (part.size() > largest.size()) largest = std::move(part);
    }
    std::sort(largest.begin(), largest.end());
    return largest;
  }
};

/// Dijkstra's algorithm: `before` is the next vertex towards the middle.
void distances(const Graph& graph, const std::vector<vec3>& x, int middle, std::vector<double>& distance,
               std::vector<int>& before) {
  distance.assign(x.size(), -1), before.assign(x.size(), -1);
  using Entry = std::tuple<double, int, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  queue.push({0, middle, -1});
  while (!queue.empty()) {
    const auto [d, v, from] = queue.top();
    queue.pop();
    if (distance[v] >= 0) continue;
    distance[v] = d, before[v] = from;
    for (const int n : graph.neighbours[v])
      if (distance[n] < 0) queue.push({d + double(glm::length(x[n] - x[v])), n, v});
  }
}

/// Regions {D > level} that join while the level falls.
class Sweep {
 public:
  Sweep(const Graph& graph, const std::vector<double>& distance, double least)
      : graph_(graph),
        distance_(distance),
        least_(least),
        parent_(distance.size(), -1),
        peak_(distance.size(), -1),
        joint_(distance.size(), -1),
        saddle_(distance.size(), -1),
        between_(distance.size(), 0),
        label_(distance.size(), -1) {}

  void run(std::vector<int> part, BodyLimbs& out) {
    std::sort(part.begin(), part.end(),
              [&](int a, int b) { return std::pair(-distance_[a], a) < std::pair(-distance_[b], b); });
    for (const int v : part) add(v);
    std::vector<int> number(distance_.size(), -1);
    for (const int v : part)
      if (saddle_[v] >= 0) {
        number[v] = int(out.limbs.size());
        out.limbs.push_back({"", {v}, saddle_[v], distance_[v]});
      }
    out.limb_of_vertex.assign(distance_.size(), -1);
    for (const int v : part) {
      int peak = label_[v];
      while (peak >= 0 && number[peak] < 0) peak = joint_[peak];
      if (peak >= 0) out.limb_of_vertex[v] = number[peak];
    }
  }

 private:
  int root(int v) {
    while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
    return v;
  }
  void add(int v) {
    parent_[v] = v, peak_[v] = v;
    bool first = true;
    for (const int n : graph_.neighbours[v]) {
      if (parent_[n] < 0) continue;
      if (first) parent_[v] = root(n), first = false;
      else join(v, n);
    }
    const int r = root(v);
    label_[v] = between_[r] ? -1 : peak_[r];
  }
  void join(int v, int n) {
    int a = root(v), b = root(n);
    if (a == b) return;
    const double at = distance_[v];
    const auto height = [&](int r) { return distance_[peak_[r]]; };
    if (height(a) < height(b)) std::swap(a, b);
    if (height(b) - at >= least_) {
      if (!between_[b]) saddle_[peak_[b]] = at;
      if (!between_[a]) saddle_[peak_[a]] = at;
      between_[a] = 1;
    } else {
      joint_[peak_[b]] = between_[a] ? -1 : peak_[a];
    }
    parent_[b] = a;
  }

  const Graph& graph_;
  const std::vector<double>& distance_;
  const double least_;
  std::vector<int> parent_, peak_;
  std::vector<int> joint_;      // of a maximum that is no limb: the one that its region joined
  std::vector<double> saddle_;  // of a limb's maximum: D where it joined another; else -1
  std::vector<char> between_;   // of a region: whether limbs have joined in it
  std::vector<int> label_;      // of each vertex: the maximum of its region
};

void name_limbs(const std::vector<vec3>& x, std::vector<Limb>& limbs) {
  std::vector<size_t> order(limbs.size());
  std::iota(order.begin(), order.end(), size_t(0));
  const auto tip = [&](size_t i) { return x[limbs[i].path.back()]; };
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return tip(a).y > tip(b).y; });
  if (limbs.size() != 5) {
    for (size_t i = 0; i < order.size(); ++i) limbs[order[i]].name = fmt::format("part {}", i + 1);
    return;
  }
  limbs[order[0]].name = "head";
  float toes = 0;  // where they point to
  for (const size_t leg : {order[3], order[4]}) {
    const std::vector<int>& path = limbs[leg].path;
    toes += tip(leg).z - x[path[path.size() / 2]].z;
  }
  for (const size_t first : {size_t(1), size_t(3)}) {
    const bool left = (tip(order[first]).x > tip(order[first + 1]).x) == (toes >= 0);
    const std::string name = first == 1 ? "arm" : "leg";
    limbs[order[first]].name = (left ? "left " : "right ") + name;
    limbs[order[first + 1]].name = (left ? "right " : "left ") + name;
  }
}

}  // namespace

std::string BodyLimbs::part_in_words(int vertex) const {
  const int l = vertex < int(limb_of_vertex.size()) ? limb_of_vertex[vertex] : -1;
  if (l < 0) return "the middle of the body";
  const Limb& limb = limbs[l];
  const size_t space = limb.name.find(' ');
  const std::string side = space == std::string::npos ? "" : limb.name.substr(0, space + 1),
                    what = space == std::string::npos ? limb.name : limb.name.substr(space + 1);
  if (what != "arm" && what != "leg") return "the " + limb.name;
  const bool near = distance[vertex] < glm::mix(limb.begin, limb.end, kJoint);
  if (what == "leg") return "the " + side + (near ? "thigh" : "lower leg");
  return "the " + side + (near ? "upper arm" : "forearm");
}

BodyLimbs find_limbs(const TriMesh& mesh) {
  BodyLimbs out;
  if (mesh.positions.empty() || mesh.triangles.empty()) return out;
  const Graph graph(mesh);
  const std::vector<int> part = graph.largest_part();
  dvec3 sum(0), low(1e300), high(-1e300);
  for (const int v : part) {
    const dvec3 p(mesh.positions[v]);
    sum += p, low = glm::min(low, p), high = glm::max(high, p);
  }
  const vec3 centre(sum / double(part.size()));
  int middle = part[0];
  for (const int v : part)
    if (glm::length(mesh.positions[v] - centre) < glm::length(mesh.positions[middle] - centre)) middle = v;
  std::vector<int> before;
  distances(graph, mesh.positions, middle, out.distance, before);
  const double extent = std::max({high.x - low.x, high.y - low.y, high.z - low.z});
  Sweep(graph, out.distance, kStandsOut * extent).run(part, out);
  for (Limb& limb : out.limbs) {
    for (int v = before[limb.path[0]]; v >= 0; v = before[v]) limb.path.push_back(v);
    std::reverse(limb.path.begin(), limb.path.end());
  }
  name_limbs(mesh.positions, out.limbs);
  return out;
}

}  // namespace weft
