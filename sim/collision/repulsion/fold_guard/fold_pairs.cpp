#include "sim/collision/repulsion/fold_guard/fold_pairs.h"

#include <algorithm>
#include <cmath>

#include "sim/collision/repulsion/fold_guard/exempt_pairs.h"
#include "sim/collision/repulsion/fold_guard/fold_kernels.h"
#include "sim/mesh/sides.h"

namespace weft {
namespace {

using repulsion::kExactBelow;

// factor on a distance, for rounding, and since constraints yield by a millionth per step
constexpr float kKept = 1 - 2e-4f;

/// Squared factor by which two segments that cross at a given point must grow for their ends to keep their
/// distances, at the best angle: two of the four distances shrink with its cosine and two grow, so the best
/// is where the larger of each kind meet.
float growth_squared(float x, float y, float z, float w, const KeptDistances& k) {
  const float shrinking[2][3] = {{k.ac * k.ac, x * x + z * z, 2 * x * z},
                                 {k.bd * k.bd, y * y + w * w, 2 * y * w}};
  const float growing[2][3] = {{k.ad * k.ad, x * x + w * w, 2 * x * w},
                               {k.bc * k.bc, y * y + z * z, 2 * y * z}};
  float growth = 0;
  for (auto& f : shrinking)
    for (auto& g : growing) {
      const float slope = f[0] * g[2] + g[0] * f[2];
      const float cosine = std::clamp(slope > 0 ? (g[0] * f[1] - f[0] * g[1]) / slope : 0.0f, -1.0f, 1.0f);
      growth = std::max({growth, f[0] / std::max(f[1] - f[2] * cosine, 1e-30f),
                         g[0] / std::max(g[1] + g[2] * cosine, 1e-30f)});
    }
  return growth;
}

/// Finds the crossing point along both segments by branch and bound: a cell whose middle needs s needs at
/// least 1 / (1 / s + rho / n), with rho the largest motion of the crossing point in it and n the least
/// distance.
struct CrossingSearch {
  float ab, cd, least, best;
  const KeptDistances& kept;
  float lowest = 1e30f;  // over the cells that were not divided
  void look(float alpha, float beta, float half, int depth) {
    const float s = std::sqrt(growth_squared(alpha * ab, (1 - alpha) * ab, beta * cd, (1 - beta) * cd, kept));
    best = std::min(best, s);
    const float bound = 1 / (1 / s + half * (ab + cd) / least);
    if (bound >= 0.985f * best || depth == 0) {
      lowest = std::min(lowest, bound);
      return;
    }
    const float quarter = 0.5f * half;
    for (int k = 0; k < 4; ++k)
      look(alpha + (k & 1 ? quarter : -quarter), beta + (k & 2 ? quarter : -quarter), quarter, depth - 1);
  }
};

/// True if a segment of length l can have, between its ends and at a height of up to `steep` of its length, a
/// point that keeps p and q from them.
bool fits_beside(float l, float p, float q, float steep) {
  const float h = steep * steep * l * l;
  return std::sqrt(std::max(p * p - h, 0.0f)) + std::sqrt(std::max(q * q - h, 0.0f)) <= l;
}

/// The search takes both segments as long as they may be. Shorter helps one only where it is so short that
/// both of its ends lie beside the other: shorter than that one times the cosine of their angle. Its ends
/// then are at heights that add up to at most half of the other's length
/// (sine times cosine), so that one is at a quarter or less. `a` and `b`: the distances that the short one's
/// ends keep.
bool both_fit_beside(float l, const float a[2], const float b[2]) {
  return (fits_beside(l, a[0], a[1], 0.25f) && fits_beside(l, b[0], b[1], 0.5f)) ||
         (fits_beside(l, a[0], a[1], 0.5f) && fits_beside(l, b[0], b[1], 0.25f));
}

struct Neighbourhood {
  std::vector<std::vector<int>> within_two;              // ascending
  std::vector<std::vector<int>> edges, triangles, ring;  // at each vertex
  const Topology& t;
  float bound;

  Neighbourhood(const Topology& topology, float b)
      : within_two(exempt_pairs(topology)),
        edges(topology.rest.size()),
        triangles(topology.rest.size()),
        ring(topology.rest.size()),
        t(topology),
        bound(b) {
    for (size_t e = 0; e < t.edges.size(); ++e)
      for (const int v : {t.edges[e].x, t.edges[e].y})
        edges[v].push_back(int(e)), ring[v].push_back(t.edges[e].x + t.edges[e].y - v);
    for (size_t k = 0; k < t.triangles.size(); ++k)
      for (int c = 0; c < 3; ++c) triangles[t.triangles[k][c]].push_back(int(k));
    for (auto& r : ring) std::sort(r.begin(), r.end());
  }
  float distance(int i, int j) const { return glm::length(t.rest[i] - t.rest[j]); }
  bool exempt(int i, int j) const {
    return std::binary_search(within_two[i].begin(), within_two[i].end(), j);
  }
  /// Minimum distance of vertices i and j. If they rest closer than the bound, they may only separate.
  float kept(int i, int j) const {
    if (!exempt(i, j)) return kKept * std::min(bound, distance(i, j));
    const bool edge = std::binary_search(ring[i].begin(), ring[i].end(), j);
    return kKept * (edge ? kEdgeShare : kNearShare) * distance(i, j);
  }
  /// Everything `at` the vertices within two edges of any of `of`, ascending.
  std::vector<int> around(std::initializer_list<int> of, const std::vector<std::vector<int>>& at) const {
    std::vector<int> found;
    for (const int v : of)
      for (const int w : within_two[v]) found.insert(found.end(), at[w].begin(), at[w].end());
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }
};

using Row = std::vector<std::pair<float, int>>;

FoldList joined(std::vector<Row>& rows) {
  FoldList list;
  list.start.push_back(0);
  for (Row& row : rows) {
    std::sort(row.begin(), row.end());
    for (auto& [stretch, partner] : row) list.stretch.push_back(stretch), list.partner.push_back(partner);
    list.start.push_back(int(list.partner.size()));
  }
  return list;
}

std::vector<Row> edge_rows(const Neighbourhood& near, float longest) {
  const Topology& t = near.t;
  std::vector<Row> rows(t.edges.size());
  for (size_t e = 0; e < t.edges.size(); ++e) {
    const int a = t.edges[e].x, b = t.edges[e].y;
    for (const int f : near.around({a, b}, near.edges)) {
      const int c = t.edges[f].x, d = t.edges[f].y;
      if (f <= int(e) || c == a || c == b || d == a || d == b) continue;
      const float ab = near.distance(a, b), cd = near.distance(c, d),
                  most = longest / std::max(1e-12f, std::min(ab, cd));
      const float stretch = crossing_stretch(
          ab, cd, {near.kept(a, c), near.kept(a, d), near.kept(b, c), near.kept(b, d)}, most);
      if (stretch >= most) continue;
      rows[e].push_back({stretch, f});  // in both rows: GuardEdges leaves it to one of them
      rows[f].push_back({stretch, int(e)});
    }
  }
  return rows;
}

std::vector<Row> triangle_rows(const Neighbourhood& near, float longest) {
  const Topology& t = near.t;
  std::vector<std::vector<int>> itself(t.rest.size());
  for (size_t v = 0; v < itself.size(); ++v) itself[v] = {int(v)};
  std::vector<Row> rows(t.triangles.size());
  for (size_t k = 0; k < t.triangles.size(); ++k) {
    const ivec3 c = t.triangles[k];
    const float edges[3] = {near.distance(c.x, c.y), near.distance(c.y, c.z), near.distance(c.z, c.x)};
    const float most = longest / std::max(1e-12f, std::min({edges[0], edges[1], edges[2]}));
    for (const int v : near.around({c.x, c.y, c.z}, itself)) {
      if (v == c.x || v == c.y || v == c.z) continue;
      const float kept[3] = {near.kept(v, c.x), near.kept(v, c.y), near.kept(v, c.z)};
      const float stretch = crossing_stretch(edges, kept, most);
      if (stretch < most) rows[k].push_back({stretch, v});
    }
  }
  return rows;
}

}  // namespace

float crossing_stretch(float ab, float cd, const KeptDistances& k, float most) {
  // At the crossing one of the two angles is at most 90 degrees, which bounds two distances by Pythagoras;
  // the triangle inequality bounds the others.
  const float squares = std::sqrt(ab * ab + cd * cd), sum = ab + cd;
  const float one = std::max(std::hypot(k.ac, k.bd) / squares, (k.ad + k.bc) / sum);
  const float other = std::max(std::hypot(k.ad, k.bc) / squares, (k.ac + k.bd) / sum);
  const float simple = std::min(one, other);
  if (simple >= std::min(kExactBelow, most)) return std::min(simple, most);
  const float least = std::min({k.ac, k.ad, k.bc, k.bd});
  if (!(least > 0)) return 0;
  CrossingSearch search{ab, cd, least, kExactBelow, k};
  constexpr int kCells = 4;
  for (int i = 0; i < kCells * kCells; ++i)
    search.look((float(i % kCells) + 0.5f) / kCells, (float(i / kCells) + 0.5f) / kCells, 0.5f / kCells, 6);
  const float a[2] = {k.ac, k.ad}, b[2] = {k.bc, k.bd}, c[2] = {k.ac, k.bc}, d[2] = {k.ad, k.bd};
  const auto beside = [&](float stretch) {
    return both_fit_beside(stretch * cd, a, b) || both_fit_beside(stretch * ab, c, d);
  };
  // larger values are covered by the simple bound
  float stretch = std::min(search.lowest, 0.9999f * kExactBelow);
  if (beside(stretch)) {
    float low = 0;
    for (int i = 0; i < 12; ++i) (beside(0.5f * (low + stretch)) ? stretch : low) = 0.5f * (low + stretch);
    stretch = low;
  }
  return std::min(std::max(simple, stretch), most);
}

float crossing_stretch(const float edges[3], const float kept[3], float most) {
  // Seen from a point inside, the corners span 360 degrees. An edge of length s e lets its corners span at
  // most what the law of cosines says, or, if that is less, 90 degrees, below which more distance may need
  // less length.
  const auto spans = [&](float s) {
    float sum = 0;
    for (int k = 0; k < 3; ++k) {
      const float p = kept[k], q = kept[(k + 1) % 3], e = s * edges[k];
      const float cosine = (p * p + q * q - e * e) / std::max(2 * p * q, 1e-30f);
      sum += std::max(0.5f * kPi, std::acos(std::clamp(cosine, -1.0f, 1.0f)));
    }
    return sum >= 2 * kPi;
  };
  float high = std::min(most, 1.5f), low = 0;
  if (!spans(high)) return high;
  for (int k = 0; k < 16; ++k) (spans(0.5f * (low + high)) ? high : low) = 0.5f * (low + high);
  return low;
}

FoldPairs fold_pairs(const Topology& t, float bound, float longest) {
  const Neighbourhood near(t, bound);
  std::vector<Row> edges = edge_rows(near, longest / kReleasedShare),
                   triangles = triangle_rows(near, longest / kReleasedShare);
  FoldPairs pairs;
  pairs.edges = joined(edges);
  pairs.triangles = joined(triangles);
  pairs.edge_stretch.resize(t.edges.size());
  for (size_t e = 0; e < edges.size(); ++e)
    pairs.edge_stretch[e] = edges[e].empty() ? 1e6f : edges[e].front().first;
  for (size_t k = 0; k < t.triangles.size(); ++k) {
    ivec3 of;
    for (int c = 0; c < 3; ++c) {
      of[c] = find_edge(t.edges, t.triangles[k][c], t.triangles[k][(c + 1) % 3]);
      if (!triangles[k].empty())
        pairs.edge_stretch[of[c]] = std::min(pairs.edge_stretch[of[c]], triangles[k].front().first);
    }
    pairs.triangle_edges.push_back(of);
  }
  return pairs;
}

}  // namespace weft
