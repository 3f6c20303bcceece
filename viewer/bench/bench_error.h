// Error against time: one step of each solver at several efforts, from the same states, beside the same step
// solved to its end.
#pragma once
#include "viewer/bench/bench.h"

namespace weft {

struct ErrorRequest {
  BenchRequest bench;               // device, threads, parameters, files, number of vertices
  std::vector<std::string> scenes;  // empty: states that hang, fold, are dragged and piled
  double seconds = 2;               // of each scene, simulated
  int states = 6;                   // of each scene, equally far apart
};

/// Runs each scene with its own methods, and takes the step from each of the states with every solver at
/// several efforts. Error of a step: root of the mean square, by mass, of how far its positions are from
/// those of Newton's method solved to a ten-thousandth, over what gravity moves in a step (9.81 m/s² dt²).
/// Time: processor time of the process. Prints a Markdown table and writes the files asked for. Returns the
/// exit status; throws Error.
int run_error_bench(const ErrorRequest& request);

}  // namespace weft
