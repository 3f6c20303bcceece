#include "viewer/session/edge_elastic.h"

#include <algorithm>

#include "sim/garment/point_seam.h"

namespace weft {
namespace {

bool is_at(const Seam& seam, const PatternPlace& edge) {
  return std::any_of(seam.sides.begin(), seam.sides.end(), [&](const SeamSide& side) {
    return side.panel == edge.panel && side.edge == edge.edge;
  });
}

}  // namespace

double elastic_at(const Pattern& pattern, const PatternPlace& edge) {
  for (const Seam& seam : pattern.seams)
    if (is_at(seam, edge) && seam.elastic != 1) return seam.elastic;
  return 1;
}

void set_elastic_at(Pattern& pattern, const PatternPlace& edge, double ratio) {
  ratio = std::clamp(ratio, 0.1, 1.0);
  bool any = false;
  for (Seam& seam : pattern.seams)
    if (is_at(seam, edge)) seam.elastic = ratio, any = true;
  if (!any && ratio != 1) pattern.seams.push_back({"elastic", {{edge.panel, edge.edge, 0, 1}}, ratio});
  std::erase_if(pattern.seams,
                [&](const Seam& seam) { return is_at(seam, edge) && seam.sides.size() == 1 && ratio == 1; });
}

}  // namespace weft
