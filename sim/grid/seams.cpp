#include "sim/grid/seams.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "sim/grid/host_grid.h"
#include "sim/grid/rasterize.h"
#include "sim/mesh/sides.h"

namespace weft::grid {

bool locate(const HostGrid& g, int panel, const dvec2& at, int (&slots)[3], float (&weights)[3]) {
  const Panel& p = g.panel[panel];
  const dvec2 q((at.x - p.anchor_x) / double(g.view.cell), (at.y - p.anchor_y) / double(g.view.cell));
  const int i0 = int(std::floor(q.x)), j0 = int(std::floor(q.y));
  double best = -1e30;
  for (int j = j0 - 2; j <= j0 + 2; ++j)
    for (int i = i0 - 2; i <= i0 + 2; ++i) {
      const int own = g.view.find({panel, i, j});
      if (own < 0) continue;
      for (const Flags kind : {kLower, kUpper}) {
        if (!(g.flags[own] & kind)) continue;
        const double x = q.x - i, y = q.y - j;
        // lower: 00 10 11, upper: 00 11 01
        const bool lower = kind == kLower;
        const double w[3] = {lower ? 1 - x : 1 - y, lower ? x - y : x, lower ? y : y - x};
        const ivec3 s = g.corners(own, kind);
        const double inner = std::min({w[0], w[1], w[2]});
        if (inner <= best || !g.real(s[0]) || !g.real(s[1]) || !g.real(s[2])) continue;
        best = inner;
        for (int k = 0; k < 3; ++k) slots[k] = s[k], weights[k] = float(w[k]);
      }
    }
  return best > -1e30;
}

namespace {

struct Side {
  int panel;
  dvec2 from, to;  // material points of the edge's first and second vertex
};

}  // namespace

std::vector<SeamPoint> seam_points(const Grid& grid, const MaterialMesh& mesh) {
  const std::vector<int> panel_of = lay_out(mesh, grid.options()).panel_of;
  std::map<std::array<int, 2>, std::vector<std::pair<ivec2, Side>>> edges;
  for (size_t t = 0; t < mesh.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      int a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
      int ma = mesh.corners[t][k], mb = mesh.corners[t][(k + 1) % 3];
      if (a > b) std::swap(a, b), std::swap(ma, mb);
      edges[{a, b}].push_back({{ma, mb}, {panel_of[t], mesh.point[ma], mesh.point[mb]}});
    }
  const HostGrid host(grid);
  std::vector<SeamPoint> out;
  for (const auto& [edge, sides] : edges) {
    if (sides.size() != 2 || sides[0].first == sides[1].first) continue;
    const Side &a = sides[0].second, &b = sides[1].second;
    const double length = std::max(glm::length(a.to - a.from), glm::length(b.to - b.from));
    const int count = std::max(1, int(std::ceil(length / double(grid.options().cell))));
    for (int k = 0; k < count; ++k) {
      const double t = (k + 0.5) / count;
      SeamPoint p;
      if (locate(host, a.panel, glm::mix(a.from, a.to, t), p.vertex[0], p.weight[0]) &&
          locate(host, b.panel, glm::mix(b.from, b.to, t), p.vertex[1], p.weight[1]))
        out.push_back(p);
    }
  }
  return out;
}

namespace {

/// Places in the material of one point of the coarse mesh.
struct Place {
  int panel;
  dvec2 at;
  bool operator<(const Place& o) const {
    return panel != o.panel ? panel < o.panel : at.x != o.at.x ? at.x < o.at.x : at.y < o.at.y;
  }
  bool operator==(const Place& o) const { return panel == o.panel && at == o.at; }
};
using Places = std::vector<Place>;

// Cells between the points of a seam over which paths are tried; the shortest is longer than they are by half
// of it at most.
constexpr double kSeamStep = 0.125;

/// Points of the coarse mesh that have several places: vertices, and points of edges `step` apart (m).
std::vector<Places> shared_points(const MaterialMesh& mesh, const std::vector<int>& panel_of, double step) {
  std::map<int, Places> of_vertex;
  std::map<Edge, std::vector<std::pair<Place, Place>>> of_edge;
  for (size_t t = 0; t < mesh.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
      const Place from{panel_of[t], mesh.point[mesh.corners[t][k]]},
          to{panel_of[t], mesh.point[mesh.corners[t][(k + 1) % 3]]};
      of_vertex[a].push_back(from);
      of_edge[edge_of(a, b)].push_back(a < b ? std::pair(from, to) : std::pair(to, from));
    }
  std::vector<Places> out;
  const auto add = [&](Places places) {
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    if (places.size() > 1) out.push_back(std::move(places));
  };
  for (const auto& [vertex, places] : of_vertex) add(places);
  for (const auto& [edge, sides] : of_edge) {
    if (sides.size() < 2 || (sides[0].first == sides[1].first && sides[0].second == sides[1].second))
      continue;
    double length = 0;
    for (const auto& [from, to] : sides) length = std::max(length, glm::length(to.at - from.at));
    const int count = std::max(1, int(std::ceil(length / step)));
    for (int k = 1; k < count; ++k) {
      Places places;
      for (const auto& [from, to] : sides)
        places.push_back({from.panel, glm::mix(from.at, to.at, double(k) / count)});
      add(places);
    }
  }
  return out;
}

/// Vertices within `reach` of a place, with their distances, m.
std::vector<std::pair<int, double>> vertices_around(const HostGrid& g, const Place& place, double reach) {
  const double cell = double(g.view.cell);
  const Panel& p = g.panel[place.panel];
  const dvec2 q = (place.at - dvec2(p.anchor_x, p.anchor_y)) / cell;
  const double r = reach / cell;
  std::vector<std::pair<int, double>> out;
  for (int j = int(std::ceil(q.y - r)); j <= int(std::floor(q.y + r)); ++j)
    for (int i = int(std::ceil(q.x - r)); i <= int(std::floor(q.x + r)); ++i) {
      const double d = cell * glm::length(dvec2(i, j) - q);
      const int v = d < reach ? g.view.find({place.panel, i, j}) : -1;
      if (v >= 0 && g.real(v)) out.push_back({v, d});
    }
  return out;
}

}  // namespace

std::vector<SeamPair> seam_neighbors(const Grid& grid, const MaterialMesh& mesh, double reach) {
  int panels = 0;
  const std::vector<int> panel_of = panels_of(mesh, panels);
  const HostGrid host(grid);
  const double step = kSeamStep * double(grid.options().cell);
  std::vector<SeamPair> out;
  // Of each pair the shortest path alone.
  const auto keep_shortest = [&] {
    std::sort(out.begin(), out.end(), [](const SeamPair& a, const SeamPair& b) {
      return std::tie(a.vertex, a.other, a.path) < std::tie(b.vertex, b.other, b.path);
    });
    out.erase(std::unique(out.begin(), out.end(),
                          [](const SeamPair& a, const SeamPair& b) {
                            return a.vertex == b.vertex && a.other == b.other;
                          }),
              out.end());
  };
  size_t full = 1 << 20;
  for (const Places& places : shared_points(mesh, panel_of, step)) {
    for (size_t a = 0; a < places.size(); ++a)
      for (size_t b = a + 1; b < places.size(); ++b)
        for (const auto& [v, from_v] : vertices_around(host, places[a], reach))
          for (const auto& [w, from_w] : vertices_around(host, places[b], reach - from_v))
            if (const float path = float(from_v + from_w - 0.5 * step); v != w)
              out.push_back({v, w, path}), out.push_back({w, v, path});
    if (out.size() > full) keep_shortest(), full = std::max(full, 2 * out.size());
  }
  keep_shortest();
  return out;
}

Seams::Seams(Device& device, const std::vector<SeamPoint>& points) : point_(device, "seam points", points) {
  std::map<int, std::vector<int>> of_vertex;
  for (size_t p = 0; p < points.size(); ++p)
    for (int side = 0; side < 2; ++side)
      for (int c = 0; c < 3; ++c)
        if (points[p].weight[side][c] != 0)
          of_vertex[points[p].vertex[side][c]].push_back(int(p) * 6 + side * 3 + c);
  std::vector<int> vertex, start{0}, entry;
  for (const auto& [v, list] : of_vertex) {
    vertex.push_back(v);
    entry.insert(entry.end(), list.begin(), list.end());
    start.push_back(int(entry.size()));
  }
  vertex_ = Buffer<int>(device, "vertices of seams", vertex);
  start_ = Buffer<int>(device, "vertices of seams", start);
  entry_ = Buffer<int>(device, "vertices of seams", entry);
  gap_ = Buffer<vec3>(device, "gaps of seams", int(points.size()));
  push_ = Buffer<vec3>(device, "gaps of seams", int(points.size()));
}

void Seams::pull(Device& device, PositionsView x, Span<const unsigned char> pinned, int sweeps) {
  for (int k = 0; k < sweeps; ++k) {
    launch(device, "seams", point_.size(), SeamGaps{x, point_, pinned, gap_, push_});
    launch(device, "seams", vertex_.size(),
           PullSeams{vertex_, start_, entry_, point_, push_, pinned, x.local});
  }
}

float Seams::widest(Device& device, FixedPositions x) {
  launch(device, "seams", point_.size(), SeamGaps{x, point_, {}, gap_, push_});
  float most = 0;
  for (const vec3& g : gap_.download()) most = std::max(most, glm::length(g));
  return most;
}

}  // namespace weft::grid
