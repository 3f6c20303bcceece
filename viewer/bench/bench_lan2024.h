// Benchmark of the scenes made after Lan et al. 2024.
#pragma once
#include "viewer/bench/paper_bench.h"

namespace weft {

/// Projective dynamics with non-distance barriers, beside two-way contact with descent and with Newton's
/// method.
const PaperBench& lan2024_bench();

}  // namespace weft
