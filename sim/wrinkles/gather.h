// Gathers as kernels have them (Wang 2021, section 6.2).
#pragma once
#include <string>
#include <vector>

#include "sim/scene/text/gather_table.h"
#include "sim/wrinkles/gather_kernels.h"

namespace weft::wrinkles {

using weft::Gather;

/// Those of a cloth, for kernels.
std::vector<GatherRow> gather_rows(const std::vector<Gather>& gathers, const std::string& cloth);

}  // namespace weft::wrinkles
