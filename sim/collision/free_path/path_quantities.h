// What methods that move cloth by forward steps report by name.
#pragma once
#include "sim/collision/free_path/two_way_steps.h"
#include "sim/methods/quantities.h"
#include "sim/scene/model/collision_numbers.h"

namespace weft {

/// TwoWaySteps::bounds.
inline VertexField bound_field() {
  return {.name = "bound",
          .label = "Bound of a forward step",
          .unit = "mm",
          .factor = 1000,
          .help = "Bound: how far a vertex may move in one forward step of two-way contact (\u03b3 D/2).",
          .missing = "two-way contact, after a step",
          .recorded = "A recorded run has no collision phases: it stores positions only."};
}

/// Of the two that count_close() appends.
inline std::vector<CounterInfo> close_pair_counters() {
  return {
      {"vertex_triangle_pairs", "Close vertices and triangles", "Pairs that the last search found close."},
      {"edge_edge_pairs", "Close edges", "Pairs that the last search found close."}};
}

inline void count_close(TwoWaySteps& steps, std::vector<Counter>& counters) {
  counters.push_back({"vertex_triangle_pairs", double(steps.count(steps.search().vertex_triangle()))});
  counters.push_back({"edge_edge_pairs", double(steps.count(steps.search().edge_edge()))});
}

}  // namespace weft
