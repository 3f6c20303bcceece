// "Did you mean ...?"
#pragma once
#include <string>
#include <vector>

namespace weft {

/// The name nearest to `wanted` (the first of several), if at most a third of the characters of the longer
/// of both are missing, added, different or swapped with their neighbour (at least one may be); else "".
std::string near_name(const std::string& wanted, const std::vector<std::string>& names);

/// Advice for a name that is none of `names`: "did you mean ball?", names with unusual characters in quotes;
/// where none is near, "use one of ..." for at most twelve, and nothing for more or none.
std::string did_you_mean(const std::string& wanted, const std::vector<std::string>& names);

}  // namespace weft
