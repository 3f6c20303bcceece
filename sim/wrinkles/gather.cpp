#include "sim/wrinkles/gather.h"

#include <cmath>

namespace weft::wrinkles {
namespace {

vec2 unit(float degrees) {
  const float a = degrees * kPi / 180;
  return {std::cos(a), std::sin(a)};
}

}  // namespace

std::vector<GatherRow> gather_rows(const std::vector<Gather>& gathers, const std::string& cloth) {
  std::vector<GatherRow> out;
  for (const Gather& g : gathers) {
    if (!g.cloth.empty() && g.cloth != cloth) continue;
    check_gather(g, "gather");
    GatherRow row{};
    row.kind = g.kind == "stroke" ? GatherRow::stroke
               : g.kind == "rows" ? GatherRow::rows
                                  : GatherRow::diamonds;
    row.stroke_line = {g.from, g.to};
    row.direction = row.kind == GatherRow::stroke ? glm::normalize(g.to - g.from) : unit(g.angle);
    row.second = unit(-g.angle);
    row.spacing = g.spacing, row.least = g.min, row.most = g.max;
    row.s0 = g.s0, row.s1 = g.s1, row.radius = g.radius;
    row.stitched = g.stitched;
    row.meet = g.meet_at_seams && row.kind != GatherRow::stroke && (g.radius > 0 || g.stitched);
    row.irregularity = g.irregularity, row.grain = g.grain, row.seed = uint32_t(g.seed);
    out.push_back(row);
  }
  return out;
}

}  // namespace weft::wrinkles
