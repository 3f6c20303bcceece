// Darts become edges and seams.
#pragma once
#include "sim/garment/pattern.h"

namespace weft {

/// The same garment without darts: each becomes two edges to its tip and a seam between them. Seams over an
/// edge with darts are divided where a dart is, on all their sides. The pattern has passed check_pattern.
Pattern without_darts(const Pattern& pattern);

}  // namespace weft
