// "Did you mean ...?"
#pragma once
#include <string>
#include <vector>

namespace weft {

/// The name of least edit distance (the first of several), "" if there are none.
std::string nearest_name(const std::string& wanted, const std::vector<std::string>& names);

}  // namespace weft
