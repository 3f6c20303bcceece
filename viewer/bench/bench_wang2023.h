// The benchmark of Wang 2023: its scenes beside the paper's table 1, and stages grouped as in figure 13.
#pragma once
#include "viewer/bench/paper_bench.h"

namespace weft {

const PaperBench& wang2023_bench();

}  // namespace weft
