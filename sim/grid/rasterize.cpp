#include "sim/grid/rasterize.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <string>

#include "sim/base/error.h"
#include "sim/mesh/sides.h"

namespace weft::grid {
namespace {

// A vertex this share of a cell outside of a triangle still counts as inside: panels that are whole multiples
// of a cell wide have vertices on their edges, which rounding must not drop.
constexpr double kOnEdge = 1e-3;
// Edges of triangles and of panels cross where both ends lie further than this share of a cell on either
// side.
constexpr double kCrossing = 1e-2;

double cross2(const dvec2& a, const dvec2& b) { return a.x * b.y - a.y * b.x; }

struct Extent {
  dvec2 low{1e300}, high{-1e300};
  double area = 0;
};

int panel_blocks(double length, double cell, int width) {
  const double vertices = std::floor(length / cell + kOnEdge) + 1;
  return int(std::min(vertices / width + 1, 1e6));
}

/// Calls visit(i, j, weights) for the lattice points of a panel inside of a triangle.
template <class Visit>
void visit_triangle(const dvec2 (&p)[3], const Panel& panel, double cell, const Visit& visit) {
  const dvec2 anchor(panel.anchor_x, panel.anchor_y);
  const dvec2 a = (p[0] - anchor) / cell, b = (p[1] - anchor) / cell, c = (p[2] - anchor) / cell;
  const double twice = cross2(b - a, c - a);
  if (!(std::abs(twice) > 1e-12)) return;
  const double longest = std::max({glm::length(b - a), glm::length(c - b), glm::length(a - c)});
  const double least = -kOnEdge * longest / std::abs(twice);  // at least as far outside as kOnEdge cells
  const dvec2 low = glm::min(a, glm::min(b, c)) - kOnEdge, high = glm::max(a, glm::max(b, c)) + kOnEdge;
  for (int j = int(std::ceil(low.y)); j <= int(std::floor(high.y)); ++j)
    for (int i = int(std::ceil(low.x)); i <= int(std::floor(high.x)); ++i) {
      const dvec2 q = dvec2(i, j) - a;
      const double u = cross2(q, c - a) / twice, v = cross2(b - a, q) / twice;
      if (std::min({u, v, 1 - u - v}) >= least) visit(i, j, dvec2(u, v));
    }
}

void corners_of(const MaterialMesh& mesh, size_t t, dvec2 (&p)[3]) {
  for (int k = 0; k < 3; ++k) p[k] = mesh.point[mesh.corners[t][k]];
}

/// Slot of a lattice point, -1: none.
int slot_at(const Layout& layout, int log_width, int panel, int i, int j) {
  const Panel& p = layout.panels[panel];
  const int bx = i >> log_width, by = j >> log_width, w = 1 << log_width;
  if (i < 0 || j < 0 || bx >= p.blocks_x || by >= p.blocks_y) return -1;
  const int b = layout.table[p.start + by * p.blocks_x + bx];
  return b < 0 ? -1 : (b * w + (j & (w - 1))) * w + (i & (w - 1));
}

/// True if the segments cross, both clearly.
bool cross_clearly(const dvec2& a, const dvec2& b, const dvec2& c, const dvec2& d) {
  const auto beyond = [](const dvec2& from, const dvec2& to, const dvec2& p, const dvec2& q) {
    const double length = glm::length(to - from);
    if (!(length > 0)) return false;
    const double s = cross2(to - from, p - from) / length, t = cross2(to - from, q - from) / length;
    return std::min(s, t) < -kCrossing && std::max(s, t) > kCrossing;
  };
  return beyond(a, b, c, d) && beyond(c, d, a, b);
}

/// Edges of panels, in cells of their lattices: those of one triangle alone.
struct PanelEdge {
  int panel;
  dvec2 from, to;
};
std::vector<PanelEdge> panel_edges(const MaterialMesh& mesh, const Layout& layout, double cell) {
  std::vector<PanelEdge> edges;
  for_each_edge(mesh.corners, [&](auto sides) {
    if (sides.size() > 1) return;
    const int panel = layout.panel_of[sides[0].triangle];
    const Panel& p = layout.panels[panel];
    const dvec2 anchor(p.anchor_x, p.anchor_y);
    edges.push_back({panel, (mesh.point[sides[0].edge.first] - anchor) / cell,
                     (mesh.point[sides[0].edge.second] - anchor) / cell});
  });
  return edges;
}

/// Per slot, of its cell: bit 0: an edge of the panel runs between two corners of the lower triangle that are
/// inside, bit 1: of the upper one, bit 2: between the ends of the other diagonal.
std::vector<char> cut_cells(const MaterialMesh& mesh, const Layout& layout, double cell, int log_width,
                            const std::vector<Flags>& flags) {
  std::vector<char> cut(flags.size(), 0);
  for (const PanelEdge& e : panel_edges(mesh, layout, cell)) {
    const dvec2 low = glm::floor(glm::min(e.from, e.to)), high = glm::floor(glm::max(e.from, e.to));
    for (int j = int(low.y); j <= int(high.y); ++j)
      for (int i = int(low.x); i <= int(high.x); ++i) {
        const int slot = slot_at(layout, log_width, e.panel, i, j);
        if (slot < 0) continue;
        const ivec2 q[4] = {ivec2(i, j), ivec2(i + 1, j), ivec2(i + 1, j + 1), ivec2(i, j + 1)};
        bool inside[4];
        for (int k = 0; k < 4; ++k) {
          const int s = slot_at(layout, log_width, e.panel, q[k].x, q[k].y);
          inside[k] = s >= 0 && flags[s];
        }
        const auto crosses = [&](int a, int b) {
          return inside[a] && inside[b] && cross_clearly(dvec2(q[a]), dvec2(q[b]), e.from, e.to);
        };
        const bool diagonal = crosses(0, 2);
        if (diagonal || crosses(0, 1) || crosses(1, 2)) cut[slot] |= 1;
        if (diagonal || crosses(2, 3) || crosses(3, 0)) cut[slot] |= 2;
        if (crosses(1, 3)) cut[slot] |= 4;
      }
  }
  return cut;
}

/// Flags of triangles, cells and hinges from those of vertices.
class Classifier {
 public:
  Classifier(const Layout& layout, int log_width, const std::vector<char>& cut, std::vector<Flags>& flags)
      : layout_(layout), log_width_(log_width), cut_(cut), flags_(flags) {}

  void classify(int slot) {
    Flags& f = flags_[slot];
    if (!(f & kInside)) return;
    const Block b = layout_.blocks[slot >> (2 * log_width_)];
    const int w = 1 << log_width_;
    panel_ = b.panel, i_ = b.x * w + (slot & (w - 1)), j_ = b.y * w + ((slot >> log_width_) & (w - 1));
    const char own_cut = cut_[slot];
    if (inside(1, 1)) {
      if (inside(1, 0) && !(own_cut & 1)) f |= kLower;
      if (inside(0, 1) && !(own_cut & 2)) f |= kUpper;
    }
    if (whole(0, 0)) f |= kCell;
    if ((i_ + j_) & 1) {
      const int up = half_hinge(0, 1, 0, 0, -1, 0), down = half_hinge(0, -1, 0, -1, -1, -1);
      const int right = half_hinge(1, 0, 0, 0, 0, -1), left = half_hinge(-1, 0, -1, 0, -1, -1);
      const int along_x = inside(1, 0) && inside(-1, 0) ? up + down : 0;
      const int along_y = inside(0, 1) && inside(0, -1) ? right + left : 0;
      f = Flags(f | (along_x << kAlongX) | (along_y << kAlongY));
    }
  }

 private:
  int slot(int dx, int dy) const { return slot_at(layout_, log_width_, panel_, i_ + dx, j_ + dy); }
  bool inside(int dx, int dy) const {
    const int s = slot(dx, dy);
    return s >= 0 && (flags_[s] & kInside);
  }
  bool uncut(int dx, int dy) const {
    const int s = slot(dx, dy);
    return s < 0 || !cut_[s];
  }
  bool whole(int dx, int dy) const {
    return uncut(dx, dy) && inside(dx, dy) && inside(dx + 1, dy) && inside(dx, dy + 1) &&
           inside(dx + 1, dy + 1);
  }
  /// The hinge at the edge to (x, y), with the cells at (ax, ay) and (bx, by) beside it.
  int half_hinge(int x, int y, int ax, int ay, int bx, int by) const {
    return inside(x, y) && uncut(ax, ay) && uncut(bx, by) ? 1 : 0;
  }

  const Layout& layout_;
  int log_width_;
  const std::vector<char>& cut_;
  std::vector<Flags>& flags_;
  int panel_ = 0, i_ = 0, j_ = 0;
};

void check(const MaterialMesh& mesh, const GridOptions& o) {
  if (mesh.corners.empty())
    throw Error("the mesh of a grid has no triangles", "", "use a mesh with triangles");
  if (!(o.cell > 1e-6f) || !(o.margin >= 0))
    throw Error("a grid's cell of " + std::to_string(double(o.cell)) + " m is too small", "",
                "use at least 1e-6 m");
  if (o.ghost_cells < 0 || o.ghost_cells > 8)
    throw Error("a band of " + std::to_string(o.ghost_cells) + " ghost cells", "", "use 0 to 8");
  if (o.block_width != 8 && o.block_width != 16 && o.block_width != 32 && o.block_width != 64)
    throw Error("a grid's block of " + std::to_string(o.block_width) + " vertices", "",
                "use 8, 16, 32 or 64");
}

}  // namespace

using Seen = std::vector<std::vector<bool>>;

/// Marks blocks that the bands of ghosts reach: those around an occupied block are enough for bands narrower
/// than a block.
void reserve_bands(const Layout& layout, const GridOptions& options, Seen& seen) {
  if (options.ghost_cells == 0) return;
  const int w = options.block_width, g = options.ghost_cells;
  const Seen inside = seen;
  for (const Panel& p : layout.panels)
    for (int y = 0; y < p.blocks_y; ++y)
      for (int x = 0; x < p.blocks_x; ++x) {
        const std::vector<bool>& block = inside[p.start + y * p.blocks_x + x];
        for (size_t k = 0; k < block.size(); ++k) {
          if (!block[k]) continue;
          const int i = x * w + int(k) % w, j = y * w + int(k) / w;
          for (const int di : {-g, g})
            for (const int dj : {-g, g}) {
              const int bx = (i + di) / w, by = (j + dj) / w;
              if (i + di < 0 || j + dj < 0 || bx >= p.blocks_x || by >= p.blocks_y) continue;
              std::vector<bool>& other = seen[p.start + by * p.blocks_x + bx];
              if (other.empty()) other.resize(size_t(w) * w);
            }
        }
      }
}

std::vector<int> panels_of(const MaterialMesh& mesh, int& count) {
  std::vector<int> root(mesh.point.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (const ivec3& t : mesh.corners) {
    root[find(t.y)] = find(t.x);
    root[find(t.z)] = find(t.x);
  }
  std::vector<int> number(mesh.point.size(), -1), part;
  count = 0;
  for (const ivec3& t : mesh.corners) {
    int& n = number[find(t.x)];
    if (n < 0) n = count++;
    part.push_back(n);
  }
  return part;
}

Layout lay_out(const MaterialMesh& mesh, const GridOptions& options) {
  check(mesh, options);
  const double cell = double(options.cell);
  const int w = options.block_width, log_width = std::countr_zero(unsigned(w));
  Layout out;
  int panels = 0;
  out.panel_of = panels_of(mesh, panels);
  std::vector<Extent> extent{size_t(panels)};
  dvec2 p[3];
  for (size_t t = 0; t < mesh.corners.size(); ++t) {
    Extent& e = extent[out.panel_of[t]];
    corners_of(mesh, t, p);
    for (const dvec2& q : p) e.low = glm::min(e.low, q), e.high = glm::max(e.high, q);
    e.area += cross2(p[1] - p[0], p[2] - p[0]);
  }
  int64_t entries = 0;
  for (const Extent& e : extent) {
    const double margin = std::max(double(options.margin), double(options.ghost_cells) * cell);
    const int x = panel_blocks(e.high.x - e.low.x + 2 * margin, cell, w),
              y = panel_blocks(e.high.y - e.low.y + 2 * margin, cell, w);
    out.panels.push_back({e.low.x - margin, e.low.y - margin, x, y, int(entries), e.area < 0 ? 1 : 0});
    entries += int64_t(x) * y;
    if (entries * w * w > INT32_MAX)
      throw Error(
          "a grid of cells of " + std::to_string(cell) + " m has more vertices than an index can name", "",
          "use larger cells");
  }
  std::vector<std::vector<bool>> seen(
      static_cast<size_t>(entries));  // per entry of the table, per local vertex
  for (size_t t = 0; t < mesh.corners.size(); ++t) {
    const Panel& panel = out.panels[out.panel_of[t]];
    corners_of(mesh, t, p);
    visit_triangle(p, panel, cell, [&](int i, int j, const dvec2&) {
      std::vector<bool>& block = seen[panel.start + (j >> log_width) * panel.blocks_x + (i >> log_width)];
      if (block.empty()) block.resize(size_t(w) * w);
      auto bit = block[(j & (w - 1)) * w + (i & (w - 1))];
      if (!bit) bit = true, ++out.inside;
    });
  }
  reserve_bands(out, options, seen);
  out.table.assign(entries, -1);
  for (int k = 0; k < panels; ++k) {
    const Panel& panel = out.panels[k];
    for (int y = 0; y < panel.blocks_y; ++y)
      for (int x = 0; x < panel.blocks_x; ++x) {
        const size_t entry = panel.start + y * panel.blocks_x + x;
        if (seen[entry].empty()) continue;
        out.table[entry] = int(out.blocks.size());
        out.blocks.push_back({k, x, y});
      }
  }
  if (out.inside == 0)
    throw Error("no vertex of a grid lies inside of the panels", "",
                "use smaller cells: they are " + std::to_string(cell) + " m wide");
  return out;
}

/// Lattice points outside of a panel, but no further than `cells` along both axes from a vertex inside: each
/// with the nearest such vertex.
void add_ghosts(const Layout& layout, int log_width, int cells, Rasterized& out) {
  if (cells == 0) return;
  const int w = 1 << log_width;
  const size_t slots = out.flags.size();
  for (size_t slot = 0; slot < slots; ++slot) {
    if (out.flags[slot]) continue;
    const Block b = layout.blocks[slot >> (2 * log_width)];
    const int i = b.x * w + (int(slot) & (w - 1)), j = b.y * w + ((int(slot) >> log_width) & (w - 1));
    Ghost nearest{-1, -1, 0, 0};
    int least = 1 << 30;
    for (int dy = -cells; dy <= cells; ++dy)
      for (int dx = -cells; dx <= cells; ++dx) {
        const int other = slot_at(layout, log_width, b.panel, i - dx, j - dy), off = dx * dx + dy * dy;
        if (other < 0 || out.triangle[other] < 0 || off >= least) continue;
        least = off;
        nearest = {int(slot), other, dx, dy};
      }
    if (nearest.vertex >= 0) out.ghosts.push_back(nearest);
  }
  for (const Ghost& g : out.ghosts) out.flags[g.vertex] = kInside;
}

Rasterized rasterize(const MaterialMesh& mesh, const GridOptions& options, const Layout& layout) {
  const int w = options.block_width, log_width = std::countr_zero(unsigned(w));
  const double cell = double(options.cell);
  const size_t slots = layout.blocks.size() * size_t(w) * w;
  Rasterized out{std::vector<int>(slots, -1), std::vector<vec2>(slots), std::vector<Flags>(slots, 0)};
  std::vector<float> depth(slots, -1e30f);  // how far inside of its triangle
  dvec2 p[3];
  for (size_t t = 0; t < mesh.corners.size(); ++t) {
    const int panel = layout.panel_of[t];
    corners_of(mesh, t, p);
    visit_triangle(p, layout.panels[panel], cell, [&](int i, int j, const dvec2& weights) {
      const size_t slot = slot_at(layout, log_width, panel, i, j);
      const float inner = float(std::min({weights.x, weights.y, 1 - weights.x - weights.y}));
      if (inner <= depth[slot]) return;
      depth[slot] = inner;
      out.triangle[slot] = int(t), out.barycentric[slot] = vec2(weights), out.flags[slot] = kInside;
    });
  }
  const std::vector<char> cut = cut_cells(mesh, layout, cell, log_width, out.flags);
  add_ghosts(layout, log_width, options.ghost_cells, out);
  Classifier classifier(layout, log_width, cut, out.flags);
  for (size_t slot = 0; slot < slots; ++slot) classifier.classify(int(slot));
  return out;
}

std::vector<int> blocks_around(const Layout& layout) {
  std::vector<int> around;
  around.reserve(9 * layout.blocks.size());
  for (const Block& b : layout.blocks)
    for (int y = b.y - 1; y <= b.y + 1; ++y)
      for (int x = b.x - 1; x <= b.x + 1; ++x) {
        const Panel& p = layout.panels[b.panel];
        const bool known = x >= 0 && y >= 0 && x < p.blocks_x && y < p.blocks_y;
        around.push_back(known ? layout.table[p.start + y * p.blocks_x + x] : -1);
      }
  return around;
}

}  // namespace weft::grid
