#include "tests/safety/grains.h"

#include <algorithm>
#include <cmath>

#include "tests/safety/box_tree.h"
#include "tests/safety/crossings.h"

namespace weft::check {

double grain_tolerance(double largest, double radii) {
  constexpr double kRounding = 0x1p-24;  // of a float, of its size
  constexpr double kAllowed = 1e-4;
  return kRounding * (12 * largest + radii) + kAllowed * radii;
}

std::vector<GrainOverlap> find_grain_overlaps(std::span<const dvec3> positions,
                                              std::span<const double> radius) {
  check_input(positions, {});
  std::vector<int> grains;
  std::vector<Box> boxes;
  double largest = 0;
  for (size_t v = 0; v < radius.size(); ++v) {
    if (!(radius[v] > 0)) continue;
    Box box;
    box.add(positions[v] - radius[v]), box.add(positions[v] + radius[v]);
    for (int k = 0; k < 3; ++k) largest = std::max(largest, std::abs(positions[v][k]));
    grains.push_back(int(v)), boxes.push_back(box);
  }
  std::vector<GrainOverlap> found;
  if (grains.empty()) return found;
  BoxTree(std::move(boxes)).overlapping_pairs([&](int i, int j) {
    const auto [a, b] = std::minmax(grains[size_t(i)], grains[size_t(j)]);
    const double radii = radius[size_t(a)] + radius[size_t(b)],
                 depth = radii - glm::length(positions[size_t(a)] - positions[size_t(b)]);
    if (depth > grain_tolerance(largest, radii)) found.push_back({a, b, depth});
  });
  std::sort(found.begin(), found.end(),
            [](const GrainOverlap& p, const GrainOverlap& q) { return p.a != q.a ? p.a < q.a : p.b < q.b; });
  return found;
}

}  // namespace weft::check
