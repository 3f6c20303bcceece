// A sheet that is held all around, for bodies that move below it.
#pragma once
#include <string>

namespace weft::testing {

/// The text of a scene with steps of `dt` (s) and a sheet of half a metre, 0.5 m above the origin, pinned at
/// its boundary. Bodies follow.
inline std::string pinned_sheet(const std::string& collision, const std::string& dt) {
  return "title = \"sheet\"\n[step]\ndt = " + dt + "\ncollision = \"" + collision + R"("
[contact]
ground = false
[[cloth]]
shape = "grid"
size = [0.5, 0.5]
edge = 0.025
position = [0, 0.5, 0]
rotation = [-90, 0, 0]
[[pin]]
where = "boundary"
)";
}

}  // namespace weft::testing
