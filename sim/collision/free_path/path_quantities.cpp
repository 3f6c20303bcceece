#include "sim/collision/free_path/path_quantities.h"

#include <fmt/format.h>

namespace weft {

VertexField bound_field() {
  return {.name = "bound",
          .label = "Bound of a forward step",
          .unit = "mm",
          .factor = 1000,
          .help = "Bound: how far a vertex may move in one forward step of two-way contact (\u03b3 D/2).",
          .missing = "two-way contact, after a step",
          .recorded = "A recorded run has no collision phases: it stores positions only."};
}

std::vector<CounterInfo> close_pair_counters() {
  return {
      {"vertex_triangle_pairs", "Close vertices and triangles", "Pairs that the last search found close."},
      {"edge_edge_pairs", "Close edges", "Pairs that the last search found close."}};
}

void count_close(TwoWaySteps& steps, std::vector<Counter>& counters) {
  counters.push_back({"vertex_triangle_pairs", double(steps.count(steps.search().vertex_triangle()))});
  counters.push_back({"edge_edge_pairs", double(steps.count(steps.search().edge_edge()))});
}

std::string layers_in_words(const TwoWaySteps& steps) {
  return fmt::format("Layers rest about {:.1f} mm apart on this mesh{}.", 1e3 * double(steps.usual()),
                     steps.part_radii({}).any()
                         ? ", and parts with a contact radius at the sum of both (bodies: at their own)"
                         : "");
}

}  // namespace weft
