// The benchmark: how fast the default scene runs, and where the time goes.
#pragma once
#include <string>
#include <vector>

#include "sim/device/device.h"

namespace weft {

struct BenchRequest {
  DeviceChoice device = DeviceChoice::automatic;
  int threads = 0;
  std::vector<int> vertices = {10000, 40000, 100000};  // about how many
  int runs = 5;         // each timed by itself; medians are reported
  int steps = 100;      // timed steps per run
  int warm_up = 50;     // steps before: the cloth swings, memory and caches are warm
  std::vector<std::pair<std::string, std::string>> overrides;
  std::string json_file, markdown_file;
  bool quiet = false;
};

/// Default scene, dt 1/100, default iterations, with springs and with finite elements, at each size. Prints a Markdown table and
/// writes the files asked for. Returns the exit status; throws Error.
int run_bench(const BenchRequest& request);

}  // namespace weft
