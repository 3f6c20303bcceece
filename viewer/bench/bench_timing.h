// Code shared by the benchmarks.
#pragma once
#include <algorithm>
#include <chrono>
#include <vector>

#include "sim/base/error.h"
#include "sim/run/simulation.h"
#include "viewer/commands/headless.h"

namespace weft {

using BenchClock = std::chrono::steady_clock;
inline double seconds_since(BenchClock::time_point start) {
  return std::chrono::duration<double>(BenchClock::now() - start).count();
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  return n % 2 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}

/// One step, given up at Ctrl-C.
inline void bench_step(Simulation& simulation) {
  try {
    simulation.step(InterruptGuard::interrupted);
  } catch (const Interrupted&) {
    throw Error("stopped early", "bench");
  }
}

}  // namespace weft
