#include "tests/safety/crossings.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/error.h"
#include "tests/safety/box_tree.h"
#include "tests/safety/triangle_pairs.h"

namespace weft::check {
namespace {

/// Corners that two triangles have in common come first, in the same order in both.
struct Pairing {
  int shared = 0;
  ivec3 a, b;
};

Pairing pair_up(ivec3 a, ivec3 b) {
  int shared = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = shared; j < 3; ++j)
      if (a[i] == b[j]) {
        std::swap(a[i], a[shared]), std::swap(b[j], b[shared]);
        ++shared;
        break;
      }
  return {shared, a, b};
}

class Search {
 public:
  Search(std::span<const dvec3> positions, const Surface& surface) : x_(positions), surface_(surface) {
    for (int t = 0; t < int(surface.triangles.size()); ++t) {
      has_area_.push_back(has_area(corners(surface.triangles[size_t(t)])));
      if (!has_area_.back() && t < surface.cloth_count() && !is_line(surface.triangles[size_t(t)]))
        found_.without_area.push_back(t);
    }
  }

  Crossings run() {
    std::vector<Box> boxes(surface_.triangles.size());
    for (size_t t = 0; t < boxes.size(); ++t)
      for (int k = 0; k < 3; ++k) boxes[t].add(x_[size_t(surface_.triangles[t][k])]);
    const BoxTree tree(std::move(boxes));
    tree.overlapping_pairs([&](int a, int b) { test(std::min(a, b), std::max(a, b)); });
    std::sort(found_.pairs.begin(), found_.pairs.end(),
              [](const Crossing& p, const Crossing& q) { return std::pair(p.a, p.b) < std::pair(q.a, q.b); });
    return std::move(found_);
  }

 private:
  Corners corners(const ivec3& t) const { return {x_[size_t(t.x)], x_[size_t(t.y)], x_[size_t(t.z)]}; }

  void test(int a, int b) {
    if (a >= surface_.cloth_count()) return;
    const Pairing p = pair_up(surface_.triangles[size_t(a)], surface_.triangles[size_t(b)]);
    const Corners ca = corners(p.a), cb = corners(p.b);
    // A triangle without area lies in the edges that it shares, so that nothing can be said of it and its
    // neighbours.
    if (p.shared > 0 && !(has_area_[size_t(a)] && has_area_[size_t(b)])) return;
    const bool crossing = p.shared == 0   ? triangles_meet(ca, cb)
                          : p.shared == 1 ? meet_beyond_corner(ca, cb)
                          : p.shared == 2 ? folded_over(ca[0], ca[1], ca[2], cb[2])
                                          : true;
    if (crossing) found_.pairs.push_back({a, b, b >= surface_.cloth_count() ? Kind::body : Kind(p.shared)});
  }

  std::span<const dvec3> x_;
  Surface surface_;
  std::vector<char> has_area_;
  Crossings found_;
};

}  // namespace

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::apart: return "apart";
    case Kind::shared_vertex: return "shared_vertex";
    case Kind::shared_edge: return "shared_edge";
    case Kind::same_corners: return "same_corners";
    case Kind::body: return "body";
  }
  return "";
}

void check_input(std::span<const dvec3> positions, const Surface& surface) {
  const auto finite = [](const dvec3& p) {
    return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
  };
  for (size_t v = 0; v < positions.size(); ++v)
    if (!finite(positions[v]))
      throw Error(fmt::format("the position of vertex {} is not finite", v), "",
                  "such a state cannot be checked");
  for (size_t t = 0; t < surface.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k)
      if (const int v = surface.triangles[t][k]; v < 0 || size_t(v) >= positions.size())
        throw Error(fmt::format("triangle {} has vertex {}, but there are only {}", t, v, positions.size()),
                    "", "give the positions that belong to these triangles");
}

std::vector<dvec3> in_double(std::span<const vec3> positions) { return {positions.begin(), positions.end()}; }

Crossings find_crossings(std::span<const dvec3> positions, const Surface& surface) {
  check_input(positions, surface);
  return Search(positions, surface).run();
}

Crossings find_crossings(std::span<const vec3> positions, const Surface& surface) {
  return find_crossings(in_double(positions), surface);
}

}  // namespace weft::check
