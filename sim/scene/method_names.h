// Names of the solvers and collision methods, in the registry's order. Apart from registry.h so that parameters can
// name them without pulling in every method.
#pragma once
#include <string>
#include <vector>

namespace weft {
std::vector<std::string> solver_names();
std::vector<std::string> collision_names();
}  // namespace weft
