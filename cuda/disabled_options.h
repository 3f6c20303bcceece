// What a user switches off of running on a GPU, for a GPU or driver with which it does not work.
#pragma once
#include <string>

namespace weft::cuda {

/// Each is as fast as it gets only if on; results are the same up to rounding.
struct DisabledOptions {
  bool graphs = false;    // steps are recorded and played back; off: launched one by one
  bool resident = false;  // iterations over few rows in one launch of a cluster; off: as without one
  // iterations over any number of rows in one launch with barriers; off: one launch each
  bool cooperative = false;
};

/// Reads names of these, separated by commas, as in the environment variable WEFT_CUDA_OFF. Throws Error for
/// a name that there is not.
DisabledOptions parse_disabled_options(const std::string& text);

}  // namespace weft::cuda
