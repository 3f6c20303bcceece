// Benchmark of the scenes made after Tang et al. 2018.
#pragma once
#include "viewer/bench/paper_bench.h"

namespace weft {

/// Impact zones beside two-way contact, both with the scenes' one linearised step of Newton's method.
const PaperBench& tang2018_bench();

}  // namespace weft
