#include "sim/linear/coarsen.h"

#include <algorithm>
#include <array>
#include <queue>

#include "sim/mesh/sides.h"

namespace weft {
namespace {

struct Neighbors {
  std::vector<int> start, entry;
};

Neighbors neighbors_of(const LevelMesh& mesh) {
  Neighbors n;
  n.start.assign(mesh.rest.size() + 1, 0);
  for (auto& e : mesh.edges) ++n.start[e.x + 1], ++n.start[e.y + 1];
  for (size_t i = 1; i < n.start.size(); ++i) n.start[i] += n.start[i - 1];
  n.entry.resize(2 * mesh.edges.size());
  auto next = n.start;
  for (auto& e : mesh.edges) n.entry[next[e.x]++] = e.y, n.entry[next[e.y]++] = e.x;
  return n;
}

/// 0 for boundary corners, 1 for other boundary vertices, 2 for the interior.
std::vector<int> rank_of(const LevelMesh& mesh) {
  std::vector<int> rank(mesh.rest.size(), 2);
  std::vector<std::array<int, 2>> boundary(mesh.rest.size(), {-1, -1});
  for_each_edge(mesh.triangles, [&](auto sides) {
    if (sides.size() > 1) return;
    const auto [a, b] = sides[0].edge;
    for (const auto& [v, other] : {std::pair(a, b), std::pair(b, a)}) {
      rank[v] = std::min(rank[v], 1);
      boundary[v][boundary[v][0] < 0 ? 0 : 1] = other;
    }
  });
  for (size_t v = 0; v < rank.size(); ++v) {
    if (rank[v] != 1 || boundary[v][1] < 0) continue;
    const vec3 a = glm::normalize(mesh.rest[boundary[v][0]] - mesh.rest[v]);
    const vec3 b = glm::normalize(mesh.rest[boundary[v][1]] - mesh.rest[v]);
    if (glm::dot(a, b) > -0.7f) rank[v] = 0;  // turns by more than 45 degrees
  }
  return rank;
}

/// Marks everything within `radius` of v, walking along edges.
class Blocker {
 public:
  Blocker(const LevelMesh& mesh, const Neighbors& n, const std::vector<char>& left_out)
      : mesh_(mesh), n_(n), blocked(left_out), seen_(mesh.rest.size(), -1) {
    blocked.resize(mesh.rest.size(), 0);
  }
  void block(int v, float radius) {
    stack_.assign(1, v);
    seen_[v] = v;
    while (!stack_.empty()) {
      const int u = stack_.back();
      stack_.pop_back();
      blocked[u] = 1;
      for (int o = n_.start[u]; o < n_.start[u + 1]; ++o) {
        const int w = n_.entry[o];
        if (seen_[w] == v || glm::length(mesh_.rest[w] - mesh_.rest[v]) >= radius) continue;
        seen_[w] = v;
        stack_.push_back(w);
      }
    }
  }

 private:
  const LevelMesh& mesh_;
  const Neighbors& n_;

 public:
  std::vector<char> blocked;

 private:
  std::vector<int> seen_, stack_;
};

std::vector<int> pick_vertices(const LevelMesh& mesh, const Neighbors& n, const std::vector<float>& spacing,
                               const std::vector<char>& left_out) {
  const std::vector<int> rank = rank_of(mesh);
  Blocker blocker(mesh, n, left_out);
  std::vector<int> picked;
  auto take = [&](int v) {
    picked.push_back(v);
    blocker.block(v, spacing[v]);
  };
  // A front growing from the chosen vertices gives regular meshes a regular coarse mesh.
  using Item = std::pair<float, int>;
  for (int r = 0; r <= 2; ++r) {
    std::priority_queue<Item, std::vector<Item>, std::greater<>> front;
    std::vector<char> queued(mesh.rest.size(), 0);
    auto grow = [&](int v, float cost) {
      // Candidates a little beyond the blocked disc, nearest first.
      std::vector<int> ring{v};
      for (int depth = 0; depth < 3; ++depth) {
        std::vector<int> next;
        for (const int u : ring)
          for (int o = n.start[u]; o < n.start[u + 1]; ++o) {
            const int w = n.entry[o];
            if (rank[w] <= r && !blocker.blocked[w] && !queued[w]) {
              queued[w] = 1;
              front.push({cost + glm::length(mesh.rest[w] - mesh.rest[v]), w});
            }
            next.push_back(w);
          }
        ring = std::move(next);
      }
    };
    for (size_t k = 0; k < picked.size(); ++k) grow(picked[k], 0);
    for (int seed = 0; seed <= int(mesh.rest.size()); ++seed) {
      while (!front.empty()) {
        const auto [cost, v] = front.top();
        front.pop();
        queued[v] = 0;
        if (blocker.blocked[v]) continue;
        take(v);
        grow(v, cost);
      }
      if (seed < int(mesh.rest.size()) && rank[seed] <= r && !blocker.blocked[seed]) front.push({0, seed});
    }
  }
  std::sort(picked.begin(), picked.end());
  return picked;
}

/// Nearest picked vertex of every vertex, along edges, -1 where there is none; ties go to the lower index.
std::vector<int> owners_of(const LevelMesh& mesh, const Neighbors& n, const std::vector<int>& picked) {
  std::vector<float> distance(mesh.rest.size(), 1e30f);
  std::vector<int> owner(mesh.rest.size(), -1);
  using Item = std::pair<float, int>;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> queue;
  for (int c = 0; c < int(picked.size()); ++c) {
    distance[picked[c]] = 0;
    owner[picked[c]] = c;
    queue.push({0, picked[c]});
  }
  while (!queue.empty()) {
    const auto [d, v] = queue.top();
    queue.pop();
    if (d > distance[v]) continue;
    for (int o = n.start[v]; o < n.start[v + 1]; ++o) {
      const int w = n.entry[o];
      // Straight distance from the picked vertex, which a neighbourhood of two edges allows, keeps the cells
      // round.
      const float through = glm::length(mesh.rest[w] - mesh.rest[picked[owner[v]]]);
      const float tie = 1e-5f * through;
      if (through < distance[w] - tie || (through < distance[w] + tie && owner[v] < owner[w])) {
        distance[w] = through;
        owner[w] = owner[v];
        queue.push({through, w});
      }
    }
  }
  return owner;
}

/// Closest point of triangle abc to p as barycentric weights, and its squared distance.
vec3 closest_weights(const vec3& p, const vec3& a, const vec3& b, const vec3& c, float& squared) {
  auto on_segment = [&](const vec3& s, const vec3& e) {
    const vec3 d = e - s;
    return glm::clamp(glm::dot(p - s, d) / std::max(glm::dot(d, d), 1e-30f), 0.0f, 1.0f);
  };
  const vec3 u = b - a, v = c - a, w = p - a;
  const float uu = glm::dot(u, u), uv = glm::dot(u, v), vv = glm::dot(v, v), wu = glm::dot(w, u),
              wv = glm::dot(w, v);
  const float det = uu * vv - uv * uv;
  auto result = [&](const vec3& bary) {
    const vec3 d = p - (bary.x * a + bary.y * b + bary.z * c);
    squared = glm::dot(d, d);
    return bary;
  };
  if (det > 1e-12f * uu * vv) {
    const float s = (wu * vv - wv * uv) / det, t = (wv * uu - wu * uv) / det;
    if (s >= 0 && t >= 0 && s + t <= 1) return result({1 - s - t, s, t});
  }
  const float ab = on_segment(a, b), bc = on_segment(b, c), ca = on_segment(c, a);
  const vec3 candidates[3] = {{1 - ab, ab, 0}, {0, 1 - bc, bc}, {ca, 0, 1 - ca}};
  vec3 best = candidates[0];
  float best_squared = 1e30f;
  for (auto& k : candidates) {
    result(k);
    if (squared < best_squared) best_squared = squared, best = k;
  }
  squared = best_squared;
  return best;
}

void interpolate(const LevelMesh& fine, const std::vector<int>& owner, Coarsening& out) {
  std::vector<std::vector<int>> triangles_at(out.mesh.rest.size()), edges_at(out.mesh.rest.size());
  for (int t = 0; t < int(out.mesh.triangles.size()); ++t)
    for (int k = 0; k < 3; ++k) triangles_at[out.mesh.triangles[t][k]].push_back(t);
  for (int e = 0; e < int(out.mesh.edges.size()); ++e)
    edges_at[out.mesh.edges[e].x].push_back(e), edges_at[out.mesh.edges[e].y].push_back(e);
  out.start.push_back(0);
  for (size_t v = 0; v < fine.rest.size(); ++v) {
    const int home = owner[v];
    if (home < 0) {
      out.start.push_back(int(out.column.size()));
      continue;
    }
    float best = 1e30f, squared;
    ivec3 corners(home);
    vec3 weights(1, 0, 0);
    auto offer = [&](const ivec3& t) {
      const vec3 w =
          closest_weights(fine.rest[v], out.mesh.rest[t.x], out.mesh.rest[t.y], out.mesh.rest[t.z], squared);
      if (squared < best) best = squared, corners = t, weights = w;
    };
    for (const int t : triangles_at[home]) offer(out.mesh.triangles[t]);
    if (triangles_at[home].empty())
      for (const int e : edges_at[home])
        offer({out.mesh.edges[e].x, out.mesh.edges[e].y, out.mesh.edges[e].y});
    if (out.fine_vertex[home] == int(v)) corners = ivec3(home), weights = vec3(1, 0, 0);
    for (int k = 0; k < 3; ++k)
      if (weights[k] > 1e-4f) out.column.push_back(corners[k]), out.weight.push_back(weights[k]);
    float sum = 0;
    for (size_t o = out.start.back(); o < out.weight.size(); ++o) sum += out.weight[o];
    for (size_t o = out.start.back(); o < out.weight.size(); ++o) out.weight[o] /= sum;
    out.start.push_back(int(out.column.size()));
  }
}

}  // namespace

Coarsening coarsen(const LevelMesh& fine, const std::vector<char>& left_out) {
  const Neighbors n = neighbors_of(fine);
  std::vector<float> spacing(fine.rest.size(), 0.0f);
  for (size_t v = 0; v < fine.rest.size(); ++v) {
    for (int o = n.start[v]; o < n.start[v + 1]; ++o)
      spacing[v] += glm::length(fine.rest[n.entry[o]] - fine.rest[v]);
    spacing[v] *= 1.9f / float(std::max(1, n.start[v + 1] - n.start[v]));
  }
  Coarsening out;
  out.fine_vertex = pick_vertices(fine, n, spacing, left_out);
  for (const int v : out.fine_vertex) out.mesh.rest.push_back(fine.rest[v]);
  const std::vector<int> owner = owners_of(fine, n, out.fine_vertex);

  std::vector<std::pair<std::array<int, 3>, ivec3>> triangles;  // sorted key and oriented triangle
  for (auto& t : fine.triangles) {
    const ivec3 c(owner[t.x], owner[t.y], owner[t.z]);
    if (c.x == c.y || c.y == c.z || c.x == c.z) continue;
    std::array<int, 3> key{c.x, c.y, c.z};
    std::sort(key.begin(), key.end());
    triangles.push_back({key, c});
  }
  std::stable_sort(triangles.begin(), triangles.end(), [](auto& a, auto& b) { return a.first < b.first; });
  for (size_t i = 0; i < triangles.size(); ++i)
    if (i == 0 || triangles[i].first != triangles[i - 1].first)
      out.mesh.triangles.push_back(triangles[i].second);

  for (auto& e : fine.edges) {
    const int a = owner[e.x], b = owner[e.y];
    if (a != b) out.mesh.edges.push_back({std::min(a, b), std::max(a, b)});
  }
  sort_edges(out.mesh.edges);
  interpolate(fine, owner, out);
  return out;
}

void transpose(const Coarsening& c, std::vector<int>& start, std::vector<int>& column,
               std::vector<float>& weight) {
  start.assign(c.mesh.rest.size() + 1, 0);
  for (const int k : c.column) ++start[k + 1];
  for (size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
  column.resize(c.column.size());
  weight.resize(c.weight.size());
  auto next = start;
  for (int f = 0; f + 1 < int(c.start.size()); ++f)
    for (int o = c.start[f]; o < c.start[f + 1]; ++o) {
      const int at = next[c.column[o]]++;
      column[at] = f;
      weight[at] = c.weight[o];
    }
}

}  // namespace weft
