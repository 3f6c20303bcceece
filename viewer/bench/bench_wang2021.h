// The benchmark of regular grids (Wang 2021, section 7.6 and figure 20): one time step of a square by every
// descent.
#pragma once
#include "viewer/bench/bench.h"

namespace weft {

/// A square of 128, 256 and 512 vertices along a side (BenchRequest::vertices: others, by their number in
/// all) hangs from its top edge and is let go. Its first step is taken with more and more iterations by block
/// descent with and without Chebyshev acceleration, by conjugate gradients, by descent on the full mesh alone
/// and by multilevel descent, in turns; errors are those of one energy. Then the cost of an iteration per
/// vertex on grids of up to 16 million. Prints Markdown tables and writes the files asked for.
/// Returns the exit status; throws Error.
int run_wang2021_bench(const BenchRequest& request);

}  // namespace weft
