// Lines between pairs of points as chains: the strands that they make up.
#pragma once
#include <vector>

#include "sim/base/math.h"

namespace weft {

/// Points that follow each other along lines; `closed`: the last is joined to the first.
struct Polyline {
  std::vector<int> points;
  bool closed = false;
};

/// The chains of lines among `count` points. Each line is in exactly one; chains end where three and more
/// lines meet. Chains with ends come in the order of their first points, then loops. Lines that name a point
/// outside of [0, count), or one point twice, are left out.
std::vector<Polyline> polylines_of(const std::vector<ivec2>& lines, int count);
/// The lines along chains, in their order.
std::vector<ivec2> lines_of(const std::vector<Polyline>& chains);

}  // namespace weft
