// weft remesh: edges of nearly equal length.
#pragma once
#include <string>

namespace weft {

struct RemeshRequest {
  std::string from, to;
  double edge = 0;           // m; 0: the mean of the input
  double corner_angle = 30;  // degrees
  int seed = 1;
  bool report = false;  // only report how even the edges are
  bool quiet = false;
};

/// Returns the exit status. Throws Error.
int run_remesh(const RemeshRequest& request);

}  // namespace weft
