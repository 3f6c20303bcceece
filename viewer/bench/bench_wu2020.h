// The benchmark of Wu 2020: its scenes beside the paper's table 1, and stages grouped as in figure 13.
#pragma once
#include "viewer/bench/paper_bench.h"

namespace weft {

const PaperBench& wu2020_bench();

}  // namespace weft
