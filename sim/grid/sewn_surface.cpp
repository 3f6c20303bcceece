#include "sim/grid/sewn_surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "sim/grid/host_grid.h"
#include "sim/grid/rasterize.h"
#include "sim/mesh/algorithms/constrained_delaunay.h"
#include "sim/mesh/sides.h"

namespace weft::grid {
namespace {

constexpr int kRounds = 6;       // of adding vertices between outlines
constexpr double kClear = 0.35;  // cells between the outline and vertices of the lattice that the surface has
constexpr int kFinest = 16;      // bits of a cell's fraction in whole coordinates, at most
constexpr float kFarthest = 1;   // weights of carriers are at least minus this

/// An edge of a panel, which lies on its left in the material: points of the material, and vertices of the
/// coarse mesh.
struct Border {
  int panel;
  ivec2 point, vertex;
};

double twice_area(const MaterialMesh& mesh, size_t t) {
  const dvec2 a = mesh.point[mesh.corners[t].x], b = mesh.point[mesh.corners[t].y] - a,
              c = mesh.point[mesh.corners[t].z] - a;
  return b.x * c.y - b.y * c.x;
}

std::vector<Border> borders_of(const MaterialMesh& mesh, const std::vector<int>& panel_of) {
  std::map<Edge, int> uses;
  const auto key = [&](size_t t, int k) { return edge_of(mesh.corners[t][k], mesh.corners[t][(k + 1) % 3]); };
  for (size_t t = 0; t < mesh.corners.size(); ++t)
    for (int k = 0; k < 3; ++k) ++uses[key(t, k)];
  std::vector<Border> out;
  for (size_t t = 0; t < mesh.corners.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      if (uses[key(t, k)] != 1) continue;
      const int l = (k + 1) % 3;
      Border b{panel_of[t],
               {mesh.corners[t][k], mesh.corners[t][l]},
               {mesh.triangles[t][k], mesh.triangles[t][l]}};
      if (twice_area(mesh, t) < 0) std::swap(b.point.x, b.point.y), std::swap(b.vertex.x, b.vertex.y);
      out.push_back(b);
    }
  return out;
}

/// Vertices on outlines, numbered apart from those of the lattice.
class Outline {
 public:
  Outline(const MaterialMesh& mesh, const std::vector<Border>& borders, double cell) : mesh_(mesh) {
    for (const Border& b : borders) {
      int& parts = parts_[edge_of(b.vertex)];
      const double length = glm::length(mesh.point[b.point.x] - mesh.point[b.point.y]);
      parts = std::max({parts, 1, int(std::lround(length / cell))});
    }
  }
  int parts(const Border& b) const { return parts_.at(edge_of(b.vertex)); }
  dvec2 place(const Border& b, int k) const {
    return glm::mix(mesh_.point[b.point.x], mesh_.point[b.point.y], double(k) / parts(b));
  }
  /// The vertex after k parts of an edge.
  int vertex(const Border& b, int k) {
    const int n = parts(b);
    if (k == 0 || k == n) return end(k == 0 ? b.vertex.x : b.vertex.y);
    const auto [low, high] = edge_of(b.vertex);
    const int from_first = b.vertex.x == low ? k : n - k;
    const auto [at, fresh] = inner_.try_emplace({low, high, from_first}, int(points.size()));
    if (fresh) points.push_back({{low, high, high}, {float(from_first) / float(n), 0}});
    return at->second;
  }
  std::vector<OutlinePoint> points;

 private:
  int end(int v) {
    const auto [at, fresh] = ends_.try_emplace(v, int(points.size()));
    if (fresh) points.push_back({{v, v, v}});
    return at->second;
  }
  const MaterialMesh& mesh_;
  std::map<Edge, int> parts_;
  std::map<int, int> ends_;
  std::map<std::array<int, 3>, int> inner_;
};

/// Corners of the band along one panel's outline: a slot of the lattice, or a vertex of the outline and its
/// place in the material.
struct BandPoint {
  int slot, outline;
  dvec2 material;
  bool inner = false;  // between outlines
};
struct InnerPoint {
  int panel, outline;
  dvec2 material;
};

double distance_to_segment(const dvec2& p, const dvec2& a, const dvec2& b) {
  const dvec2 edge = b - a;
  const double t = std::clamp(glm::dot(p - a, edge) / std::max(glm::dot(edge, edge), 1e-300), 0.0, 1.0);
  return glm::length(a + t * edge - p);
}
double cross(const dvec2& a, const dvec2& b) { return a.x * b.y - a.y * b.x; }

/// True if a segment has a point in a counterclockwise triangle or within kTouch of it: cut by the triangle's
/// three half planes.
bool meets(const dvec2& a, const dvec2& b, const dvec2 (&corner)[3]) {
  constexpr double kTouch = 1e-3;  // cells
  double from = 0, to = 1;
  for (int k = 0; k < 3; ++k) {
    const dvec2 side = glm::normalize(corner[(k + 1) % 3] - corner[k]);
    const double u = cross(side, a - corner[k]) + kTouch, v = cross(side, b - corner[k]) + kTouch;
    if (u < 0 && v < 0) return false;
    if (u < 0) from = std::max(from, u / (u - v));
    if (v < 0) to = std::min(to, u / (u - v));
  }
  return from <= to;
}

class Sewer {
 public:
  Sewer(const Grid& grid, const MaterialMesh& mesh)
      : host_(grid),
        mesh_(mesh),
        cell_(double(grid.options().cell)),
        kept_(host_.flags.size(), 0),
        near_(host_.flags.size(), 0),
        panel_of_(lay_out(mesh, grid.options()).panel_of) {
    const std::vector<Border> borders = borders_of(mesh, panel_of_);
    Outline outline(mesh, borders, cell_);
    std::vector<std::vector<const Border*>> of_panel(host_.panel.size());
    for (const Border& b : borders) of_panel[b.panel].push_back(&b);
    for (const Border& b : borders) mark_near(b, outline);
    for (size_t v = 0; v < kept_.size(); ++v) keep_triangles(int(v));
    for (const Border& b : borders) drop_met(b, outline);
    for (size_t p = 0; p < of_panel.size(); ++p)
      if (!fill_band(int(p), of_panel[p], outline))
        keep_lattice(int(p)), out_.without_outline.push_back(int(p));
    collect_lattice();
    collect_outline(borders, outline);
  }
  SewnSurface take() { return std::move(out_); }

 private:
  /// Material places in cells of a panel's lattice.
  dvec2 in_cells(int panel, const dvec2& at) const {
    const Panel& p = host_.panel[panel];
    return (at - dvec2(p.anchor_x, p.anchor_y)) / cell_;
  }
  /// Calls visit(i, j, a, b) for lattice points around each part of an edge.
  template <class Visit>
  void along(const Border& b, const Outline& outline, const Visit& visit) const {
    for (int k = 0, n = outline.parts(b); k < n; ++k) {
      const dvec2 from = in_cells(b.panel, outline.place(b, k)),
                  to = in_cells(b.panel, outline.place(b, k + 1));
      const dvec2 low = glm::floor(glm::min(from, to)) - 1.0, high = glm::ceil(glm::max(from, to));
      for (int j = int(low.y); j <= int(high.y); ++j)
        for (int i = int(low.x); i <= int(high.x); ++i)
          if (const int v = host_.view.find({b.panel, i, j}); v >= 0) visit(v, dvec2(i, j), from, to);
    }
  }
  void mark_near(const Border& b, const Outline& outline) {
    along(b, outline, [&](int v, const dvec2& at, const dvec2& from, const dvec2& to) {
      if (distance_to_segment(at, from, to) < kClear) near_[v] = 1;
    });
  }
  bool usable(int v) const { return host_.real(v) && !near_[v]; }
  void keep_triangles(int v) {
    for (const Flags kind : {kLower, kUpper}) {
      if (!(host_.flags[v] & kind)) continue;
      const ivec3 c = host_.corners(v, kind);
      if (usable(c.x) && usable(c.y) && usable(c.z)) kept_[v] |= kind;
    }
  }
  /// Triangles that an edge of the outline runs through.
  void drop_met(const Border& b, const Outline& outline) {
    along(b, outline, [&](int v, const dvec2& at, const dvec2& from, const dvec2& to) {
      const dvec2 lower[3] = {at, at + dvec2(1, 0), at + dvec2(1)},
                  upper[3] = {at, at + dvec2(1), at + dvec2(0, 1)};
      if (meets(from, to, lower)) kept_[v] &= Flags(~kLower);
      if (meets(from, to, upper)) kept_[v] &= Flags(~kUpper);
    });
  }
  bool kept(int v, Flags kind) const { return v >= 0 && (kept_[v] & kind); }
  /// Slots of the sides of kept triangles of a cell that have no kept triangle beyond, reversed: the band is
  /// on their left.
  void add_sides(int v, std::vector<ivec2>& sides) const {
    const auto slot = [&](int dx, int dy) {
      return host_.view.slot(host_.view.block_of(v), host_.view.local_x(v) + dx, host_.view.local_y(v) + dy);
    };
    if (kept(v, kLower)) {
      const ivec3 c = host_.corners(v, kLower);
      if (!kept(slot(0, -1), kUpper)) sides.push_back({c.y, c.x});
      if (!kept(slot(1, 0), kUpper)) sides.push_back({c.z, c.y});
      if (!kept(v, kUpper)) sides.push_back({c.x, c.z});
    }
    if (kept(v, kUpper)) {
      const ivec3 c = host_.corners(v, kUpper);
      if (!kept(v, kLower)) sides.push_back({c.y, c.x});
      if (!kept(slot(0, 1), kLower)) sides.push_back({c.z, c.y});
      if (!kept(slot(-1, 0), kLower)) sides.push_back({c.x, c.z});
    }
  }
  bool surrounded(int v) const {
    const auto slot = [&](int dx, int dy) {
      return host_.view.slot(host_.view.block_of(v), host_.view.local_x(v) + dx, host_.view.local_y(v) + dy);
    };
    return kept(v, kLower) && kept(v, kUpper) && kept(slot(-1, 0), kLower) && kept(slot(-1, -1), kLower) &&
           kept(slot(-1, -1), kUpper) && kept(slot(0, -1), kUpper);
  }
  /// Whole coordinates of the points of a panel, whose origin is the middle of its lattice.
  std::vector<WholePoint> whole(int panel, const std::vector<BandPoint>& points) const {
    const Panel& p = host_.panel[panel];
    const int64_t width = int64_t(p.blocks_x) * host_.view.width(),
                  height = int64_t(p.blocks_y) * host_.view.width();
    int bits = kFinest;
    while (bits > 0 && (std::max(width, height) << bits) > kLargestWhole) --bits;
    std::vector<WholePoint> out;
    for (const BandPoint& q : points) {
      const dvec2 at = in_cells(panel, q.material) - 0.5 * dvec2(double(width), double(height));
      out.push_back({std::llround(std::ldexp(at.x, bits)), std::llround(std::ldexp(at.y, bits))});
    }
    return out;
  }
  /// Points and kept edges of the band along a panel's outline.
  struct Band {
    std::vector<BandPoint> points;
    std::vector<ivec2> edges;
  };
  Band band_of(int panel, const std::vector<const Border*>& borders, Outline& outline) const {
    Band band;
    std::vector<BandPoint>& points = band.points;
    std::map<int, int> of_end;  // per point of the material
    for (const Border* b : borders) {
      const int n = outline.parts(*b);
      int last = -1;
      for (int k = 0; k <= n; ++k) {
        int at = int(points.size());
        if (k == 0 || k == n) at = of_end.try_emplace(k == 0 ? b->point.x : b->point.y, at).first->second;
        if (at == int(points.size())) points.push_back({-1, outline.vertex(*b, k), outline.place(*b, k)});
        if (k > 0) band.edges.push_back({last, at});
        last = at;
      }
    }
    std::map<int, int> of_slot;
    std::vector<ivec2> sides;
    const int n = host_.view.slots_per_block();
    const auto point_of = [&](int v) {
      const auto [at, fresh] = of_slot.try_emplace(v, int(points.size()));
      if (fresh) points.push_back({v, -1, material(v)});
      return at->second;
    };
    for (size_t block = 0; block < host_.block.size(); ++block) {
      if (host_.block[block].panel != panel) continue;
      for (int v = int(block) * n; v < (int(block) + 1) * n; ++v) {
        add_sides(v, sides);
        if (usable(v) && !surrounded(v)) point_of(v);
      }
    }
    for (const ivec2& s : sides) band.edges.push_back({point_of(s.x), point_of(s.y)});
    return band;
  }
  /// Middles of inner sides between two vertices of outlines.
  static std::vector<dvec2> middles(const std::vector<BandPoint>& points,
                                    const std::vector<ivec3>& triangles) {
    std::set<std::pair<int, int>> sides;
    std::vector<dvec2> out;
    for (const ivec3& t : triangles)
      for (int k = 0; k < 3; ++k) {
        const int a = t[k], b = t[(k + 1) % 3];
        if (points[a].slot >= 0 || points[b].slot >= 0) continue;
        if (points[a].inner || points[b].inner || !sides.insert({a, b}).second) continue;
        if (sides.count({b, a})) out.push_back(0.5 * (points[a].material + points[b].material));
      }
    return out;
  }
  /// The point of the coarse mesh at a place of a panel.
  OutlinePoint coarse_point(int panel, const dvec2& at) const {
    OutlinePoint out;
    double best = -1e30;
    for (size_t t = 0; t < mesh_.corners.size(); ++t) {
      if (panel_of_[t] != panel) continue;
      const dvec2 a = mesh_.point[mesh_.corners[t].x], b = mesh_.point[mesh_.corners[t].y] - a,
                  c = mesh_.point[mesh_.corners[t].z] - a;
      const double all = cross(b, c);
      if (!(std::abs(all) > 1e-12 * cell_ * cell_)) continue;  // no area
      const double u = cross(at - a, c) / all, v = cross(b, at - a) / all;
      const double inner = std::min({u, v, 1 - u - v});
      if (inner > best) best = inner, out.corner = mesh_.triangles[t], out.weight = {float(u), float(v)};
    }
    return out;
  }
  /// Triangles between a panel's outline and its kept triangles. False if there is no such triangulation.
  /// Sides within the panel that join two vertices of outlines are divided, since another panel that is sewn
  /// to both could have the same side; where kRounds are not enough some are left.
  bool fill_band(int panel, const std::vector<const Border*>& borders, Outline& outline) {
    Band band = band_of(panel, borders, outline);
    std::vector<ivec3> triangles = constrained_delaunay(whole(panel, band.points), band.edges);
    if (triangles.empty()) return false;
    for (int round = 0; round < kRounds; ++round) {
      const size_t before = band.points.size();
      for (const dvec2& m : middles(band.points, triangles)) band.points.push_back({-1, -1, m, true});
      if (band.points.size() == before) break;
      const std::vector<ivec3> more = constrained_delaunay(whole(panel, band.points), band.edges);
      if (more.empty()) {
        band.points.resize(before);
        break;
      }
      triangles = more;
    }
    for (BandPoint& p : band.points)
      if (p.inner) {
        p.outline = int(outline.points.size());
        outline.points.push_back(coarse_point(panel, p.material));
        inner_.push_back({panel, p.outline, p.material});
      }
    const bool mirrored = host_.panel[panel].mirrored;
    const int first = int(band_points_.size());
    band_points_.insert(band_points_.end(), band.points.begin(), band.points.end());
    for (const ivec3& t : triangles) band_triangles_.push_back(first + (mirrored ? ivec3(t.x, t.z, t.y) : t));
    return true;
  }
  dvec2 material(int v) const {
    const Lattice at = host_.view.lattice(v);
    const Panel& p = host_.panel[at.panel];
    return dvec2(p.anchor_x, p.anchor_y) + cell_ * dvec2(at.i, at.j);
  }
  void keep_lattice(int panel) {
    const int n = host_.view.slots_per_block();
    for (size_t block = 0; block < host_.block.size(); ++block)
      for (int v = int(block) * n; host_.block[block].panel == panel && v < (int(block) + 1) * n; ++v) {
        kept_[v] = 0;
        for (const Flags kind : {kLower, kUpper})
          if (const ivec3 c = host_.corners(v, kind);
              (host_.flags[v] & kind) && host_.real(c.x) && host_.real(c.y) && host_.real(c.z))
            kept_[v] |= kind;
      }
  }
  void collect_lattice() {
    number_.assign(kept_.size(), -1);
    const auto each = [&](const auto& visit) {
      for (size_t v = 0; v < kept_.size(); ++v)
        for (const Flags kind : {kLower, kUpper})
          if (kept_[v] & kind) visit(int(v), host_.corners(int(v), kind));
    };
    each([&](int, const ivec3& c) {
      for (int k = 0; k < 3; ++k) number_[c[k]] = 0;
    });
    for (const ivec3& t : band_triangles_)
      for (int k = 0; k < 3; ++k)
        if (const int v = band_points_[t[k]].slot; v >= 0) number_[v] = 0;
    for (size_t v = 0; v < number_.size(); ++v) {
      if (number_[v] < 0) continue;
      number_[v] = int(out_.vertices.size());
      out_.vertices.push_back(int(v)), out_.points.push_back(vec2(material(int(v))));
    }
    each([&](int v, const ivec3& c) {
      const bool mirrored = host_.panel[host_.block[host_.view.block_of(v)].panel].mirrored;
      const ivec3 t(number_[c.x], number_[c.y], number_[c.z]);
      out_.triangles.push_back(mirrored ? ivec3(t.x, t.z, t.y) : t);
    });
    out_.corners = out_.triangles;
    out_.lattice_triangles = int(out_.triangles.size());
  }
  void collect_outline(const std::vector<Border>& borders, Outline& outline) {
    const int lattice = int(out_.vertices.size());
    std::vector<int> number(outline.points.size(), -1), place(band_points_.size(), -1);
    out_.material = out_.points;
    for (const ivec3& t : band_triangles_) {
      ivec3 vertices, corners;
      for (int k = 0; k < 3; ++k) {
        const BandPoint& p = band_points_[t[k]];
        if (p.slot >= 0) {
          vertices[k] = corners[k] = number_[p.slot];
          continue;
        }
        int& own = number[p.outline];
        if (own < 0) {
          own = lattice + int(out_.outline.size());
          out_.outline.push_back(outline.points[p.outline]), out_.material.push_back(vec2(p.material));
        }
        int& at = place[t[k]];
        if (at < 0) at = int(out_.points.size()), out_.points.push_back(vec2(p.material));
        vertices[k] = own, corners[k] = at;
      }
      out_.triangles.push_back(vertices), out_.corners.push_back(corners);
    }
    carry(borders, outline, number);
    if (out_.points.size() == out_.material.size()) out_.corners.clear(), out_.points.clear();
  }
  /// Carriers of the vertices of the outline: corners of the lattice's nearest triangle in each of their
  /// panels.
  void carry(const std::vector<Border>& borders, Outline& outline, const std::vector<int>& number) {
    std::vector<std::map<std::pair<int, int>, dvec2>> places(
        out_.outline.size());  // by panel and point of the material
    const int lattice = int(out_.vertices.size());
    int inner = int(mesh_.point.size());
    for (const Border& b : borders)
      for (int k = 0, n = outline.parts(b); k <= n; ++k) {
        const size_t p = outline.vertex(b, k);
        if (p >= number.size() || number[p] < 0) continue;
        const int point = k == 0 ? b.point.x : k == n ? b.point.y : inner++;
        places[number[p] - lattice][{b.panel, point}] = outline.place(b, k);
      }
    for (const InnerPoint& q : inner_)
      if (number[q.outline] >= 0) places[number[q.outline] - lattice][{q.panel, -1}] = q.material;
    for (size_t p = 0; p < places.size(); ++p) {
      out_.outline[p].first = int(out_.carriers.size());
      for (const auto& [where, at] : places[p]) {
        int slots[3];
        float weights[3];
        if (!locate(host_, where.first, at, slots, weights)) continue;
        // Towards the triangle's middle where the vertex is far outside of it.
        const float least = std::min({weights[0], weights[1], weights[2]}),
                    share = least < -kFarthest ? (kFarthest + 1.0f / 3) / (1.0f / 3 - least) : 1;
        for (int k = 0; k < 3; ++k) out_.carriers.push_back({slots[k], share * weights[k] + (1 - share) / 3});
      }
      out_.outline[p].count = int(out_.carriers.size()) - out_.outline[p].first;
      const float sides = float(out_.outline[p].count) / 3;
      for (int k = 0; k < out_.outline[p].count; ++k)
        out_.carriers[out_.outline[p].first + k].weight /= sides;
    }
  }

  HostGrid host_;
  const MaterialMesh& mesh_;
  double cell_;
  std::vector<Flags> kept_;    // per slot: triangles of its cell that the surface has
  std::vector<char> near_;     // per slot: too near to the outline
  std::vector<int> number_;    // per slot: its vertex of the surface
  std::vector<int> panel_of_;  // per coarse triangle
  std::vector<BandPoint> band_points_;
  std::vector<InnerPoint> inner_;
  std::vector<ivec3> band_triangles_;
  SewnSurface out_;
};

}  // namespace

SewnSurface sewn(const Grid& grid, const MaterialMesh& mesh) { return Sewer(grid, mesh).take(); }

size_t outline_bytes(const MaterialMesh& mesh, const GridOptions& options) {
  const std::vector<Border> borders = borders_of(mesh, lay_out(mesh, options).panel_of);
  const Outline outline(mesh, borders, double(options.cell));
  size_t parts = 0;  // a vertex has so many of them at most, and three carriers in each of its panels
  for (const Border& b : borders) parts += outline.parts(b);
  return parts * (sizeof(OutlinePoint) + 3 * sizeof(Carrier) + 2 * sizeof(vec3));
}

OutlineVertices::OutlineVertices(Device& device, const SewnSurface& surface)
    : point_(device, "outlines", surface.outline),
      carrier_(device, "outlines", surface.carriers),
      base_(device, "outlines", int(surface.outline.size())),
      at_(device, "outlines", int(surface.outline.size())) {}

void OutlineVertices::place(Device& device, const FixedPositions& x, const FixedPositions& frame,
                            Span<const vec3> coarse) {
  launch(device, "outlines", point_.size(), PlaceOutline{point_, carrier_, x, frame, coarse, base_, at_});
}

size_t OutlineVertices::bytes() const {
  return size_t(point_.size()) * (sizeof(OutlinePoint) + 2 * sizeof(vec3)) +
         size_t(carrier_.size()) * sizeof(Carrier);
}

std::vector<vec3> surface_positions(const SewnSurface& surface, const std::vector<dvec3>& x,
                                    Span<const vec3> outline) {
  std::vector<vec3> out;
  out.reserve(surface.vertex_count());
  for (const int v : surface.vertices) out.push_back(vec3(x[v]));
  for (int k = 0; k < outline.size; ++k) out.push_back(outline[k]);
  return out;
}

}  // namespace weft::grid
