#include "sim/mesh/algorithms/constrained_delaunay.h"

#include <algorithm>
#include <array>
#include <deque>
#include <numeric>

#include "sim/base/error.h"

namespace weft {
namespace {

__extension__ using Wide = __int128;

/// Twice the area of a triangle, positive where it is counterclockwise.
int64_t turn(const WholePoint& a, const WholePoint& b, const WholePoint& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}
int sign(int64_t value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }

/// True if d lies within the circle through the counterclockwise a, b, c.
bool in_circle(const WholePoint& a, const WholePoint& b, const WholePoint& c, const WholePoint& d) {
  const WholePoint p = a - d, q = b - d, r = c - d;
  const auto square = [](const WholePoint& v) { return Wide(v.x) * v.x + Wide(v.y) * v.y; };
  const auto cross = [](const WholePoint& u, const WholePoint& v) {
    return Wide(u.x) * v.y - Wide(u.y) * v.x;
  };
  return square(p) * cross(q, r) + square(q) * cross(r, p) + square(r) * cross(p, q) > 0;
}

/// Bits of x and y in turn: points that follow each other lie near each other.
uint64_t interleaved(const WholePoint& p) {
  uint64_t out = 0;
  const uint64_t x = uint64_t(p.x + kLargestWhole), y = uint64_t(p.y + kLargestWhole);
  for (int bit = 0; bit < 28; ++bit) out |= ((x >> bit & 1) << (2 * bit)) | ((y >> bit & 1) << (2 * bit + 1));
  return out;
}

/// Triangles with their neighbours, inside of one large triangle whose corners are the last three points.
/// Side k of a triangle lies opposite its corner k.
class Triangulation {
 public:
  explicit Triangulation(std::vector<WholePoint> points) : points_(std::move(points)) {
    const int n = int(points_.size());
    constexpr int64_t far = 4 * kLargestWhole;
    points_.push_back({-far, -far}), points_.push_back({far, -far}), points_.push_back({0, far});
    at_.assign(points_.size(), 0);
    triangles_.push_back({{n, n + 1, n + 2}, {-1, -1, -1}, {}});
  }

  /// False if the point coincides with one that is there.
  bool insert(int p) {
    int t = at_[last_];
    for (bool moved = true; moved;) {
      moved = false;
      for (int k = 0; k < 3 && !moved; ++k)
        if (side(t, k, p) < 0) t = triangles_[t].next[k], moved = true;
    }
    for (const int v : triangles_[t].corner)
      if (points_[v] == points_[p]) return false;
    last_ = p;
    split(t, p);
    return true;
  }

  /// Makes a side of triangles of the line between two points. False if that crosses another such side or a
  /// point.
  bool keep(int a, int b) {
    std::deque<ivec2> crossed;
    if (!find_crossed(a, b, crossed)) return false;
    std::vector<ivec2> made;
    while (!crossed.empty()) {
      const ivec2 e = crossed.front();
      crossed.pop_front();
      const auto [t, k] = find(e.x, e.y);
      const int c = triangles_[t].corner[k], d = beyond(t, int(k));
      if (side_of(c, d, e.x) * side_of(c, d, e.y) >= 0) {
        crossed.push_back(e);
        continue;
      }
      flip(t, k);
      const bool still = c != a && c != b && d != a && d != b && side_of(a, b, c) * side_of(a, b, d) < 0;
      still ? crossed.push_back({c, d}) : made.push_back({c, d});
    }
    const auto [t, k] = find(a, b);
    fix(t, k);
    improve(made);
    return true;
  }

  /// Triangles on the left of directed kept lines and what is reached from there without crossing one.
  std::vector<ivec3> left_of(const std::vector<ivec2>& edges) const {
    std::vector<char> seen(triangles_.size(), 0);
    std::vector<int> found;
    const auto visit = [&](int t) {
      if (t >= 0 && !seen[t]) seen[t] = 1, found.push_back(t);
    };
    for (const ivec2& e : edges) visit(find(e.x, e.y).first);
    for (size_t i = 0; i < found.size(); ++i)
      for (size_t k = 0; k < 3; ++k)
        if (const Triangle& t = triangles_[found[i]]; !t.kept[k]) visit(t.next[k]);
    std::vector<ivec3> out;
    const int real = int(points_.size()) - 3;
    for (const int t : found) {
      const auto& c = triangles_[t].corner;
      if (std::max({c[0], c[1], c[2]}) >= real) return {};  // the edges do not enclose anything
      out.push_back({c[0], c[1], c[2]});
    }
    return out;
  }

 private:
  struct Triangle {
    std::array<int, 3> corner, next;
    std::array<bool, 3> kept;
  };
  static size_t after(size_t k) { return (k + 1) % 3; }
  static size_t before(size_t k) { return (k + 2) % 3; }

  int side_of(int a, int b, int p) const { return sign(turn(points_[a], points_[b], points_[p])); }
  /// On which side of side k of a triangle a point is: positive inside.
  int side(int t, int k, int p) const {
    const auto& c = triangles_[t].corner;
    return side_of(c[after(k)], c[before(k)], p);
  }
  size_t place_of(int t, int neighbor) const {
    const auto& next = triangles_[t].next;
    return size_t(std::find(next.begin(), next.end(), neighbor) - next.begin());
  }
  /// The corner on the other side of side k.
  int beyond(int t, int k) const {
    const int u = triangles_[t].next[k];
    return triangles_[u].corner[place_of(u, t)];
  }
  void set(int t, std::array<int, 3> corner, std::array<int, 3> next, std::array<bool, 3> kept) {
    triangles_[t] = {corner, next, kept};
    for (const int v : corner) at_[v] = t;
  }
  void replace_next(int t, int old, int now) {
    if (t >= 0) triangles_[t].next[place_of(t, old)] = now;
  }

  /// Turns the diagonal of the two triangles at side k of t: (a b c) and (d c b) become (a b d), which is t,
  /// and (a d c).
  void flip(int t, size_t k) {
    const Triangle T = triangles_[t];
    const int u = T.next[k];
    const Triangle U = triangles_[u];
    const size_t j = place_of(u, t);
    const int a = T.corner[k], b = T.corner[after(k)], c = T.corner[before(k)], d = U.corner[j];
    const int bd = U.next[after(j)], dc = U.next[before(j)], ca = T.next[after(k)], ab = T.next[before(k)];
    set(t, {a, b, d}, {bd, u, ab}, {U.kept[after(j)], false, T.kept[before(k)]});
    set(u, {a, d, c}, {dc, ca, t}, {U.kept[before(j)], T.kept[after(k)], false});
    replace_next(bd, u, t), replace_next(ca, t, u);
  }
  /// Puts a point into a triangle, or on a side of it, and restores the Delaunay property. The point is
  /// corner 0 of each new triangle.
  void split(int t, int p) {
    const Triangle T = triangles_[t];
    const int u = int(triangles_.size()), w = u + 1;
    triangles_.resize(triangles_.size() + 2);
    const auto [a, b, c] = T.corner;
    set(t, {p, b, c}, {T.next[0], u, w}, {T.kept[0], false, false});
    set(u, {p, c, a}, {T.next[1], w, t}, {T.kept[1], false, false});
    set(w, {p, a, b}, {T.next[2], t, u}, {T.kept[2], false, false});
    replace_next(T.next[1], t, u), replace_next(T.next[2], t, w);
    std::vector<int> open{t, u, w};
    while (!open.empty()) {
      const int s = open.back();
      open.pop_back();
      const int other = triangles_[s].next[0];
      if (other < 0) continue;
      const auto& x = triangles_[s].corner;
      const bool flat = side_of(x[0], x[1], x[2]) == 0;
      if (!flat && !in_circle(points_[x[0]], points_[x[1]], points_[x[2]], points_[beyond(s, 0)])) continue;
      flip(s, 0);
      open.push_back(s), open.push_back(other);
    }
  }

  /// The triangle with a directed side from a to b, and the number of that side. -1: none.
  std::pair<int, size_t> find(int a, int b) const {
    const int first = at_[a];
    for (const bool left : {true, false}) {  // the large triangle's corners have no closed fan
      int t = first;
      do {
        const Triangle& T = triangles_[t];
        const size_t k = std::find(T.corner.begin(), T.corner.end(), a) - T.corner.begin();
        if (T.corner[after(k)] == b) return {t, before(k)};
        t = T.next[left ? after(k) : before(k)];
      } while (t != first && t >= 0);
      if (t >= 0) break;
    }
    return {-1, 0};
  }
  void fix(int t, size_t k) {
    const int u = triangles_[t].next[k];
    triangles_[t].kept[k] = true;
    if (u >= 0) triangles_[u].kept[place_of(u, t)] = true;
  }
  /// Sides that the line from a to b crosses, in their order. False if it passes through a point or a kept
  /// side.
  bool find_crossed(int a, int b, std::deque<ivec2>& crossed) const {
    const int first = at_[a];
    int t = first, p = -1, q = -1;
    do {
      const Triangle& T = triangles_[t];
      const size_t k = std::find(T.corner.begin(), T.corner.end(), a) - T.corner.begin();
      const int c = T.corner[after(k)], d = T.corner[before(k)];
      if (c == b || d == b) return true;
      const int right = side_of(a, b, c), left = side_of(a, b, d);
      if (right == 0 && ahead(a, b, c)) return false;
      if (right < 0 && left > 0) {
        p = c, q = d;
        break;
      }
      t = T.next[after(k)];
    } while (t != first);
    if (p < 0) return false;
    for (;;) {
      const auto [inner, k] = find(p, q);
      if (triangles_[inner].kept[k]) return false;
      crossed.push_back({p, q});
      const int d = beyond(inner, int(k));
      if (d == b) return true;
      const int where = side_of(a, b, d);
      if (where == 0) return false;
      (where > 0 ? q : p) = d;
    }
  }
  bool ahead(int a, int b, int c) const {
    const WholePoint u = points_[b] - points_[a], v = points_[c] - points_[a];
    return u.x * v.x + u.y * v.y > 0;
  }
  /// Turns sides until each is Delaunay, or kept.
  void improve(std::vector<ivec2> sides) {
    for (bool turned = true; turned;) {
      turned = false;
      for (ivec2& e : sides) {
        const auto [t, k] = find(e.x, e.y);
        if (t < 0 || triangles_[t].kept[k] || triangles_[t].next[k] < 0) continue;
        const auto& x = triangles_[t].corner;
        const int d = beyond(t, int(k)), c = x[k];
        if (!in_circle(points_[x[0]], points_[x[1]], points_[x[2]], points_[d])) continue;
        flip(t, k);
        e = {c, d}, turned = true;
      }
    }
  }

  std::vector<WholePoint> points_;
  std::vector<Triangle> triangles_;
  std::vector<int> at_;  // per point a triangle
  int last_ = 0;
};

}  // namespace

std::vector<ivec3> constrained_delaunay(const std::vector<WholePoint>& points,
                                        const std::vector<ivec2>& edges) {
  for (const WholePoint& p : points)
    if (std::max({p.x, -p.x, p.y, -p.y}) > kLargestWhole)
      throw Error("a point of a triangulation is too far from the origin", "triangulation",
                  "use larger units");
  std::vector<int> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<uint64_t> key;
  for (const WholePoint& p : points) key.push_back(interleaved(p));
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return key[a] < key[b]; });
  Triangulation all(points);
  for (const int p : order)
    if (!all.insert(p)) return {};
  for (const ivec2& e : edges)
    if (!all.keep(e.x, e.y)) return {};
  return all.left_of(edges);
}

}  // namespace weft
