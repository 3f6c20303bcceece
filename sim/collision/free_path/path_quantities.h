// What methods that move cloth by forward steps report by name.
#pragma once
#include <string>

#include "sim/collision/free_path/two_way_steps.h"
#include "sim/methods/quantities.h"
#include "sim/scene/model/collision_numbers.h"

namespace weft {

/// TwoWaySteps::bounds.
VertexField bound_field();
/// Of the two that count_close() appends.
std::vector<CounterInfo> close_pair_counters();
void count_close(TwoWaySteps& steps, std::vector<Counter>& counters);
/// A sentence: how far apart layers come to rest.
std::string layers_in_words(const TwoWaySteps& steps);

}  // namespace weft
