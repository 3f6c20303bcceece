// Names of the solvers and collision methods, in the order of the method table. Separate from method_table.h so that
// parameters can name methods without including them.
#pragma once
#include <string>
#include <vector>

namespace weft {
std::vector<std::string> solver_names();
std::vector<std::string> collision_names();
}  // namespace weft
