#include "sim/mesh/algorithms/quadtree.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "sim/base/error.h"

namespace weft {
namespace {

void check(const GridSurface& s) {
  const size_t count = s.width > 0 && s.height > 0 ? size_t(s.width) * s.height : 0;
  if (s.positions.size() != count || s.occupied.size() != count ||
      (!s.missing.empty() && s.missing.size() != count) || (!s.needed.empty() && s.needed.size() != count))
    throw Error(fmt::format("a grid of {} x {} vertices has lists of {} and {} entries", s.width, s.height,
                            s.positions.size(), s.occupied.size()));
}

using Triangle = std::array<ivec2, 3>;  // places in the grid

/// The triangles of a square of the grid with the lower corner (i, j) whose corners are occupied.
template <class Take>
void triangles_of_square(const GridSurface& s, int i, int j, const Take& take) {
  const ivec2 a(i, j), b(i + 1, j), c(i + 1, j + 1), d(i, j + 1);
  const bool rising = s.diagonal == GridDiagonal::rising;
  const Triangle both[2] = {rising ? Triangle{a, b, c} : Triangle{a, b, d},
                            rising ? Triangle{a, c, d} : Triangle{b, c, d}};
  const int missing = s.missing.empty() ? 0 : s.missing[s.at(i, j)];
  const auto occupied = [&](const ivec2& p) { return s.occupied[s.at(p.x, p.y)] != 0; };
  for (int k = 0; k < 2; ++k)
    if (const Triangle& t = both[k];
        !(missing >> k & 1) && occupied(t[0]) && occupied(t[1]) && occupied(t[2]))
      take(t);
}

/// Gives the used vertices of the grid their numbers.
class Numbering {
 public:
  explicit Numbering(const GridSurface& surface) : surface_(surface), number_(surface.positions.size(), -1) {}
  void add(const Triangle& t) {
    ivec3 places;
    for (int k = 0; k < 3; ++k) places[k] = int(surface_.at(t[k].x, t[k].y)), number_[places[k]] = 0;
    out_.triangles.push_back(places);
  }
  GridTriangles finish() {
    for (size_t v = 0; v < number_.size(); ++v)
      if (number_[v] == 0) number_[v] = int(out_.vertices.size()), out_.vertices.push_back(int(v));
    for (ivec3& t : out_.triangles) t = {number_[t.x], number_[t.y], number_[t.z]};
    return std::move(out_);
  }

 private:
  const GridSurface& surface_;
  std::vector<int> number_;
  GridTriangles out_;
};

/// What is known of the square of a level.
enum Square : uint8_t {
  empty,    // has no triangle
  whole,    // is triangulated, if the square above is divided
  divided,  // consists of four of the level below
};

class Quadtree {
 public:
  Quadtree(const GridSurface& surface, float tolerance) : s_(surface), tolerance_(tolerance) {
    for (int k = 0;; ++k) {
      const int size = 1 << k;
      Level level{(s_.width - 2) / size + 1, (s_.height - 2) / size + 1, {}};
      level.squares.assign(size_t(level.width) * level.height, empty);
      levels_.push_back(std::move(level));
      if (levels_.back().width == 1 && levels_.back().height == 1) break;
    }
  }

  GridTriangles run() {
    find_occupied();
    subdivide(int(levels_.size()) - 1, 0, 0);
    do {
      while (balance()) {}
    } while (divide_where_triangles_are_off());
    Numbering numbering(s_);
    for_leaves([&](int k, int i, int j) {
      if (k == 0) triangles_of_square(s_, i, j, [&](const Triangle& t) { numbering.add(t); });
      else
        for (const Triangle& t : triangulated(k, i, j)) numbering.add(t);
    });
    return numbering.finish();
  }

 private:
  struct Level {
    int width, height;  // squares
    std::vector<Square> squares;
  };
  Square& square(int k, int i, int j) { return levels_[k].squares[size_t(j) * levels_[k].width + i]; }
  /// `empty` outside.
  Square look(int k, int i, int j) {
    const Level& level = levels_[k];
    return i < 0 || j < 0 || i >= level.width || j >= level.height ? empty : square(k, i, j);
  }
  vec3 point(int i, int j) const { return s_.positions[s_.at(i, j)]; }

  /// Marks the squares that hold triangles; as divided where a vertex is missing.
  void find_occupied() {
    for (int j = 0; j < levels_[0].height; ++j)
      for (int i = 0; i < levels_[0].width; ++i)
        triangles_of_square(s_, i, j, [&](const Triangle&) { square(0, i, j) = whole; });
    for (int k = 1; k < int(levels_.size()); ++k)
      for (int j = 0; j < levels_[k].height; ++j)
        for (int i = 0; i < levels_[k].width; ++i) square(k, i, j) = of_parts(k, i, j);
  }

  Square of_parts(int k, int i, int j) {
    bool all_whole = true, all_empty = true;
    for (int part = 0; part < 4; ++part) {
      const int x = 2 * i + part % 2, y = 2 * j + part / 2;
      all_empty &= look(k - 1, x, y) == empty;
      all_whole &= k == 1 ? full(x, y) : look(k - 1, x, y) == whole;
    }
    return all_empty ? empty : all_whole ? whole : divided;
  }

  /// True for a square of the grid with both triangles.
  bool full(int i, int j) const {
    int count = 0;
    if (i + 1 < s_.width && j + 1 < s_.height)
      triangles_of_square(s_, i, j, [&](const Triangle&) { ++count; });
    return count == 2;
  }

  /// Phase 1. The square above is divided.
  void subdivide(int k, int i, int j) {
    Square& it = square(k, i, j);
    if (it == empty || k == 0) return;
    if (it == whole && near_bilinear(k, i, j)) return;
    it = divided;
    for (int part = 0; part < 4; ++part)
      if (look(k - 1, 2 * i + part % 2, 2 * j + part / 2) != empty)
        subdivide(k - 1, 2 * i + part % 2, 2 * j + part / 2);
  }

  bool near_bilinear(int k, int i, int j) const {
    const int size = 1 << k, x = i * size, y = j * size;
    const vec3 a = point(x, y), b = point(x + size, y), c = point(x, y + size), d = point(x + size, y + size);
    for (int v = 0; v <= size; ++v)
      for (int u = 0; u <= size; ++u) {
        const float s = float(u) / float(size), t = float(v) / float(size);
        const vec3 there = a + s * (b - a) + t * ((c - a) + s * ((d - c) - (b - a)));
        if (glm::length(point(x + u, y + v) - there) > tolerance_) return false;
        const bool corner = (u == 0 || u == size) && (v == 0 || v == size);
        if (!corner && !s_.needed.empty() && s_.needed[s_.at(x + u, y + v)]) return false;
      }
    return true;
  }

  /// Calls take(k, i, j) for every square that is triangulated. Above a divided square all are.
  template <class Take>
  void for_leaves(const Take& take) {
    const int top = int(levels_.size()) - 1;
    for (int k = 0; k <= top; ++k)
      for (int j = 0; j < levels_[k].height; ++j)
        for (int i = 0; i < levels_[k].width; ++i)
          if (square(k, i, j) != empty && (k == 0 || square(k, i, j) != divided) &&
              (k == top || square(k + 1, i / 2, j / 2) == divided))
            take(k, i, j);
  }

  /// Phase 2, once: divides squares beside which a square of half the size is divided. Returns whether there
  /// was one.
  bool balance() {
    bool changed = false;
    for_leaves([&](int k, int i, int j) {
      if (k < 2) return;
      const int x = 2 * i, y = 2 * j;
      const ivec2 beside[8] = {{x, y - 1}, {x + 1, y - 1}, {x, y + 2}, {x + 1, y + 2},
                               {x - 1, y}, {x - 1, y + 1}, {x + 2, y}, {x + 2, y + 1}};
      for (const ivec2& n : beside)
        if (look(k - 1, n.x, n.y) == divided) {
          square(k, i, j) = divided, changed = true;
          return;
        }
    });
    return changed;
  }

  /// The corners of a square and the vertices inside its edges, counterclockwise from the lower left corner;
  /// `inner`: which are the latter.
  std::vector<ivec2> ring(int k, int i, int j, std::vector<int>& inner) {
    const int size = 1 << k, half = size / 2, x = i * size, y = j * size;
    const ivec2 corners[4] = {{x, y}, {x + size, y}, {x + size, y + size}, {x, y + size}};
    const ivec2 across[4] = {{i, j - 1}, {i + 1, j}, {i, j + 1}, {i - 1, j}};
    const ivec2 middle[4] = {{x + half, y}, {x + size, y + half}, {x + half, y + size}, {x, y + half}};
    std::vector<ivec2> out;
    for (int e = 0; e < 4; ++e) {
      out.push_back(corners[e]);
      if (look(k, across[e].x, across[e].y) == divided)
        inner.push_back(int(out.size())), out.push_back(middle[e]);
    }
    return out;
  }

  /// Phase 3: a fan around one vertex of the ring; around those inside an edge it has no flat triangle.
  static std::vector<Triangle> fan(const std::vector<ivec2>& ring, int around) {
    std::vector<Triangle> out;
    const int count = int(ring.size());
    for (int n = 1; n + 1 < count; ++n)
      out.push_back({ring[around], ring[(around + n) % count], ring[(around + n + 1) % count]});
    return out;
  }

  /// The first triangulation within the tolerance; empty if there is none.
  std::vector<Triangle> triangulated(int k, int i, int j) {
    std::vector<int> centres;
    const std::vector<ivec2> points = ring(k, i, j, centres);
    if (centres.empty())
      centres = s_.diagonal == GridDiagonal::rising ? std::vector<int>{0, 1} : std::vector<int>{1, 0};
    for (const int centre : centres) {
      std::vector<Triangle> triangles = fan(points, centre);
      bool near = true;
      for (const Triangle& t : triangles) near = near && near_triangle(t);
      if (near) return triangles;
    }
    return {};
  }

  bool near_triangle(const Triangle& t) const {
    const ivec2 least = glm::min(t[0], glm::min(t[1], t[2])), most = glm::max(t[0], glm::max(t[1], t[2]));
    const ivec2 p = t[1] - t[0], q = t[2] - t[0];
    const int area = p.x * q.y - p.y * q.x;
    const vec3 a = point(t[0].x, t[0].y), b = point(t[1].x, t[1].y) - a, c = point(t[2].x, t[2].y) - a;
    for (int y = least.y; y <= most.y; ++y)
      for (int x = least.x; x <= most.x; ++x) {
        const ivec2 r = ivec2(x, y) - t[0];
        const int u = r.x * q.y - r.y * q.x, v = p.x * r.y - p.y * r.x;
        if (u < 0 || v < 0 || u + v > area) continue;
        const vec3 there = a + float(u) / float(area) * b + float(v) / float(area) * c;
        if (glm::length(point(x, y) - there) > tolerance_) return false;
      }
    return true;
  }

  bool divide_where_triangles_are_off() {
    std::vector<ivec3> off;
    for_leaves([&](int k, int i, int j) {
      if (k > 0 && triangulated(k, i, j).empty()) off.push_back({k, i, j});
    });
    for (const ivec3& it : off) square(it.x, it.y, it.z) = divided;
    return !off.empty();
  }

  const GridSurface& s_;
  const float tolerance_;
  std::vector<Level> levels_;
};

}  // namespace

GridTriangles all_triangles(const GridSurface& surface) {
  check(surface);
  Numbering numbering(surface);
  for (int j = 0; j + 1 < surface.height; ++j)
    for (int i = 0; i + 1 < surface.width; ++i)
      triangles_of_square(surface, i, j, [&](const Triangle& t) { numbering.add(t); });
  return numbering.finish();
}

GridTriangles simplified(const GridSurface& surface, float tolerance) {
  check(surface);
  if (!(tolerance >= 0) || !std::isfinite(tolerance))
    throw Error(fmt::format("a tolerance of {:g} m cannot be kept", tolerance), "", "give 0 or more");
  if (tolerance == 0 || surface.width < 2 || surface.height < 2) return all_triangles(surface);
  return Quadtree(surface, tolerance).run();
}

}  // namespace weft
