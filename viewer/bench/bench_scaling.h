// The benchmark over threads: how the default scene's steps speed up, and how near they come to what memory
// gives.
#pragma once
#include "viewer/bench/bench.h"

namespace weft {

/// The default scene with 1, 2, 4 ... threads up to BenchRequest::threads (0: all cores), and on the GPU
/// where `device` says so (automatic: where there is one).
/// The runs of all of them take turns, so that a machine that is busy for a while favours none. Prints a
/// Markdown table and writes the files asked for.
/// Returns the exit status; throws Error.
int run_scaling_bench(const BenchRequest& request);

}  // namespace weft
