// States of the cloth as files that other programs read.
#pragma once
#include <string>
#include <vector>

#include "sim/base/math.h"

namespace weft {

/// Writes a NumPy array: float32, rows x 3, C order. Throws Error naming the file.
void write_npy(const std::string& path, const std::vector<vec3>& rows);

}  // namespace weft
