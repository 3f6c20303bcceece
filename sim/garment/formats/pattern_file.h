// Pattern files by their extension.
#pragma once
#include <string>
#include <vector>

#include "sim/garment/pattern.h"

namespace weft {

/// Reads .json (GarmentCode) or .dxf (AAMA, ASTM D6673). `unit`: metres per unit of a DXF file; 0: as the
/// file says. `notices` receives what was left out. Throws Error naming the file.
Pattern read_pattern(const std::string& path, double unit, std::vector<std::string>& notices);

}  // namespace weft
