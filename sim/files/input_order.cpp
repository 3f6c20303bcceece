#include "sim/files/input_order.h"

namespace weft {

RunInfo in_input_order(const RunInfo& info) {
  RunInfo out = info;
  int first = 0;
  for (RunGroup& g : out.groups) {
    g.first = first;
    if (!g.input.vertex.empty()) {
      if (!g.uv.empty()) g.uv = g.input.in_file_order(g.uv.data(), g.count);
      if (!g.rest.empty()) g.rest = g.input.in_file_order(g.rest.data(), g.count, g.input.unused);
      g.count = int(g.input.vertex.size());
      g.triangles = std::move(g.input.triangles);
      g.input.vertex.clear(), g.input.unused.clear(), g.input.triangles.clear();
    }
    first += g.count;
  }
  return out;
}

void in_input_order(const RunInfo& info, const RunFrame& frame, RunFrame& out) {
  out.step = frame.step, out.time = frame.time;
  out.positions.clear();
  for (const RunGroup& g : info.groups) {
    const std::vector<vec3> own =
        g.input.in_file_order(frame.positions.data() + g.first, g.count, g.input.unused);
    out.positions.insert(out.positions.end(), own.begin(), own.end());
  }
}

RunInfo as_simulated(RunInfo info) {
  for (RunGroup& g : info.groups) g.input = {};
  return info;
}

}  // namespace weft
